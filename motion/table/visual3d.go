package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// Visual3D exports signals as text below five lines: the file of every column, the name of
// its signal, its type, the folder of the signal, and its component. The last one begins
// with ITEM, which numbers the rows. Signals of several files may stand side by side.

// signalTypes are the types of signals of Visual3D.
var signalTypes = []string{"target", "landmark", "link_model_based", "kinetic_kinematic", "analog", "derived",
	"frame_numbers", "event_label", "metric", "force", "cofp", "freemoment",
	"power", "rotation", "p2d", "parameters", "joint_angle", "segment"}

// A signal is one column of such a table.
type signal struct{ file, name, kind, folder, component string }

// visual3D gives the names of the columns of an export of Visual3D, false for another table.
func (s *source) visual3D(l *layout) bool {
	i := s.above(l.first)
	if i < 4 || !strings.EqualFold(label.Clean(s.head[i].cells[0]), "ITEM") {
		return false
	}
	for _, h := range s.head[i-4 : i] {
		if len(h.cells) != len(s.head[i].cells) || label.Clean(h.cells[0]) != "" {
			return false
		}
	}
	var all []signal
	for c := 1; c < len(s.head[i].shape.kinds); c++ {
		at := func(line int) string { return label.Clean(s.head[i-4+line].cells[c]) }
		one := signal{baseName(at(0)), at(1), strings.ToLower(at(2)), at(3), at(4)}
		if one.name == "" || !slices.Contains(signalTypes, one.kind) {
			return false
		}
		all = append(all, one)
	}
	l.line, l.top = s.head[i].number, i-4
	l.nameSignals(all)
	return len(all) > 0
}

// nameSignals names the columns, of which ITEM is the first.
func (l *layout) nameSignals(all []signal) {
	l.names, l.units = []string{"frame"}, make([]string, len(all)+1)
	l.vectors, l.dropped = make([]bool, len(all)+1), make([]bool, len(all)+1)
	files := map[string]bool{}
	for _, one := range all {
		files[one.file] = true
	}
	l.files = len(files)
	for i, one := range all {
		c, isPlace := i+1, one.kind == "target" || one.kind == "landmark"
		l.vectors[c] = !isPlace
		name := one.called(all)
		if l.files > 1 {
			name = one.file + " " + name
		}
		switch {
		case one.kind == "event_label":
			l.dropped[c] = true
			l.eventColumns++
		case one.kind == "frame_numbers" && strings.EqualFold(one.name, "FRAMES"):
			if l.dropped[c] = l.dropped[0]; !l.dropped[0] {
				// the numbers of the frames tell more than those of the rows
				name, l.dropped[0], l.names[0] = "frame", true, "ITEM"
			}
		case one.kind == "frame_numbers" && strings.EqualFold(one.name, "TIME") && !slices.Contains(l.names, "time"):
			name = "time"
		}
		l.names = append(l.names, name)
	}
}

// called is the name of a signal among all: with its folder where two of a file have one
// name, and with its component where it has several.
func (g signal) called(all []signal) string {
	folders, components := false, false
	for _, other := range all {
		if other.file != g.file || other.name != g.name {
			continue
		}
		folders = folders || other.folder != g.folder
		components = components || other.folder == g.folder && other.component != g.component
	}
	name := g.name
	if folders {
		name += " " + g.folder
	}
	if components {
		name += "_" + g.component
	}
	return name
}

// baseName is the name of a file without its folders and its ending: a path may have a
// person's name in it.
func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		name = name[:at]
	}
	return name
}

// tellSignals warns of what is odd about an export of Visual3D.
func (l *layout) tellSignals(w *quality.Warnings) {
	if l.files > 1 {
		w.Add(quality.CapturesSeveral,
			"The columns are of %d files; all were read side by side, and the name of each begins with its file.",
			l.files)
	}
	if l.eventColumns > 0 {
		w.Add(quality.SectionsSkipped,
			"%d columns have the times of events, which are no numbers of frames, and were left out.", l.eventColumns)
	}
}

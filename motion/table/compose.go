package table

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
)

// titled is how Motive and DeepLabCut call lines of names, in the cell before the names,
// and dropped those of them that tell nothing of a column.
var (
	titled = []string{"type", "name", "id", "parent", "scorer", "individuals", "bodyparts", "coords", "marker",
		"subject", "joint", "segment"}
	dropped = []string{"id", "scorer", "parent", "type"}
)

// compose makes one name of a column of the lines of names above it, the highest
// first, and keeps the units with their columns. Shifted is how many of the lines have their names
// above other columns than the first of a thing; nil names say that nobody can tell which thing a
// column is of.
func compose(lines [][]string, unit []string) (names, units []string, shifted int) {
	leaf := lines[len(lines)-1]
	width := len(unit)
	for _, line := range lines {
		width = max(width, len(line))
	}
	at := func(line []string, c int) string {
		if c < len(line) {
			return line[c]
		}
		return ""
	}
	// The first columns are not of things: frame, time, or what says which line of
	// names is which.
	lead := 0
	for lead < width && lead < 3 && isLead(lines, lead) {
		lead++
	}
	var above [][]string
	for _, line := range lines[:len(lines)-1] {
		title := ""
		for c := range lead {
			if name := at(line, c); name != "" && !isLeadName(name) {
				title = strings.ToLower(strings.Trim(name, ": "))
			}
		}
		full := spread(line, lead, width)
		if full == nil || slices.Contains(dropped, title) || title == "" && len(lines) > 2 && areMotiveTypes(full) ||
			areNumbers(full) {
			continue
		}
		straight, moved, ok := aligned(line, leaf, lead)
		if !ok {
			return nil, nil, 0
		}
		if moved {
			full = spread(straight, lead, width)
			shifted++
		}
		above = append(above, full)
	}
	above = distinctive(above, lead)
	names = make([]string, width)
	for c := range names {
		if c < lead {
			for _, line := range lines {
				if name := at(line, c); isLeadName(name) || name != "" && (names[c] == "" && len(lines) == 1) {
					names[c] = name
				}
			}
			if names[c] == "" && len(lines) > 1 && c == 0 {
				names[c] = "frame"
			}
			continue
		}
		names[c] = join(above, c, at(leaf, c))
	}
	return names, unit, shifted
}

// areMotiveTypes says whether all names of a line are the types of things of Motive.
func areMotiveTypes(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains([]string{"", "rigid body", "rigid body marker", "marker", "bone", "bone marker",
			"skeleton", "force plate"}, strings.ToLower(name))
	})
}

// areNumbers says whether all names of a line are numbers, as those of identification.
func areNumbers(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		k := kindOf([]byte(name))
		return k != numeral &&
			k != empty
	})
}

// isLead says whether a column counts frames or time, or has what the lines of names
// are called.
func isLead(lines [][]string, c int) bool {
	leaf := lines[len(lines)-1]
	if c < len(leaf) && isAxis(leaf[c]) {
		return false
	}
	for _, line := range lines {
		if c < len(line) && (isLeadName(line[c]) || len(lines) > 1 &&
			slices.Contains([]string{"coords", "bodyparts", "scorer", "individuals"}, strings.ToLower(line[c]))) {
			return true
		}
	}
	return false
}

// isLeadName says whether a name is that of a time or of a number of frames.
func isLeadName(name string) bool {
	bare := plainName(name)
	return isTime(bare) || isFrame(bare)
}

// aligned gives a line of names with each above the first column of its thing. Moved says that they
// stood equally far behind it. It is false where nobody can tell which thing a column is of.
func aligned(line, leaf []string, lead int) (names []string, moved, ok bool) {
	if at := centred(line, leaf, lead); at > 0 {
		names, ok = straighten(line, leaf, lead, at)
		return names, true, ok
	}
	return line, false, !splits(line, leaf, lead)
}

// centred says by how many columns the first name of a line stands behind the first column that it
// must be of: one that has no name above it, though its own name comes again under one, as the X of
// the first marker does where names stand in the middle of their three columns.
func centred(line, leaf []string, lead int) int {
	first := lead
	for first < len(line) && line[first] == "" {
		first++
	}
	for c := lead; c < min(first, len(leaf)) && first < len(line); c++ {
		if leaf[c] != "" && slices.Contains(leaf[min(first, len(leaf)):], leaf[c]) {
			return first - c
		}
	}
	return 0
}

// besideColumns is the error for names of which nobody knows whose the columns are.
func besideColumns(line int) error {
	return &quality.Unreadable{
		Reason: "The names in a line above do not stand above the first columns of their things, so it cannot be " +
			"told which columns are whose",
		Line: line, Hint: "Put every name above the first of its columns.",
	}
}

// splits says whether names begin within the columns of things: within x, y and z, or at different
// columns, so that one of them has a column twice.
func splits(line, leaf []string, lead int) bool {
	from, begin, differ, twice := -1, "", false, false
	for c := lead; c < len(leaf); c++ {
		named := c < len(line) && line[c] != ""
		switch {
		case named && from >= 0 && line[c-1] == "" && follows(leaf[c-1], leaf[c]):
			return true
		case named && from >= 0 && leaf[c] != begin:
			differ = true
		case named && from < 0:
			begin = leaf[c]
		case !named && from >= 0 && leaf[c] != "" && slices.Contains(leaf[from:c], leaf[c]):
			twice = true
		}
		if named {
			from = c
		}
	}
	return differ && twice
}

// follows says whether an axis stands behind another one of the same thing.
func follows(before, axis string) bool {
	axes := strings.ToLower(before + axis)
	return axes == "xy" || axes == "yz"
}

// straighten moves the names of a line to the first columns of their things, where that is certain:
// as many names as things, which have the same columns, and all of them equally far from where they
// should be.
func straighten(line, leaf []string, lead, by int) ([]string, bool) {
	names := 0
	for _, name := range line[lead:] {
		if name != "" {
			names++
		}
	}
	columns := len(leaf) - lead
	if columns%names != 0 || by >= columns/names {
		return nil, false
	}
	each := columns / names
	straight := make([]string, len(leaf))
	for c := lead; c < len(leaf); c++ {
		if c+each < len(leaf) && leaf[c] != leaf[c+each] {
			return nil, false
		}
		if (c-lead)%each != 0 {
			continue
		}
		if c+by >= len(line) || line[c+by] == "" {
			return nil, false
		}
		straight[c] = line[c+by]
	}
	return straight, true
}

// spread carries the names of merged cells on to the columns below them. nil where a
// line has no name of a thing.
func spread(line []string, lead, width int) []string {
	full, last, any := make([]string, width), "", false
	for c := lead; c < width; c++ {
		if c < len(line) && line[c] != "" {
			last, any = line[c], true
		}
		full[c] = last
	}
	if !any {
		return nil
	}
	return full
}

// distinctive leaves out lines of names that are the same above all columns, such as the
// model of a pose estimation. The lowest one has the names of the things, and stays; what
// kind of numbers of a thing stand below is no name of it.
func distinctive(lines [][]string, lead int) [][]string {
	same := func(line []string) bool {
		return !slices.ContainsFunc(line[lead:], func(name string) bool { return name != line[lead] })
	}
	last := -1
	for i, line := range lines {
		if !isKind(line[lead:]) {
			last = i
		}
	}
	var kept [][]string
	for i, line := range lines {
		if i == last || isKind(line[lead:]) || !same(line) {
			kept = append(kept, line)
		}
	}
	return kept
}

// isKind says whether names only tell what kind of numbers stand below.
func isKind(names []string) bool {
	for _, name := range names {
		switch strings.ToLower(name) {
		case "", "position", "rotation", "mean marker error", "error per marker", "marker quality":
		default:
			return false
		}
	}
	return true
}

// join makes a name of those above a column and its own.
func join(above [][]string, c int, leaf string) string {
	var parts []string
	for _, line := range above {
		name := line[c]
		if name == "" || strings.EqualFold(name, "position") && len(above) > 1 {
			continue
		}
		if len(parts) == 0 || parts[len(parts)-1] != name {
			parts = append(parts, name)
		}
	}
	thing := strings.Join(parts, " ")
	switch {
	case thing == "":
		return leaf
	case leaf == "":
		return thing
	case isAxis(leaf):
		return thing + "_" + leaf
	}
	return thing + " " + leaf
}

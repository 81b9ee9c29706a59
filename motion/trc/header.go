// Package trc reads the TRC files of motion capture: tables of marker positions.
//
// What is known of the format comes from the OpenSim documentation of marker
// files and from files of many programs. The first line begins with
// PathFileType; the second has the names of the header's values, the third the
// values; the fourth has Frame#, Time and the names of the markers, one above
// every three columns; the fifth names the axes. An empty line may follow, then
// one row for each frame: its number, its time in seconds, and x, y, z of every
// marker, empty where the marker was not seen. Cells are set apart by tabs.
//
// The rest of the first line is a path on the computer of whoever exported the
// file. It often has a person's name in it, and is never kept.
package trc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Header is what a TRC file says about itself, checked against its rows.
type Header struct {
	// rows a second: DataRate, or by the times where it has none or frames are left out; 0 when neither says
	Rate       float64
	Frames     int      // rows of frames really there
	FirstFrame int      // number of the first row
	FirstTime  float64  // its time in seconds; NaN when it has none
	Points     []string // names of the markers, in the order of their columns, no two alike
	Unnamed    int      // markers beyond them for which some row has numbers but nothing a name
	Unit       string   // Units without padding; "" when there are none
	Warnings   quality.Warnings

	markers   int     // NumMarkers; -1 when not stated
	announced int     // NumFrames; -1 when not stated
	rate      float64 // DataRate; 0 when not usable
	start     int     // OrigDataStartFrame; -1 when not stated

	timeIn    string    // the unit of the times by their name, "" where it has none
	uncounted []float64 // times of which nobody can tell what they count

	separator byte // of the cells of names and rows
	shifted   bool // names do not stand above every third column

	begins float64   // when the first frame was, whether its row has a time or not
	times  []float64 // of all rows, where they are not even
}

// ReadHeader reads a TRC file to its end, for only the rows tell how many frames
// there are, and keeps no more than a line of it and the times in memory. The error is a
// *quality.Unreadable when the file is to blame, and r's own when reading failed.
func ReadHeader(r io.Reader) (*Header, error) { return read(r, nil) }

// read reads a file, and its numbers into t when there is one.
func read(r io.Reader, t *table) (*Header, error) {
	h := &Header{markers: -1, announced: -1, start: -1}
	l := text.NewLines(r)
	rows := func(l *text.Lines) error { return h.readRows(l, t) }
	for _, read := range []func(*text.Lines) error{h.readTitle, h.readValues, h.readNames, rows} {
		if err := read(l); err != nil {
			var unreadable *quality.Unreadable
			if !errors.As(err, &unreadable) {
				err = fmt.Errorf("reading the TRC file: %w", err)
			}
			return nil, err
		}
	}
	return h, nil
}

// readTitle checks that this is a TRC file at all.
func (h *Header) readTitle(l *text.Lines) error {
	first, err := l.Next()
	if errors.Is(err, io.EOF) {
		return quality.Empty()
	}
	if err != nil {
		return err
	}
	const title = "PathFileType"
	if len(first) < len(title) || !strings.EqualFold(string(first[:len(title)]), title) {
		return &quality.Unreadable{
			Reason: "This is not a TRC file: its first line does not begin with PathFileType", Line: 1,
			Hint: "Check what kind of file it is, or export it again as TRC.",
		}
	}
	return nil
}

// readValues reads the second and the third line.
func (h *Header) readValues(l *text.Lines) error {
	line, err := filled(l, "the names of the header's values")
	if err != nil {
		return err
	}
	by := text.Separator(line, func(cell string) bool { return strings.EqualFold(cell, "DataRate") })
	names := slices.DeleteFunc(cells(line, by), func(s string) bool { return s == "" })
	if line, err = filled(l, "the header's values"); err != nil {
		return err
	}
	values := cells(line, by)
	for len(values) > 0 && values[len(values)-1] == "" {
		values = values[:len(values)-1]
	}
	if len(values) > len(names) {
		// Two tabs between values, as some programs write, are one separation.
		values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
		h.Warnings.Add(quality.HeaderShifted,
			"The header's values do not stand below their names; empty cells between them were skipped.")
	}
	for i, name := range names {
		if i < len(values) {
			h.take(name, values[i])
		}
	}
	return nil
}

// take keeps one value of the header.
func (h *Header) take(name, value string) {
	count := func(into *int) {
		if f, ok := text.Number([]byte(value)); ok && f >= 0 && f < 1<<31 {
			*into = int(f)
		}
	}
	switch strings.ToLower(name) {
	case "datarate":
		if f, ok := text.Number([]byte(value)); ok && record.Usable(f) {
			h.rate = f
		}
	case "numframes":
		count(&h.announced)
	case "nummarkers":
		count(&h.markers)
	case "origdatastartframe":
		count(&h.start)
	case "units":
		h.Unit = value
	}
}

// readNames reads the line of the markers' names. Each stands above the first of
// its three columns.
func (h *Header) readNames(l *text.Lines) error {
	line, err := filled(l, "the names of the markers")
	if err != nil {
		return err
	}
	h.separator = text.Separator(line,
		func(cell string) bool { return strings.HasPrefix(strings.ToLower(cell), "frame") })
	heads := cells(line, h.separator)
	if !strings.HasPrefix(strings.ToLower(heads[0]), "frame") {
		return &quality.Unreadable{
			Reason: "The line of the markers' names does not begin with Frame#", Line: l.Number(),
			Hint: quality.ExportAgain,
		}
	}
	if len(heads) > 1 {
		h.timeIn, _ = text.TimeName(heads[1])
	}
	var inPlace, inOrder []string
	shifted := false
	for i, name := range heads[min(2, len(heads)):] {
		if i%3 == 0 {
			inPlace = append(inPlace, name)
		}
		if name != "" {
			inOrder = append(inOrder, name)
			shifted = shifted || i%3 != 0
		}
	}
	names := inPlace
	switch once := oncePerMarker(inOrder, h.markers); {
	case shifted && once != nil:
		names = once
	case shifted:
		h.shifted = true
		names = inOrder
		h.Warnings.Add(quality.NamesShifted,
			"The markers' names do not stand above every third column; they were taken in their order.")
	}
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	points, unnamed, repeated := label.Distinct(names, len(names))
	h.Points = points
	if unnamed > 0 {
		h.Warnings.Add(quality.LabelsMissing,
			"%d of the %d markers have no name; they are called unnamed_ and their number.", unnamed, len(points))
	}
	if repeated > 0 {
		h.Warnings.Add(quality.LabelsRepeated,
			"%d of the %d markers have a name that another has already; they are told apart by _2, _3 and so on.",
			repeated, len(points))
	}
	if h.markers != len(points) {
		h.Warnings.Add(quality.PointsDisagree, "%s, but the file has names for %d.", stated("NumMarkers", h.markers),
			len(points))
	}
	return nil
}

// oncePerMarker gives the names of markers where each of their three columns has one:
// the same thrice, or with its axis behind it. nil when the names are no such.
func oncePerMarker(names []string, markers int) []string {
	if len(names) == 0 || len(names)%3 != 0 {
		return nil
	}
	var once []string
	same, axes := true, true
	for i := 0; i < len(names); i += 3 {
		same = same && names[i] == names[i+1] && names[i] == names[i+2]
		base, ok := beforeAxis(names[i : i+3])
		axes = axes && ok
		if once = append(once, base); !ok {
			once[len(once)-1] = names[i]
		}
	}
	if axes || same && (markers < 0 || markers == len(once)) {
		return once
	}
	return nil
}

// beforeAxis gives LASI of LASI_X, LASI_Y and LASI_Z.
func beforeAxis(three []string) (string, bool) {
	base := ""
	for i, name := range three {
		rest, ok := strings.CutSuffix(strings.ToUpper(name), "XYZ"[i:i+1])
		own := strings.TrimRight(name[:min(len(rest), len(name))], "_.:- ")
		if !ok || own == "" || len(own) == len(rest) || i > 0 && own != base {
			return "", false
		}
		base = own
	}
	return base, true
}

// filled gives the next line with anything on it; what it should hold goes into
// the error when there is none.
func filled(l *text.Lines, what string) ([]byte, error) {
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			return nil, &quality.Unreadable{Reason: "The file ends before " + what, Line: l.Number(),
				Hint: quality.CopyAgain}
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
	}
}

// cells splits a line at its tabs; a line without any at what separates them instead, a
// comma, a semicolon or blanks.
func cells(line []byte, by byte) []string {
	var parts [][]byte
	switch {
	case bytes.IndexByte(line, '\t') >= 0:
		parts = bytes.Split(line, []byte("\t"))
	case by == ',' || by == ';':
		for next := text.Split(by); len(line) > 0; {
			var cell []byte
			cell, line = next(line)
			cell, _ = text.Unquote(cell)
			parts = append(parts, cell)
		}
	default:
		parts = bytes.Fields(line)
		if len(parts) > 2 && isTime(parts[1]) && isTime(append(bytes.Clone(parts[1]), parts[2]...)) { // Time (s)
			parts = slices.Concat(parts[:1], [][]byte{append(bytes.Clone(parts[1]), parts[2]...)}, parts[3:])
		}
	}
	if len(parts) == 0 {
		return []string{""}
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = label.Clean(part)
	}
	return texts
}

func isTime(cell []byte) bool {
	_, ok := text.TimeName(string(cell))
	return ok
}

// stated writes a header's count for a sentence.
func stated(name string, n int) string {
	if n < 0 {
		return "The header has no " + name
	}
	return fmt.Sprintf("%s is %s", name, quality.Thousands(int64(n)))
}

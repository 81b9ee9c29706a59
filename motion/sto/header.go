// Package sto reads the tables of OpenSim: storage files (.sto) and motion files
// (.mot), which are alike.
//
// What is known of the format comes from the OpenSim documentation of storage
// files and from files of many programs. Lines of a header end with one that says
// endheader: the first may be a title, others are "key=value" (nRows, nColumns,
// inDegrees, DataType, version, DataRate), older ones "key value" (datacolumns,
// datarows, as SIMM wrote them), and any other is a remark. Then comes the line of
// names, the first of which is time, and one row for each moment. Cells are set
// apart by tabs or blanks. In files of version 2 and 3 DataType says what a cell is:
// one number, or several with commas between, such as Vec3 and Quaternion.
package sto

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/text"
)

// Header is what a storage file says about itself, checked against its rows.
type Header struct {
	Title   string
	Version int
	Rate    float64  // rows a second, by their times; 0 when these have no pace or are too few
	Frames  int      // rows really there; a table without any is legal
	Start   float64  // time of the first row in seconds
	Columns []string // names behind time, no two alike
	Type    DataType // of a cell
	Unit    string   // unit of length, where the file has one; mostly it has none
	// Degrees says whether angles are degrees; Stated, whether the file says so.
	Degrees, Stated bool
	Warnings        quality.Warnings

	values    map[string]string // of the header, keys in small letters
	angles    angles
	separator byte      // of cells: a tab, a blank (or several), a semicolon or a comma
	nameless  bool      // a name between others is empty
	timeIn    string    // the unit of the times by their name, "" where it has none
	uncounted []float64 // times of which nobody can tell what they count
}

// DataType is what a cell holds.
type DataType string

// The types that are known.
const (
	Double     DataType = "double"
	Vec3       DataType = "Vec3"
	Quaternion DataType = "Quaternion"
)

// Width is how many numbers a cell holds.
func (d DataType) Width() int {
	switch d {
	case Vec3:
		return 3
	case Quaternion:
		return 4
	}
	return 1
}

// ReadHeader reads a storage file to its end, for only the rows tell how many
// there are and how far apart in time. The error is a *quality.Unreadable when the
// file is to blame, and r's own when reading failed.
func ReadHeader(r io.Reader) (*Header, error) {
	h, _, err := read(r, nil)
	return h, err
}

func read(r io.Reader, columns *text.Columns) (*Header, *rows, error) {
	h := &Header{Type: Double, values: map[string]string{}}
	l := text.NewLines(r)
	rows := &rows{columns: columns}
	for _, read := range []func() error{
		func() error { return h.readHead(l) },
		func() error { return h.readNames(l) },
		func() error { return h.readRows(l, rows) },
	} {
		if err := read(); err != nil {
			var unreadable *quality.Unreadable
			if !errors.As(err, &unreadable) {
				err = fmt.Errorf("reading the storage file: %w", err)
			}
			return nil, nil, err
		}
	}
	return h, rows, nil
}

// furthest is in which line at the latest the header must end: remarks may be
// long, but a file of another kind is not to be read to its end for it.
const furthest = 10_000

// readHead reads up to endheader.
func (h *Header) readHead(l *text.Lines) error {
	for {
		line, err := l.Next()
		switch {
		case errors.Is(err, io.EOF) && l.Number() == 0:
			return quality.Empty()
		case errors.Is(err, io.EOF) || err == nil && l.Number() > furthest:
			return &quality.Unreadable{
				Reason: "This is not a storage or motion file of OpenSim: no line says endheader", Line: l.Number(),
				Hint: "Check what kind of file it is, or export it again.",
			}
		case err != nil:
			return err
		}
		s := plain(string(line))
		if strings.EqualFold(s, "endheader") {
			break
		}
		h.remember(s, l.Number() == 1)
	}
	h.Version, _ = strconv.Atoi(h.values["version"])
	h.Unit = h.values["units"]
	h.Stated, h.Degrees = h.angles == degrees || h.angles == radians, h.angles == degrees
	switch t := h.values["datatype"]; {
	case t == "" || strings.EqualFold(t, string(Double)):
	case strings.EqualFold(t, string(Vec3)), strings.EqualFold(t, "UnitVec3"):
		h.Type = Vec3
	case strings.EqualFold(t, string(Quaternion)):
		h.Type = Quaternion
	default:
		return &quality.Unreadable{
			Reason: fmt.Sprintf("The cells are of the type %q, which is not known", t), Line: l.Number(),
			Hint: "Export it again with cells of one number, Vec3 or Quaternion.",
		}
	}
	return nil
}

// remember keeps what a line of the header says.
func (h *Header) remember(s string, first bool) {
	key, value, ok := strings.Cut(s, "=")
	if name, said, found := angleWord(s); found {
		h.angles = h.angles.and(inDegrees(said))
		key, value, ok = name, said, true
	}
	if !ok {
		if key, value, ok = strings.Cut(s, " "); !ok ||
			!slices.Contains([]string{"name", "datacolumns", "datarows", "range"}, strings.ToLower(key)) {
			if first {
				h.Title = s
			}
			return
		}
	}
	if len(h.values) < 1000 {
		h.values[strings.ToLower(strings.TrimSpace(key))] = strings.TrimSpace(value)
	}
}

// plain is a line of the header without what a spreadsheet puts around it: separators of
// empty cells behind it, and quotation marks.
func plain(line string) string {
	s := strings.TrimRight(label.Clean([]byte(line)), " ,;\"")
	return strings.TrimSpace(strings.TrimPrefix(s, "\""))
}

// angleWord takes a line apart that begins with inDegrees, in any spelling.
func angleWord(s string) (name, value string, ok bool) {
	const word = "indegrees"
	at := 0
	for i := range len(word) {
		for i > 0 && at < len(s) && (s[at] == '_' || s[at] == ' ' || s[at] == '-') {
			at++
		}
		if at == len(s) || s[at]|0x20 != word[i] {
			return "", "", false
		}
		at++
	}
	rest := strings.TrimLeft(s[at:], " \t\"")
	if rest == "" || !strings.ContainsAny(rest[:1], "=:;,") && len(rest) == len(s[at:]) {
		return "", "", false
	}
	return word, strings.TrimLeft(rest, "=:;, \t"), true
}

// readNames reads the line of names, which blank lines may precede.
func (h *Header) readNames(l *text.Lines) error {
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			return &quality.Unreadable{Reason: "The file ends before the names of its columns", Line: l.Number(),
				Hint: quality.CopyAgain}
		}
		if err != nil {
			return err
		}
		h.separator = text.Separator(line, isTime)
		names := h.split(line)
		if len(names) == 0 {
			continue
		}
		var ok bool
		if h.timeIn, ok = text.TimeName(names[0]); !ok {
			return &quality.Unreadable{
				Reason: fmt.Sprintf("The first column is called %q and not time", cut(names[0])), Line: l.Number(),
				Hint: quality.ExportAgain,
			}
		}
		if h.separator == ',' && h.Type != Double {
			return &quality.Unreadable{
				Reason: fmt.Sprintf("Commas separate the cells, and stand within cells of the type %s as well", h.Type),
				Line:   l.Number(), Hint: quality.ExportAgain,
			}
		}
		distinct, unnamed, repeated := label.Distinct(names[1:], len(names)-1)
		h.Columns = distinct
		if unnamed > 0 {
			h.Warnings.Add(quality.LabelsMissing,
				"%d of the %d columns have no name; they are called unnamed_ and their number.", unnamed, len(distinct))
		}
		if repeated > 0 {
			h.Warnings.Add(quality.LabelsRepeated,
				"%d of the %d columns have a name that another has already; they are told apart by _2, _3 and so on.",
				repeated, len(distinct))
		}
		return nil
	}
}

func isTime(name string) bool {
	_, ok := text.TimeName(name)
	return ok
}

// split gives the names in a line, which ends with tabs in many files.
func (h *Header) split(line []byte) []string {
	s := string(line)
	var names []string
	switch h.separator {
	case '\t':
		names = strings.Split(s, "\t")
	case ' ':
		names = strings.Fields(s)
		if len(names) > 1 && isTime(names[0]) && isTime(names[0]+names[1]) { // Time (s)
			names = append([]string{names[0] + " " + names[1]}, names[2:]...)
		}
	default:
		for next := text.Split(h.separator); len(line) > 0; {
			var cell []byte
			cell, line = next(line)
			names = append(names, string(cell))
		}
	}
	for i := range names {
		name, _ := text.Unquote([]byte(names[i]))
		names[i] = label.Clean(name)
	}
	for len(names) > 0 && names[len(names)-1] == "" {
		names = names[:len(names)-1]
	}
	for len(names) > 0 && names[0] == "" {
		names = names[1:]
	}
	// A separator too many sets no column apart where the header counts none for it.
	full := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	if h.nameless = len(full) < len(names); h.nameless && h.counted(len(full)) {
		names, h.nameless = full, false
		h.Warnings.Add(quality.NamesShifted,
			"The line of names has empty cells, for which the header counts no column; they were left out.")
	}
	return names
}

// counted says whether the header counts so many columns.
func (h *Header) counted(columns int) bool {
	for _, key := range []string{"ncolumns", "datacolumns"} {
		if n, err := strconv.Atoi(h.values[key]); err == nil && n == columns {
			return true
		}
	}
	return false
}

// cut makes a name from a file fit into a sentence.
func cut(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// counts holds what the header counts against what is there. Older files count
// with other words; columns include time.
func (h *Header) counts() {
	for _, c := range []struct {
		keys []string
		code quality.Code
		have int
		what string
	}{
		{[]string{"nrows", "datarows"}, quality.FramesDisagree, h.Frames, "rows"},
		{[]string{"ncolumns", "datacolumns"}, quality.ColumnsDisagree, len(h.Columns) + 1, "columns"},
	} {
		for _, key := range c.keys {
			value, ok := h.values[key]
			if n, err := strconv.Atoi(value); ok && (err != nil || n != c.have) {
				h.Warnings.Add(c.code, "The header says %s=%q, but the file has %s %s.", key, cut(value),
					quality.Thousands(int64(c.have)), c.what)
			}
		}
	}
}

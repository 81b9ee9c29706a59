package intake

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/payload"
)

// SheetName is the name of the table that may lie in a folder of motion files and
// says of them what they do not say themselves.
const SheetName = "kinebase.csv"

// maxSheet bounds a table, which is held in memory: some two hundred thousand rows.
const maxSheet = 4 << 20

// sheet is such a table.
type sheet struct {
	dir    string // that it lies in, "." for the top
	path   string // for reports
	broken bool   // not one of its rows can be relied on
	rows   []*row
	names  names           // of points
	exact  map[string]*row // the first row of each path
	stars  []*row          // those with a pattern
}

// row is what it says of some files.
type row struct {
	line   int
	file   string
	stars  pattern // nil when file is a path
	labels capture.Capture
	wrong  bool // it was refused, and so are its files
	used   bool
}

// sheetProblem is what is wrong with one line.
type sheetProblem struct {
	line int // 0: the whole of it
	err  error
}

// readSheet reads a table. What is wrong with it is told by line; an error is the
// store's, or of ctx.
func readSheet(ctx context.Context, text []byte, athletes *directory) (*sheet, []sheetProblem, error) {
	s := &sheet{exact: map[string]*row{}}
	broken := func(line int, format string, args ...any) (*sheet, []sheetProblem, error) {
		s.broken = true
		return s, []sheetProblem{{line, fmt.Errorf(format, args...)}}, nil
	}
	if isUTF16(text) {
		return broken(0, "is in UTF-16: save it as CSV in UTF-8")
	}
	text = unixLines(bytes.TrimPrefix(text, []byte("\ufeff")))
	if !utf8.Valid(text) {
		return broken(invalidLine(text), "is not in UTF-8: save it as CSV in UTF-8")
	}
	comma, told := toldSeparator(text)
	if told {
		text = text[bytes.IndexByte(text, '\n'):] // the blank line in its place keeps the numbers of the others
	} else {
		comma = separator(text)
	}
	in := csv.NewReader(bytes.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.ReuseRecord = comma, -1, true
	in.TrimLeadingSpace = in.Comma != '\t'
	var columns []string
	var problems []sheetProblem
	for {
		cells, err := in.Read()
		var parse *csv.ParseError
		switch {
		case err == io.EOF && columns == nil:
			return broken(0, "is empty: its first line must name its columns, of which file is one")
		case err == io.EOF:
			return s, problems, nil
		case errors.As(err, &parse): // where the next line begins is not known
			s.broken = true
			return s, append(problems, sheetProblem{parse.StartLine, errors.New("has quotes that do not match")}), nil
		case err != nil:
			return s, nil, err
		}
		line, _ := in.FieldPos(0)
		if !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" }) {
			continue
		}
		if columns == nil {
			var wrong fault.Problems
			if columns, wrong = readColumns(cells); len(wrong) > 0 {
				s.broken = true
				return s, []sheetProblem{{line, wrong.Err()}}, nil
			}
			continue
		}
		r, err := s.readRow(ctx, columns, cells, athletes)
		if err != nil && !fault.Is(err, fault.BadRequest) {
			return s, nil, err
		}
		r.line, r.wrong = line, err != nil
		if err != nil {
			problems = append(problems, sheetProblem{line, err})
		}
		s.add(r)
	}
}

func (s *sheet) add(r *row) {
	s.rows = append(s.rows, r)
	switch {
	case r.file == "":
	case isPattern(r.file):
		r.stars = newPattern(r.file)
		s.stars = append(s.stars, r)
	case s.exact[r.file] == nil:
		s.exact[r.file] = r
	}
}

// find gives the first row that speaks of the file, whose path is relative to the
// table; nil when there is none.
func (s *sheet) find(file string) *row {
	first := s.exact[file]
	for _, r := range s.stars {
		if first != nil && first.line < r.line {
			break
		}
		if r.stars.match(file) {
			return r
		}
	}
	return first
}

// unixLines ends every line with a line feed: old Macintosh programs end them with a
// carriage return.
func unixLines(text []byte) []byte {
	if bytes.IndexByte(text, '\r') < 0 {
		return text
	}
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
}

// toldSeparator reads the line that spreadsheets write first, such as sep=;
func toldSeparator(text []byte) (rune, bool) {
	line, _, more := bytes.Cut(text, []byte("\n"))
	line = bytes.Trim(line, `"`)
	if !more || len(line) < 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || len(bytes.Trim(line[5:], `,;" `)) > 0 ||
		!bytes.ContainsAny(line[4:5], ",;\t|") {
		return 0, false
	}
	return rune(line[4]), true
}

// separator is the one of comma, semicolon and tab that the first line has most of.
func separator(text []byte) rune {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
	best := ','
	for _, c := range ";\t" {
		if bytes.Count(line, []byte(string(c))) > bytes.Count(line, []byte(string(best))) {
			best = c
		}
	}
	return best
}

func invalidLine(text []byte) int {
	line := 1
	for part := range bytes.Lines(text) {
		if !utf8.Valid(part) {
			break
		}
		line++
	}
	return line
}

// sheetColumns are those that a table can have besides the dimensions of movements.
var sheetColumns = []string{"file", "athlete", "activity", "movement", "capture_time", "landmark", "points"}

// readColumns reads the first line: names in any order and casing.
func readColumns(cells []string) ([]string, fault.Problems) {
	var p fault.Problems
	columns := make([]string, len(cells))
	for i, cell := range cells {
		name := strings.ToLower(strings.TrimSpace(cell))
		switch {
		case name == "":
		case slices.Contains(columns[:i], name):
			p.Add(name, "%s must not be there twice", name)
		case !slices.Contains(sheetColumns, name) && !capture.IsDimension(name):
			likely := movement.Nearest(name, slices.Concat(sheetColumns, capture.DimensionNames()))
			if likely != "" {
				likely = likely + " is likely meant. There are "
			} else {
				likely = "there are "
			}
			p.Add(strings.TrimSpace(cell),
				"%s is no column of such a table; %sfile, athlete, activity, movement, capture_time, landmark, "+
					"points, and the movement dimensions: %s",
				payload.Quote(strings.TrimSpace(cell)), likely, strings.Join(capture.DimensionNames(), ", "))
		}
		columns[i] = name
	}
	if !slices.Contains(columns, "file") && !slices.Contains(columns, "landmark") {
		p.Add("file", "file is required as a column: it says which motion files a row speaks of")
	}
	return columns, p
}

// readRow reads what is given of a row even when it is refused, so that it is
// known which files are refused with it.
func (s *sheet) readRow(ctx context.Context, columns, cells []string, athletes *directory) (*row, error) {
	var p fault.Problems
	r, texts := &row{}, map[string]string{}
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		switch {
		case cell == "":
		case i >= len(columns) || columns[i] == "":
			p.Add("", "cell %d, %s, stands in no column that has a name", i+1, payload.Quote(cell))
		case columns[i] == "file":
			r.file = readFile(&p, cell)
		case columns[i] == "athlete":
			ids, err := athletes.all(ctx, strings.Split(cell, "|"))
			var nobody *fault.Error
			switch {
			case errors.As(err, &nobody) && nobody.Code == fault.BadRequest:
				p.Add("athlete", "athlete %s", nobody.Message)
			case err != nil:
				return nil, err
			}
			r.labels.AthleteIDs = ids
		default:
			texts[columns[i]] = cell
		}
	}
	if landmark, points := texts["landmark"], texts["points"]; landmark != "" || points != "" {
		delete(texts, "landmark")
		delete(texts, "points")
		if r.used = true; r.file != "" || len(r.labels.AthleteIDs) > 0 || len(texts) > 0 {
			p.Add("landmark", "landmark must stand in a row without a file, an athlete or labels: it speaks of all "+
				"recordings")
		} else if len(p) == 0 {
			s.names.name(&p, landmark, points)
		}
		return r, p.Err()
	}
	if r.file == "" && len(p) == 0 {
		p.Add("file", "file is required: the path of a motion file from here, or a pattern with * and **")
	}
	labels, err := Labels(texts)
	labels.AthleteIDs = r.labels.AthleteIDs
	r.labels = labels
	var f *fault.Error
	if errors.As(err, &f) {
		p = append(p, f.Problems...)
	} else if err != nil {
		return nil, err
	}
	return r, p.Err()
}

func readFile(p *fault.Problems, cell string) string {
	file := strings.TrimPrefix(norm.NFC.String(strings.ReplaceAll(cell, `\`, "/")), "./")
	parts := strings.Split(file, "/")
	if slices.Contains(parts, "") || slices.Contains(parts, ".") || slices.Contains(parts, "..") ||
		strings.Contains(parts[0], ":") {
		p.Add("file", "file must be the path of a motion file from here on, such as walk.c3d or monday/*.trc")
	}
	return file
}

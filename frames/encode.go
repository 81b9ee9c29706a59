package frames

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/motion"
)

// WriteCSV writes a whole recording as AppendCSV writes a part of it, a stretch at
// a time.
func WriteCSV(w io.Writer, kind motion.Kind, frames int, src Source) error {
	head, err := src.Stretch(0, 0)
	if err != nil {
		return err
	}
	info, err := describe(head, kind, frames)
	if err != nil {
		return err
	}
	whole := head
	if head.Times != nil {
		if whole, err = src.Stretch(0, frames); err != nil {
			return err
		}
	}
	times := newClock(whole, frames)
	values := 2
	for _, r := range runs(head, nil) {
		values += max(1, r.per)
	}
	step := max(1, stretchValues/values)
	buf := info.part(head, 0, times).appendNames(nil)
	for from := 0; from < frames; from += step {
		rec, err := src.Stretch(from, min(step, frames-from))
		if err != nil {
			return err
		}
		p := info.part(rec, from, times)
		for row := range p.Frames {
			if buf = p.appendRow(buf, row); len(buf) > 1<<18 {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	_, err = w.Write(buf)
	return err
}

// AppendJSON appends the part as an object: its columns are lists, of frame, time
// and every name; null where a value is missing.
func (p *Part) AppendJSON(b []byte, sessionID string) []byte {
	b = append(b, `{"session_id":`...)
	b = appendText(b, sessionID)
	b = append(b, `,"rate":`...)
	if p.Rate == nil {
		b = append(b, "null"...)
	} else {
		b = AppendNumber(b, *p.Rate, 64, "null")
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"from", p.From}, {"to", p.To}, {"every", p.Every}, {"frames", len(p.Frames)}} {
		b = append(append(append(b, `,"`...), n.name...), `":`...)
		b = strconv.AppendInt(b, int64(n.value), 10)
	}
	b = append(b, `,"columns":{"frame":[`...)
	for i, frame := range p.Frames {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, frame, 10)
	}
	b = append(b, `],"time":[`...)
	for i, at := range p.Time {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendNumber(b, at, 64, "null")
	}
	b = append(b, ']')
	for i, name := range p.Names {
		b = append(b, ',')
		b = appendText(b, name)
		b = append(b, ":["...)
		for row := range p.Columns[i].Len() {
			if row > 0 {
				b = append(b, ',')
			}
			b = p.Columns[i].appendTo(b, row, "null")
		}
		b = append(b, ']')
	}
	return append(b, "}}"...)
}

// AppendCSV appends the part as a table: a line of names, each as AppendCell has it,
// then a line a row; empty where a value is missing.
func (p *Part) AppendCSV(b []byte) []byte {
	b = p.appendNames(b)
	for row := range p.Frames {
		b = p.appendRow(b, row)
	}
	return b
}

func (p *Part) appendNames(b []byte) []byte {
	b = append(b, "frame,time"...)
	for _, name := range p.Names {
		b = AppendCell(append(b, ','), name)
	}
	return append(b, '\n')
}

func (p *Part) appendRow(b []byte, row int) []byte {
	b = strconv.AppendInt(b, p.Frames[row], 10)
	b = append(b, ',')
	b = AppendNumber(b, p.Time[row], 64, "")
	for _, values := range p.Columns {
		b = append(b, ',')
		b = values.appendTo(b, row, "")
	}
	return append(b, '\n')
}

// WriteParquet writes the part as a Parquet file like those of Write, but in metres
// wherever the unit is known; its note says so, and which rows these are. Where Units are
// given, the Arrow fields have them as metadata "unit".
func (p *Part) WriteParquet(w io.Writer) error {
	note := fileNote{
		Layout: 1, Rate: p.Rate, Start: p.Start, FirstFrame: p.FirstFrame, Unit: p.Unit, Metres: p.Metres,
		PerFrame: max(1, p.PerFrame), Every: p.Every,
	}
	for i, frame := range p.Frames {
		if i == 0 || frame != p.Frames[i-1] {
			note.Frames++
		}
	}
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	columns := make([]heading, len(p.Names))
	for i, name := range p.Names {
		columns[i] = heading{name: name, wide: p.Columns[i].Wide != nil}
		if p.Units != nil {
			columns[i].unit = p.Units[i]
		}
	}
	out, err := newPages(w, columns, string(text))
	if err != nil {
		return err
	}
	out.units = true
	step := max(1, groupValues/(2+len(p.Names)))
	for from := 0; from < len(p.Frames); from += step {
		to := min(from+step, len(p.Frames))
		if err := out.begin(p.Frames[from:to], p.Time[from:to]); err != nil {
			return err
		}
		for i, values := range p.Columns {
			if err := out.add(i, values.Slice(from, to)); err != nil {
				return err
			}
		}
		if err := out.end(to - from); err != nil {
			return err
		}
	}
	return out.close()
}

// AppendNumber appends the shortest decimal that reads back to the number, of so many
// bits, and missing for what is none.
func AppendNumber(b []byte, v float64, bits int, missing string) []byte {
	if v-v != 0 {
		return append(b, missing...)
	}
	form := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		form = 'e'
	}
	return strconv.AppendFloat(b, v, form, -1, bits)
}

// AppendCell appends a text to CSV, quoted as RFC 4180 has it. One that a spreadsheet
// would take for a formula (that begins with =, +, -, @, a tab or a carriage return)
// has an apostrophe in front of it: names come with files from anybody, and who makes
// a table does not know who will open it.
func AppendCell(b []byte, s string) []byte {
	if s != "" && strings.Contains("=+-@\t\r", s[:1]) {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",;\"\t\r\n") || strings.TrimSpace(s) != s {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return append(b, s...)
}

// appendText appends a string of JSON.
func appendText(b []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // a string always can be
		return append(b, `""`...)
	}
	return append(b, quoted...)
}

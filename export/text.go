package export

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/payload"
)

// lines writes rows as text. Rows of JSON and of CSV are alike: what all rows of a
// part have in front, then numbers with something between them. What stands between
// is cut out of one text, that of a row in which every column is missing.
type lines struct {
	r       *Reader
	csv     bool
	framed  bool     // a row has the number of a frame and its time
	heads   []string // what leads to each of the first columns
	missing string
	time    string // leads to the time
	end     string

	nulls string // all columns of the recordings, missing
	ends  []int  // where each of them ends in nulls
}

func (r *Reader) jsonLines(end string) *lines {
	l := &lines{r: r, framed: r.framed(), missing: "null", time: `,"time":`, end: "}" + end}
	for i, name := range front(r.result.Columns) {
		lead := ","
		if i == 0 {
			lead = "{"
		}
		l.heads = append(l.heads, lead+quoted(name)+":")
	}
	l.lay(func(name string) string { return "," + quoted(name) + ":" })
	return l
}

func (r *Reader) csvLines() *lines {
	l := &lines{r: r, csv: true, framed: r.framed(), time: ",", end: "\n"}
	for i := range front(r.result.Columns) {
		l.heads = append(l.heads, ","[:min(i, 1)])
	}
	l.lay(func(string) string { return "," })
	return l
}

func (l *lines) lay(lead func(name string) string) {
	var all strings.Builder
	for _, c := range l.r.result.Columns.Own {
		all.WriteString(lead(c.Name))
		all.WriteString(l.missing)
		l.ends = append(l.ends, all.Len())
	}
	l.nulls = all.String()
}

// quoted writes a text as JSON.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // a string always can be
		return `""`
	}
	return string(b)
}

// header is the first line of CSV.
func (l *lines) header() []byte {
	var b []byte
	for i, name := range Header(l.r.result.Columns) {
		if i > 0 {
			b = append(b, ',')
		}
		b = l.text(b, name)
	}
	return append(b, '\n')
}

// text appends a text. In CSV no spreadsheet may run it.
func (l *lines) text(b []byte, s string) []byte {
	if l.csv {
		return frames.AppendCell(b, s)
	}
	return append(b, quoted(s)...)
}

// begin makes what all rows of a block have in front, up to the number of the frame.
func (l *lines) begin(b *block) {
	f := factsOf(&b.part, l.r.org, l.r.result.Columns)
	p := b.prefix[:0]
	for i, text := range f.texts {
		p = append(p, l.heads[i]...)
		switch {
		case i == seqPlace && f.seq != nil:
			p = strconv.AppendInt(p, *f.seq, 10)
		case text == nil:
			p = append(p, l.missing...)
		default:
			p = l.text(p, *text)
		}
	}
	if b.prefix = p; !l.framed {
		return
	}
	heads := l.heads[len(f.texts):]
	p = append(p, heads[0]...)
	if f.captured == nil {
		p = append(p, l.missing...)
	} else {
		p = l.instant(p, *f.captured)
	}
	p = append(p, heads[1]...)
	if f.fps == nil {
		p = append(p, l.missing...)
	} else {
		p = frames.AppendNumber(p, *f.fps, 64, l.missing)
	}
	b.prefix = append(p, heads[2]...)
}

// instant appends a time.
func (l *lines) instant(b []byte, t time.Time) []byte {
	if l.csv {
		return t.UTC().AppendFormat(b, payload.TimeLayout)
	}
	return append(t.UTC().AppendFormat(append(b, '"'), payload.TimeLayout), '"')
}

// extent appends how long the recording is, where a row is a capture.
func (l *lines) extent(to []byte, b *block) []byte {
	if b.info == nil {
		return to
	}
	heads := l.heads[len(l.heads)-len(extent):]
	to = strconv.AppendInt(append(to, heads[0]...), int64(b.info.Frames), 10)
	return frames.AppendNumber(append(to, heads[1]...), b.info.Duration, 64, l.missing)
}

// value appends what all rows of a block have.
func (l *lines) value(b []byte, f *fixed) []byte {
	switch {
	case f.text != nil:
		return l.text(b, *f.text)
	case f.instant != nil:
		return l.instant(b, *f.instant)
	case f.bits == 0:
		return strconv.AppendInt(b, f.whole, 10)
	}
	return frames.AppendNumber(b, f.number, f.bits, l.missing)
}

// width is about how long a row of a block is, as text.
func (l *lines) width(b *block) int { return len(b.prefix) + len(l.nulls) + 12*len(b.cells) + 32 }

// rows appends rows [from, to) of a block, with sep between them.
func (l *lines) rows(to []byte, b *block, from, end int, sep string) []byte {
	leads, values := make([]string, len(b.cells)+1), make([][]byte, len(b.cells))
	at := 0
	for i := range b.cells {
		c := &b.cells[i]
		next := l.ends[c.place]
		leads[i] = l.nulls[at : next-len(l.missing)]
		if at = next; c.fixed != nil {
			values[i] = l.value(nil, c.fixed)
		}
	}
	leads[len(b.cells)] = l.nulls[at:] + l.end
	for row := from; row < end; row++ {
		if row > from {
			to = append(to, sep...)
		}
		frame := b.frame + int64(row)
		to = append(to, b.prefix...)
		if l.framed {
			to = strconv.AppendInt(to, frame, 10)
			to = append(to, l.time...)
			to = frames.AppendNumber(to, b.time[row], 64, l.missing)
			to = l.extent(to, b)
		}
		for i := range b.cells {
			c := &b.cells[i]
			to = append(to, leads[i]...)
			switch {
			case c.fixed != nil:
				to = append(to, values[i]...)
			case c.event:
				to = strconv.AppendInt(to, frame-c.at, 10)
			default:
				to = frames.AppendNumber(to, c.values.At(row), c.values.Bits(), l.missing)
			}
		}
		to = append(to, leads[len(b.cells)]...)
	}
	return to
}

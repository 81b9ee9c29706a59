package export

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go/format"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/frames/parquetfile"
)

const (
	// groupBytes is about how many bytes of numbers a row group has.
	groupBytes = 8 << 20
	// columnBytes is what a column takes beside its numbers.
	columnBytes = 4 << 10
	// wordBytes is about what a value takes that all rows of a block have, in a dictionary.
	wordBytes = 64
)

// WriteParquet writes the whole result as one Parquet file, its rows in order: text as
// strings, session_seq, frame and events as 64-bit integers, capture_datetime as an
// instant in milliseconds, fps, times and metrics as doubles, all other columns as floats, or
// as doubles where a recording has numbers in them that a float cannot hold; NULL where
// something is missing. The note "kinebase" of the file has the units of the
// columns, and what they are. The Arrow fields have the units as metadata "unit".
//
// Memory stays within the budget, in bytes; the error is a fault.Unprocessable with
// TooLarge when it cannot, and this may come in the midst of a file of very many
// columns and rows.
func WriteParquet(ctx context.Context, w io.Writer, r *Reader, budget int64) error {
	defer collectMore()()
	p := &paper{r: r, budget: budget, room: groupBytes}
	p.lay()
	if int64(len(p.columns))*columnBytes+readers+3*groupBytes > budget {
		return tooLarge()
	}
	var err error
	if p.file, err = parquetfile.New(w); err != nil {
		return err
	}
	n := max(2, runtime.GOMAXPROCS(0))
	hands := make([]chan task, n)
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range hands {
		hands[i] = make(chan task, cursors*ahead)
		all.Go(func() { p.work(i, n, hands[i], &errs[i]) })
	}
	var done sync.WaitGroup
	end := func() error { // of a row group
		done.Add(n)
		for _, h := range hands {
			h <- task{rows: p.rows, done: &done}
		}
		done.Wait()
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return p.group()
	}
	err = r.stream(ctx, 0, r.result.Rows, func(b *block) error {
		at := p.rows
		p.rows += b.rows
		p.bytes += int64(b.rows)*16 + wordBytes*int64(max(0, p.own-2))
		for i := range b.cells {
			c := &b.cells[i]
			own := p.columns[p.own+c.place]
			if own.kind.encoding == format.RLEDictionary {
				p.bytes += wordBytes
			} else {
				p.bytes += int64(b.rows) * int64(c.values.Bits()/8)
			}
			own.describe(c.about)
			if own.kind != texts {
				own.measure(c.unit)
			}
		}
		b.users.Add(int32(n - 1)) // the hands hold it from here on
		for _, h := range hands {
			h <- task{block: b, at: at}
		}
		if p.bytes < p.room && p.rows < 1<<20 {
			return nil
		}
		return end()
	})
	if err == nil {
		err = end()
	}
	for _, h := range hands {
		close(h)
	}
	all.Wait()
	if err != nil {
		return err
	}
	return closeSheet(p.file, p.columns)
}

// task is a block that begins at a row of the group, or the end of the group.
type task struct {
	block *block
	at    int
	rows  int
	done  *sync.WaitGroup
}

// paper is an export that becomes Parquet.
type paper struct {
	r       *Reader
	file    *parquetfile.File
	columns []*strip
	rows    int // in the row group
	frame   int // where that of the number of the frame is, with that of its time behind it; -1: rows have none
	own     int // where the columns of the recordings begin; the others are the same in all rows of a part
	budget  int64
	bytes   int64 // about, in the row group
	room    int64 // for it
}

func (p *paper) lay() {
	columns := p.r.result.Columns
	known := map[string]strip{
		"session_uuid":       {kind: texts, about: "what captures recorded together have in common"},
		"session_seq":        {kind: integers, about: "number of the capture among them"},
		"capture_datetime":   {kind: instants, about: "when the movement was recorded"},
		"fps":                {kind: rates, unit: "1/s", about: "frames a second"},
		"frame":              {kind: counts, about: "number of the frame, from 0"},
		"time":               {kind: seconds, unit: "s", about: "time of the frame"},
		"frame_count":        {kind: integers, about: "how many frames the recording has"},
		"recording_duration": {kind: rates, unit: "s", about: "how long the recording is"},
	}
	head := front(columns)
	for _, name := range head {
		c, ok := known[name]
		if c.name = name; !ok {
			c.kind = texts
		}
		p.columns = append(p.columns, &c)
	}
	if p.own, p.frame = len(head), -1; p.r.framed() {
		p.frame = len(before) + len(columns.Dimensions) + 2
	}
	for _, c := range columns.Own {
		p.columns = append(p.columns, ownStrip(columns.Shape, c))
	}
}

// ownStrip is an empty column of the recordings. What is the same in all rows of a part is kept
// as words of a dictionary.
func ownStrip(shape Shape, c Column) *strip {
	s := &strip{name: c.Name, kind: floats}
	switch {
	case c.From.Kind == Text:
		s.kind = texts
	case c.From.Kind == Count:
		s.kind = integers
	case c.From.Kind == Instant:
		s.kind = instants
	case c.From.Kind == Event && shape.Whole():
		s.kind, s.about = integers, "number of the frame at which the event lies, from 0"
	case c.From.Kind == Event:
		s.kind, s.about = counts, "frames since the event"
	case c.From.Kind == Moment:
		s.kind, s.about = rates, "time of the event "+c.From.Name+", on the clock of the recording"
	case shape.Whole() || c.Metric:
		s.kind = rates
	case c.Wide:
		s.kind = doubles
	}
	return s
}

// work makes pages of every n-th column. err may be read at the end of a row group.
func (p *paper) work(i, n int, tasks <-chan task, err *error) {
	press := press{parquetfile.NewPress()}
	for t := range tasks {
		switch {
		case t.block == nil:
			for k := i; k < len(p.columns) && *err == nil; k += n {
				*err = press.finish(p.columns[k], t.rows)
			}
			t.done.Done()
		case *err == nil:
			*err = p.add(press, i, n, t)
			t.block.release()
		default:
			t.block.release()
		}
	}
}

func (p *paper) add(press press, i, n int, t task) error {
	b := t.block
	p.facts(b, i, n)
	if p.frame >= 0 && p.frame%n == i {
		if err := press.count(p.columns[p.frame], t.at, b.frame, b.rows); err != nil {
			return err
		}
	}
	if p.frame >= 0 && (p.frame+1)%n == i {
		if err := press.doubles(p.columns[p.frame+1], b.time); err != nil {
			return err
		}
	}
	for k := range b.cells {
		if place := p.own + b.cells[k].place; place%n == i {
			if err := press.cell(p.columns[place], b, &b.cells[k], t.at); err != nil {
				return err
			}
		}
	}
	return nil
}

// cell adds what a block has of a column.
func (p press) cell(c *strip, b *block, cell *cell, at int) error {
	values := cell.values
	switch {
	case c.kind.encoding == format.RLEDictionary:
		word, ok := cell.fixed.word(c.kind)
		if !ok {
			return fmt.Errorf("column %q of the recording of %q is of another kind than in the export", c.name,
				b.part.SessionID)
		}
		c.sayAt(at, word, b.rows)
		return nil
	case c.kind == counts && cell.event:
		return p.count(c, at, b.frame-cell.at, b.rows)
	case c.kind == counts:
		return fmt.Errorf("column %q of the recording of %q is not the event that the export has", c.name,
			b.part.SessionID)
	case cell.event:
		return fmt.Errorf("column %q is an event in %q and not in the export", c.name, b.part.SessionID)
	case cell.fixed != nil && cell.fixed.bits == 0:
		return fmt.Errorf("column %q of the recording of %q is of another kind than in the export", c.name,
			b.part.SessionID)
	case cell.fixed != nil:
		values = cell.fixed.repeated(b.rows)
	}
	switch {
	case c.kind == doubles:
		return p.wides(c, at, widened(values))
	case values.Wide != nil:
		return fmt.Errorf("column %q of the recording of %q has numbers of 64 bits, and the export has 32", c.name,
			b.part.SessionID)
	}
	return p.floats(c, at, values.Narrow)
}

// word is a value as the dictionary of a kind has it; nil for a number that is none.
func (f *fixed) word(k *kind) (word []byte, ok bool) {
	switch {
	case f == nil:
		return nil, false
	case f.text != nil:
		return wordOf(*f.text), k == texts
	case f.instant != nil:
		return binary.LittleEndian.AppendUint64(nil, uint64(f.instant.UnixMilli())), k == instants
	case f.bits == 0:
		return binary.LittleEndian.AppendUint64(nil, uint64(f.whole)), k == integers
	case f.number-f.number != 0:
		return nil, k == rates
	}
	return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f.number)), k == rates
}

// wordOf is a text as a word.
func wordOf(s string) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(s))), s...)
}

// repeated gives a number for each of so many rows.
func (f *fixed) repeated(rows int) frames.Numbers {
	if f.bits == 32 {
		return frames.Numbers{Narrow: slices.Repeat([]float32{float32(f.number)}, rows)}
	}
	return frames.Numbers{Wide: slices.Repeat([]float64{f.number}, rows)}
}

// facts adds what all rows of a block have in common.
func (p *paper) facts(b *block, i, n int) {
	f := factsOf(&b.part, p.r.org, p.r.result.Columns)
	whole := func(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
	say := func(place int, word []byte) {
		if place%n == i {
			p.columns[place].say(word, b.rows)
		}
	}
	for place, text := range f.texts {
		var word []byte
		switch {
		case place == seqPlace && f.seq != nil:
			word = whole(*f.seq)
		case text != nil:
			word = wordOf(*text)
		}
		say(place, word)
	}
	if p.frame < 0 {
		return
	}
	var captured []byte
	if f.captured != nil {
		captured = whole(f.captured.UnixMilli())
	}
	number := func(v float64) []byte {
		if v-v != 0 {
			return nil
		}
		return whole(int64(math.Float64bits(v)))
	}
	fps := math.NaN()
	if f.fps != nil {
		fps = *f.fps
	}
	say(len(f.texts), captured)
	say(len(f.texts)+1, number(fps))
	if b.info != nil {
		say(p.frame+2, whole(int64(b.info.Frames)))
		say(p.frame+3, number(b.info.Duration))
	}
}

// group writes the row group, which is complete.
func (p *paper) group() error {
	if p.rows > 0 {
		if err := p.file.Group(p.rows, len(p.columns),
			func(i int) parquetfile.Chunk { return p.columns[i].chunk() }); err != nil {
			return err
		}
		p.rows = 0
	}
	held := int64(0)
	for _, c := range p.columns {
		held += c.held()
	}
	for _, c := range p.columns {
		c.reset(held < 3*p.room)
	}
	p.bytes = 0
	// The more columns, the more rows a group must have for the index to stay small.
	if index := p.file.Index(); index > p.room && p.room < p.budget/8 {
		p.room *= 2
	} else if index > p.budget/4 {
		return tooLarge()
	}
	return nil
}

package export

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/kinebase/kinebase/frames/parquetfile"
)

const (
	// groupBytes is about how many bytes of numbers a row group has.
	groupBytes = 16 << 20
	// columnBytes is what a column takes beside its numbers.
	columnBytes = 4 << 10
)

// WriteParquet writes the whole result as one Parquet file, its rows in order: text as
// strings, session_seq, frame and events as 64-bit integers, capture_datetime as an
// instant in milliseconds, fps and time as doubles, all other columns as floats, or as
// doubles where a recording has numbers in them that a float cannot hold; NULL where
// something is missing. The note "kinebase" of the file has the units of the
// columns, and what they are. The Arrow fields have the units as metadata "unit".
//
// Memory stays within the budget, in bytes; the error is a fault.Unprocessable with
// TooLarge when it cannot, and this may come in the midst of a file of very many
// columns and rows.
func WriteParquet(ctx context.Context, w io.Writer, r *Reader, budget int64) error {
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
		p.bytes += int64(b.rows)*16 + 64*int64(len(p.steady))
		for _, c := range b.cells {
			p.bytes += int64(b.rows) * int64(c.values.Bits()/8)
			own := p.columns[p.own+c.place]
			if own.about == "" && c.metric {
				own.about = cmp.Or(c.about, "of the whole recording, the same in every row")
			}
			own.measure(c.unit)
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
	rows    int      // in the row group
	steady  []*strip // those that all rows of a part have in common
	own     int      // where the columns of the recordings begin
	budget  int64
	bytes   int64 // about, in the row group
	room    int64 // for it
}

func (p *paper) lay() {
	columns := p.r.result.Columns
	events := map[string]bool{}
	for _, name := range columns.Events {
		events[name] = true
	}
	known := map[string]strip{
		"session_uuid":     {kind: texts, about: "what captures recorded together have in common"},
		"session_seq":      {kind: integers, about: "number of the capture among them"},
		"capture_datetime": {kind: instants, about: "when the movement was recorded"},
		"fps":              {kind: rates, unit: "1/s", about: "frames a second"},
		"frame":            {kind: counts, about: "number of the frame, from 0"},
		"time":             {kind: seconds, unit: "s", about: "time of the frame"},
	}
	head := Header(Columns{Dimensions: columns.Dimensions})
	for _, name := range head {
		c, ok := known[name]
		if c.name = name; !ok {
			c.kind = texts
		}
		p.columns = append(p.columns, &c)
	}
	p.own = len(head)
	p.steady = p.columns[:p.own-2]
	for _, name := range columns.Own {
		c := &strip{name: name, kind: floats}
		if slices.Contains(columns.Wide, name) {
			c.kind = doubles
		}
		if events[name] {
			c.kind, c.about = counts, "frames since the event"
		}
		p.columns = append(p.columns, c)
	}
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
	if (p.own-2)%n == i {
		if err := press.count(p.columns[p.own-2], t.at, b.frame, b.rows); err != nil {
			return err
		}
	}
	if (p.own-1)%n == i {
		if err := press.doubles(p.columns[p.own-1], b.time); err != nil {
			return err
		}
	}
	for k := range b.cells {
		cell := &b.cells[k]
		place := p.own + cell.place
		if place%n != i {
			continue
		}
		c := p.columns[place]
		var err error
		switch {
		case !cell.event && c.kind == counts:
			err = fmt.Errorf("column %q of the recording of %q is not the event that the export has", c.name, b.part.SessionID)
		case !cell.event && c.kind == doubles:
			err = press.wides(c, t.at, widened(cell.values))
		case !cell.event && cell.values.Wide != nil:
			err = fmt.Errorf("column %q of the recording of %q has numbers of 64 bits, and the export has 32", c.name, b.part.SessionID)
		case !cell.event:
			err = press.floats(c, t.at, cell.values.Narrow)
		case c.kind == counts:
			err = press.count(c, t.at, b.frame-cell.at, b.rows)
		default:
			err = fmt.Errorf("column %q is an event in %q and not in the export", c.name, b.part.SessionID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// facts adds what all rows of a block have in common.
func (p *paper) facts(b *block, i, n int) {
	f := factsOf(&b.part, p.r.org, p.r.result.Columns.Dimensions)
	whole := func(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
	say := func(place int, word []byte) {
		if place%n == i {
			p.steady[place].say(word, b.rows)
		}
	}
	for place, text := range f.texts {
		var word []byte
		switch {
		case place == seqPlace && f.seq != nil:
			word = whole(*f.seq)
		case text != nil:
			word = append(binary.LittleEndian.AppendUint32(nil, uint32(len(*text))), *text...)
		}
		say(place, word)
	}
	var captured, fps []byte
	if f.captured != nil {
		captured = whole(f.captured.UnixMilli())
	}
	if f.fps != nil && *f.fps-*f.fps == 0 {
		fps = whole(int64(math.Float64bits(*f.fps)))
	}
	say(len(f.texts), captured)
	say(len(f.texts)+1, fps)
}

// group writes the row group, which is complete.
func (p *paper) group() error {
	if p.rows > 0 {
		if err := p.file.Group(p.rows, len(p.columns), func(i int) parquetfile.Chunk { return p.columns[i].chunk() }); err != nil {
			return err
		}
		p.rows = 0
	}
	held := int64(0)
	for _, c := range p.columns {
		held += c.held()
	}
	for _, c := range p.columns {
		c.anew(held < 3*p.room)
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

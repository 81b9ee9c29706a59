package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// Reader reads the rows of a finished export out of the motion tables. It keeps
// nothing open between calls and may be used by several callers at once, if parts
// may.
type Reader struct {
	files  upload.Files
	org    string
	result Result
	parts  func(row int64) ([]Part, error)
	places map[string]int // of columns, by what the recordings call them, in Columns.Own
	events map[string]int // of those of events
}

// NewReader makes a reader of a result of an organization. parts gives some parts in
// their order, from the one on that has the row, as Results.Parts does.
func NewReader(files upload.Files, org string, result Result, parts func(row int64) ([]Part, error)) *Reader {
	r := &Reader{files: files, org: org, result: result, parts: parts, places: make(map[string]int, len(result.Columns.Own)), events: map[string]int{}}
	events := map[string]bool{}
	for _, name := range result.Columns.Events {
		events[name] = true
	}
	for i, name := range result.Columns.Own {
		if events[name] {
			r.events[name] = i
		} else if own, aside := result.Columns.Aside[name]; aside {
			r.places[own] = i
		} else {
			r.places[name] = i
		}
	}
	return r
}

// block is some rows of one part, in columns. Its memory is used again.
type block struct {
	part  Part
	frame int64 // of the first row
	rows  int
	time  []float64 // seconds, NaN where nobody knows
	cells []cell    // the columns that the recording has, as they lie in Columns.Own

	prefix []byte // of its rows, where they become text
	users  atomic.Int32
	home   chan *block
	slab   []float32
	wide   []float64
	clock  []float64
}

// cell is one column.
type cell struct {
	place  int // in Columns.Own
	unit   string
	event  bool
	at     int64 // the frame of the event
	metric bool
	value  float32        // of the metric, in every row
	about  string         // what the file says of the metric
	values frames.Numbers // in metres where they are lengths; none for an event
	column int            // in the scan, or among the metrics
	factor float64
}

// release says that one user is done with the block.
func (b *block) release() {
	if b.users.Add(-1) == 0 {
		b.home <- b // which has room for all its blocks
	}
}

// cursor reads parts one after another, with one motion table open at a time.
type cursor struct {
	r       *Reader
	source  *Source
	file    upload.File
	table   *frames.Table
	scan    *frames.Scan
	cells   []cell
	metrics int // how many of the cells are such
	info    frames.Info
	start   float64       // of the first frame, by the corrected rate
	rate    float64       // by which the time of a row is computed; 0: the table knows it
	free    chan *block   // blocks to read into
	stop    chan struct{} // closed when nobody wants blocks any more
}

func (c *cursor) close() {
	if c.file != nil {
		_ = c.file.Close() // it was only read
	}
	c.file, c.source, c.table, c.scan = nil, nil, nil, nil
}

// open makes a source the one to read from.
func (c *cursor) open(ctx context.Context, s *Source) (err error) {
	if c.source != nil && (c.source == s || c.source.Table == s.Table && c.source.Rate == s.Rate && string(c.source.Info) == string(s.Info)) {
		return nil
	}
	c.close()
	c.info = frames.Info{}
	if len(s.Info) > 0 {
		if err := json.Unmarshal(s.Info, &c.info); err != nil {
			return fmt.Errorf("what is known of the recording of %q cannot be read: %w", s.SessionID, err)
		}
	}
	c.info = c.info.Corrected(s.Rate)
	c.start, c.rate = c.info.Start, s.Rate
	c.cells, c.metrics = c.cells[:0], 0
	var names []string
	if s.Table != "" {
		all, measures := c.info.Measures()
		for i, name := range all {
			if place, ok := c.r.places[name]; ok {
				c.cells = append(c.cells, cell{place: place, unit: measures[i].Unit, column: len(names), factor: measures[i].Factor})
				names = append(names, name)
			}
		}
	} else if c.rate == 0 && c.info.Rate != nil && c.info.Even {
		c.rate = *c.info.Rate
	}
	for _, e := range c.info.EventColumns() {
		if place, ok := c.r.events[e.Name]; ok {
			c.cells = append(c.cells, cell{place: place, unit: "frames", event: true, at: int64(e.Frame)})
		}
	}
	for _, m := range c.info.MetricColumns() {
		if place, ok := c.r.places[m.Name]; ok {
			c.cells = append(c.cells, cell{place: place, unit: m.Metric.Unit, metric: true, value: float32(m.Metric.Value), about: m.Metric.Description, column: c.metrics})
			c.metrics++
		}
	}
	slices.SortFunc(c.cells, func(a, b cell) int { return cmp.Compare(a.place, b.place) })
	if s.Table == "" {
		c.source = s
		return nil
	}
	if c.file, err = c.r.files.Open(ctx, s.Table); err != nil {
		return err
	}
	if c.table, err = frames.Open(c.file, c.file.Size()); err == nil {
		c.scan, err = c.table.Scan(names)
	}
	if err != nil {
		c.close()
		return fmt.Errorf("the recording of %q: %w", s.SessionID, err)
	}
	c.source = s
	return nil
}

// longest is how many rows a block has at most where no table divides them.
const longest = 1 << 16

// read gives the frames [from, to) of a part, in blocks. It ends without an error
// when nobody wants them any more.
func (c *cursor) read(ctx context.Context, p *Part, from, to int64, give chan<- *block) error {
	if err := c.open(ctx, p.Source); err != nil {
		return err
	}
	groups := []frames.Group(nil)
	if c.table != nil {
		if groups = c.table.Groups(); from < 0 || to > int64(c.table.Rows()) {
			return fmt.Errorf("the recording of %q has %d frames, and frame %d is to be exported", p.SessionID, c.table.Rows(), max(to-1, 0))
		}
	} else {
		for at := int64(0); at < to; at += longest {
			groups = append(groups, frames.Group{From: int(at), Rows: longest})
		}
	}
	for i, g := range groups {
		first, last := max(0, from-int64(g.From)), min(int64(g.Rows), to-int64(g.From))
		if first >= last {
			continue
		}
		var b *block
		select {
		case b = <-c.free:
		case <-c.stop:
			return nil
		}
		if err := c.fill(b, i, g, int(first), int(last)); err != nil {
			c.free <- b
			return fmt.Errorf("the recording of %q: %w", p.SessionID, err)
		}
		b.part = *p
		b.users.Store(1)
		select {
		case give <- b:
		case <-c.stop:
			return nil
		}
	}
	return nil
}

// fill reads rows of a group into a block.
func (c *cursor) fill(b *block, group int, g frames.Group, first, last int) error {
	b.frame, b.rows = int64(g.From+first), last-first
	b.cells = append(b.cells[:0], c.cells...)
	read := 0 // columns of the table; behind them lie the metrics
	if c.table != nil {
		read = len(c.scan.Columns)
	}
	b.slab = slices.Grow(b.slab[:0], g.Rows*(read+c.metrics))
	if c.table != nil {
		columns, wide := c.scan.Columns, 0
		for i := range columns {
			wide += columns[i].Bits() / 64
		}
		b.wide = slices.Grow(b.wide[:0], g.Rows*wide)
		for i := range columns {
			if columns[i].Wide != nil {
				wide--
				columns[i].Wide = b.wide[wide*g.Rows : wide*g.Rows : (wide+1)*g.Rows]
				continue
			}
			columns[i].Narrow = b.slab[i*g.Rows : i*g.Rows : (i+1)*g.Rows]
		}
		c.scan.Time = b.clock
		if err := c.scan.Read(group); err != nil {
			return err
		}
		b.clock = c.scan.Time
	} else {
		b.clock = slices.Grow(b.clock[:0], last)[:last]
	}
	b.time = b.clock[first:last]
	if c.rate > 0 {
		for i := range b.time {
			b.time[i] = c.start + float64(b.frame+int64(i))/c.rate
		}
	} else if c.table == nil {
		for i := range b.time {
			b.time[i] = math.NaN()
		}
	}
	for i := range b.cells {
		cell := &b.cells[i]
		if cell.event {
			continue
		}
		if cell.metric {
			at := g.Rows * (read + cell.column)
			values := b.slab[at : at+b.rows]
			for i := range values {
				values[i] = cell.value
			}
			cell.values = frames.Numbers{Narrow: values}
			continue
		}
		cell.values = c.scan.Columns[cell.column].Slice(first, last)
		cell.values.Scale(cell.factor)
	}
	return nil
}

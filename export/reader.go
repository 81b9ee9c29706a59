package export

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

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
	places map[Origin]int // of columns, in Columns.Own
}

// NewReader makes a reader of a result of an organization. parts gives some parts in
// their order, from the one on that has the row, as Results.Parts does.
func NewReader(files upload.Files, org string, result Result, parts func(row int64) ([]Part, error)) *Reader {
	r := &Reader{files: files, org: org, result: result, parts: parts,
		places: make(map[Origin]int, len(result.Columns.Own))}
	for i, c := range result.Columns.Own {
		r.places[c.From] = i
	}
	return r
}

// framed says whether a row has the number of a frame and its time.
func (r *Reader) framed() bool { return r.result.Columns.Shape != RowPerAthlete }

// block is some rows of one part, in columns. Its memory is used again.
type block struct {
	part  Part
	frame int64 // of the first row
	rows  int
	time  []float64 // seconds, NaN where nobody knows
	cells []cell    // the columns that the recording has, as they lie in Columns.Own

	info   *frames.Info // of the part's recording, by the rate that holds, where a row is a capture
	prefix []byte       // of its rows, where they become text
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
	about  string // what the recording says of it
	fixed  *fixed // the value of all rows; nil where each has its own
	event  bool
	at     int64          // the frame of the event
	values frames.Numbers // in metres where they are lengths; none for an event
	column int            // in the scan
	factor float64
}

// fixed is a value that all rows of a part have, of the kind that its column has: a text, a time, a
// number of as many bits, or a whole number.
type fixed struct {
	text    *string
	instant *time.Time
	number  float64
	bits    int // 0: it is whole
	whole   int64
}

// release says that one user is done with the block.
func (b *block) release() {
	if b.users.Add(-1) == 0 {
		b.home <- b // which has room for all its blocks
	}
}

// cursor reads parts one after another, with one motion table open at a time.
type cursor struct {
	r      *Reader
	source *Source
	file   upload.File
	table  *frames.Table
	scan   *frames.Scan
	cells  []cell
	metric [][]cell // of each row, where a row is a metric
	info   frames.Info
	start  float64       // of the first frame, by the corrected rate
	rate   float64       // by which the time of a row is computed; 0: the table knows it
	free   chan *block   // blocks to read into
	stop   chan struct{} // closed when nobody wants blocks any more
}

func (c *cursor) close() {
	if c.file != nil {
		_ = c.file.Close() // it was only read
	}
	c.file, c.source, c.table, c.scan = nil, nil, nil, nil
}

// open makes a source the one to read from.
func (c *cursor) open(ctx context.Context, s *Source) (err error) {
	if c.source != nil && (c.source == s || c.source.Table == s.Table && c.source.Rate == s.Rate &&
		string(c.source.Info) == string(s.Info)) {
		return nil
	}
	c.close()
	c.info = frames.Info{}
	if c.r.result.Columns.Shape == RowPerAthlete {
		if c.cells, err = athleteCells(c.r.result.Columns.Own, s.Info); err == nil {
			c.source = s
		}
		return err
	}
	if len(s.Info) > 0 {
		if err := json.Unmarshal(s.Info, &c.info); err != nil {
			return fmt.Errorf("what is known of the recording of %q cannot be read: %w", s.SessionID, err)
		}
	}
	c.info = c.info.Corrected(s.Rate)
	c.start, c.rate = c.info.Start, s.Rate
	c.cells = c.cells[:0]
	if c.r.result.Columns.Shape.Whole() {
		if c.whole(); c.r.result.Columns.Shape == RowPerMetric {
			c.metric = metricRows(c.info, c.r.result.Request.Metrics)
		}
		c.source = s
		return nil
	}
	var names []string
	if s.Table != "" {
		all, measures := c.info.Measures()
		for i, name := range all {
			if place, ok := c.r.places[Origin{Number, name}]; ok {
				c.cells = append(c.cells, cell{place: place, unit: measures[i].Unit, column: len(names),
					factor: measures[i].Factor})
				names = append(names, name)
			}
		}
	} else if c.rate == 0 && c.info.Rate != nil && c.info.Even {
		c.rate = *c.info.Rate
	}
	for _, e := range c.info.EventColumns() {
		if place, ok := c.r.places[Origin{Event, e.Name}]; ok {
			c.cells = append(c.cells, cell{place: place, unit: "frames", event: true, at: int64(e.Frame)})
		}
	}
	c.metrics("of the whole recording, the same in every row")
	slices.SortFunc(c.cells, byPlace)
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
		return fmt.Errorf("the recording of %q (%s): %w", s.SessionID, s.Table, err)
	}
	c.source = s
	return nil
}

func byPlace(a, b cell) int { return cmp.Compare(a.place, b.place) }

// metrics adds the cells of the metrics, with what is said of those that the file does not
// describe.
func (c *cursor) metrics(about string) {
	for _, m := range c.info.MetricColumns() {
		from, value := Origin{Number, m.Name}, &fixed{number: m.Metric.Value, bits: 64}
		if m.Text != nil {
			from, value = Origin{Text, m.Name}, &fixed{text: m.Text}
		}
		place, ok := c.r.places[from]
		if !ok {
			continue
		}
		if m.Text == nil && !c.r.result.Columns.Own[place].Wide {
			// of a result that was made before metrics had 64 bits
			value.number, value.bits = float64(float32(value.number)), 32
		}
		c.cells = append(c.cells, cell{place: place, unit: m.Metric.Unit, about: cmp.Or(m.Metric.Description, about),
			fixed: value})
	}
}

// whole makes the cells of a row that is the whole capture.
func (c *cursor) whole() {
	for _, e := range c.info.EventColumns() {
		if place, ok := c.r.places[Origin{Event, e.Name}]; ok {
			c.cells = append(c.cells, cell{place: place, fixed: &fixed{whole: int64(e.Frame)}})
		}
		if place, ok := c.r.places[Origin{Moment, e.Name}]; ok && e.Time-e.Time == 0 {
			c.cells = append(c.cells, cell{place: place, unit: "s", fixed: &fixed{number: e.Time, bits: 64}})
		}
	}
	c.metrics("of the whole recording")
	slices.SortFunc(c.cells, byPlace)
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
	if c.r.result.Columns.Shape == RowPerMetric {
		if from < 0 || to > int64(len(c.metric)) {
			return fmt.Errorf("the recording of %q has %d metrics, and number %d is to be exported", p.SessionID,
				len(c.metric), max(to-1, 0))
		}
		for i := range c.metric {
			groups = append(groups, frames.Group{From: i, Rows: 1})
		}
	} else if c.r.result.Columns.Shape.Whole() {
		groups = []frames.Group{{Rows: 1}}
	} else if c.table != nil {
		if groups = c.table.Groups(); from < 0 || to > int64(c.table.Rows()) {
			return fmt.Errorf("the recording of %q has %d frames, and frame %d is to be exported", p.SessionID,
				c.table.Rows(), max(to-1, 0))
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
			return fmt.Errorf("the recording of %q (%s): %w", p.SessionID, p.Source.Table, err)
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
	if shape := c.r.result.Columns.Shape; shape.Whole() {
		info := c.info
		b.info, b.time = &info, []float64{info.Start}
		switch shape {
		case RowPerMetric:
			b.info, b.frame, b.cells = nil, 0, append(b.cells[:0], c.metric[group]...)
		case RowPerAthlete:
			b.info = nil
		default:
		}
		return nil
	}
	if c.table != nil {
		b.slab = slices.Grow(b.slab[:0], g.Rows*len(c.scan.Columns))
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
		if cell.event || cell.fixed != nil {
			continue
		}
		cell.values = c.scan.Columns[cell.column].Slice(first, last)
		cell.values.Scale(cell.factor)
	}
	return nil
}

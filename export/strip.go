package export

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/frames/parquetfile"
)

// pageRows is how many rows a page has.
const pageRows = 1 << 14

// strip is one column of a row group that is being made. Rows in which it is missing
// cost nothing until something is there again.
type strip struct {
	name, unit, about string
	kind              *kind
	measured          bool // some numbers came, in the unit, which may be an unknown one
	mixed             bool // and then others in another unit

	rows  int // that have been dealt with, pending ones not among them
	pages []byte
	raw   int64 // bytes of the pages before they were compressed
	nulls int64
	words int // bytes of the page of the dictionary, which is the first one

	numbers []float32 // pending
	wide    []float64 // pending
	whole   []int64   // pending

	said   int   // rows that have words, or are known to have none
	runs   []run // of words
	index  map[string]uint32
	values []byte // of the dictionary
}

// describe takes note of what a recording says of the column. Where recordings say different
// things, none of them is said.
func (c *strip) describe(about string) {
	switch {
	case about == "" || c.mixed:
	case c.about == "":
		c.about = about
	case c.about != about:
		c.about = "described differently, or found by different methods, in the captures"
	}
}

// measure takes note of the unit of numbers that are about to come, "" when it is not
// known. Of numbers in different units none is the unit of the column.
func (c *strip) measure(unit string) {
	switch {
	case !c.measured:
		c.unit, c.measured = unit, true
	case c.mixed || unit == c.unit:
	case unit == "" || c.unit == "":
		c.unit, c.mixed, c.about = "", true, "in an unknown unit in some captures"
	default:
		c.unit, c.mixed, c.about = "", true, "in different units"
	}
}

// run is a word that comes several times.
type run struct {
	word, times uint32 // word 0 is none
}

// press makes pages of columns; one for each goroutine.
type press struct{ *parquetfile.Press }

// page adds the body to a column.
func (p press) page(c *strip, h format.PageHeader) error {
	pages, raw, err := p.Page(c.pages, h)
	if err != nil {
		return err
	}
	c.pages = pages
	c.raw += raw
	return nil
}

// data adds the body as a page of n values.
func (p press) data(c *strip, n, there int) error {
	c.rows += n
	c.nulls += int64(n - there)
	return p.page(c, parquetfile.Data(n, there, c.kind.encoding))
}

// none adds rows in which nothing is there.
func (p press) none(c *strip, n int) error {
	if n <= 0 {
		return nil
	}
	if err := p.Define(n, 0); err != nil {
		return err
	}
	if c.kind == counts { // readers expect the head of the encoding even so
		if err := p.Delta(nil); err != nil {
			return err
		}
	}
	return p.data(c, n, 0)
}

// floats adds values at a row of the group; those between are missing.
func (p press) floats(c *strip, at int, values []float32) error {
	pending := len(c.numbers)
	if gap := at - c.rows - pending; gap > 0 {
		if gap <= pending && pending+gap < pageRows {
			for range gap {
				c.numbers = append(c.numbers, float32(math.NaN()))
			}
		} else if err := p.flush(c); err != nil {
			return err
		} else if err := p.none(c, at-c.rows); err != nil {
			return err
		}
	}
	for len(values) > 0 {
		if len(c.numbers) == 0 && len(values) >= pageRows/4 {
			n := min(len(values), pageRows)
			if err := p.plain(c, values[:n]); err != nil {
				return err
			}
			values = values[n:]
			continue
		}
		n := min(len(values), pageRows-len(c.numbers))
		c.numbers, values = append(c.numbers, values[:n]...), values[n:]
		if len(c.numbers) >= pageRows {
			if err := p.flush(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// plain makes a page of floats.
func (p press) plain(c *strip, values []float32) error {
	n := len(values)
	p.Levels = append(p.Levels[:0], make([]byte, n)...)
	there := 0
	for i, v := range values {
		if v-v == 0 {
			p.Levels[i] = 1
			there++
		}
	}
	if err := p.Define(n, there); err != nil {
		return err
	}
	at := len(p.Body)
	p.Body = append(p.Body, make([]byte, 4*there)...)
	body := p.Body[at:]
	if there == n {
		for i, v := range values {
			binary.LittleEndian.PutUint32(body[4*i:], math.Float32bits(v))
		}
	} else {
		for i, v := range values {
			if p.Levels[i] != 0 {
				binary.LittleEndian.PutUint32(body, math.Float32bits(v))
				body = body[4:]
			}
		}
	}
	return p.data(c, n, there)
}

// widened gives numbers in 64 bits: of 32-bit ones the decimals that are written of them,
// so that a column has the same numbers as text and in a file.
func widened(n frames.Numbers) []float64 {
	if n.Wide != nil {
		return n.Wide
	}
	wide := make([]float64, len(n.Narrow))
	for i, v := range n.Narrow {
		wide[i] = frames.Widen(v)
	}
	return wide
}

// wides adds values at a row of the group; those between are missing.
func (p press) wides(c *strip, at int, values []float64) error {
	pending := len(c.wide)
	if gap := at - c.rows - pending; gap > 0 {
		if gap <= pending && pending+gap < pageRows {
			for range gap {
				c.wide = append(c.wide, math.NaN())
			}
		} else if err := p.flush(c); err != nil {
			return err
		} else if err := p.none(c, at-c.rows); err != nil {
			return err
		}
	}
	return p.doubles(c, values)
}

// doubles adds values, which no rows are left out of.
func (p press) doubles(c *strip, values []float64) error {
	c.wide = append(c.wide, values...)
	if len(c.wide) < pageRows {
		return nil
	}
	return p.flush(c)
}

// count adds n whole numbers from first on, at a row of the group.
func (p press) count(c *strip, at int, first int64, n int) error {
	if gap := at - c.rows - len(c.whole); gap > 0 {
		if err := p.flush(c); err != nil {
			return err
		}
		if err := p.none(c, at-c.rows); err != nil {
			return err
		}
	}
	for i := range n {
		c.whole = append(c.whole, first+int64(i))
	}
	if len(c.whole) < pageRows {
		return nil
	}
	return p.flush(c)
}

// flush makes a page of what is pending.
func (p press) flush(c *strip) error {
	if len(c.numbers) > 0 {
		if err := p.plain(c, c.numbers); err != nil {
			return err
		}
		c.numbers = c.numbers[:0]
	}
	if n := len(c.wide); n > 0 {
		p.Levels = append(p.Levels[:0], make([]byte, n)...)
		there := 0
		for i, v := range c.wide {
			if v-v == 0 {
				p.Levels[i] = 1
				there++
			}
		}
		if err := p.Define(n, there); err != nil {
			return err
		}
		for _, v := range c.wide {
			if v-v == 0 {
				p.Body = binary.LittleEndian.AppendUint64(p.Body, math.Float64bits(v))
			}
		}
		c.wide = c.wide[:0]
		if err := p.data(c, n, there); err != nil {
			return err
		}
	}
	if n := len(c.whole); n > 0 {
		if err := p.Define(n, n); err != nil {
			return err
		}
		if err := p.Delta(c.whole); err != nil {
			return err
		}
		c.whole = c.whole[:0]
		return p.data(c, n, n)
	}
	return nil
}

// sayAt adds a word n times at a row of the group; those between are missing.
func (c *strip) sayAt(at int, word []byte, n int) {
	if gap := at - c.said; gap > 0 {
		c.say(nil, gap)
	}
	c.say(word, n)
}

// say adds a word n times; nil is a missing one. word is how the value is written
// plainly.
func (c *strip) say(word []byte, n int) {
	c.said += n
	var id uint32
	if word != nil {
		var ok bool
		if id, ok = c.index[string(word)]; !ok {
			if c.index == nil {
				c.index = map[string]uint32{}
			}
			id = uint32(len(c.index) + 1)
			c.index[string(word)] = id
			c.values = append(c.values, word...)
		}
	}
	if last := len(c.runs) - 1; last >= 0 && c.runs[last].word == id {
		c.runs[last].times += uint32(n)
		return
	}
	c.runs = append(c.runs, run{id, uint32(n)})
}

// finish completes a column of a row group of so many rows.
func (p press) finish(c *strip, rows int) error {
	if c.kind.encoding != format.RLEDictionary {
		if err := p.flush(c); err != nil {
			return err
		}
		return p.none(c, rows-c.rows)
	}
	if rows > c.said {
		c.say(nil, rows-c.said)
	}
	p.Body = append(p.Body[:0], c.values...)
	err := p.page(c, format.PageHeader{Type: format.DictionaryPage,
		DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
			NumValues: int32(len(c.index)), Encoding: format.Plain,
		})})
	if err != nil {
		return err
	}
	c.words = len(c.pages)
	var levels []byte
	there := 0
	for i := 0; i < len(c.runs); { // runs of words that are there, and of those that are not
		n, some := 0, c.runs[i].word != 0
		for ; i < len(c.runs) && (c.runs[i].word != 0) == some; i++ {
			n += int(c.runs[i].times)
		}
		level := byte(0)
		if some {
			level = 1
			there += n
		}
		levels = append(binary.AppendUvarint(levels, uint64(n)<<1), level)
	}
	p.Body = append(binary.LittleEndian.AppendUint32(p.Body[:0], uint32(len(levels))), levels...)
	width := bits.Len(uint(max(1, len(c.index)-1)))
	p.Body = append(p.Body, byte(width))
	for _, r := range c.runs {
		if r.word == 0 {
			continue
		}
		p.Body = binary.AppendUvarint(p.Body, uint64(r.times)<<1)
		for id, left := r.word-1, width; left > 0; id, left = id>>8, left-8 {
			p.Body = append(p.Body, byte(id))
		}
	}
	return p.data(c, rows, there)
}

// reset empties a column for the next row group, and keeps its memory if it may.
func (c *strip) reset(keep bool) {
	c.rows, c.raw, c.nulls, c.words, c.said = 0, 0, 0, 0, 0
	c.pages, c.numbers, c.wide, c.whole, c.runs, c.values = c.pages[:0], c.numbers[:0], c.wide[:0], c.whole[:0],
		c.runs[:0], c.values[:0]
	clear(c.index)
	if !keep {
		c.pages, c.numbers, c.wide, c.whole, c.runs, c.values, c.index = nil, nil, nil, nil, nil, nil, nil
	}
}

func (c *strip) held() int64 {
	return int64(cap(c.pages)) + 4*int64(cap(c.numbers)) + 8*int64(cap(c.wide)) + 8*int64(cap(c.whole)) +
		8*int64(cap(c.runs)) + int64(cap(c.values))
}

package export

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// pageRows is how many rows a page has.
const pageRows = 1 << 14

// strip is one column of a row group that is being made. Rows in which it is missing
// cost nothing until something is there again.
type strip struct {
	name, unit, about string
	kind              *kind

	rows  int // that have been dealt with, pending ones not among them
	pages []byte
	raw   int64 // bytes of the pages before they were compressed
	nulls int64
	words int // bytes of the page of the dictionary, which is the first one

	numbers []float32 // pending
	wide    []float64 // pending
	whole   []int64   // pending

	runs   []run // of words
	index  map[string]uint32
	values []byte // of the dictionary
}

// run is a word that comes several times.
type run struct {
	word, times uint32 // word 0 is none
}

// press has what is needed to make pages; one for each goroutine.
type press struct {
	codec   snappy.Codec
	levels  []byte
	runs    []byte
	body    []byte
	packed  []byte
	header  bytes.Buffer
	encoder *thrift.Encoder
}

func newPress() *press {
	p := new(press)
	p.encoder = thrift.NewEncoder((&thrift.CompactProtocol{}).NewWriter(&p.header))
	return p
}

// define begins the body of a page with which of its n values are there.
func (p *press) define(n, there int) (err error) {
	if there == n || there == 0 {
		p.runs = append(binary.AppendUvarint(p.runs[:0], uint64(n)<<1), byte(min(1, there)))
	} else if p.runs, err = (&rle.Encoding{BitWidth: 1}).EncodeLevels(p.runs[:0], p.levels[:n]); err != nil {
		return err
	}
	p.body = append(binary.LittleEndian.AppendUint32(p.body[:0], uint32(len(p.runs))), p.runs...)
	return nil
}

// page compresses the body and adds it to a column.
func (p *press) page(c *strip, h format.PageHeader) (err error) {
	if p.packed, err = p.codec.Encode(p.packed, p.body); err != nil {
		return err
	}
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(p.body)), int32(len(p.packed))
	p.header.Reset()
	if err := p.encoder.Encode(&h); err != nil {
		return err
	}
	c.pages = append(append(c.pages, p.header.Bytes()...), p.packed...)
	c.raw += int64(p.header.Len() + len(p.body))
	return nil
}

// data adds the body as a page of n values.
func (p *press) data(c *strip, n, there int) error {
	c.rows += n
	c.nulls += int64(n - there)
	return p.page(c, format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
		NumValues: int32(n), Encoding: c.kind.encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		Statistics: format.Statistics{NullCount: int64(n - there)},
	})})
}

// none adds rows in which nothing is there.
func (p *press) none(c *strip, n int) error {
	if n <= 0 {
		return nil
	}
	if err := p.define(n, 0); err != nil {
		return err
	}
	if c.kind == counts { // readers expect the head of the encoding even so
		p.body, _ = appendDelta(p.body, &p.packed, nil)
	}
	return p.data(c, n, 0)
}

// floats adds values at a row of the group; those between are missing.
func (p *press) floats(c *strip, at int, values []float32) error {
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
func (p *press) plain(c *strip, values []float32) error {
	n := len(values)
	p.levels = append(p.levels[:0], make([]byte, n)...)
	there := 0
	for i, v := range values {
		if v-v == 0 {
			p.levels[i] = 1
			there++
		}
	}
	if err := p.define(n, there); err != nil {
		return err
	}
	at := len(p.body)
	p.body = append(p.body, make([]byte, 4*there)...)
	body := p.body[at:]
	if there == n {
		for i, v := range values {
			binary.LittleEndian.PutUint32(body[4*i:], math.Float32bits(v))
		}
	} else {
		for i, v := range values {
			if p.levels[i] != 0 {
				binary.LittleEndian.PutUint32(body, math.Float32bits(v))
				body = body[4:]
			}
		}
	}
	return p.data(c, n, there)
}

// doubles adds values, which no rows are left out of.
func (p *press) doubles(c *strip, values []float64) error {
	c.wide = append(c.wide, values...)
	if len(c.wide) < pageRows {
		return nil
	}
	return p.flush(c)
}

// count adds n whole numbers from first on, at a row of the group.
func (p *press) count(c *strip, at int, first int64, n int) error {
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

func appendDelta(body []byte, room *[]byte, values []int64) (_ []byte, err error) {
	*room, err = (&delta.BinaryPackedEncoding{}).EncodeInt64((*room)[:0], values)
	return append(body, *room...), err
}

// flush makes a page of what is pending.
func (p *press) flush(c *strip) (err error) {
	if len(c.numbers) > 0 {
		if err := p.plain(c, c.numbers); err != nil {
			return err
		}
		c.numbers = c.numbers[:0]
	}
	if n := len(c.wide); n > 0 {
		p.levels = append(p.levels[:0], make([]byte, n)...)
		there := 0
		for i, v := range c.wide {
			if v-v == 0 {
				p.levels[i] = 1
				there++
			}
		}
		if err := p.define(n, there); err != nil {
			return err
		}
		for _, v := range c.wide {
			if v-v == 0 {
				p.body = binary.LittleEndian.AppendUint64(p.body, math.Float64bits(v))
			}
		}
		c.wide = c.wide[:0]
		if err := p.data(c, n, there); err != nil {
			return err
		}
	}
	if n := len(c.whole); n > 0 {
		if err := p.define(n, n); err != nil {
			return err
		}
		if p.body, err = appendDelta(p.body, &p.packed, c.whole); err != nil {
			return err
		}
		c.whole = c.whole[:0]
		return p.data(c, n, n)
	}
	return nil
}

// say adds a word n times; nil is a missing one. word is how the value is written
// plainly.
func (c *strip) say(word []byte, n int) {
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
func (p *press) finish(c *strip, rows int) error {
	if c.kind.encoding != format.RLEDictionary {
		if err := p.flush(c); err != nil {
			return err
		}
		return p.none(c, rows-c.rows)
	}
	p.body = append(p.body[:0], c.values...)
	err := p.page(c, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
		NumValues: int32(len(c.index)), Encoding: format.Plain,
	})})
	if err != nil {
		return err
	}
	c.words = len(c.pages)
	p.runs = p.runs[:0]
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
		p.runs = append(binary.AppendUvarint(p.runs, uint64(n)<<1), level)
	}
	p.body = append(binary.LittleEndian.AppendUint32(p.body[:0], uint32(len(p.runs))), p.runs...)
	width := bits.Len(uint(max(1, len(c.index)-1)))
	p.body = append(p.body, byte(width))
	for _, r := range c.runs {
		if r.word == 0 {
			continue
		}
		p.body = binary.AppendUvarint(p.body, uint64(r.times)<<1)
		for id, left := r.word-1, width; left > 0; id, left = id>>8, left-8 {
			p.body = append(p.body, byte(id))
		}
	}
	return p.data(c, rows, there)
}

// anew empties a column for the next row group, and keeps its memory if it may.
func (c *strip) anew(keep bool) {
	c.rows, c.raw, c.nulls, c.words = 0, 0, 0, 0
	c.pages, c.numbers, c.wide, c.whole, c.runs, c.values = c.pages[:0], c.numbers[:0], c.wide[:0], c.whole[:0], c.runs[:0], c.values[:0]
	clear(c.index)
	if !keep {
		c.pages, c.numbers, c.wide, c.whole, c.runs, c.values, c.index = nil, nil, nil, nil, nil, nil, nil
	}
}

func (c *strip) held() int64 {
	return int64(cap(c.pages)) + 4*int64(cap(c.numbers)) + 8*int64(cap(c.wide)) + 8*int64(cap(c.whole)) + 8*int64(cap(c.runs)) + int64(cap(c.values))
}

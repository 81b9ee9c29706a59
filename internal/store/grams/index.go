// Package grams tells which of many short texts have a text, without looking through them: for
// each three bytes that follow each other in the texts it knows which texts have them. What has
// one to three bytes is answered exactly, what is longer with few false hits.
//
// The package is pure: it holds numbers of texts, and neither the texts nor a database.
package grams

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// End follows every text: no text in UTF-8 has this byte, so that nothing that is looked for
// reaches from one text into the next.
const End = 0xFF

// Index is that of the texts 0…n-1. It never changes once made.
type Index struct {
	all     []uint64   // the texts that are not empty
	column  [256]uint8 // of each byte in letters, from 1; 0: no text has it
	letters []uint64   // for each column, which texts have the byte
	keys    []uint32   // three bytes, ascending; the third one may be End
	firsts  [257]int32 // where the keys of each first byte begin
	starts  []uint32   // of the list of each key in lists
	lists   []byte
}

// A list says in its first byte how it is written.
const (
	steps  = iota // from text to text, a byte for each; 255 goes on with the next byte
	bitmap        // a bit for each text
	whole         // all texts that are not empty
)

// mostTriples bounds the memory that making an index takes for a while.
const mostTriples = 1 << 20

// New makes the index of n texts. Each is empty or ends with End, and may have it between its parts. It
// gives nil where the texts have so many different bytes that an index would be of little use.
func New(n int, text func(int) []byte) *Index {
	m := maker{n: n, words: (n + 63) / 64, text: text}
	if !m.look() {
		return nil
	}
	m.measure()
	return m.write()
}

// maker goes over the texts three times.
type maker struct {
	n, words int
	text     func(int) []byte

	x       Index
	columns int             // of triples: those of letters, and End
	pairs   [1 << 16]uint32 // two bytes → their row in triples, from 1
	rows    int
	triples []triple
	present int
}

type triple struct{ last, size, count, at uint32 }

// look finds which bytes and which pairs of bytes there are.
func (m *maker) look() bool {
	m.x.all = make([]uint64, m.words)
	for i := range m.n {
		text := m.text(i)
		if len(text) == 0 {
			continue
		}
		m.present++
		m.x.all[i/64] |= 1 << (i % 64)
		for j, b := range text[1:] {
			if a := text[j]; a != End {
				m.x.column[a] = 1
				if b != End {
					m.pairs[uint(a)<<8|uint(b)] = 1
				}
			}
		}
	}
	m.columns = 1
	for b, has := range m.x.column {
		if has != 0 {
			m.x.column[b] = uint8(m.columns)
			m.columns++
		}
	}
	for p, has := range m.pairs {
		if has != 0 {
			m.rows++
			m.pairs[p] = uint32(m.rows)
		}
	}
	return m.rows*m.columns <= mostTriples
}

// each visits every three bytes of a text. Those of which the second is End are of no use.
func (m *maker) each(text []byte, visit func(*triple)) {
	for j := 2; j < len(text); j++ {
		if row := m.pairs[uint(text[j-2])<<8|uint(text[j-1])]; row != 0 {
			visit(&m.triples[int(row-1)*m.columns+int(m.x.column[text[j]])])
		}
	}
}

// measure counts how many bytes each list takes as steps.
func (m *maker) measure() {
	m.triples = make([]triple, m.rows*m.columns)
	for i := range m.n {
		now := uint32(i + 1)
		m.each(m.text(i), func(t *triple) {
			if t.last != now {
				t.size += 1 + (now-t.last-1)/255
				t.count++
				t.last = now
			}
		})
	}
}

// write lays out the lists and fills them.
func (m *maker) write() *Index {
	x := &m.x
	lists, size := 0, uint32(0)
	for i := range m.triples {
		if t := &m.triples[i]; t.count > 0 {
			lists++
			size += 1 + min(t.size, uint32(8*m.words))
		}
	}
	x.keys, x.starts = make([]uint32, 0, lists), make([]uint32, 0, lists+1)
	x.lists = make([]byte, 0, size)
	for pair, row := range m.pairs {
		if row == 0 {
			continue
		}
		for b := range 256 { // End is column 0, and the greatest byte
			column := int(x.column[b])
			if column == 0 && b != End {
				continue
			}
			if t := &m.triples[int(row-1)*m.columns+column]; t.count > 0 {
				x.keys = append(x.keys, uint32(pair)<<8|uint32(b))
				x.starts = append(x.starts, uint32(len(x.lists)))
				m.begin(t)
			}
		}
	}
	x.starts = append(x.starts, uint32(len(x.lists)))
	for b, at := 0, 0; b < len(x.firsts); b++ {
		for at < len(x.keys) && int(x.keys[at]>>16) < b {
			at++
		}
		x.firsts[b] = int32(at)
	}
	x.letters = make([]uint64, (m.columns-1)*m.words)
	for i := range m.n {
		m.fill(i)
	}
	return x
}

// begin makes room for a list.
func (m *maker) begin(t *triple) {
	x := &m.x
	kind, size := byte(steps), t.size
	switch {
	case int(t.count) == m.present:
		kind, size = whole, 0
	case int(t.size) > 8*m.words:
		kind, size = bitmap, uint32(8*m.words)
	}
	x.lists = append(x.lists, kind)
	t.at, t.last = uint32(len(x.lists)), 0
	x.lists = x.lists[:len(x.lists)+int(size)]
	t.size = uint32(kind)
}

// fill puts a text into the lists.
func (m *maker) fill(i int) {
	x, now, text := &m.x, uint32(i+1), m.text(i)
	for _, b := range text {
		if column := int(x.column[b]); column != 0 {
			x.letters[(column-1)*m.words+i/64] |= 1 << (i % 64)
		}
	}
	m.each(text, func(t *triple) {
		if t.last == now {
			return
		}
		switch t.size {
		case steps:
			gap := now - t.last - 1
			for ; gap >= 255; gap -= 255 {
				x.lists[t.at] = 255
				t.at++
			}
			x.lists[t.at] = byte(gap)
			t.at++
		case bitmap:
			x.lists[t.at+uint32(i/8)] |= 1 << (i % 8)
		}
		t.last = now
	})
}

// Bytes is about how much memory the index takes.
func (x *Index) Bytes() int {
	if x == nil {
		return 0
	}
	return 2048 + 8*(len(x.all)+len(x.letters)) + 4*(len(x.keys)+len(x.starts)) + cap(x.lists)
}

// Find gives the texts that may have a text, which is not empty, as a set, which is empty before. It
// is exact for up to three bytes; of what is longer some may not have it.
func (x *Index) Find(text string, set []uint64) (exact bool) {
	switch len(text) {
	case 1:
		if column := int(x.column[text[0]]); column != 0 && text[0] != End {
			for i, word := range x.letters[(column-1)*len(x.all) : column*len(x.all)] {
				set[i] |= word
			}
		}
		return true
	case 2:
		pair := uint32(text[0])<<16 | uint32(text[1])<<8
		for i, _ := slices.BinarySearch(x.keys, pair); i < len(x.keys) && x.keys[i]>>8 == pair>>8; i++ {
			x.put(x.list(i), set)
		}
		return true
	case 3:
		if list := x.of(text, 0); list != nil {
			x.put(list, set)
		}
		return true
	}
	x.findLong(text, set)
	return false
}

func (x *Index) list(i int) []byte { return x.lists[x.starts[i]:x.starts[i+1]] }

// of gives the list of the three bytes from i on; nil when there is none.
func (x *Index) of(text string, i int) []byte {
	first, last := x.firsts[text[i]], x.firsts[int(text[i])+1]
	at, ok := slices.BinarySearch(x.keys[first:last], uint32(text[i])<<16|uint32(text[i+1])<<8|uint32(text[i+2]))
	if !ok {
		return nil
	}
	return x.list(int(first) + at)
}

// put adds what a list has to a set.
func (x *Index) put(list []byte, set []uint64) {
	switch list[0] {
	case whole:
		for i, word := range x.all {
			set[i] |= word
		}
	case bitmap:
		for i := range x.all {
			set[i] |= binary.LittleEndian.Uint64(list[1+8*i:])
		}
	default:
		doc := -1
		for _, step := range list[1:] {
			doc += int(step)
			if step != 255 {
				doc++
				set[doc/64] |= 1 << (doc % 64)
			}
		}
	}
}

// lookCost is about how many bytes of a list are read in the time in which one text is looked through.
const lookCost = 24

// mostLists is how many of the three bytes of a text are looked up: all of them, or some from its
// beginning to its end.
const mostLists = 16

// findLong adds the texts that have the rarest of the three bytes of a text. Further ones are
// taken as long as that costs less than to look through what is left.
func (x *Index) findLong(text string, set []uint64) {
	var room [mostLists][]byte
	lists, last := room[:0], len(text)-3
	for n := range min(last+1, mostLists) {
		list := x.of(text, last*n/max(1, min(last, mostLists-1)))
		if list == nil {
			return
		}
		if list[0] != whole {
			lists = append(lists, list)
		}
	}
	rarest := func() []byte { // takes the shortest list out
		if len(lists) == 0 {
			return nil
		}
		at := 0
		for i := range lists {
			if len(lists[i]) < len(lists[at]) {
				at = i
			}
		}
		list := lists[at]
		lists[at] = lists[len(lists)-1]
		lists = lists[:len(lists)-1]
		return list
	}
	list := rarest()
	if list == nil {
		x.put([]byte{whole}, set)
		return
	}
	x.put(list, set)
	var next []uint64
	for list := rarest(); list != nil; list = rarest() {
		left := 0
		for _, word := range set {
			left += bits.OnesCount64(word)
		}
		if len(list)+len(set) > left*lookCost {
			return
		}
		if next == nil {
			next = make([]uint64, len(set))
		}
		clear(next)
		x.put(list, next)
		for i := range set {
			set[i] &= next[i]
		}
	}
}

// Package search finds captures by a part of their texts, without a database: the
// texts of neighbouring captures lie in blocks in memory, folded, and an index of each
// few dozen blocks says which of their captures have the text.
//
// The package is pure, as package tally is: whoever has the captures of one moment
// in blocks gets the exact answer of that moment.
package search

import (
	"bytes"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/grams"
)

// end follows every text.
const end = grams.End

// Fold is how texts are compared: athlete.Fold, with a short way for ASCII.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return athlete.Fold(s)
		}
	}
	return strings.ToLower(s)
}

// Doc is a capture as it is searched.
type Doc struct {
	Key         capture.Key
	Combination uint32
	Athletes    []uint32 // by number, see People; none when it is linked to nobody
	File        string   // "" when there never was one
	Pattern     uint32   // see Patterns; 0: not held
}

// Block is the texts of neighbouring captures.
type Block struct {
	text   []byte // of each: session id, end, file name, end; folded
	common string // what is part of the session id of each
	ends   []uint32
	times  []int64
	labels []uint32       // combinations
	first  []uint32       // the first athlete's number, and 1; 0 when it is linked to nobody
	more   []link         // further athletes, by capture
	ids    map[int]string // session ids that folding changes

	patterns []uint32 // see Patterns; nil where none is held

	labelled uint64 // combinations, by their last bits
}

// link is an athlete of a capture.
type link struct{ doc, athlete uint32 }

// NewBlock makes a block of captures in the list's order.
func NewBlock(docs []Doc) *Block {
	size, links := 0, 0
	for i := range docs {
		size += len(docs[i].Key.SessionID) + len(docs[i].File) + 2
		links += max(1, len(docs[i].Athletes)) - 1
	}
	n := len(docs)
	b := &Block{
		text: make([]byte, 0, size), times: make([]int64, 0, n), more: make([]link, 0, links),
		ends: make([]uint32, 0, n), labels: make([]uint32, 0, n), first: make([]uint32, 0, n),
	}
	var prefix, suffix string
	for i := range docs {
		d := &docs[i]
		folded := Fold(d.Key.SessionID)
		if folded != d.Key.SessionID {
			if b.ids == nil {
				b.ids = map[int]string{}
			}
			b.ids[i] = strings.Clone(d.Key.SessionID)
		}
		if i == 0 {
			prefix, suffix = folded, folded
		}
		prefix, suffix = commonPrefix(prefix, folded), commonSuffix(suffix, folded)
		b.text = append(append(b.text, folded...), end)
		b.text = append(append(b.text, Fold(d.File)...), end)
		b.ends = append(b.ends, uint32(len(b.text)))
		b.times = append(b.times, d.Key.Time)
		b.labels = append(b.labels, d.Combination)
		b.labelled |= 1 << (d.Combination % 64)
		b.link(i, d.Athletes)
		if d.Pattern != 0 {
			if b.patterns == nil {
				b.patterns = make([]uint32, n)
			}
			b.patterns[i] = d.Pattern
		}
	}
	b.common = prefix + string([]byte{end}) + suffix
	return b
}

func (b *Block) link(i int, athletes []uint32) {
	b.first = append(b.first, 0)
	for k, n := range athletes {
		if k == 0 {
			b.first[i] = n + 1
		} else {
			b.more = append(b.more, link{uint32(i), n})
		}
	}
}

func commonPrefix(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

func commonSuffix(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return a[len(a)-n:]
}

// Bytes is about how much memory the block takes.
func (b *Block) Bytes() int {
	n := 256 + cap(b.text) + 20*len(b.times) + 8*len(b.more) + 4*len(b.patterns) + len(b.common)
	for _, id := range b.ids {
		n += 48 + len(id)
	}
	return n
}

// Len is how many captures the block has.
func (b *Block) Len() int { return len(b.times) }

// words is how many words a bit for each capture takes.
func (b *Block) words() int { return (len(b.times) + 63) / 64 }

// Key gives the place of a capture.
func (b *Block) Key(i int) capture.Key {
	if id, ok := b.ids[i]; ok {
		return capture.Key{Time: b.times[i], SessionID: id}
	}
	text := b.textOf(i)
	return capture.Key{Time: b.times[i], SessionID: string(text[:bytes.IndexByte(text, end)])}
}

func (b *Block) begin(i int) uint32 {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

func (b *Block) textOf(i int) []byte { return b.text[b.begin(i):b.ends[i]] }

// Find gives the capture of a key; ok is false when the block does not have it.
func (b *Block) Find(k capture.Key) (i int, ok bool) {
	low, high := 0, len(b.times)
	for low < high {
		if middle := (low + high) / 2; b.Key(middle).Compare(k) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(b.times) && b.Key(low) == k
}

// Combination is that of a capture.
func (b *Block) Combination(i int) uint32 { return b.labels[i] }

// Rows is how many rows of the list a capture takes that matches.
func (b *Block) Rows(q *Query, i int) int64 {
	n := int64(1)
	if q.One < 0 {
		for _, l := range b.more {
			if l.doc == uint32(i) {
				n++
			}
		}
	}
	return n
}

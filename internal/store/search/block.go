// Package search finds captures by a part of their texts, without a database: the
// texts of neighbouring captures lie in blocks in memory, folded, one behind the
// other, so that looking through them costs little more than reading the memory.
//
// The package is pure, as package tally is: whoever has the captures of one moment
// in blocks gets the exact answer of that moment.
package search

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// end follows every text: no text in UTF-8 has this byte, so that nothing that is
// looked for reaches from one text into the next.
const end = 0xFF

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
}

// Block is the texts of neighbouring captures.
type Block struct {
	text     []byte // of each: session id, end, file name, end; folded
	ends     []uint32
	times    []int64
	labels   []uint32 // combinations
	athletes []uint32
	linked   []uint32       // where the athletes of each end
	outline  outline        // what its captures can have at all
	ids      map[int]string // session ids that folding changes
}

// NewBlock makes a block of captures in the list's order.
func NewBlock(docs []Doc) *Block {
	size, links := 0, 0
	for i := range docs {
		size += len(docs[i].Key.SessionID) + len(docs[i].File) + 2
		links += len(docs[i].Athletes)
	}
	n := len(docs)
	numbers := make([]uint32, 0, 3*n+links)
	b := &Block{text: make([]byte, 0, size), times: make([]int64, 0, n)}
	b.ends, b.labels, b.linked, b.athletes = numbers[0:0:n], numbers[n:n:2*n], numbers[2*n:2*n:3*n], numbers[3*n:3*n:3*n+links]
	for i := range docs {
		d := &docs[i]
		folded := Fold(d.Key.SessionID)
		if folded != d.Key.SessionID {
			if b.ids == nil {
				b.ids = map[int]string{}
			}
			b.ids[i] = strings.Clone(d.Key.SessionID)
		}
		b.text = append(append(b.text, folded...), end)
		b.text = append(append(b.text, Fold(d.File)...), end)
		b.ends = append(b.ends, uint32(len(b.text)))
		b.times = append(b.times, d.Key.Time)
		b.labels = append(b.labels, d.Combination)
		b.athletes = append(b.athletes, d.Athletes...)
		b.linked = append(b.linked, uint32(len(b.athletes)))
	}
	b.outline = newOutline(b)
	return b
}

// Bytes is about how much memory the block takes.
func (b *Block) Bytes() int {
	n := 192 + outlineBytes + cap(b.text) + 20*len(b.times) + 4*len(b.athletes)
	for _, id := range b.ids {
		n += 48 + len(id)
	}
	return n
}

// Len is how many captures the block has.
func (b *Block) Len() int { return len(b.times) }

// Key gives the place of a capture.
func (b *Block) Key(i int) capture.Key {
	if id, ok := b.ids[i]; ok {
		return capture.Key{Time: b.times[i], SessionID: id}
	}
	text := b.text[b.begin(i):]
	return capture.Key{Time: b.times[i], SessionID: string(text[:bytes.IndexByte(text, end)])}
}

func (b *Block) begin(i int) uint32 {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

func (b *Block) linkedTo(i int) []uint32 {
	from := uint32(0)
	if i > 0 {
		from = b.linked[i-1]
	}
	return b.athletes[from:b.linked[i]]
}

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

// Query is what captures are held against.
type Query struct {
	Text   string    // folded
	Labels tally.Set // the combinations whose labels have the text; never nil
	People Numbers   // the athletes whose names have the text
	Only   tally.Set // the combinations that pass the filters; nil: all
	One    int64     // the number of the one athlete whose captures are asked for; -1: of all

	sketch *sketch // of Labels and People, see Sketch
}

// Match is what of a block matches.
type Match struct {
	bits []uint64
	Rows int64
	Docs int64
}

// Has says whether a capture of the block matches.
func (m *Match) Has(i int) bool { return i/64 < len(m.bits) && m.bits[i/64]>>(i%64)&1 == 1 }

// Bytes is about how much memory the match takes.
func (m *Match) Bytes() int { return 48 + 8*len(m.bits) }

// Match holds all captures of the block against the query.
func (b *Block) Match(q *Query) Match {
	var m Match
	var room [8]uint64 // enough for most blocks, and no allocation
	words := (len(b.times) + 63) / 64
	set := room[:min(words, len(room))]
	if words > len(room) {
		set = make([]uint64, words)
	}
	b.find(q.Text, set)
	b.findLabels(q, set)
	b.findPeople(q, set)
	for w, word := range set {
		for ; word != 0; word &= word - 1 {
			i := w*64 + bits.TrailingZeros64(word)
			rows := q.rows(b.labels[i], b.linkedTo(i))
			if rows == 0 {
				set[w] &^= 1 << (i % 64)
				continue
			}
			m.Docs++
			m.Rows += rows
		}
	}
	if m.Docs > 0 {
		m.bits = slices.Clone(set)
	}
	return m
}

// find sets the bits of the captures whose own texts have the text.
func (b *Block) find(text string, set []uint64) {
	needle := newNeedle(text)
	for from, to := range b.outline.parts(text, len(b.times)) {
		doc, at, last := from, int(b.begin(from)), int(b.ends[to-1])
		for at < last {
			i := needle.index(b.text[at:last])
			if i < 0 {
				break
			}
			at += i
			for b.ends[doc] <= uint32(at) {
				doc++
			}
			set[doc/64] |= 1 << (doc % 64)
			at = int(b.ends[doc])
			doc++
		}
	}
}

// findLabels sets the bits of the captures whose labels have the text.
func (b *Block) findLabels(q *Query, set []uint64) {
	if !b.outline.labelled(q) {
		return
	}
	for i, combination := range b.labels {
		if q.Labels.Has(combination) {
			set[i/64] |= 1 << (i % 64)
		}
	}
}

// findPeople sets the bits of the captures that are linked to those whose names have the text.
func (b *Block) findPeople(q *Query, set []uint64) {
	if !b.outline.peopled(q) {
		return
	}
	doc := 0
	for i, athlete := range b.athletes {
		if !q.People.Has(athlete) {
			continue
		}
		for b.linked[doc] <= uint32(i) {
			doc++
		}
		set[doc/64] |= 1 << (doc % 64)
	}
}

// rows is how many rows of the list a capture takes that has the text: none when it
// does not pass the filters.
func (q *Query) rows(combination uint32, athletes []uint32) int64 {
	if !q.Only.Has(combination) {
		return 0
	}
	if q.One < 0 {
		return int64(max(1, len(athletes)))
	}
	if slices.Contains(athletes, uint32(q.One)) {
		return 1
	}
	return 0
}

// Rows is how many rows of the list a capture takes; 0 when it does not match.
func (b *Block) Rows(q *Query, i int) int64 { return q.rows(b.labels[i], b.linkedTo(i)) }

// MatchDoc is Match for a single capture: how many rows it takes, 0 when it does not
// match.
func (q *Query) MatchDoc(d *Doc) int64 {
	if q.Labels.Has(d.Combination) || q.People.any(d.Athletes) || strings.Contains(Fold(d.Key.SessionID), q.Text) || strings.Contains(Fold(d.File), q.Text) {
		return q.rows(d.Combination, d.Athletes)
	}
	return 0
}

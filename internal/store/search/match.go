package search

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/internal/store/tally"
)

// Query is what captures are held against. Ready comes before it is used.
type Query struct {
	Text   string    // folded
	Labels tally.Set // the combinations whose labels have the text; never nil
	People Numbers   // the athletes whose names have the text
	Only   tally.Set // the combinations that pass the filters; nil: all
	One    int64     // the number of the one athlete whose captures are asked for; -1: of all

	needle   needle
	labelled uint64   // Labels, as blocks have them
	kinds    []uint8  // of each combination: has and passes
	people   []uint64 // People, each one place later, as blocks have them
	each     []uint8  // the same, a byte for each, where that stays in the nearest memory; nil where they are too many
	few      []uint32 // the athletes of People, when they are few
	some     bool     // there are any
}

// fewPeople is how many athletes are looked up one by one.
const fewPeople = 128

const has, passes = 1, 2

// Ready prepares what is used for each capture.
func (q *Query) Ready() {
	q.needle = newNeedle(q.Text)
	for _, word := range q.Labels {
		q.labelled |= word
	}
	q.readyPeople()
	q.kinds = make([]uint8, 64*max(len(q.Labels), len(q.Only)))
	for i := range q.kinds {
		if q.Labels.Has(uint32(i)) {
			q.kinds[i] |= has
		}
		if q.Only.Has(uint32(i)) {
			q.kinds[i] |= passes
		}
	}
}

func (q *Query) readyPeople() {
	n := q.People.Count()
	if q.some = n > 0; !q.some {
		return
	}
	if n <= fewPeople {
		for i, word := range q.People {
			for ; word != 0; word &= word - 1 {
				q.few = append(q.few, uint32(i*64+bits.TrailingZeros64(word)))
			}
		}
	}
	q.people = make([]uint64, len(q.People)+1)
	for i, word := range q.People {
		q.people[i] |= word << 1
		q.people[i+1] = word >> 63
	}
	if len(q.people) <= mostBytes/64 && q.few == nil {
		q.each = make([]uint8, 64*len(q.people))
		for i := range q.each {
			q.each[i] = uint8(q.people[i/64] >> (i % 64) & 1)
		}
	}
}

// mostBytes is how many athletes have a byte each.
const mostBytes = 1 << 15

// Long says whether it takes long to hold many captures against the query.
func (q *Query) Long() bool {
	return len(q.Text) > 3 || q.labelled != 0 || q.some || q.Only != nil || q.One >= 0
}

func (q *Query) kind(combination uint32) uint8 {
	if int(combination) < len(q.kinds) {
		return q.kinds[combination]
	}
	if q.Only == nil {
		return passes
	}
	return 0
}

// MatchDoc is how many rows of the list a capture takes, 0 when it does not match.
func (q *Query) MatchDoc(d *Doc) int64 {
	text := strings.Contains(Fold(d.Key.SessionID), q.Text) || strings.Contains(Fold(d.File), q.Text)
	if !text && !q.Labels.Has(d.Combination) && !q.People.any(d.Athletes) || !q.Only.Has(d.Combination) {
		return 0
	}
	if q.One < 0 {
		return int64(max(1, len(d.Athletes)))
	}
	if slices.Contains(d.Athletes, uint32(q.One)) {
		return 1
	}
	return 0
}

// find sets the bits of the captures whose own texts have the text.
func (b *Block) find(q *Query, set []uint64) {
	for doc, at := 0, 0; at < len(b.text); doc++ {
		i := q.needle.index(b.text[at:])
		if i < 0 {
			break
		}
		at += i
		for b.ends[doc] <= uint32(at) {
			doc++
		}
		set[doc/64] |= 1 << (doc % 64)
		at = int(b.ends[doc])
	}
}

// check takes the bits of captures out whose own texts do not have the text.
func (b *Block) check(q *Query, set []uint64) {
	some := 0
	for _, word := range set {
		some += bits.OnesCount64(word)
	}
	switch {
	case some == 0:
	case some == b.Len() && strings.Contains(b.common, q.Text):
	case 2*some > b.Len():
		clear(set)
		b.find(q, set)
	default:
		for w := range set {
			for word := set[w]; word != 0; word &= word - 1 {
				if at := bits.TrailingZeros64(word); !bytes.Contains(b.textOf(w*64+at), q.needle.text) {
					set[w] &^= 1 << at
				}
			}
		}
	}
}

// missing gives which of the first n bits are not set.
func missing(word uint64, n int) uint64 { return ^uint64(0) >> (64 - n) &^ word }

// findLabels sets the bits of the captures whose labels have the text.
func (b *Block) findLabels(q *Query, set []uint64) {
	if q.labelled&b.labelled == 0 {
		return
	}
	for w := range set {
		labels := b.labels[w*64 : min(w*64+64, len(b.labels))]
		left := missing(set[w], len(labels))
		if bits.OnesCount64(left) < len(labels)/3 {
			for ; left != 0; left &= left - 1 {
				i := bits.TrailingZeros64(left)
				set[w] |= uint64(q.kind(labels[i])&has) << i
			}
			continue
		}
		var word uint64
		for _, combination := range labels {
			word = word>>1 | uint64(q.kind(combination))<<63 // has is the lowest bit
		}
		set[w] |= word >> (64 - len(labels))
	}
}

// findPeople sets the bits of the captures that are linked to those whose names have the text.
func (b *Block) findPeople(q *Query, set []uint64) {
	if q.each != nil {
		b.findEach(q.each, set)
		b.findMore(q, set)
		return
	}
	people := q.people
	for w := range set {
		first := b.first[w*64 : min(w*64+64, len(b.first))]
		var word uint64
		for _, n := range first {
			word >>= 1
			if int(n/64) < len(people) {
				word |= people[n/64] >> (n % 64) << 63
			}
		}
		set[w] |= word >> (64 - len(first))
	}
	b.findMore(q, set)
}

// findEach does so for first athletes, by a byte for each.
func (b *Block) findEach(each []uint8, set []uint64) {
	for w := range set {
		first := b.first[w*64 : min(w*64+64, len(b.first))]
		left := missing(set[w], len(first))
		if bits.OnesCount64(left) < len(first)/3 { // as where a letter is in most session ids
			for ; left != 0; left &= left - 1 {
				i := bits.TrailingZeros64(left)
				if n := first[i]; int(n) < len(each) {
					set[w] |= uint64(each[n]) << i
				}
			}
			continue
		}
		var word uint64
		for i, n := range first {
			if int(n) < len(each) {
				word |= uint64(each[n]) << (i & 63)
			}
		}
		set[w] |= word
	}
}

// findMore does so for further athletes of captures.
func (b *Block) findMore(q *Query, set []uint64) {
	for _, l := range b.more {
		if q.People.Has(l.athlete) {
			set[l.doc/64] |= 1 << (l.doc % 64)
		}
	}
}

// pass takes the bits of captures out that do not pass the filters.
func (b *Block) pass(q *Query, set []uint64) {
	if q.Only != nil {
		for w := range set {
			for word := set[w]; word != 0; word &= word - 1 {
				at := bits.TrailingZeros64(word)
				set[w] &^= uint64(q.kind(b.labels[w*64+at])&passes>>1^1) << at
			}
		}
	}
	if q.One < 0 {
		return
	}
	one := uint32(q.One)
	for w := range set {
		var word uint64
		for j, n := range b.first[w*64 : min(w*64+64, len(b.first))] {
			if n == one+1 {
				word |= 1 << j
			}
		}
		for _, l := range b.more {
			if l.athlete == one && int(l.doc/64) == w {
				word |= 1 << (l.doc % 64)
			}
		}
		set[w] &= word
	}
}

// count gives how many captures have a bit, and how many rows of the list they take.
func (b *Block) count(q *Query, set []uint64) (docs, rows int64) {
	for _, word := range set {
		docs += int64(bits.OnesCount64(word))
	}
	rows = docs
	if q.One >= 0 || docs == 0 {
		return docs, rows
	}
	for _, l := range b.more {
		rows += int64(set[l.doc/64] >> (l.doc % 64) & 1)
	}
	return docs, rows
}

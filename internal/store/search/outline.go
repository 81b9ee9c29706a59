package search

import (
	"iter"
	"math/bits"
)

// An outline tells of a block what no capture of it can have, so that most of the block need not
// be looked at. It has false hits, and misses nothing.
type outline struct {
	grams  []uint64 // for each hash of three bytes, which of the 64 parts of the block have them
	labels uint64   // combinations, by their last bits
	people crowd    // athletes, by the last bits of their numbers
}

// crowd is a set of numbers by their last bits.
type crowd [32]uint64

func (c *crowd) put(n uint32) { c[n/64%uint32(len(c))] |= 1 << (n % 64) }

func (c *crowd) meets(o *crowd) bool {
	for i := range c {
		if c[i]&o[i] != 0 {
			return true
		}
	}
	return false
}

// gramHashes is how many values the hash of three bytes has. With four captures in a part, a part
// has about a third of them.
const gramHashes = 1 << 9

const outlineBytes = 8*gramHashes + 8 + 8*32

func gram(a, b, c byte) uint32 {
	return (uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> (32 - 9)
}

// partOf is the part of a capture among n. A part has captures that follow each other.
func partOf(i, n int) int { return i * 64 / n }

func newOutline(b *Block) outline {
	o := outline{grams: make([]uint64, gramHashes)}
	n := len(b.ends)
	for i := range n {
		part := uint64(1) << partOf(i, n)
		text := b.text[b.begin(i):b.ends[i]]
		for j := 2; j < len(text); j++ {
			if text[j] != end {
				o.grams[gram(text[j-2], text[j-1], text[j])] |= part
			}
		}
		o.labels |= 1 << (b.labels[i] % 64)
	}
	for _, n := range b.athletes {
		o.people.put(n)
	}
	return o
}

// parts gives from where to where among n captures the text may be found.
func (o *outline) parts(text string, n int) iter.Seq2[int, int] {
	may := ^uint64(0)
	for i := 2; i < len(text) && may != 0; i++ {
		may &= o.grams[gram(text[i-2], text[i-1], text[i])]
	}
	return func(yield func(from, to int) bool) {
		for may != 0 {
			first := bits.TrailingZeros64(may)
			last := first + bits.TrailingZeros64(^(may >> first)) // parts that follow each other are one
			from, to := (first*n+63)/64, (last*n+63)/64
			if from < to && !yield(from, to) {
				return
			}
			may &= ^uint64(0) << last
		}
	}
}

// sketch is a query's labels and people, as an outline has them.
type sketch struct {
	labels uint64
	people crowd
}

// Sketch makes Match quicker, once Labels and People are set.
func (q *Query) Sketch() {
	s := new(sketch)
	for _, word := range q.Labels {
		s.labels |= word
	}
	for i, word := range q.People {
		s.people[i%len(s.people)] |= word
	}
	q.sketch = s
}

func (o *outline) labelled(q *Query) bool { return q.sketch == nil || q.sketch.labels&o.labels != 0 }

func (o *outline) peopled(q *Query) bool { return q.sketch == nil || q.sketch.people.meets(&o.people) }

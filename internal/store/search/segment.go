package search

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"

	"github.com/kinebase/kinebase/internal/store/grams"
)

// SegmentBlocks is how many blocks a segment has at the most. With more of them the index of a
// segment takes less memory, and longer to make when one of them changes.
const SegmentBlocks = 64

// Segment is neighbouring blocks, which are looked through together.
type Segment struct {
	blocks []Block
	words  []uint32 // where the bits of each block begin, in words; and where they end
	index  *grams.Index
	links  *links
	stale  []changed // of each block
	worn   int       // how many blocks are looked through, because they have changed
	bytes  int
}

// changed says what of a block is not that of the indexes any more.
type changed struct{ texts, links bool }

// links are the first athletes of captures, ascending.
type links struct {
	athletes []uint32
	places   []uint16 // of the captures' bits
	each     []uint32 // every linkStep-th of athletes: few places to look at for where to look
}

const linkStep = 32

func newLinks(blocks []Block, words []uint32) *links {
	var all []uint64
	for k := range blocks {
		for i, n := range blocks[k].first {
			if n > 0 {
				all = append(all, uint64(n-1)<<32|uint64(words[k])*64+uint64(i))
			}
		}
	}
	slices.Sort(all)
	l := &links{athletes: make([]uint32, len(all)), places: make([]uint16, len(all))}
	for i, one := range all {
		l.athletes[i], l.places[i] = uint32(one>>32), uint16(one)
		if i%linkStep == 0 {
			l.each = append(l.each, l.athletes[i])
		}
	}
	return l
}

// find sets the bits of the captures of a few athletes.
func (l *links) find(few []uint32, set []uint64) {
	for _, n := range few {
		step, _ := slices.BinarySearch(l.each, n) // the first one that is not before n
		for at := max(0, step-1) * linkStep; at < len(l.athletes) && l.athletes[at] <= n; at++ {
			if l.athletes[at] == n {
				set[l.places[at]/64] |= 1 << (l.places[at] % 64)
			}
		}
	}
}

// NewSegment makes a segment of blocks, with an index of them. What is looked through of the blocks is moved
// together, for memory is quickest along neighbouring places; Block gives them again.
func NewSegment(blocks []*Block) *Segment {
	s := &Segment{blocks: together(blocks), words: make([]uint32, 1, len(blocks)+1),
		stale: make([]changed, len(blocks))}
	type place struct {
		block *Block
		at    int
	}
	var places []place
	for k := range s.blocks {
		b := &s.blocks[k]
		for i := range 64 * b.words() {
			places = append(places, place{b, i})
		}
		s.words = append(s.words, uint32(len(places)/64))
	}
	s.index = grams.New(len(places), func(i int) []byte {
		if p := places[i]; p.at < p.block.Len() {
			return p.block.textOf(p.at)
		}
		return nil
	})
	if len(places) <= 1<<16 {
		s.links = newLinks(s.blocks, s.words)
	}
	s.bytes = 256 + 16*len(blocks) + s.indexes()
	for _, b := range blocks {
		s.bytes += b.Bytes()
	}
	return s
}

func together(blocks []*Block) []Block {
	docs, links := 0, 0
	for _, b := range blocks {
		docs += b.Len()
		links += len(b.more)
	}
	all := make([]Block, len(blocks))
	labels, first, more := make([]uint32, 0, docs), make([]uint32, 0, docs), make([]link, 0, links)
	for i, b := range blocks {
		all[i] = *b
		labels, first, more = append(labels, b.labels...), append(first, b.first...), append(more, b.more...)
		all[i].labels, all[i].first = labels[len(labels)-b.Len():], first[len(first)-b.Len():]
		all[i].more = more[len(more)-len(b.more):]
	}
	return all
}

// Block gives a block.
func (s *Segment) Block(i int) *Block { return &s.blocks[i] }

// indexes is about how much memory the indexes take.
func (s *Segment) indexes() int {
	n := s.index.Bytes()
	if s.links != nil {
		n += 6*len(s.links.athletes) + 64
	}
	return n
}

// Bytes is about how much memory the segment takes.
func (s *Segment) Bytes() int { return s.bytes }

// Forget lets go of the indexes. Without them all is looked through.
func (s *Segment) Forget() {
	s.bytes -= s.indexes()
	s.index, s.links = nil, nil
}

// mostStale is how many blocks are looked through, rather than make the index once more.
const mostStale = 4

// Replace puts a block in the place of a former one. It says false when the segment is better made
// once more.
func (s *Segment) Replace(i int, b *Block) bool {
	if b.words() != s.blocks[i].words() {
		return false
	}
	old, was := &s.blocks[i], s.stale[i]
	now := changed{
		texts: was.texts || !bytes.Equal(b.text, old.text) || !slices.Equal(b.ends, old.ends),
		links: was.links || !slices.Equal(b.first, old.first),
	}
	if s.stale[i] = now; was == (changed{}) && now != was {
		s.worn++
	}
	s.bytes += b.Bytes() - old.Bytes()
	s.blocks[i] = *b
	return s.worn <= mostStale || s.index == nil
}

// Match is what of a segment matches.
type Match struct {
	words []uint32 // see Segment; nil when nothing matches
	bits  []uint64
	Rows  int64
	Docs  int64
}

// Bytes is about how much memory the match takes.
func (m *Match) Bytes() int { return 64 + 8*len(m.bits) }

// Has says whether capture i of a block matches.
func (m *Match) Has(block, i int) bool {
	set := m.of(block)
	return i/64 < len(set) && set[i/64]>>(i%64)&1 == 1
}

func (m *Match) of(block int) []uint64 {
	if block+1 >= len(m.words) {
		return nil
	}
	return m.bits[m.words[block]:m.words[block+1]]
}

// All gives the captures of a block that match.
func (m *Match) All(block int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for w, word := range m.of(block) {
			for ; word != 0; word &= word - 1 {
				if !yield(w*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}

// Any says whether something of a block matches.
func (m *Match) Any(block int) bool {
	for _, word := range m.of(block) {
		if word != 0 {
			return true
		}
	}
	return false
}

// RowsOf is how many rows of the list the matches of a block take.
func (m *Match) RowsOf(q *Query, block int, b *Block) int64 {
	_, rows := b.count(q, m.of(block))
	return rows
}

// Match holds all captures of the segment against the query.
func (s *Segment) Match(q *Query) Match {
	set := make([]uint64, s.words[len(s.blocks)])
	exact := s.index != nil && s.index.Find(q.Text, set)
	for i := range s.blocks {
		b := &s.blocks[i]
		part := s.part(set, i)
		switch {
		case s.index == nil:
			b.find(q, part)
		case s.stale[i].texts:
			clear(part)
			b.find(q, part)
		case !exact:
			b.check(q, part)
		}
	}
	s.findPeople(q, set)
	var m Match
	for i := range s.blocks {
		b := &s.blocks[i]
		part := s.part(set, i)
		b.findLabels(q, part)
		b.pass(q, part)
		docs, rows := b.count(q, part)
		m.Docs += docs
		m.Rows += rows
	}
	if m.Docs > 0 {
		m.words, m.bits = s.words, set
	}
	return m
}

func (s *Segment) part(set []uint64, block int) []uint64 { return set[s.words[block]:s.words[block+1]] }

// findPeople sets the bits of the captures that are linked to those whose names have the text.
func (s *Segment) findPeople(q *Query, set []uint64) {
	if !q.some {
		return
	}
	if s.links == nil || q.few == nil {
		for i := range s.blocks {
			b := &s.blocks[i]
			b.findPeople(q, s.part(set, i))
		}
		return
	}
	// The links may be older than a block that has changed; its captures of before are taken out again.
	before := slices.Clone(set)
	s.links.find(q.few, set)
	for i := range s.blocks {
		b := &s.blocks[i]
		if part := s.part(set, i); s.stale[i].links {
			copy(part, s.part(before, i))
			b.findPeople(q, part)
		} else {
			b.findMore(q, part)
		}
	}
}

package tally

import (
	"cmp"
	"math"
	"slices"

	"github.com/kinebase/kinebase/capture"
)

// The sizes of blocks and of groups of blocks. A small block makes a short walk
// from its beginning to the wanted row; a large group makes few
// groups to add up.
const (
	BlockRows   = 256 // a block with more rows is cut
	cutRows     = 128 // into blocks of about so many
	groupBlocks = 32  // a group with more blocks is cut in two
)

// First is the place before every capture.
var First = capture.Key{Time: math.MinInt64}

// Block counts the captures from one place in the list to the beginning of the
// next block.
type Block struct {
	ID     int64
	Low    capture.Key // inclusive
	Counts []byte      // see Counts.Append

	rows int64 // what Counts adds up to
}

// List is the counts of a list at one generation. It never changes once made:
// readers of an older moment keep theirs.
type List struct {
	Generation int64
	groups     []group
	all        Counts
}

type group struct {
	blocks []Block
	sum    Counts
	rows   int64 // what sum adds up to
}

// NewList makes a list of blocks in any order.
func NewList(generation int64, blocks []Block) *List {
	return (&List{}).With(generation, blocks)
}

// With gives the list of a later generation: the given blocks are new or have
// changed, the others stay.
func (l *List) With(generation int64, changed []Block) *List {
	next := &List{Generation: generation}
	byID := make(map[int64]*Block, len(changed))
	for i := range changed {
		byID[changed[i].ID] = &changed[i]
	}
	// A changed block leaves its group and comes in again by its bound, which may
	// have moved.
	stay := make([]group, 0, len(l.groups)+1)
	dirty := make([]bool, 0, len(l.groups)+1)
	for _, g := range l.groups {
		touched := slices.ContainsFunc(g.blocks, func(b Block) bool { return byID[b.ID] != nil })
		if touched {
			g.blocks = slices.DeleteFunc(slices.Clone(g.blocks), func(b Block) bool { return byID[b.ID] != nil })
		}
		if len(g.blocks) > 0 {
			stay, dirty = append(stay, g), append(dirty, touched)
		}
	}
	come := slices.Clone(changed)
	for i := range come {
		come[i].rows = sumBytes(come[i].Counts, nil)
	}
	slices.SortFunc(come, func(a, b Block) int { return a.Low.Compare(b.Low) })
	if len(stay) == 0 {
		stay, dirty = append(stay, group{}), append(dirty, true)
	}
	// The newcomers go to the last group that begins before them.
	at := 0
	pending := make([][]Block, len(stay))
	for _, b := range come {
		for at+1 < len(stay) && stay[at+1].blocks[0].Low.Compare(b.Low) <= 0 {
			at++
		}
		pending[at] = append(pending[at], b)
	}
	for i, g := range stay {
		if len(pending[i]) > 0 {
			g.blocks = append(slices.Clone(g.blocks), pending[i]...)
			slices.SortFunc(g.blocks, func(a, b Block) int { return a.Low.Compare(b.Low) })
			dirty[i] = true
		}
		if !dirty[i] {
			next.groups = append(next.groups, g)
			continue
		}
		for part := range slices.Chunk(g.blocks, groupSize(len(g.blocks))) {
			sum := sumOf(part)
			next.groups = append(next.groups, group{part, sum, sum.Sum(nil).Rows})
		}
	}
	sums := map[uint32]Count{}
	for _, g := range next.groups {
		for _, p := range g.sum {
			n := sums[p.Combination]
			n.add(p.Count)
			sums[p.Combination] = n
		}
	}
	next.all = fromMap(sums)
	return next
}

// groupSize is the size of the parts in which n blocks are grouped: even parts
// of at most groupBlocks.
func groupSize(n int) int {
	parts := (n + groupBlocks - 1) / groupBlocks
	return max(1, (n+parts-1)/max(1, parts))
}

func sumOf(blocks []Block) Counts {
	sums := map[uint32]Count{}
	for _, b := range blocks {
		eachCount(b.Counts, func(p Pair) {
			n := sums[p.Combination]
			n.add(p.Count)
			sums[p.Combination] = n
		})
	}
	return fromMap(sums)
}

func fromMap(sums map[uint32]Count) Counts {
	cs := make(Counts, 0, len(sums))
	for c, n := range sums {
		if n != (Count{}) {
			cs = append(cs, Pair{c, n})
		}
	}
	slices.SortFunc(cs, func(a, b Pair) int { return cmp.Compare(a.Combination, b.Combination) })
	return cs
}

// Bytes is about how much memory the list takes.
func (l *List) Bytes() int {
	n := 128 + 24*len(l.all)
	for _, g := range l.groups {
		n += 64 + 24*len(g.sum)
		for _, b := range g.blocks {
			n += 80 + len(b.Counts) + len(b.Low.SessionID)
		}
	}
	return n
}

// Blocks gives all blocks in order.
func (l *List) Blocks() []Block {
	var bs []Block
	for _, g := range l.groups {
		bs = append(bs, g.blocks...)
	}
	return bs
}

// find gives the place of the block that a key belongs to; ok is false when the
// list has no blocks yet.
func (l *List) find(k capture.Key) (g, b int, ok bool) {
	if len(l.groups) == 0 || len(l.groups[0].blocks) == 0 {
		return 0, 0, false
	}
	before := func(b Block, k capture.Key) int {
		if b.Low.Compare(k) <= 0 {
			return -1
		}
		return 1
	}
	g, _ = slices.BinarySearchFunc(l.groups, k, func(g group, k capture.Key) int { return before(g.blocks[0], k) })
	g = max(0, g-1)
	b, _ = slices.BinarySearchFunc(l.groups[g].blocks, k, before)
	return g, max(0, b-1), true
}

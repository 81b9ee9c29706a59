package tally

import (
	"math"
	"strings"

	"github.com/kinebase/kinebase/capture"
)

// Folded is what a fold makes of a list's blocks.
type Folded struct {
	Changed []Block // with new counts, ready to be written
	Cut     []Range // blocks that hold too many rows: count them again and cut them
}

// Range is a block's part of the list.
type Range struct {
	ID      int64
	Low     capture.Key
	High    capture.Key
	Open    bool // to the end
	Rebound bool // the capture that the lower bound names is gone: take another bound
}

// Last is the place after every capture: an id has at most 255 characters, so
// that none is as great as this one of 256. Blocks that lost their bound and all
// their rows wait there.
var Last = capture.Key{Time: math.MaxInt64, SessionID: strings.Repeat("\U0010FFFF", 256)}

// Fold adds changes to the blocks of a list. A list without blocks is one range
// to cut. Counting again is also the answer to counts that do not fit: a block
// that would fall below zero is cut like one that is too large.
func (l *List) Fold(changes []Change, list Athlete) Folded {
	var f Folded
	p := PendingOf(changes, list)
	if len(p.changes) == 0 {
		return f
	}
	if len(l.groups) == 0 || len(l.groups[0].blocks) == 0 {
		f.Cut = []Range{{ID: 1, Low: First, Open: true}}
		return f
	}
	left := gone(p)
	at := map[[2]int]map[uint32]Count{}
	for i := range p.changes {
		c := &p.changes[i]
		g, b, _ := l.find(c.key)
		m := at[[2]int{g, b}]
		if m == nil {
			m = map[uint32]Count{}
			at[[2]int{g, b}] = m
		}
		n := m[c.combination]
		n.add(c.count)
		m[c.combination] = n
	}
	for g := range l.groups {
		for b := range l.groups[g].blocks {
			m := at[[2]int{g, b}]
			if m == nil {
				continue
			}
			block := l.groups[g].blocks[b]
			if left[block.Low] < 0 {
				r := l.rangeOf(g, b)
				r.Rebound = true
				f.Cut = append(f.Cut, r)
				continue
			}
			cs, err := ParseCounts(block.Counts)
			for c, n := range m {
				if n != (Count{}) {
					cs = cs.Add(c, n)
				}
			}
			if err != nil || !cs.sound() || cs.Sum(nil).Rows > BlockRows {
				f.Cut = append(f.Cut, l.rangeOf(g, b))
				continue
			}
			block.Counts = cs.Append([]byte{})
			f.Changed = append(f.Changed, block)
		}
	}
	return f
}

// gone gives the places whose capture has left for good, so that no bound
// outlives the capture that it names.
func gone(p Pending) map[capture.Key]int64 {
	net := map[capture.Key]int64{}
	for i := range p.changes {
		if p.changes[i].count.Captures < 0 {
			net[p.changes[i].key] = 0
		}
	}
	for i := range p.changes {
		if n, ok := net[p.changes[i].key]; ok {
			net[p.changes[i].key] = n + p.changes[i].count.Captures
		}
	}
	return net
}

func (cs Counts) sound() bool {
	for _, p := range cs {
		if p.Captures < 0 || p.Rows < p.Captures {
			return false
		}
	}
	return true
}

func (l *List) rangeOf(g, b int) Range {
	r := Range{ID: l.groups[g].blocks[b].ID, Low: l.groups[g].blocks[b].Low}
	switch {
	case b+1 < len(l.groups[g].blocks):
		r.High = l.groups[g].blocks[b+1].Low
	case g+1 < len(l.groups):
		r.High = l.groups[g+1].blocks[0].Low
	default:
		r.Open = true
	}
	return r
}

// Cutter cuts a range into blocks from its rows, given in order.
type Cutter struct {
	Blocks  []Block
	low     capture.Key
	next    capture.Key
	counts  Counts
	rows    int
	any     bool
	rebound bool
}

// NewCutter begins a range.
func NewCutter(r Range) *Cutter { return &Cutter{low: r.Low, rebound: r.Rebound} }

// Row counts a row. Rows of one capture stay in one block.
func (c *Cutter) Row(k capture.Key, combination uint32) {
	first := !c.any || k != c.next
	if first && c.rows >= cutRows {
		c.close()
		c.low = k
	}
	if !c.any && c.rebound {
		c.low = k
	}
	n := Count{Rows: 1}
	if first {
		n.Captures = 1
	}
	c.any, c.next = true, k
	c.counts = c.counts.Add(combination, n)
	c.rows++
}

func (c *Cutter) close() {
	c.Blocks = append(c.Blocks, Block{Low: c.low, Counts: c.counts.Append([]byte{})})
	c.counts, c.rows = c.counts[:0], 0
}

// Done closes the last block and gives all, without ids. There is always one.
func (c *Cutter) Done() []Block {
	if !c.any && c.rebound {
		c.low = Last
	}
	c.close()
	return c.Blocks
}

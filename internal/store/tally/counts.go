package tally

import (
	"encoding/binary"
	"slices"
)

// Count is a number of captures and the number of rows that they take.
type Count struct{ Captures, Rows int64 }

func (c *Count) add(o Count) { c.Captures += o.Captures; c.Rows += o.Rows }

// Pair is the count of one combination.
type Pair struct {
	Combination uint32
	Count
}

// Counts are the counts of several combinations, ascending, none zero.
type Counts []Pair

// Add adds n to a combination's count. A count that becomes zero goes.
func (cs Counts) Add(combination uint32, n Count) Counts {
	i, found := slices.BinarySearchFunc(cs, combination, func(p Pair, c uint32) int {
		switch {
		case p.Combination < c:
			return -1
		case p.Combination > c:
			return 1
		}
		return 0
	})
	if !found {
		return slices.Insert(cs, i, Pair{combination, n})
	}
	cs[i].add(n)
	if cs[i].Count == (Count{}) {
		return slices.Delete(cs, i, i+1)
	}
	return cs
}

// Sum adds up the combinations of a set.
func (cs Counts) Sum(set Set) (sum Count) {
	for i := range cs {
		if set.Has(cs[i].Combination) {
			sum.add(cs[i].Count)
		}
	}
	return sum
}

// Append appends the counts' bytes: for each, the distance to the combination
// before it, the captures, and how many more rows than captures there are, all
// uvarints. Counts of a block are never negative.
func (cs Counts) Append(b []byte) []byte {
	last := uint32(0)
	for _, p := range cs {
		b = binary.AppendUvarint(b, uint64(p.Combination-last))
		b = binary.AppendUvarint(b, uint64(p.Captures))
		b = binary.AppendUvarint(b, uint64(p.Rows-p.Captures))
		last = p.Combination
	}
	return b
}

// ParseCounts reads what Append wrote.
func ParseCounts(b []byte) (Counts, error) {
	var cs Counts
	bad := eachCount(b, func(p Pair) { cs = append(cs, p) })
	if bad {
		return nil, errBytes
	}
	return cs, nil
}

// eachCount calls f for each pair of encoded counts, and says whether the bytes
// are damaged.
func eachCount(b []byte, f func(Pair)) bool {
	r := reader{b: b}
	last := uint32(0)
	for len(r.b) > 0 {
		p := Pair{Combination: last + uint32(r.uvarint())}
		p.Captures = int64(r.uvarint())
		p.Rows = p.Captures + int64(r.uvarint())
		if r.bad {
			return true
		}
		last = p.Combination
		f(p)
	}
	return r.bad
}

// sumBytes adds up the rows of a set in encoded counts, without taking them
// apart: nearly all numbers are of one byte.
func sumBytes(b []byte, set Set) (rows int64) {
	last := uint32(0)
	for len(b) > 0 {
		var step, captures, extra uint64
		if len(b) >= 3 && b[0] < 0x80 && b[1] < 0x80 && b[2] < 0x80 {
			step, captures, extra = uint64(b[0]), uint64(b[1]), uint64(b[2])
			b = b[3:]
		} else {
			r := reader{b: b}
			step, captures, extra = r.uvarint(), r.uvarint(), r.uvarint()
			b = r.b
		}
		last += uint32(step)
		if set.Has(last) {
			rows += int64(captures + extra)
		}
	}
	return rows
}

// Set is a set of combinations. Nil holds all of them.
type Set []uint64

// NewSet makes a set that holds none; ids up to the given one fit without
// growing.
func NewSet(most uint32) Set { return make(Set, most/64+1) }

// Put adds a combination.
func (s *Set) Put(combination uint32) {
	for int(combination/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[combination/64] |= 1 << (combination % 64)
}

// Has says whether the combination is in the set.
func (s Set) Has(combination uint32) bool {
	if s == nil {
		return true
	}
	i := int(combination / 64)
	return i < len(s) && s[i]>>(combination%64)&1 == 1
}

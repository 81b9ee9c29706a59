package search

// Patterns are what rows of an organization have in common (see capture.Key.AppendPattern): each has a
// number from 1 on for as long as a block has a capture with it. So the rows of a page can be made from memory.
type Patterns struct {
	most    int // bytes
	bytes   int
	numbers map[string]uint32
	list    []pattern
	free    []uint32 // numbers that nobody uses
}

type pattern struct {
	text string
	uses int
}

// patternCost is about what a pattern takes beside its text: two strings, the uses and its place in the map.
const patternCost = 80

// NewPatterns has room for so many bytes.
func NewPatterns(most int) *Patterns { return &Patterns{most: most, numbers: map[string]uint32{}} }

// Use gives the number of a pattern, for one more capture, and 0 where there is no room for another pattern.
func (p *Patterns) Use(text []byte) uint32 {
	n, ok := p.numbers[string(text)]
	if !ok {
		if p.bytes+len(text)+patternCost > p.most {
			return 0
		}
		if last := len(p.free) - 1; last >= 0 {
			n, p.free = p.free[last], p.free[:last]
		} else {
			p.list = append(p.list, pattern{})
			n = uint32(len(p.list))
		}
		p.list[n-1].text = string(text)
		p.numbers[p.list[n-1].text] = n
		p.bytes += len(text) + patternCost
	}
	p.list[n-1].uses++
	return n
}

// Leave says that a capture does not use a pattern any more. What nobody uses is let go of.
func (p *Patterns) Leave(n uint32) {
	if n == 0 {
		return
	}
	one := &p.list[n-1]
	if one.uses--; one.uses > 0 {
		return
	}
	p.bytes -= len(one.text) + patternCost
	delete(p.numbers, one.text)
	*one = pattern{}
	p.free = append(p.free, n)
}

// LeaveAll says that a block, which may be nil, is not used any more.
func (p *Patterns) LeaveAll(b *Block) {
	if b == nil {
		return
	}
	for _, n := range b.patterns {
		p.Leave(n)
	}
}

// Text gives a pattern.
func (p *Patterns) Text(n uint32) string { return p.list[n-1].text }

// Dump gives every pattern that is held, for tests of erasure.
func (p *Patterns) Dump() (all []byte) {
	for _, one := range p.list {
		all = append(all, one.text...)
	}
	return all
}

// Bytes is about how much memory they take.
func (p *Patterns) Bytes() int { return p.bytes + 4*cap(p.free) }

// Pattern is the number of what the rows of a capture have in common, 0 where that is not held.
func (b *Block) Pattern(i int) uint32 {
	if b.patterns == nil {
		return 0
	}
	return b.patterns[i]
}

// Athletes appends the numbers of a capture's athletes, in the order of its rows.
func (b *Block) Athletes(to []uint32, i int) []uint32 {
	if b.first[i] == 0 {
		return to
	}
	to = append(to, b.first[i]-1)
	for _, l := range b.more {
		if l.doc == uint32(i) {
			to = append(to, l.athlete)
		}
	}
	return to
}

package search

import (
	"math/bits"
	"strings"

	"github.com/kinebase/kinebase/internal/store/grams"
)

// Numbers is a set of athletes by number.
type Numbers []uint64

// Has says whether a number is in the set.
func (s Numbers) Has(n uint32) bool {
	i := int(n / 64)
	return i < len(s) && s[i]>>(n%64)&1 == 1
}

// Put adds a number, or takes it away.
func (s *Numbers) Put(n uint32, has bool) {
	for int(n/64) >= len(*s) {
		*s = append(*s, 0)
	}
	if has {
		(*s)[n/64] |= 1 << (n % 64)
	} else {
		(*s)[n/64] &^= 1 << (n % 64)
	}
}

func (s Numbers) any(numbers []uint32) bool {
	for _, n := range numbers {
		if s.Has(n) {
			return true
		}
	}
	return false
}

// Same says whether two sets have the same of the numbers below n.
func (s Numbers) Same(o Numbers, n int) bool {
	for i := range (n + 63) / 64 {
		differ := s.word(i) ^ o.word(i)
		if left := n - 64*i; left < 64 {
			differ &= 1<<left - 1
		}
		if differ != 0 {
			return false
		}
	}
	return true
}

func (s Numbers) word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// Count is how many there are.
func (s Numbers) Count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// People are the athletes of an organization: a small number for each, from 0 in
// the order in which they were first named, and the names that they are found by.
type People struct {
	numbers map[[16]byte]uint32
	ids     [][16]byte // by number
	text    []byte     // names, folded, each with end behind it
	ends    []uint32   // of the names, by number
	renamed map[uint32]string
	loose   int // bytes of renamed
	index   grams.Parts
}

// NewPeople knows nobody.
func NewPeople() *People {
	return &People{numbers: map[[16]byte]uint32{}, renamed: map[uint32]string{}}
}

// Number gives an athlete's number, a new one where there is none.
func (p *People) Number(id [16]byte) uint32 {
	n, ok := p.numbers[id]
	if !ok {
		n = p.add(id, "")
	}
	return n
}

// add gives the next number to an athlete of a folded name.
func (p *People) add(id [16]byte, name string) uint32 {
	n := uint32(len(p.ids))
	p.numbers[id] = n
	p.ids = append(p.ids, id)
	p.text = append(append(p.text, name...), end)
	p.ends = append(p.ends, uint32(len(p.text)))
	return n
}

// ID gives the athlete of a number.
func (p *People) ID(n uint32) [16]byte { return p.ids[n] }

// Known gives the number of an athlete who has one.
func (p *People) Known(id [16]byte) (n uint32, ok bool) {
	n, ok = p.numbers[id]
	return n, ok
}

// Len is how many numbers there are.
func (p *People) Len() int { return len(p.ends) }

// Name sets what an athlete is called, "" for one who is gone, and says whether that is
// something else than before.
func (p *People) Name(id [16]byte, name string) (changed bool) {
	name = Fold(name)
	n, ok := p.numbers[id]
	if !ok {
		p.add(id, name)
		return true
	}
	old := p.named(int(n))
	old = old[:len(old)-1]
	now, again := p.renamed[n]
	if again && now == name || !again && string(old) == name {
		return false
	}
	for i := range old { // what somebody was called is not kept
		old[i] = end
	}
	if name == "" { // nor what tells of it
		p.index.Drop(int(n))
	} else {
		p.index.Change(int(n))
	}
	p.loose += len(name) - len(p.renamed[n])
	p.renamed[n] = strings.Clone(name)
	return true
}

// Prepare makes the index that the first search would have to wait for.
func (p *People) Prepare() { p.index.Make(len(p.ends), p.named) }

// Find gives those whose names have a folded text.
func (p *People) Find(text string) Numbers {
	found := make(Numbers, (len(p.ends)+63)/64)
	p.Prepare()
	p.index.Find(len(p.ends), text, p.named, found)
	for n, name := range p.renamed {
		found.Put(n, strings.Contains(name, text))
	}
	return found
}

// named gives the name of a number as it was first, with end behind it.
func (p *People) named(n int) []byte {
	from := uint32(0)
	if n > 0 {
		from = p.ends[n-1]
	}
	return p.text[from:p.ends[n]]
}

// Bytes is about how much memory they take.
func (p *People) Bytes() int {
	return 64*len(p.numbers) + cap(p.text) + 4*cap(p.ends) + 48*len(p.renamed) + p.loose + p.index.Bytes()
}

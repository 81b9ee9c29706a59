package grams

import (
	"bytes"
	"math/bits"
	"runtime"
	"sync"
)

// partTexts is how many texts have one index.
const partTexts = 1 << 14

// Parts is the index of texts that grow in number and change, in parts. The zero value knows nothing:
// what has no index is looked through.
type Parts struct {
	list []part
}

type part struct {
	index   *Index   // nil: there is none yet, or none is of use
	texts   int      // those of the part that were there when the index was made
	changed []uint64 // those that have changed since
	loose   int      // how many they are
}

// Make makes the indexes that are missing, of n texts. Where few texts have come or changed since, it does
// nothing.
func (p *Parts) Make(n int, text func(int) []byte) {
	for len(p.list)*partTexts < n {
		p.list = append(p.list, part{})
	}
	var wanted []int
	for k := range p.list {
		if have := min(partTexts, n-k*partTexts); have-p.list[k].texts+p.list[k].loose >= partTexts/16 {
			wanted = append(wanted, k)
		}
	}
	var all sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), mostMakers, len(wanted))
	for w := range workers {
		work := func() {
			for i := w; i < len(wanted); i += workers {
				k := wanted[i]
				have := min(partTexts, n-k*partTexts)
				p.list[k] = part{texts: have, index: New(have, func(i int) []byte { return text(k*partTexts + i) })}
			}
		}
		if w == workers-1 {
			work()
		} else {
			all.Go(work)
		}
	}
	all.Wait()
}

// mostMakers is how many processors making takes, so that others are left for others.
const mostMakers = 4

// Change says that a text is another one now.
func (p *Parts) Change(i int) {
	if k := i / partTexts; k < len(p.list) && i%partTexts < p.list[k].texts {
		part := &p.list[k]
		if part.changed == nil {
			part.changed = make([]uint64, partTexts/64)
		}
		if word := &part.changed[i%partTexts/64]; *word>>(i%64)&1 == 0 {
			*word |= 1 << (i % 64)
			part.loose++
		}
	}
}

// Drop lets go of everything that is known of a text, and of its neighbours with it.
func (p *Parts) Drop(i int) {
	if k := i / partTexts; k < len(p.list) {
		p.list[k] = part{}
	}
}

// Clean lets go of everything that is known of texts that have changed, and of their neighbours.
func (p *Parts) Clean() {
	for k := range p.list {
		if p.list[k].loose > 0 {
			p.list[k] = part{}
		}
	}
}

// Bytes is about how much memory the indexes take.
func (p *Parts) Bytes() (n int) {
	for i := range p.list {
		n += p.list[i].index.Bytes() + 8*len(p.list[i].changed) + 64
	}
	return n
}

// Dump gives every three bytes that the indexes know, each followed by End, for tests of erasure.
func (p *Parts) Dump() (all []byte) {
	for i := range p.list {
		if x := p.list[i].index; x != nil {
			for _, key := range x.keys {
				all = append(all, byte(key>>16), byte(key>>8), byte(key), End)
			}
		}
	}
	return all
}

// Find gives those of n texts that have a text, exactly. The set is empty before, with a bit for each.
func (p *Parts) Find(n int, wanted string, text func(int) []byte, set []uint64) {
	needle := []byte(wanted)
	look := func(i int) {
		if bytes.Contains(text(i), needle) {
			set[i/64] |= 1 << (i % 64)
		} else {
			set[i/64] &^= 1 << (i % 64)
		}
	}
	for first := 0; first < n; first += partTexts {
		last, known := min(first+partTexts, n), first
		if k := first / partTexts; k < len(p.list) && p.list[k].index != nil {
			part := &p.list[k]
			known = first + part.texts
			found := set[first/64 : (known+63)/64]
			exact := part.index.Find(wanted, found)
			for w, doubtful := range found {
				if exact {
					doubtful = 0
				}
				if part.changed != nil { // the index may have it or not
					doubtful |= part.changed[w]
				}
				for ; doubtful != 0; doubtful &= doubtful - 1 {
					look(first + w*64 + bits.TrailingZeros64(doubtful))
				}
			}
		}
		for i := known; i < last; i++ {
			look(i)
		}
	}
}

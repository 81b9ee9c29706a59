// Package roster keeps the athletes of an organization in the orders of their list, without a
// database: what they are sorted and searched by, and for each list that was asked for the
// athletes that belong to it. A total is the length of such a list, an offset a place in it.
//
// The package is pure, as package search is: whoever gives it the athletes of one moment gets
// the exact lists of that moment.
package roster

import (
	"bytes"
	"iter"
	"math/bits"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/internal/store/grams"
)

// end follows every text to be searched.
const end = grams.End

// Entry is an athlete as it is sorted and searched.
type Entry struct {
	ID                  [16]byte
	First, Last, Search string // keys, folded
	Born, Created       int64
	Attributes          map[string]string // nil where all athletes are read
}

// Roster is the athletes of an organization. A change of an athlete takes another slot; the
// former one is overwritten.
type Roster struct {
	search []byte // of each slot: the text that it is found by, end
	keys   []byte // of each slot: first key, last key
	ends   []ends
	ids    [][16]byte
	dates  []dates
	dead   int
	gone   []uint32 // those that were wiped since Forget

	byID   []uint32
	orders map[order][]uint32 // everybody, in the orders that were asked for
	lists  []*List            // the last used first

	index  grams.Parts // of search
	full   bool        // there is no room for the index
	traits traits
}

type ends struct{ search, first, last uint32 }

type dates struct{ born, created int64 }

// New makes a roster without athletes.
func New() *Roster { return &Roster{orders: map[order][]uint32{}} }

// Load adds an athlete while nothing has been asked for. Seal ends that.
func (r *Roster) Load(e Entry) { r.add(e) }

// Seal sorts what was loaded, and gives back the memory that growing took.
func (r *Roster) Seal() {
	r.search, r.keys, r.ends = slices.Clone(r.search), slices.Clone(r.keys), slices.Clone(r.ends)
	r.ids, r.dates = slices.Clone(r.ids), slices.Clone(r.dates)
	r.byID = make([]uint32, len(r.ids))
	for i := range r.byID {
		r.byID[i] = uint32(i)
	}
	r.sort(byID, r.byID)
}

// Prepare makes what the first request of each kind would have to wait for, as long as more says so.
func (r *Roster) Prepare(more func() bool) {
	if !r.full {
		r.index.Make(len(r.ids), r.text)
	}
	for _, by := range []order{athlete.ByName, athlete.ByFirstName, athlete.ByDateOfBirth, athlete.ByCreatedAt} {
		if more() {
			r.order(by)
		}
	}
}

func (r *Roster) add(e Entry) uint32 {
	slot := uint32(len(r.ids))
	r.search = append(append(r.search, e.Search...), end)
	r.keys = append(r.keys, e.First...)
	first := uint32(len(r.keys))
	r.keys = append(r.keys, e.Last...)
	r.ends = append(r.ends, ends{uint32(len(r.search)), first, uint32(len(r.keys))})
	r.ids = append(r.ids, e.ID)
	r.dates = append(r.dates, dates{e.Born, e.Created})
	return slot
}

// wipe overwrites what a slot holds.
func (r *Roster) wipe(slot uint32) {
	from, to := r.span(slot)
	for i := from.search; i < to.search; i++ {
		r.search[i] = end
	}
	r.index.Change(int(slot))
	r.traits.forget(slot)
	clear(r.keys[from.last:to.last])
	r.ids[slot], r.dates[slot] = [16]byte{}, dates{}
	r.dead++
	r.gone = append(r.gone, slot)
}

func (r *Roster) span(slot uint32) (from, to ends) {
	if slot > 0 {
		from = r.ends[slot-1]
	}
	return from, r.ends[slot]
}

// text is what a slot is found by.
func (r *Roster) text(slot int) []byte {
	from, to := r.span(uint32(slot))
	return r.search[from.search:to.search]
}

func (r *Roster) first(slot uint32) []byte {
	from, to := r.span(slot)
	return r.keys[from.last:to.first]
}

func (r *Roster) last(slot uint32) []byte {
	_, to := r.span(slot)
	return r.keys[to.first:to.last]
}

// Worn says whether so many athletes have changed that it is better to read all again.
func (r *Roster) Worn() bool { return r.dead > 4096+len(r.byID)/2 }

// ID is the id of the athlete of a slot.
func (r *Roster) ID(slot uint32) [16]byte { return r.ids[slot] }

// Base is about how much memory the athletes take without lists.
func (r *Roster) Base() int {
	return 4096 + len(r.search) + len(r.keys) + (12+16+16)*len(r.ids) + 4*len(r.byID)
}

// Bytes is about how much memory the roster takes.
func (r *Roster) Bytes() int {
	n := r.Base() + 4*len(r.gone) + r.index.Bytes() + r.traits.bytes()
	for _, all := range r.orders {
		n += 4 * len(all)
	}
	for _, l := range r.lists {
		n += 256 + len(l.key.Search) + 4*len(l.slots) + 8*len(l.set) + 8*len(l.marks)
	}
	return n
}

// Dump gives every byte that the roster holds of athletes, for tests of erasure.
func (r *Roster) Dump() []byte {
	b := slices.Concat(r.search, r.keys, r.index.Dump())
	for _, key := range r.traits.keys {
		b = append(b, key[:]...)
	}
	for _, id := range r.ids {
		b = append(b, id[:]...)
	}
	for _, l := range r.lists {
		b = append(b, l.key.Search...)
		for name, value := range l.key.Attributes {
			b = append(append(b, name...), value...)
		}
	}
	return b
}

// at gives the place of an id in byID.
func (r *Roster) at(id [16]byte) (int, bool) {
	return slices.BinarySearchFunc(r.byID, id,
		func(slot uint32, id [16]byte) int { return bytes.Compare(r.ids[slot][:], id[:]) })
}

// Mark is what tells that an athlete was erased: too little to know the id by, enough to know
// which few athletes must be looked up. It is FNV-1a, of 32 bits.
func Mark(id [16]byte) uint32 {
	h := uint32(2166136261)
	for _, b := range id {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

// Marked gives the ids of those who have one of the marks.
func (r *Roster) Marked(marks []uint32) (ids [][16]byte) {
	if len(marks) == 0 {
		return nil
	}
	marks = slices.Sorted(slices.Values(marks))
	for _, slot := range r.byID {
		if _, ok := slices.BinarySearch(marks, Mark(r.ids[slot])); ok {
			ids = append(ids, r.ids[slot])
		}
	}
	return ids
}

// Set is a set of slots.
type Set []uint64

// NewSet makes an empty set with room for all slots.
func (r *Roster) NewSet() Set { return make(Set, (len(r.ids)+63)/64) }

// Has says whether a slot is in the set.
func (s Set) Has(slot uint32) bool { return s[slot/64]>>(slot%64)&1 == 1 }

func (s Set) put(slot uint32) { s[slot/64] |= 1 << (slot % 64) }

func (s Set) drop(slot uint32) { s[slot/64] &^= 1 << (slot % 64) }

func (s Set) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// all gives the slots of the set, ascending.
func (s Set) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// And takes out of s what is not in o.
func (s Set) And(o Set) {
	for i := range s {
		s[i] &= o[i]
	}
}

// Find gives those whose text has a folded text.
func (r *Roster) Find(text string) Set {
	set := r.NewSet()
	if !r.full {
		r.index.Make(len(r.ids), r.text)
	}
	r.index.Find(len(r.ids), text, r.text, set)
	return set
}

// order is how a list is sorted.
type order = athlete.Sort

const byID order = "id"

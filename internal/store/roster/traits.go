package roster

import (
	"bytes"
	"slices"
	"sort"
)

// Trait is a custom attribute and its value, as a hash that whoever gives the traits has made.
type Trait [16]byte

// traits are who has which custom attributes: those whom Learn was told of, and those who have come since.
type traits struct {
	known  bool
	keys   []Trait  // ascending
	starts []uint32 // of the slots of each key; one more than keys
	slots  []uint32 // none: one who has gone
	late   map[uint32]map[string]string
}

const none = ^uint32(0)

func (t *traits) bytes() int { return 20*len(t.keys) + 4*len(t.slots) + 200*len(t.late) }

// Knows says whether Learn has told of everybody's custom attributes.
func (r *Roster) Knows() bool { return r.traits.known }

// Learn hears of everybody's custom attributes: tell gives one trait after the other, and for each
// of them the ids of those who have it, ascending.
func (r *Roster) Learn(tell func(next func(Trait, [16]byte)) error) error {
	type run struct {
		key      Trait
		from, to uint32
	}
	var runs []run
	var slots []uint32
	at := 0
	err := tell(func(key Trait, id [16]byte) {
		if len(runs) == 0 || runs[len(runs)-1].key != key {
			runs = append(runs, run{key, uint32(len(slots)), 0})
			at = 0
		}
		if at = r.along(at, id); at < len(r.byID) && r.ids[r.byID[at]] == id {
			slots = append(slots, r.byID[at])
		}
		runs[len(runs)-1].to = uint32(len(slots))
	})
	if err != nil {
		return err
	}
	sort.Slice(runs, func(a, b int) bool { return bytes.Compare(runs[a].key[:], runs[b].key[:]) < 0 })
	t := &r.traits
	t.keys, t.starts, t.slots = make([]Trait, len(runs)), make([]uint32, len(runs)+1), make([]uint32, 0, len(slots))
	for i, one := range runs {
		t.keys[i] = one.key
		t.slots = append(t.slots, slots[one.from:one.to]...)
		t.starts[i+1] = uint32(len(t.slots))
	}
	t.known = true
	return nil
}

// along gives the place in byID of an id that does not come before the one of a place.
func (r *Roster) along(at int, id [16]byte) int {
	step := 1
	for at+step < len(r.byID) && bytes.Compare(r.ids[r.byID[at+step]][:], id[:]) < 0 {
		at += step
		step *= 2
	}
	i, _ := slices.BinarySearchFunc(r.byID[at:min(at+step+1, len(r.byID))], id,
		func(slot uint32, id [16]byte) int { return bytes.Compare(r.ids[slot][:], id[:]) })
	return at + i
}

// With gives those who have a custom attribute, by the trait that it is.
func (r *Roster) With(key Trait, name, value string) Set {
	set, t := r.NewSet(), &r.traits
	if i, ok := slices.BinarySearchFunc(t.keys, key, func(a, b Trait) int { return bytes.Compare(a[:], b[:]) }); ok {
		for _, slot := range t.slots[t.starts[i]:t.starts[i+1]] {
			if slot != none && r.ids[slot] != ([16]byte{}) {
				set.put(slot)
			}
		}
	}
	for slot, attributes := range t.late {
		if have, ok := attributes[name]; ok && have == value {
			set.put(slot)
		}
	}
	return set
}

// come tells of one who has come or changed.
func (t *traits) come(slot uint32, attributes map[string]string) {
	if len(attributes) == 0 {
		return
	}
	if t.late == nil {
		t.late = map[uint32]map[string]string{}
	}
	t.late[slot] = attributes
}

func (t *traits) forget(slot uint32) { delete(t.late, slot) }

// erase takes slots out, and the keys that nobody else has.
func (t *traits) erase(gone Set) {
	for i, slot := range t.slots {
		if slot != none && gone.Has(slot) {
			t.slots[i] = none
		}
	}
	keys, starts, slots := t.keys[:0], t.starts[:0], t.slots[:0]
	first := uint32(0)
	for i, key := range t.keys {
		last := t.starts[i+1]
		begin := len(slots)
		for _, slot := range t.slots[first:last] {
			if slot != none {
				slots = append(slots, slot)
			}
		}
		if first = last; len(slots) > begin {
			keys, starts = append(keys, key), append(starts, uint32(begin))
		}
	}
	clear(t.keys[len(keys):])
	if t.known {
		starts = append(starts, uint32(len(slots)))
	}
	t.keys, t.starts, t.slots = keys, starts, slots
}

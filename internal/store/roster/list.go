package roster

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
)

// Key is what a list is asked by, whatever page of it.
type Key struct {
	Sort       athlete.Sort
	Search     string // folded
	Attributes map[string]string
}

func (k Key) equal(o Key) bool {
	return k.Sort == o.Sort && k.Search == o.Search && maps.Equal(k.Attributes, o.Attributes)
}

// all says whether every athlete belongs to the list.
func (k Key) all() bool { return k.Search == "" && len(k.Attributes) == 0 }

// has says whether an athlete who has changed belongs to the list.
func (k Key) has(e *Entry) bool {
	if !strings.Contains(e.Search, k.Search) {
		return false
	}
	for name, value := range k.Attributes {
		if have, ok := e.Attributes[name]; !ok || have != value {
			return false
		}
	}
	return true
}

// List is the athletes of a list, in its order.
type List struct {
	key   Key
	Slots []uint32
}

// mostLists is how many lists are remembered, the last used ones.
const mostLists = 32

// List gives the list of a key. choose, which is called only when the list is not remembered
// and not of everybody, gives who belongs to it.
func (r *Roster) List(key Key, choose func() (Set, error)) (*List, error) {
	if key.Sort == athlete.ByLastName {
		key.Sort = athlete.ByName
	}
	for i, l := range r.lists {
		if l.key.equal(key) {
			copy(r.lists[1:i+1], r.lists[:i])
			r.lists[0] = l
			return l, nil
		}
	}
	l := &List{key: key}
	if key.all() {
		l.Slots = slices.Clone(r.byID)
		r.sort(key.Sort, l.Slots)
	} else {
		set, err := choose()
		if err != nil {
			return nil, err
		}
		if err := r.choose(l, set); err != nil {
			return nil, err
		}
	}
	r.lists = slices.Insert(r.lists, 0, l)
	return l, nil
}

// choose sorts those of a set: by themselves where they are few, else along the list of all.
func (r *Roster) choose(l *List, set Set) error {
	for _, slot := range r.byID {
		if set.Has(slot) {
			l.Slots = append(l.Slots, slot)
		}
	}
	if len(l.Slots) < 1000+len(r.byID)/16 {
		r.sort(l.key.Sort, l.Slots)
		return nil
	}
	whole, err := r.List(Key{Sort: l.key.Sort}, nil)
	if err != nil {
		return err
	}
	l.Slots = l.Slots[:0]
	for _, slot := range whole.Slots {
		if set.Has(slot) {
			l.Slots = append(l.Slots, slot)
		}
	}
	return nil
}

// Trim lets go of the lists that were not used lately, until the roster takes no more than
// limit bytes and has no more than mostLists of them.
func (r *Roster) Trim(limit int) {
	for len(r.lists) > mostLists || len(r.lists) > 1 && r.Bytes() > limit {
		r.lists = slices.Delete(r.lists, len(r.lists)-1, len(r.lists))
	}
}

// Forget lets go of the lists that were searched for, because what was searched for may be what
// an erased athlete was called.
func (r *Roster) Forget() {
	r.lists = slices.DeleteFunc(r.lists, func(l *List) bool { return !l.key.all() })
}

// sort sorts slots. The first eight bytes of what decides lie beside each slot, so that most
// comparisons look at nothing else.
func (r *Roster) sort(by order, slots []uint32) {
	type place struct {
		prefix uint64
		slot   uint32
	}
	places := make([]place, len(slots))
	for i, slot := range slots {
		places[i] = place{r.prefix(by, slot), slot}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return r.compare(by, a.slot, b.slot)
	})
	for i := range places {
		slots[i] = places[i].slot
	}
}

// prefix orders slots as compare does, but for equals.
func (r *Roster) prefix(by order, slot uint32) uint64 {
	var b [8]byte
	switch by {
	case byID:
		copy(b[:], r.ids[slot][:])
	case athlete.ByFirstName:
		copy(b[:], r.first(slot))
	case athlete.ByDateOfBirth:
		return uint64(r.dates[slot].born) ^ 1<<63
	case athlete.ByCreatedAt:
		return uint64(r.dates[slot].created) ^ 1<<63
	default:
		copy(b[:], r.last(slot))
	}
	return binary.BigEndian.Uint64(b[:])
}

// compare is the order of lists: the id decides between equals.
func (r *Roster) compare(by order, a, b uint32) int {
	c := 0
	switch by {
	case byID:
	case athlete.ByFirstName:
		c = bytes.Compare(r.first(a), r.first(b))
	case athlete.ByDateOfBirth:
		c = cmp.Compare(r.dates[a].born, r.dates[b].born)
	case athlete.ByCreatedAt:
		c = cmp.Compare(r.dates[a].created, r.dates[b].created)
	default:
		if c = bytes.Compare(r.last(a), r.last(b)); c == 0 {
			c = bytes.Compare(r.first(a), r.first(b))
		}
	}
	if c == 0 {
		c = bytes.Compare(r.ids[a][:], r.ids[b][:])
	}
	return c
}

// Change takes athletes out, and puts in what they are now; who is new or unchanged may be
// among them. Every remembered list is that of the new moment afterwards.
func (r *Roster) Change(out [][16]byte, in []Entry) {
	var old []uint32
	for _, id := range out {
		if i, ok := r.at(id); ok {
			old = append(old, r.byID[i])
		}
	}
	slices.Sort(old)
	old = slices.Compact(old)
	slots := make([]uint32, len(in))
	for i := range in {
		slots[i] = r.add(in[i])
	}
	r.byID = r.change(byID, r.byID, old, slots)
	for _, l := range r.lists {
		var come []uint32
		for i := range in {
			if l.key.has(&in[i]) {
				come = append(come, slots[i])
			}
		}
		l.Slots = r.change(l.key.Sort, l.Slots, old, come)
	}
	for _, slot := range old {
		r.wipe(slot)
	}
}

// change takes slots out of a sorted list, where they are in it, and puts others in.
func (r *Roster) change(by order, list, out, in []uint32) []uint32 {
	find := func(slot uint32) (int, bool) {
		return slices.BinarySearchFunc(list, slot, func(a, b uint32) int { return r.compare(by, a, b) })
	}
	if len(out)+len(in) <= 32 {
		for _, slot := range out {
			if i, ok := find(slot); ok {
				list = slices.Delete(list, i, i+1)
			}
		}
		for _, slot := range in {
			i, _ := find(slot)
			list = slices.Insert(list, i, slot)
		}
		return list
	}
	gone := r.NewSet()
	for _, slot := range out {
		gone.put(slot)
	}
	list = slices.DeleteFunc(list, gone.Has)
	in = slices.Clone(in)
	r.sort(by, in)
	merged := make([]uint32, 0, len(list)+len(in))
	for _, slot := range in {
		i, _ := find(slot)
		merged = append(append(merged, list[:i]...), slot)
		list = list[i:]
	}
	return append(merged, list...)
}

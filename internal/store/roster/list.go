package roster

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/internal/store/grams"
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

// List is the athletes of a list: in its order where they are few, else who they are, which
// a walk along the order of everybody puts in order.
type List struct {
	key   Key
	slots []uint32 // those of a short list
	set   Set      // those of a long one; nil: everybody, or the list is short
	n     int      // how many they are
	short bool
	marks []int // how many come before every markStep-th place of everybody, as far as somebody walked
}

const markStep = 4096

// Len is the list's total.
func (l *List) Len() int { return l.n }

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
	l := &List{key: key, n: len(r.byID)}
	if !key.all() {
		set, err := choose()
		if err != nil {
			return nil, err
		}
		r.choose(l, set)
	}
	r.lists = slices.Insert(r.lists, 0, l)
	return l, nil
}

// choose makes a list of a set.
func (r *Roster) choose(l *List, set Set) {
	l.n = set.count()
	if l.short = l.n < 100+len(r.byID)/500; !l.short {
		l.set = set
		return
	}
	l.slots = make([]uint32, 0, l.n)
	for slot := range set.all() {
		l.slots = append(l.slots, slot)
	}
	r.sort(l.key.Sort, l.slots)
}

// order gives everybody in an order.
func (r *Roster) order(by order) []uint32 {
	all, ok := r.orders[by]
	if !ok {
		all = slices.Clone(r.byID)
		r.sort(by, all)
		r.orders[by] = all
	}
	return all
}

// Page gives the slots of a page.
func (r *Roster) Page(l *List, offset int64, limit int) []uint32 {
	n := int64(l.n)
	from := int(min(offset, n))
	to := int(min(int64(from)+int64(limit), n))
	if l.short {
		return l.slots[from:to]
	}
	all := r.order(l.key.Sort)
	switch {
	case from == to:
		return nil
	case l.set == nil:
		return all[from:to]
	case from > l.n/4*3:
		return l.back(all, l.n-from, to-from)
	}
	return l.walk(all, from, to-from)
}

// walk passes over from and takes some, from the last mark before them on.
func (l *List) walk(all []uint32, from, some int) []uint32 {
	at, _ := slices.BinarySearch(l.marks, from+1)
	at = max(0, at-1) * markStep
	before := 0
	if at > 0 {
		before = l.marks[at/markStep]
	}
	page := make([]uint32, 0, some)
	for ; at < len(all) && len(page) < some; at++ {
		if at/markStep == len(l.marks) && at%markStep == 0 {
			l.marks = append(l.marks, before)
		}
		if slot := all[at]; l.set.Has(slot) {
			if before >= from {
				page = append(page, slot)
			}
			before++
		}
	}
	return page
}

// back takes some of the last ones.
func (l *List) back(all []uint32, last, some int) []uint32 {
	page := make([]uint32, 0, some)
	for at := len(all) - 1; at >= 0 && len(page) < some; at-- {
		if slot := all[at]; l.set.Has(slot) {
			if last--; last < some {
				page = append(page, slot)
			}
		}
	}
	slices.Reverse(page)
	return page
}

// Trim lets go of the index, of the lists that were not used lately and of orders, until the roster takes
// no more than limit bytes, and of all but mostLists lists.
func (r *Roster) Trim(limit int) {
	if r.Bytes() > limit { // without it a search takes longer, but nothing else does
		r.index, r.full = grams.Parts{}, true
	}
	for len(r.lists) > mostLists || len(r.lists) > 1 && r.Bytes() > limit {
		r.lists = slices.Delete(r.lists, len(r.lists)-1, len(r.lists))
	}
	for by := range r.orders {
		if r.Bytes() > limit && (len(r.lists) == 0 || by != r.lists[0].key.Sort) {
			delete(r.orders, by)
		}
	}
}

// Forget lets go of the lists that were searched for, because what was searched for may be what
// an erased athlete was called, and of what indexes know of those who have gone.
func (r *Roster) Forget() {
	r.lists = slices.DeleteFunc(r.lists, func(l *List) bool { return !l.key.all() })
	r.index.Clean()
	if len(r.gone) > 0 {
		gone := r.NewSet()
		for _, slot := range r.gone {
			gone.put(slot)
		}
		r.traits.erase(gone)
		r.gone = nil
	}
}

// place is a slot with the beginning of what decides where it comes, so that most comparisons look
// at nothing else.
type place struct {
	first, second, id uint64
	slot              uint32
	// How long what first and second are the beginning of is: up to 8, all of it is there.
	long, longer uint8
}

// sort sorts slots.
func (r *Roster) sort(by order, slots []uint32) {
	places := make([]place, len(slots))
	for i, slot := range slots {
		places[i] = r.place(by, slot)
	}
	slices.SortFunc(places, func(a, b place) int {
		switch {
		case a.first != b.first:
			return cmp.Compare(a.first, b.first)
		case max(a.long, b.long, a.longer, b.longer) > 8:
			return r.compare(by, a.slot, b.slot)
		case a.long != b.long: // what is shorter comes first, as the other one goes on with zeros
			return cmp.Compare(a.long, b.long)
		case a.second != b.second:
			return cmp.Compare(a.second, b.second)
		case a.longer != b.longer:
			return cmp.Compare(a.longer, b.longer)
		case a.id != b.id:
			return cmp.Compare(a.id, b.id)
		}
		return bytes.Compare(r.ids[a.slot][:], r.ids[b.slot][:])
	})
	for i := range places {
		slots[i] = places[i].slot
	}
}

func (r *Roster) place(by order, slot uint32) place {
	p := place{id: binary.BigEndian.Uint64(r.ids[slot][:]), slot: slot}
	switch by {
	case byID:
	case athlete.ByFirstName:
		p.first, p.long = beginning(r.first(slot))
	case athlete.ByDateOfBirth:
		p.first = uint64(r.dates[slot].born) ^ 1<<63
	case athlete.ByCreatedAt:
		p.first = uint64(r.dates[slot].created) ^ 1<<63
	default:
		p.first, p.long = beginning(r.last(slot))
		p.second, p.longer = beginning(r.first(slot))
	}
	return p
}

// beginning gives eight bytes of a text, and how long it is.
func beginning(text []byte) (uint64, uint8) {
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:]), uint8(min(len(text), 255))
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
		r.traits.come(slots[i], in[i].Attributes)
	}
	r.byID = r.change(byID, r.byID, old, slots)
	for by, all := range r.orders {
		r.orders[by] = r.change(by, all, old, slots)
	}
	for _, l := range r.lists {
		r.changeList(l, old, slots, in)
	}
	for _, slot := range old {
		r.wipe(slot)
	}
}

func (r *Roster) changeList(l *List, old, slots []uint32, in []Entry) {
	if l.key.all() {
		l.n = len(r.byID)
		return
	}
	var come []uint32
	for i := range in {
		if l.key.has(&in[i]) {
			come = append(come, slots[i])
		}
	}
	if l.short {
		l.slots = r.change(l.key.Sort, l.slots, old, come)
		l.n = len(l.slots)
		return
	}
	l.set = append(l.set, make(Set, len(r.NewSet())-len(l.set))...)
	for _, slot := range old {
		l.set.drop(slot)
	}
	for _, slot := range come {
		l.set.put(slot)
	}
	l.n, l.marks = l.set.count(), nil
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

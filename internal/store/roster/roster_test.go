package roster

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
)

// plain is the list of a key, made from the athletes themselves.
func plain(all map[[16]byte]Entry, key Key) (ids [][16]byte) {
	list := make([]Entry, 0, len(all))
	for _, e := range all {
		if key.has(&e) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int {
		id := bytes.Compare(a.ID[:], b.ID[:])
		switch key.Sort {
		case byID:
			return id
		case athlete.ByFirstName:
			return cmp.Or(strings.Compare(a.First, b.First), id)
		case athlete.ByDateOfBirth:
			return cmp.Or(cmp.Compare(a.Born, b.Born), id)
		case athlete.ByCreatedAt:
			return cmp.Or(cmp.Compare(a.Created, b.Created), id)
		}
		return cmp.Or(strings.Compare(a.Last, b.Last), strings.Compare(a.First, b.First), id)
	})
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

func randomEntry(r *rand.Rand, id [16]byte) Entry {
	texts := []string{"", "a", "ab", "abcdefgh", "abcdefgha", "abcdefgh\x00", "ölz", "\U0010FFFF"}
	e := Entry{ID: id, First: texts[r.IntN(len(texts))], Last: texts[r.IntN(len(texts))], Born: r.Int64N(5) - 2,
		Created: r.Int64N(3)}
	e.Search = e.First + " " + e.Last
	e.Attributes = map[string]string{"team": fmt.Sprint(r.IntN(3))}
	return e
}

func trait(value string) Trait { return Trait{9 - value[0]%8, value[0]} }

// learn tells the roster of everybody's team.
func learn(t *testing.T, roster *Roster, all map[[16]byte]Entry) {
	t.Helper()
	if err := roster.Learn(func(next func(Trait, [16]byte)) error {
		for _, value := range []string{"0", "1", "2"} {
			for _, id := range plain(all, Key{Sort: byID}) {
				if all[id].Attributes["team"] == value {
					next(trait(value), id)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestEveryListIsThatOfAPlainSortAfterEveryChange(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	ids := make([][16]byte, 400)
	for i := range ids {
		for j := range ids[i] {
			ids[i][j] = byte(r.IntN(4)) // so that the first bytes often equal each other
		}
	}
	all, roster := map[[16]byte]Entry{}, New()
	for _, id := range ids[:200] {
		if _, twice := all[id]; !twice {
			all[id] = randomEntry(r, id)
			roster.Load(all[id])
		}
	}
	roster.Seal()
	for range 300 {
		var out [][16]byte
		var in []Entry
		for range r.IntN(1 + 80*r.IntN(2)) {
			id := ids[r.IntN(len(ids))]
			if slices.Contains(out, id) {
				continue
			}
			out = append(out, id)
			delete(all, id)
			if r.IntN(4) > 0 {
				all[id] = randomEntry(r, id)
				in = append(in, all[id])
			}
		}
		roster.Change(out, in)
		key := Key{Sort: []athlete.Sort{athlete.ByName, athlete.ByLastName, athlete.ByFirstName, athlete.ByDateOfBirth,
			athlete.ByCreatedAt}[r.IntN(5)]}
		key.Search = []string{"", "", "a", "ab", "h a", "z", "ö"}[r.IntN(7)]
		if r.IntN(3) == 0 {
			key.Attributes = map[string]string{"team": "1"}
		}
		if !roster.Knows() && key.Attributes != nil {
			learn(t, roster, all)
		}
		list, err := roster.List(key, func() (Set, error) {
			set := roster.NewSet()
			for _, slot := range roster.byID {
				set.put(slot)
			}
			if key.Attributes != nil {
				set.And(roster.With(trait("1"), "team", "1"))
			}
			if key.Search != "" {
				set.And(roster.Find(key.Search))
			}
			return set, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.IntN(3) == 0 { // as if it were a long list
			list.short, list.slots, list.set = false, nil, roster.NewSet()
			for slot := range roster.ids {
				if e, ok := all[roster.ids[slot]]; ok && key.has(&e) {
					list.set.put(uint32(slot))
				}
			}
			if key.all() {
				list.set = nil
			}
		}
		want := plain(all, key)
		if list.Len() != len(want) {
			t.Fatalf("%+v has %d, and not %d", key, list.Len(), len(want))
		}
		for range 5 {
			from, some := r.IntN(len(want)+2), 1+r.IntN(50)
			var page [][16]byte
			for _, slot := range roster.Page(list, int64(from), some) {
				page = append(page, roster.ID(slot))
			}
			if from = min(from, len(want)); !slices.Equal(page, want[from:min(from+some, len(want))]) {
				t.Fatalf("%+v gives from %d on\n%x and not\n%x", key, from, page, want)
			}
		}
		var got [][16]byte
		for _, slot := range roster.Page(list, 0, len(want)+1) {
			got = append(got, roster.ID(slot))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v gives\n%x and not\n%x", key, got, want)
		}
		roster.Trim([]int{1 << 20, 1 << 10}[r.IntN(2)])
		if r.IntN(5) == 0 {
			roster.Forget()
		}
	}
}

func TestLongListsHaveEveryPageWhereverItBegins(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	all, roster := map[[16]byte]Entry{}, New()
	for i := range 5 * markStep {
		id := [16]byte{byte(r.IntN(256)), byte(i), byte(i >> 8)}
		all[id] = randomEntry(r, id)
		roster.Load(all[id])
	}
	roster.Seal()
	roster.Prepare(func() bool { return true })
	key := Key{Sort: athlete.ByFirstName, Search: "b"}
	list, err := roster.List(key, func() (Set, error) { return roster.Find("b"), nil })
	if err != nil {
		t.Fatal(err)
	}
	if list.short {
		t.Fatal("the list is short")
	}
	for range 3 {
		want := plain(all, key)
		for range 30 {
			from, some := r.IntN(len(want)), 1+r.IntN(200)
			var page [][16]byte
			for _, slot := range roster.Page(list, int64(from), some) {
				page = append(page, roster.ID(slot))
			}
			if !slices.Equal(page, want[from:min(from+some, len(want))]) {
				t.Fatalf("from %d on %d are others", from, some)
			}
		}
		one := want[r.IntN(len(want))]
		all[one] = randomEntry(r, one)
		roster.Change([][16]byte{one}, []Entry{all[one]})
	}
}

func TestNothingTellsOfWhoWasErased(t *testing.T) {
	r := New()
	erased := Entry{ID: [16]byte{0xAB, 0xCD, 0xEF}, First: "xyz", Last: "qvw", Search: "xyz qvw",
		Attributes: map[string]string{"team": "1"}}
	r.Load(erased)
	for i := range 3000 {
		r.Load(Entry{ID: [16]byte{byte(i), byte(i >> 8), 1}, First: "a", Last: "b", Search: "a b"})
	}
	r.Seal()
	r.Prepare(func() bool { return true })
	key := Trait{0xFE, 0xDC, 0xBA}
	if err := r.Learn(func(next func(Trait, [16]byte)) error { next(key, erased.ID); return nil }); err != nil {
		t.Fatal(err)
	}
	traces := [][]byte{[]byte("xyz"), []byte("qvw"), key[:], erased.ID[:]}
	for _, trace := range traces {
		if !bytes.Contains(r.Dump(), trace) {
			t.Fatalf("%q is not there before", trace)
		}
	}
	named := erased // who was called otherwise before
	named.First, named.Search = "zyx", "zyx qvw"
	r.Change([][16]byte{erased.ID}, []Entry{named})
	r.Find("a")
	r.Change([][16]byte{erased.ID}, nil)
	r.Forget()
	for _, trace := range append(traces, []byte("zyx")) {
		if bytes.Contains(r.Dump(), trace) {
			t.Errorf("%q is still there", trace)
		}
	}
	if got := r.Find("a b").count(); got != 3000 {
		t.Errorf("%d others are found", got)
	}
	if got := r.With(key, "team", "1").count(); got != 0 {
		t.Errorf("%d have the trait", got)
	}
}

func TestThoseWithAMarkAreFoundByIt(t *testing.T) {
	r := New()
	a, b := [16]byte{1}, [16]byte{2}
	r.Load(Entry{ID: b})
	r.Load(Entry{ID: a})
	r.Seal()
	if got := r.Marked([]uint32{7, Mark(a)}); len(got) != 1 || got[0] != a {
		t.Errorf("%x", got)
	}
}

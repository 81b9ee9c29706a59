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
	e := Entry{ID: id, First: texts[r.IntN(len(texts))], Last: texts[r.IntN(len(texts))], Born: r.Int64N(5) - 2, Created: r.Int64N(3)}
	e.Search = e.First + " " + e.Last
	e.Attributes = map[string]string{"team": fmt.Sprint(r.IntN(3))}
	return e
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
		key := Key{Sort: []athlete.Sort{athlete.ByName, athlete.ByLastName, athlete.ByFirstName, athlete.ByDateOfBirth, athlete.ByCreatedAt}[r.IntN(5)]}
		key.Search = []string{"", "", "a", "ab", "h a", "z", "ö"}[r.IntN(7)]
		if r.IntN(3) == 0 {
			key.Attributes = map[string]string{"team": "1"}
		}
		list, err := roster.List(key, func() (Set, error) {
			set, next := roster.Select()
			for _, slot := range roster.byID {
				if key.Attributes == nil || all[roster.ids[slot]].Attributes["team"] == "1" {
					next(roster.ids[slot])
				}
			}
			if key.Search != "" {
				set.And(roster.Find(key.Search))
			}
			return set, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var got [][16]byte
		for _, slot := range list.Slots {
			got = append(got, roster.ID(slot))
		}
		if want := plain(all, key); !slices.Equal(got, want) {
			t.Fatalf("%+v gives\n%x and not\n%x", key, got, want)
		}
		roster.Trim(1 << 20)
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

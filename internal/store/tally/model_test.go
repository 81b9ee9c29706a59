package tally

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/capture"
)

// The model is the list itself: every capture with its place, combination and
// athletes. Whatever blocks and changes say is held to a plain walk over it.

type held struct {
	combination uint32
	athletes    []Athlete
}

type model map[capture.Key]held

// row is one row of a list.
type row struct {
	key         capture.Key
	combination uint32
}

// rows gives the rows of a list that a set selects, in order.
func (m model) rows(set Set, list Athlete) []row {
	var all []row
	for k, h := range m {
		c := Change{Key: k, Athletes: h.athletes}
		n := c.Rows()
		if list != (Athlete{}) {
			n = 0
			if slices.Contains(h.athletes, list) {
				n = 1
			}
		}
		for range n {
			if set.Has(h.combination) {
				all = append(all, row{k, h.combination})
			}
		}
	}
	slices.SortFunc(all, func(a, b row) int {
		if n := a.key.Compare(b.key); n != 0 {
			return n
		}
		return cmp.Compare(a.combination, b.combination)
	})
	return all
}

func captures(rows []row) int64 {
	keys := map[capture.Key]bool{}
	for _, r := range rows {
		keys[r.key] = true
	}
	return int64(len(keys))
}

var people = []Athlete{{1}, {2}, {3}}

func drawKey(t *rapid.T) capture.Key {
	k := capture.Key{Time: math.MaxInt64,
		SessionID: rapid.SampledFrom([]string{"s", "\U0010FFFF\U0010FFFF\U0010FFFF", "ä"}).Draw(t, "prefix")}
	k.SessionID += fmt.Sprint(rapid.IntRange(0, 400).Draw(t, "session"))
	if rapid.Bool().Draw(t, "timed") {
		k.Time = rapid.Int64Range(-5, 5).Draw(t, "time")
	}
	return k
}

func drawSet(t *rapid.T) Set {
	if rapid.Bool().Draw(t, "everything") {
		return nil
	}
	s := NewSet(3)
	for _, c := range rapid.SliceOfN(rapid.Uint32Range(1, 140), 0, 60).Draw(t, "selected") {
		s.Put(c)
	}
	return s
}

// change changes the model and tells of it.
func (m model) change(t *rapid.T) []Change {
	k := drawKey(t)
	old, there := m[k]
	var all []Change
	if there {
		all = append(all, Change{Key: k, Combination: old.combination, Gone: true, Athletes: old.athletes})
		delete(m, k)
		if rapid.Bool().Draw(t, "gone for good") {
			return all
		}
	}
	h := held{combination: rapid.Uint32Range(1, 140).Draw(t, "combination")}
	for _, p := range people {
		if rapid.IntRange(0, 2).Draw(t, "linked") == 0 {
			h.athletes = append(h.athletes, p)
		}
	}
	m[k] = h
	return append(all, Change{Key: k, Combination: h.combination, Athletes: h.athletes})
}

// fold does what the store does: it counts ranges again from the rows.
func fold(t *rapid.T, l *List, m model, changes []Change, list Athlete) *List {
	f := l.Fold(changes, list)
	all := m.rows(nil, list)
	last := int64(0)
	for _, b := range l.Blocks() {
		last = max(last, b.ID)
	}
	changed := f.Changed
	for _, r := range f.Cut {
		c := NewCutter(r)
		for _, row := range all {
			if row.key.Compare(r.Low) >= 0 && (r.Open || row.key.Compare(r.High) < 0) {
				c.Row(row.key, row.combination)
			}
		}
		for i, b := range c.Done() {
			if b.ID = r.ID; i > 0 {
				last = max(last, r.ID) + 1
				b.ID = last
			}
			changed = append(changed, b)
		}
	}
	return l.With(l.Generation+1, changed)
}

// check holds totals and places to the model.
func check(t *rapid.T, l *List, m model, pending []Change, list Athlete) {
	set := drawSet(t)
	p := PendingOf(pending, list)
	selected, all := m.rows(set, list), m.rows(nil, list)
	if got, want := l.Total(set, p), (Count{captures(selected), int64(len(selected))}); got != want {
		t.Fatalf("total %+v and not %+v", got, want)
	}
	checkBefore(t, l, set, p, selected)
	if len(selected) == 0 {
		return
	}
	offset := rapid.IntRange(0, len(selected)-1).Draw(t, "offset")
	limit := rapid.IntRange(1, 500).Draw(t, "limit")
	want := selected[offset:min(offset+limit, len(selected))]
	s := l.Span(set, p, int64(offset), int64(len(want)))
	inside := func(r row) bool { return r.key.Compare(s.Low) >= 0 && (s.Open || r.key.Compare(s.High) < 0) }
	var got []row
	var rows int64
	for _, r := range all {
		if inside(r) {
			rows++
			if set.Has(r.combination) {
				got = append(got, r)
			}
		}
	}
	if s.Rest < 0 || s.Rest > int64(len(got)) {
		t.Fatalf("%+v passes over %d of %d rows", s, s.Rest, len(got))
	}
	page := got[s.Rest:]
	page = page[:min(len(page), len(want))]
	if !slices.Equal(page, want) {
		t.Fatalf("%+v holds %v and not %v", s, page, want)
	}
	if len(l.Blocks()) > 0 && (s.Matches != int64(len(got)) || s.Rows != rows) {
		t.Fatalf("%+v says %d of %d rows, and it is %d of %d", s, s.Matches, s.Rows, len(got), rows)
	}
}

// checkBefore holds what lies before a place to the model.
func checkBefore(t *rapid.T, l *List, set Set, p Pending, selected []row) {
	place := drawKey(t)
	if rapid.Bool().Draw(t, "before all sessions") {
		place.SessionID = ""
	}
	got, rest := l.Before(set, p, place)
	var before, stretch []row
	for _, r := range selected {
		if r.key.Compare(place) < 0 {
			before = append(before, r)
			if r.key.Compare(rest.Low) >= 0 {
				stretch = append(stretch, r)
			}
		}
	}
	if rest.High != place {
		t.Fatalf("before %v the stretch ends at %v", place, rest.High)
	}
	got.add(Count{captures(stretch), int64(len(stretch))})
	if want := (Count{captures(before), int64(len(before))}); got != want {
		t.Fatalf("before %v there are %+v and not %+v", place, got, want)
	}
	if len(l.Blocks()) > 0 {
		for _, b := range l.Blocks() {
			if b.Low.Compare(rest.Low) > 0 && b.Low.Compare(place) <= 0 {
				t.Fatalf("the stretch from %v to %v goes beyond its block", rest.Low, place)
			}
		}
	}
}

func TestTotalsAndPlacesEqualAPlainWalkWhateverIsFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model{}
		list := rapid.SampledFrom([]Athlete{{}, people[0]}).Draw(t, "list")
		l := NewList(0, nil)
		var pending []Change
		for range rapid.IntRange(1, 12).Draw(t, "rounds") {
			for range rapid.SampledFrom([]int{0, 1, 5, 300}).Draw(t, "changes") {
				pending = append(pending, m.change(t)...)
			}
			check(t, l, m, pending, list)
			if rapid.Bool().Draw(t, "fold") {
				before, beforeRows := l, slices.Clone(l.Blocks())
				l = fold(t, l, m, pending, list)
				if !slices.EqualFunc(before.Blocks(), beforeRows, sameBlock) {
					t.Fatal("a fold changed the list of an older moment")
				}
				pending = nil
				check(t, l, m, nil, list)
				checkBlocks(t, l, m, list)
			}
		}
	})
}

func sameBlock(a, b Block) bool {
	return a.ID == b.ID && a.Low == b.Low && slices.Equal(a.Counts, b.Counts)
}

// checkBlocks holds the blocks to what they promise.
func checkBlocks(t *rapid.T, l *List, m model, list Athlete) {
	blocks := l.Blocks()
	all := m.rows(nil, list)
	ids := map[int64]bool{}
	for i, b := range blocks {
		if ids[b.ID] {
			t.Fatalf("two blocks have the number %d", b.ID)
		}
		ids[b.ID] = true
		if i > 0 && b.Low.Compare(blocks[i-1].Low) < 0 {
			t.Fatal("blocks are out of order")
		}
		// No bound outlives the capture that it names: a person may have been erased.
		if i > 0 && b.Low != Last && !slices.ContainsFunc(all, func(r row) bool { return r.key == b.Low }) {
			t.Fatalf("block %d begins at %v, which is gone", i, b.Low)
		}
		cs, err := ParseCounts(b.Counts)
		if err != nil {
			t.Fatal(err)
		}
		if n := cs.Sum(nil).Rows; n > BlockRows {
			t.Fatalf("block %d holds %d rows", i, n)
		}
	}
	if len(blocks) > 0 && blocks[0].Low != First {
		t.Fatalf("the first block begins at %v", blocks[0].Low)
	}
}

func TestAListMadeStepByStepEqualsOneMadeAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := map[int64]Block{}
		l := NewList(0, nil)
		for generation := range rapid.Int64Range(1, 6).Draw(t, "generations") {
			var changed []Block
			for range rapid.SampledFrom([]int{0, 1, 40, 300}).Draw(t, "blocks") {
				id := rapid.Int64Range(1, 900).Draw(t, "id")
				if slices.ContainsFunc(changed, func(b Block) bool { return b.ID == id }) {
					continue
				}
				// Every block has a bound of its own, which may move.
				b := Block{ID: id, Low: capture.Key{Time: rapid.Int64Range(-1, 1).Draw(t, "time"),
					SessionID: fmt.Sprint(id)}}
				b.Counts = Counts{}.Add(rapid.Uint32Range(1, 5).Draw(t, "combination"),
					Count{1, rapid.Int64Range(1, 200).Draw(t, "rows")}).Append(nil)
				changed = append(changed, b)
				all[id] = b
			}
			l = l.With(generation+1, changed)
			var once []Block
			for _, b := range all {
				once = append(once, b)
			}
			whole := NewList(generation+1, once)
			if !slices.EqualFunc(l.Blocks(), whole.Blocks(), sameBlock) || !slices.Equal(l.all, whole.all) {
				t.Fatal("step by step there is another list than at once")
			}
			for _, g := range l.groups {
				if len(g.blocks) == 0 && len(all) > 0 || len(g.blocks) > groupBlocks {
					t.Fatalf("a group of %d blocks", len(g.blocks))
				}
			}
		}
	})
}

func TestChangesAreReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := model{}
		var want []Change
		var b []byte
		for range rapid.IntRange(0, 20).Draw(t, "changes") {
			for _, c := range m.change(t) {
				want = append(want, c)
				b = c.Append(b)
			}
		}
		got, err := ParseChanges(nil, b)
		if err != nil || !slices.EqualFunc(got, want, sameChange) {
			t.Fatalf("got %v and not %v (%v)", got, want, err)
		}
		if len(b) > 1 {
			if _, err := ParseChanges(nil, b[:len(b)-1]); err == nil {
				t.Fatal("half a change is taken for a whole one")
			}
		}
	})
}

func sameChange(a, b Change) bool {
	return a.Key == b.Key && a.Combination == b.Combination && a.Gone == b.Gone && slices.Equal(a.Athletes, b.Athletes)
}

func TestCountsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := map[uint32]Count{}
		var cs Counts
		for range rapid.IntRange(0, 50).Draw(t, "additions") {
			c := rapid.Uint32Range(1, 400).Draw(t, "combination")
			n := Count{1, rapid.Int64Range(1, 300).Draw(t, "rows")}
			if old, ok := plain[c]; ok && rapid.Bool().Draw(t, "take away") {
				n = Count{-old.Captures, -old.Rows}
			}
			cs = cs.Add(c, n)
			sum := plain[c]
			sum.add(n)
			if plain[c] = sum; sum == (Count{}) {
				delete(plain, c)
			}
		}
		if !slices.Equal(cs, fromMap(plain)) && len(plain) > 0 {
			t.Fatalf("got %v and not %v", cs, plain)
		}
		back, err := ParseCounts(cs.Append(nil))
		if err != nil || !slices.Equal(back, cs) {
			t.Fatalf("got %v and not %v (%v)", back, cs, err)
		}
		set := drawSet(t)
		if got, want := sumBytes(cs.Append(nil), set), cs.Sum(set).Rows; got != want {
			t.Fatalf("the bytes add up to %d, and the counts to %d", got, want)
		}
	})
}

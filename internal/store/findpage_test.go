package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/organization"
)

// watched counts the statements that read rows of pages.
type watched struct {
	db.Tx
	read int
}

func (w *watched) Do(statements ...db.Statement) error {
	for _, st := range statements {
		if strings.HasPrefix(st.SQL, "SELECT session_id, athlete, body FROM capture_row") ||
			strings.HasPrefix(st.SQL, "SELECT body FROM capture_row") {
			w.read++
		}
	}
	return w.Tx.Do(statements...)
}

// searched makes a page with what is in memory, and counts what it reads of it.
func searched(t *testing.T, s *Store, sc organization.Scope, q capture.Query) (page string, read int) {
	t.Helper()
	org := idOf(t, sc)
	x, err := s.finder.enter(t.Context(), org)
	must(t, err)
	defer s.finder.leave(x)
	must(t, s.engine.Read(t.Context(), org, func(t db.Tx) error {
		w := &watched{Tx: t}
		p := pager{s: s, t: w, org: org, q: q, texts: x}
		if err := p.readState(); err != nil {
			return err
		}
		if err := p.readPage(); err != nil {
			return err
		}
		page, read = string(slices.Concat(p.rows...)), w.read
		return nil
	}))
	return page, read
}

func TestRowsThatASearchHasInMemoryAreNotReadAndChangedOnesAreThoseOfNow(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		a := create(t, s, sc, person("Ada"), person("Ben"))
		var all []capture.Capture
		for n := range 300 {
			c := session(fmt.Sprintf("%03d", n), ptr(noon), a[:n%3]...)
			c.FPSDetected = ptr(float64(100 + n%5))
			all = append(all, c)
		}
		put(t, s, sc, all...)
		folded(t, s, sc)
		holds := func(q capture.Query, read int) {
			t.Helper()
			q.Limit = 100
			if page, n := searched(t, s, sc, q); n != read || page == "" {
				t.Errorf("%+v reads rows with %d statements, and not %d: %s", q, n, read, page)
			}
			must(t, compare(s, idOf(t, sc), q))
		}
		for _, q := range []capture.Query{{Search: "0"}, {Search: "1", Offset: 70}, {Search: "ada"},
			{Search: "2", AthleteID: a[1]}, {Search: "00"}} {
			holds(q, 0)
		}
		all[100].FPSDetected = ptr(7.25)
		put(t, s, sc, all[100])
		page, _ := searched(t, s, sc, capture.Query{Search: "100", Limit: 1})
		if !strings.Contains(page, `"fps_detected":7.25`) {
			t.Errorf("a changed capture is found as %s", page)
		}
		holds(capture.Query{Search: "10"}, 1) // waits to be folded
		folded(t, s, sc)
		holds(capture.Query{Search: "10", Offset: 1}, 0)
	})
}

func TestFilteredPagesOfAnOrganizationThatIsSearchedAreMadeFromMemoryAsExactly(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		s.finder.most = 3
		sc := tenant(t, s, "A")
		a := create(t, s, sc, person("Ada"), person("Ben"))
		all := many("a", 2000, func(i int, c *capture.Capture) {
			unfinishedLab(i, c)
			c.AthleteIDs = a[:i%3]
		})
		put(t, s, sc, all...)
		folded(t, s, sc)
		filters := []capture.Filter{{Activity: "activity 1"}, {Source: "import", Status: capture.Completed},
			{Activity: "activity 2", Source: "import"}}
		read := func() (n int) {
			for _, f := range filters {
				q, offsets := capture.Query{Filter: f, Limit: 40}, []int64{0, 1, 77, 150, 900, 5000}
				must(t, compare(s, idOf(t, sc), q, offsets...))
				for _, q.Offset = range offsets {
					_, one := searched(t, s, sc, q)
					n += one
				}
			}
			return n
		}
		if read() == 0 {
			t.Error("pages are made from memory where nobody has searched")
		}
		listed(t, s, sc, capture.Query{Search: "a"})
		if n := read(); n > 0 {
			t.Errorf("%d pages are read, although their rows are in memory", n)
		}
		for _, i := range []int{3, 1000, 1001, 1700} {
			all[i].FPSDetected, all[i].Activity = ptr(float64(i)), ptr("activity 1")
			put(t, s, sc, all[i])
		}
		if read() == 0 {
			t.Error("pages around a change that waits are made from memory")
		}
		folded(t, s, sc)
		if n := read(); n > 0 {
			t.Errorf("%d pages are read once the changes are folded", n)
		}
	})
}

func TestWhatAnErasedCaptureSaidIsNoPatternAnyMore(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		c := session("one", ptr(noon))
		c.Status, c.Error = capture.Error, ptr("Unmistakable Xylophone")
		put(t, s, sc, c, session("other", ptr(noon)))
		folded(t, s, sc)
		held := func() bool {
			searched(t, s, sc, capture.Query{Search: search.Fold("O"), Limit: 10})
			x, err := s.finder.enter(t.Context(), idOf(t, sc))
			must(t, err)
			defer s.finder.leave(x)
			return strings.Contains(string(x.patterns.Dump()), "Xylophone")
		}
		if !held() {
			t.Fatal("the pattern of a row is not held")
		}
		must(t, s.DeleteCapture(t.Context(), sc, "one", func(string) error { return nil }))
		x, err := s.finder.enter(t.Context(), idOf(t, sc))
		must(t, err)
		if strings.Contains(string(x.patterns.Dump()), "Xylophone") {
			t.Error("an erased capture's pattern is held right after the erasure")
		}
		s.finder.leave(x)
		folded(t, s, sc)
		if held() {
			t.Error("an erased capture's pattern is held once somebody searches")
		}
	})
}

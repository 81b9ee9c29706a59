package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// inMemory says how many segments of an organization there are, and how many of them are in memory.
func inMemory(t *testing.T, s *Store, sc organization.Scope) (held, all int) {
	t.Helper()
	x, err := s.finder.enter(t.Context(), idOf(t, sc))
	must(t, err)
	defer s.finder.leave(x)
	for _, segment := range x.segments {
		if all++; segment.texts != nil {
			held++
		}
	}
	return held, all
}

func TestAServerThatStartsReadsTheTextsOfOrganizationsThatWereSearchedLately(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		first := p.open()
		searched, other := tenant(t, first, "Searched"), tenant(t, first, "Other")
		for _, sc := range []organization.Scope{searched, other} {
			put(t, first, sc, many("a", 1500, unfinishedLab)...)
			folded(t, first, sc)
		}
		listed(t, first, searched, capture.Query{Search: "a"})
		listed(t, first, other, capture.Query{})
		must(t, first.Close())

		s := p.open()
		s.finder.most = 2
		s.now = func() time.Time { return time.Now().Add(32 * 24 * time.Hour) }
		s.readAhead(t.Context())
		if _, all := inMemory(t, s, searched); all > 0 {
			t.Error("texts are read ahead of an organization that was searched a month ago")
		}
		s.now = time.Now
		s.readAhead(t.Context())
		if held, all := inMemory(t, s, searched); all < 3 || held < all {
			t.Errorf("of the organization that was searched %d segments of %d are in memory", held, all)
		}
		if _, all := inMemory(t, s, other); all > 0 {
			t.Error("texts are read ahead of an organization that was never searched")
		}
		must(t, compare(s, idOf(t, searched), capture.Query{Search: "a1", Limit: 100, Offset: 30}))
		must(t, s.Close())

		s = p.open(func(o *Options) { o.Ahead = true })
		testkit.Until(t, "the texts are read", func() bool {
			held, all := inMemory(t, s, searched)
			return all > 0 && held == all
		})
	})
}

func TestTextsAreReadAheadAsFarAsThereIsRoomAndReadingEnds(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		s.finder.most = 2
		sc := tenant(t, s, "A")
		put(t, s, sc, many("a", 3000, unfinishedLab)...)
		folded(t, s, sc)
		for _, room := range []int{1, 100 << 10, 300 << 10, 100 << 20} {
			s.finder = finder{limit: room, most: 2}
			must(t, s.readTexts(t.Context(), idOf(t, sc)))
			held, all := inMemory(t, s, sc)
			if room == 1 && held > 0 || room == 100<<20 && held < all || s.finder.size > max(room, 64<<10) {
				t.Errorf("with room for %d bytes %d segments of %d are in memory, in %d bytes", room, held, all,
					s.finder.size)
			}
			must(t, compare(s, idOf(t, sc), capture.Query{Search: "1", Limit: 100, Offset: 200}))
		}
	})
}

func TestThatAnOrganizationWasSearchedIsWrittenOnceADayAndLaterWhereItFails(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		now := noon
		s.now = func() time.Time { return now }
		sc := tenant(t, s, "A")
		kept := func() (at int64) {
			must(t, s.engine.Once(t.Context(), db.ID{},
				db.One(db.Into(&at), `SELECT searched FROM organization WHERE id = $1`, idOf(t, sc))))
			return at
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		for n, want := range []time.Time{noon, noon, noon.Add(24 * time.Hour)} {
			listed(t, s, sc, capture.Query{Search: fmt.Sprint("text ", n)})
			if n == 0 {
				if err := s.flushSearches(gone); err == nil || len(s.searches.wait) != 1 {
					t.Fatalf("for a caller that has gone %v, and %d wait", err, len(s.searches.wait))
				}
			}
			must(t, s.flushSearches(t.Context()))
			if at := kept(); at != db.Micros(want.Truncate(24*time.Hour)) || len(s.searches.wait) != 0 {
				t.Errorf("after search %d the day is %s", n, db.FromMicros(at))
			}
			now = now.Add(11 * time.Hour)
		}
	})
}

package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

var (
	someFirst  = []string{"Ada", "ada", "Émile", "Zoë", "Jürgen", "\U0001F600", "Ελένη"}
	someLast   = []string{"", "", "Müller", "de Vries", "Ölz", "ölz", "GROẞ"}
	someEmails = []string{"", "ada@example.org", "X@Y.z", "100%_@example.org"}
	someTeams  = []string{"red", "Red", "blue", ""}
)

// vary gives an athlete other values of what lists are made by.
func vary(r *rand.Rand, a athlete.Athlete) athlete.Athlete {
	a.FirstName, a.LastName, a.Email = someFirst[r.IntN(len(someFirst))], someLast[r.IntN(len(someLast))],
		someEmails[r.IntN(len(someEmails))]
	a.DateOfBirth, a.CustomAttributes = nil, nil
	if r.IntN(3) > 0 {
		a.DateOfBirth = ptr(time.Date(1950+10*r.IntN(4), 1, 1, 0, 0, 0, 0, time.UTC))
	}
	if team := someTeams[r.IntN(len(someTeams))]; team != "" {
		a.CustomAttributes = map[string]string{"team": team, "level": fmt.Sprint(r.IntN(3))}
	}
	return a
}

// squads are athletes whom several writers change.
type squads struct {
	scope organization.Scope
	ids   []string
}

// step creates, changes, imports or erases athletes.
func (h *squads) step(ctx context.Context, s *Store, r *rand.Rand) error {
	one := h.ids[r.IntN(len(h.ids))]
	switch n := r.IntN(10); {
	case n < 2:
		return ignoreMissing(s.DeleteAthlete(ctx, h.scope, one, anybody))
	case n < 5:
		_, err := s.ChangeAthlete(ctx, h.scope, one, nil, func(a athlete.Athlete) (athlete.Athlete, error) {
			a.Version++
			if r.IntN(3) == 0 { // of which the list knows nothing
				a.Phone = fmt.Sprint(r.IntN(100))
				return a, nil
			}
			return vary(r, a), nil
		})
		return ignoreMissing(err)
	case n < 6:
		a := vary(r, athlete.Athlete{ID: organization.NewUUID(), CreatedAt: noon, UpdatedAt: noon, Version: 1})
		return s.CreateAthlete(ctx, h.scope, a, nil)
	default:
		var records []manifest.Record
		for range 1 + r.IntN(2)*r.IntN(80) {
			a := vary(r, athlete.Athlete{ID: h.ids[r.IntN(len(h.ids))],
				CreatedAt: noon.Add(-time.Duration(r.IntN(5)) * time.Millisecond)})
			records = append(records, manifest.Record{Athlete: &a})
		}
		_, err := s.Import(ctx, h.scope, records, false)
		return err
	}
}

func (h *squads) query(r *rand.Rand) athlete.Query {
	q := athlete.Query{Limit: 1 + r.IntN(60),
		Sort: []athlete.Sort{athlete.ByName, athlete.ByLastName, athlete.ByFirstName, athlete.ByDateOfBirth,
			athlete.ByCreatedAt}[r.IntN(5)]}
	if r.IntN(2) == 0 {
		q.Search = athlete.Fold([]string{"ada", "a", "ü", "example", "%", "_", "ς", "e v", "nobody", "z"}[r.IntN(10)])
	}
	if r.IntN(3) == 0 {
		q.Attributes = map[string]string{"team": someTeams[r.IntN(len(someTeams))]}
	}
	if r.IntN(6) == 0 {
		q.Attributes = map[string]string{"team": "red", "level": "1"}
	}
	if r.IntN(2) == 0 {
		q.Offset = int64(r.IntN(300))
	}
	return q
}

// compareAthletes holds a page to a plain one, in one snapshot.
func compareAthletes(s *Store, org db.ID, q athlete.Query) error {
	x, err := s.rosters.enter(context.Background(), org)
	if err != nil {
		return err
	}
	defer s.rosters.leave(x)
	return s.engine.Read(context.Background(), org, func(t db.Tx) error {
		l := s.roll(t, org, x)
		got, err := l.page(q)
		if err != nil {
			return fmt.Errorf("%+v: %w", q, err)
		}
		want, err := scanAthletes(t, org, q)
		if err != nil {
			return err
		}
		if x.roster == nil && !x.large {
			return fmt.Errorf("%+v: the memory did not fit the rows", q)
		}
		if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
			return fmt.Errorf("%+v gives %d of %d:\n%s\na plain scan gives %d of %d:\n%s", q, len(got.Athletes),
				got.TotalCount, a, len(want.Athletes), want.TotalCount, b)
		}
		return nil
	})
}

func TestListsOfAthletesEqualAPlainScanThroughoutRandomHistories(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		quick := func(o *Options) { o.FoldAfter = 3 * time.Millisecond }
		// The third has no room for the athletes, the second hardly any for lists.
		stores := []*Store{p.open(quick), p.open(quick, func(o *Options) { o.SearchBytes = 128 << 10 }),
			p.open(quick, func(o *Options) { o.SearchBytes = 1 })}
		h := &squads{scope: tenant(t, stores[0], "Squads")}
		for range 250 {
			h.ids = append(h.ids, organization.NewUUID())
		}
		org := idOf(t, h.scope)
		r := chance(t)
		steps := 80
		if testing.Short() {
			steps = 20
		}
		var writers, readers []func() error
		for _, s := range stores {
			r := rand.New(rand.NewPCG(r.Uint64(), 0))
			writers = append(writers, func() error {
				err := h.step(context.Background(), s, r)
				if fault.Is(err, fault.Conflict) {
					return nil
				}
				return err
			})
		}
		for _, s := range stores {
			r := rand.New(rand.NewPCG(r.Uint64(), 0))
			readers = append(readers, func() error { return compareAthletes(s, org, h.query(r)) })
		}
		throughout(t, steps, writers, readers)
		for range 100 { // and when all is quiet
			for _, s := range stores {
				must(t, compareAthletes(s, org, h.query(r)))
			}
		}
	})
}

func TestAnErasedAthleteLeavesTheMemoryOfListsAtOnce(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s, beside := p.open(), p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Unmistakable",
			func(a *athlete.Athlete) { a.LastName, a.Email = "Surname", "trace@example.org" }), person("Stays"))
		for _, s := range []*Store{s, beside} {
			for _, q := range []athlete.Query{{Search: "e", Limit: 10}, {Search: "unmistakable", Limit: 10}} {
				_, err := s.Athletes(t.Context(), sc, q)
				must(t, err)
			}
		}
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		key := mustID(t, ids[0])
		for name, s := range map[string]*Store{"here": s, "beside": beside} {
			if name == "beside" { // it hears of it with the next page
				page, err := s.Athletes(t.Context(), sc, athlete.Query{Limit: 10})
				must(t, err)
				if page.TotalCount != 1 {
					t.Errorf("beside: total %d", page.TotalCount)
				}
			}
			x, err := s.rosters.enter(t.Context(), idOf(t, sc))
			must(t, err)
			memory := x.roster.Dump()
			s.rosters.leave(x)
			for _, trace := range [][]byte{[]byte("unmistakable"), []byte("surname"), []byte("trace@"), key[:]} {
				if bytes.Contains(memory, trace) {
					t.Errorf("%s: %q is still there", name, trace)
				}
			}
			if !bytes.Contains(memory, []byte("stays")) {
				t.Error("the other athlete is gone")
			}
		}
	})
}

func TestWhatSomethingElseWroteIsReadFromTheDatabase(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		ids := create(t, s, sc, person("Ada"), person("Ben"), person("Cem"))
		list := func(search string, want ...string) {
			t.Helper()
			for range 2 { // in the second one from memory, whatever was in it before
				page, err := s.Athletes(t.Context(), sc, athlete.Query{Search: search, Limit: 10})
				must(t, err)
				var got []string
				for _, a := range page.Athletes {
					got = append(got, a.FirstName)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) || page.TotalCount != int64(len(want)) {
					t.Fatalf("q=%s gives %v of %d, and not %v", search, got, page.TotalCount, want)
				}
			}
		}
		list("", "Ada", "Ben", "Cem")
		// An older program changes what athletes are found by and folds, and knows of no marks.
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE athlete SET search_key = 'other' WHERE organization = $1 AND id = $2`, org,
				mustID(t, ids[1])),
				db.Exec(`INSERT INTO athlete_log (organization, generation, earlier, athletes) SELECT $1, COALESCE(MAX(generation), 0) + 1, COALESCE(MAX(generation), 0), $2 FROM athlete_log WHERE organization = $1`, org, []byte{}))
		}))
		list("other", "Ben")
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`DELETE FROM athlete WHERE organization = $1 AND id = $2`, org, mustID(t, ids[0])))
		}))
		list("", "Ben", "Cem")
	})
}

func TestWhoCameAgainIsListedAndFoundHoweverLateTheErasureSaysItsLastWord(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		ada := person("Unmistakable")
		create(t, s, sc, ada, person("Ben"))
		put(t, s, sc, session("filmed", &noon, ada.ID))
		folded(t, s, sc)
		both := func(when string) {
			t.Helper()
			page, err := s.Athletes(t.Context(), sc, athlete.Query{Limit: 10})
			must(t, err)
			films := listed(t, s, sc, capture.Query{Search: "unmistakable"}).sessions()
			if page.TotalCount != 2 || len(films) != 1 {
				t.Errorf("%s %d athletes are listed and the captures %q found, want 2 and one", when, page.TotalCount,
					films)
			}
		}
		both("before an erasure")
		// The erasure of one who has come again since, as an import may bring her.
		s.rosters.forgetListed(org, mustID(t, ada.ID))
		s.finder.forget(org, mustID(t, ada.ID))
		both("after its last word")
		both("once more")
	})
}

func TestAthletesThatAreReadBehindTheScenesAreListedAsExactlyMeanwhileAndAfterwards(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		s.rosters.wide = 2
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		ids := create(t, s, sc, person("Cem"), person("Ada"), person("Ben"), person("Eve"))
		list := func(q athlete.Query, want ...string) {
			t.Helper()
			q.Limit = 10
			page, err := s.Athletes(t.Context(), sc, q)
			must(t, err)
			var got []string
			for _, a := range page.Athletes {
				got = append(got, a.FirstName)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || int(page.TotalCount) != len(want)+int(q.Offset) {
				t.Errorf("%+v gives %v of %d, and not %v", q, got, page.TotalCount, want)
			}
		}
		x, err := s.rosters.enter(t.Context(), org) // nobody can read them before this turn ends
		must(t, err)
		list(athlete.Query{Sort: athlete.ByFirstName}, "Ada", "Ben", "Cem", "Eve")
		must(t, s.DeleteAthlete(t.Context(), sc, ids[2], anybody))
		list(athlete.Query{Sort: athlete.ByFirstName, Offset: 1}, "Cem", "Eve")
		if x.roster != nil {
			t.Fatal("they are in memory already")
		}
		s.rosters.leave(x)
		list(athlete.Query{Sort: athlete.ByFirstName, Search: "e"}, "Cem", "Eve") // waits
		testkit.Until(t, "the athletes are read", func() bool { return !s.rosters.warming(org, nil, nil) })
		list(athlete.Query{Sort: athlete.ByFirstName}, "Ada", "Cem", "Eve")
	})
}

func TestAServerThatStartsReadsTheAthletesOfLargeOrganizations(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		first := p.open()
		large, small := tenant(t, first, "Large"), tenant(t, first, "Small")
		create(t, first, large, person("Ada"), person("Ben"), person("Cem"))
		create(t, first, small, person("Dan"))
		s := p.open()
		s.rosters.wide = 2
		s.warmAll(t.Context())
		for _, sc := range []organization.Scope{large, small} {
			x, err := s.rosters.enter(t.Context(), idOf(t, sc))
			must(t, err)
			if has := x.roster != nil; has != (sc == large) {
				t.Errorf("%s is in memory: %t", sc.Organization, has)
			}
			s.rosters.leave(x)
		}
	})
}

package store

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// whole is an athlete with every field set.
func whole() athlete.Athlete {
	return person("Zoë", func(a *athlete.Athlete) {
		a.LastName, a.Email, a.Phone, a.Gender = "Ångström", "zoe@example.org", "+46 1", "female"
		a.DateOfBirth = ptr(time.Date(1999, 5, 13, 0, 0, 0, 0, time.UTC))
		a.DominantArm, a.DominantLeg, a.Activity, a.CompetitionLevel = "left", "both", "baseball", "youth"
		a.Positions, a.Height, a.Weight = []string{"pitcher", "catcher"}, 70, 150
		a.CustomAttributes = map[string]string{"team": "Über \"eleven\"", "_x": "line\nfeed"}
	})
}

func sameAthlete(t *testing.T, got, want athlete.Athlete) {
	t.Helper()
	if !athlete.Equal(got, want) || got.Version != want.Version {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestAnAthleteIsReadAsItWasCreated(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		for _, want := range []athlete.Athlete{whole(), person("Bare")} {
			must(t, s.CreateAthlete(t.Context(), sc, want, nil))
			got, err := s.Athlete(t.Context(), sc, want.ID)
			must(t, err)
			sameAthlete(t, got, want)
			_, err = s.Athlete(t.Context(), other, want.ID)
			refused(t, err, fault.NotFound, "no such athlete")
		}
		for _, stranger := range []string{organization.NewUUID(), "", "x", "00000000-0000-0000-0000-000000000000"} {
			_, err := s.Athlete(t.Context(), sc, stranger)
			refused(t, err, fault.NotFound, "no such athlete")
		}
	})
}

func TestAChangeOfAnAthleteIsWrittenWhole(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		before := whole()
		create(t, s, sc, before)
		after := person("Bare")
		after.ID, after.Version, after.CustomAttributes = before.ID, 2, map[string]string{"team": "other"}
		change := func(a athlete.Athlete) (athlete.Athlete, error) { sameAthlete(t, a, before); return after, nil }
		_, err := s.ChangeAthlete(t.Context(), other, before.ID, nil, change)
		refused(t, err, fault.NotFound, "no such athlete")
		got, err := s.ChangeAthlete(t.Context(), sc, before.ID, nil, change)
		must(t, err)
		sameAthlete(t, got, after)
		got, err = s.Athlete(t.Context(), sc, before.ID)
		must(t, err)
		sameAthlete(t, got, after)
		for value, want := range map[string]int64{"other": 1, before.CustomAttributes["team"]: 0} {
			page, err := s.Athletes(t.Context(), sc,
				athlete.Query{Attributes: map[string]string{"team": value}, Limit: 1})
			must(t, err)
			if page.TotalCount != want {
				t.Errorf("%d athletes with team %q", page.TotalCount, value)
			}
		}
	})
}

func TestAnAthleteOfTheSameVersionIsNotWritten(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		before := whole()
		create(t, s, sc, before)
		_, err := s.ChangeAthlete(t.Context(), sc, before.ID, nil, func(a athlete.Athlete) (athlete.Athlete, error) {
			a.FirstName = "Written by mistake"
			return a, nil
		})
		must(t, err)
		got, err := s.Athlete(t.Context(), sc, before.ID)
		must(t, err)
		sameAthlete(t, got, before)
	})
}

func TestARefusedChangeOfAnAthleteChangesNothing(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		before := whole()
		create(t, s, sc, before)
		_, err := s.ChangeAthlete(t.Context(), sc, before.ID, nil, func(a athlete.Athlete) (athlete.Athlete, error) {
			a.Version++
			return a, fault.New(fault.PreconditionFailed, "somebody was quicker")
		})
		refused(t, err, fault.PreconditionFailed, "somebody was quicker")
		refused(t, s.DeleteAthlete(t.Context(), sc, before.ID, func(athlete.Athlete) error {
			return fault.New(fault.PreconditionFailed, "somebody was quicker")
		}), fault.PreconditionFailed, "somebody was quicker")
		got, err := s.Athlete(t.Context(), sc, before.ID)
		must(t, err)
		sameAthlete(t, got, before)
	})
}

func TestOfConcurrentChangesOfOneVersionOneWins(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		stores := []*Store{p.open(), p.open()}
		sc := tenant(t, stores[0], "A")
		ids := create(t, stores[0], sc, person("Contended"))
		var won, lost atomic.Int64
		var all sync.WaitGroup
		for n := range 16 {
			all.Go(func() {
				_, err := stores[n%2].ChangeAthlete(t.Context(), sc, ids[0], nil,
					func(a athlete.Athlete) (athlete.Athlete, error) {
						if a.Version != 1 { // what If-Match asks for
							return a, fault.New(fault.PreconditionFailed, "it has changed")
						}
						a.Version++
						a.LastName = fmt.Sprint(n)
						return a, nil
					})
				switch {
				case err == nil:
					won.Add(1)
				case fault.Is(err, fault.PreconditionFailed):
					lost.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 || lost.Load() != 15 {
			t.Errorf("%d won and %d lost", won.Load(), lost.Load())
		}
	})
}

func TestAthletesAreListedInEveryOrderWithTheUnsetLastAndTheIDBetweenEquals(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		create(t, s, other, person("Aaron"))
		r := chance(t)
		var all []athlete.Athlete
		for range 60 {
			all = append(all, person([]string{"anna", "Anna", "Émile", "Zoë", "Anna", "\u00a0ǅ"}[r.IntN(6)],
				func(a *athlete.Athlete) {
					a.LastName = []string{"", "", "de Vries", "De vries", "Ölz", "ölz", "Zuse", "\U0001F600"}[r.IntN(8)]
					a.CreatedAt = noon.Add(time.Duration(r.IntN(5)) * time.Millisecond)
					if r.IntN(3) > 0 {
						// some before 1970
						a.DateOfBirth = ptr(time.Date(1950+10*r.IntN(4), 1, 1, 0, 0, 0, 0, time.UTC))
					}
				}))
		}
		create(t, s, sc, all...)
		text := func(s string) string { // as bytes; the unset after everything
			if s == "" {
				return "\xff"
			}
			return athlete.Fold(s)
		}
		day := func(at *time.Time) string {
			if at == nil {
				return "9"
			}
			return at.Format(time.DateOnly)
		}
		moment := func(at time.Time) string { return at.Format("2006-01-02T15:04:05.000000") }
		for sort, keys := range map[athlete.Sort]func(athlete.Athlete) []string{
			athlete.ByName: func(a athlete.Athlete) []string {
				return []string{text(a.LastName), text(a.FirstName), a.ID}
			},
			athlete.ByLastName: func(a athlete.Athlete) []string {
				return []string{text(a.LastName), text(a.FirstName), a.ID}
			},
			athlete.ByFirstName:   func(a athlete.Athlete) []string { return []string{text(a.FirstName), a.ID} },
			athlete.ByDateOfBirth: func(a athlete.Athlete) []string { return []string{day(a.DateOfBirth), a.ID} },
			athlete.ByCreatedAt:   func(a athlete.Athlete) []string { return []string{moment(a.CreatedAt), a.ID} },
		} {
			want := slices.SortedFunc(slices.Values(all),
				func(a, b athlete.Athlete) int { return slices.Compare(keys(a), keys(b)) })
			var got []string // page by page
			for offset := int64(0); offset < 70; offset += 7 {
				page, err := s.Athletes(t.Context(), sc, athlete.Query{Sort: sort, Limit: 7, Offset: offset})
				must(t, err)
				if page.TotalCount != 60 {
					t.Fatalf("total %d", page.TotalCount)
				}
				for _, a := range page.Athletes {
					got = append(got, a.ID)
				}
			}
			var ids []string
			for _, a := range want {
				ids = append(ids, a.ID)
			}
			same(t, "sorted by "+string(sort), got, ids)
		}
	})
}

// found gives the first names of those that a query finds, in the order of names.
func found(t *testing.T, s *Store, sc organization.Scope, q athlete.Query) []string {
	t.Helper()
	q.Limit, q.Sort = 100, athlete.ByFirstName
	page, err := s.Athletes(t.Context(), sc, q)
	must(t, err)
	names := []string{}
	for _, a := range page.Athletes {
		names = append(names, a.FirstName)
	}
	if int(page.TotalCount) != len(names) {
		t.Fatalf("total %d of %d", page.TotalCount, len(names))
	}
	return names
}

func TestASearchFindsPartsOfNamesAndAddressesLiterally(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		named := func(first, last, email string) athlete.Athlete {
			return person(first, func(a *athlete.Athlete) { a.LastName, a.Email = last, email })
		}
		create(t, s, sc, named("100%", "", ""), named("1000", "", ""), named("a_b", "", "x@y.z"), named("acb", "", ""),
			named(`back\slash`, "", ""), named("Ελένη", "Παππάς", "ELENI@Example.ORG"), named("Jürgen", "GROẞ", ""))
		for search, want := range map[string][]string{
			"100":      {"100%", "1000"},
			"100%":     {"100%"},
			"%":        {"100%"},
			"_":        {"a_b"},
			"a_b":      {"a_b"},
			`\`:        {`back\slash`},
			`\%`:       {},
			"ΠΑΠΠΆΣ":   {"Ελένη"}, // the final sigma is a sigma
			"example":  {"Ελένη"},
			"jÜrgen g": {"Jürgen"}, // across first and last name
			"@":        {"a_b", "Ελένη"},
			"nobody":   {},
		} {
			same(t, search, found(t, s, sc, athlete.Query{Search: athlete.Fold(search)}), want)
		}
	})
}

func TestAttributesMatchExactlyAndAllTogether(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		with := func(first string, attributes map[string]string) athlete.Athlete {
			return person(first, func(a *athlete.Athlete) { a.CustomAttributes = attributes })
		}
		create(t, s, sc, with("1", map[string]string{"team": "red", "level": "A", "Team": "blue"}),
			with("2", map[string]string{"team": "red", "level": "B"}),
			with("3", map[string]string{"team": "Red", "level": "A"}), with("4", nil))
		create(t, s, other, with("foreign", map[string]string{"team": "red", "level": "A"}))
		for _, c := range []struct {
			attributes map[string]string
			want       []string
		}{
			{map[string]string{"team": "red"}, []string{"1", "2"}},
			{map[string]string{"team": "red", "level": "A"}, []string{"1"}},
			{map[string]string{"team": "red", "level": "A", "Team": "blue"}, []string{"1"}},
			{map[string]string{"team": "red", "level": "A", "Team": "red"}, []string{}},
			{map[string]string{"team": "re"}, []string{}},
			{map[string]string{"team": ""}, []string{}},
			{map[string]string{"TEAM": "red"}, []string{}},
		} {
			same(t, fmt.Sprint(c.attributes), found(t, s, sc, athlete.Query{Attributes: c.attributes}), c.want)
		}
		same(t, "searched beside",
			found(t, s, sc, athlete.Query{Search: "2", Attributes: map[string]string{"team": "red"}}), []string{"2"})
	})
}

func TestAnImportedAthleteIsNeverUpdatedBeforeItWasCreated(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		take := func(a athlete.Athlete) manifest.Outcome {
			t.Helper()
			out, err := s.Import(t.Context(), sc, []manifest.Record{{Athlete: &a}}, false)
			must(t, err)
			got, err := s.Athlete(t.Context(), sc, a.ID)
			must(t, err)
			if got.UpdatedAt.Before(got.CreatedAt) {
				t.Errorf("created %v, updated %v", got.CreatedAt, got.UpdatedAt)
			}
			return out[0]
		}
		long := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		a := person("1")
		a.CreatedAt, a.UpdatedAt = time.Time{}, long
		take(a)
		a.CreatedAt, a.UpdatedAt = time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}
		refused(t, take(a).Err, fault.BadRequest, "created_at")
	})
}

package store

import (
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func TestTheAthletesOfACaptureAreNamedInTheOrderOfLinking(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("a"), person("b", func(a *athlete.Athlete) { a.LastName = "Berg" }), person("c"))
		linked := func(sc organization.Scope, session string) (names []string) {
			t.Helper()
			list, err := s.LinkedAthletes(t.Context(), sc, session)
			must(t, err)
			for _, a := range list {
				stored, err := s.Athlete(t.Context(), sc, a.ID)
				must(t, err)
				if a.FirstName != stored.FirstName || a.LastName != stored.LastName {
					t.Errorf("%+v is named %+v", stored, a)
				}
				names = append(names, a.FirstName)
			}
			return names
		}
		// Neither the order of ids nor that of names.
		put(t, s, sc, session("s", &noon, ids[2], ids[0], ids[1]), session("shared", nil, ids[1], ids[0]),
			session("nobody", &noon))
		// The same session id elsewhere is another capture.
		put(t, s, other, session("s", &noon, create(t, s, other, person("foreign"))...), session("theirs", nil))
		same(t, "of three", linked(sc, "s"), []string{"c", "a", "b"})
		same(t, "of two", linked(sc, "shared"), []string{"b", "a"})
		same(t, "of nobody", linked(sc, "nobody"), nil)
		same(t, "of the other organization", linked(other, "s"), []string{"foreign"})
		for _, session := range []string{"theirs", "unknown", ""} {
			_, err := s.LinkedAthletes(t.Context(), sc, session)
			refused(t, err, fault.NotFound, "no such capture")
		}

		changed(t, s, sc, "s", func(c *capture.Capture) { c.AthleteIDs = []string{ids[2], ids[1], ids[0]} })
		same(t, "in another order", linked(sc, "s"), []string{"c", "b", "a"})
		must(t, s.DeleteAthlete(t.Context(), sc, ids[2], anybody))
		same(t, "with one erased", linked(sc, "s"), []string{"b", "a"})
		must(t, s.DeleteAthlete(t.Context(), sc, ids[1], anybody))
		same(t, "with two erased", linked(sc, "s"), []string{"a"})
		same(t, "with its first erased", linked(sc, "shared"), []string{"a"})
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody)) // and with it what nobody else is linked to
		for _, session := range []string{"s", "shared"} {
			_, err := s.LinkedAthletes(t.Context(), sc, session)
			refused(t, err, fault.NotFound, "no such capture")
		}
		same(t, "of nobody still", linked(sc, "nobody"), nil)
		same(t, "of the other organization still", linked(other, "s"), []string{"foreign"})
	})
}

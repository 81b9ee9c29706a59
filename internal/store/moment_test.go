package store

import (
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func TestAnExpiredTokenStaysExpiredWhenTheClockGoesBack(t *testing.T) {
	for name, again := range map[string]func(*testing.T, place, *Store) *Store{
		"in the same process": func(_ *testing.T, _ place, s *Store) *Store { return s },
		"on another server that hears of it": func(t *testing.T, p place, s *Store) *Store {
			other := p.open(still)
			must(t, s.Mark(t.Context()))
			must(t, other.Mark(t.Context()))
			return other
		},
		"after a restart": func(t *testing.T, p place, s *Store) *Store {
			must(t, s.Mark(t.Context()))
			return p.open(still)
		},
	} {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, p place) {
				s := p.open(still)
				ahead := clock(s)
				sc := tenant(t, s, "A")
				short, hash := issue(t, s, sc, "of two days")
				must(t, s.CreateToken(t.Context(), sc, func() (forever organization.Token) {
					forever = short
					forever.ID, forever.Life, forever.ExpiresAt = organization.NewID(), 0, nil
					return forever
				}(), organization.SecretHash{1}, nil))
				_, err := s.Authenticate(t.Context(), hash)
				must(t, err)
				ahead(48*time.Hour + time.Second)
				_, err = s.Authenticate(t.Context(), hash)
				refused(t, err, fault.NotFound, "no such token")

				ahead(-48 * time.Hour)
				s = again(t, p, s)
				for range 2 { // from the database, then from memory
					_, err = s.Authenticate(t.Context(), hash)
					refused(t, err, fault.NotFound, "no such token")
				}
				_, err = s.Authenticate(t.Context(), organization.SecretHash{1})
				must(t, err)
			})
		})
	}
}

func TestTheLatestMomentIsKeptWhoeverMarksLast(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		late, early := p.open(still), p.open(still)
		clock(late)(time.Hour)
		must(t, late.Mark(t.Context()))
		must(t, early.Mark(t.Context()))
		if a, b := late.latest.micros.Load(), early.latest.micros.Load(); a != b {
			t.Errorf("one knows of %d, the other of %d", a, b)
		}
	})
}

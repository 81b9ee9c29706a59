package store

import (
	"errors"
	"testing"

	"github.com/kinebase/kinebase/backup"
)

func TestWhatIsDoneAloneCanBeDoneAgainAtOnce(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		for n := range 100 {
			must(t, s.Exclusive(t.Context(), "test", func() error {
				if n%20 != 0 {
					return nil
				}
				if err := s.Exclusive(t.Context(), "test", func() error { return nil }); !errors.Is(err,
					backup.ErrElsewhere) {
					t.Errorf("while it is done it can be done: %v", err)
				}
				return s.Exclusive(t.Context(), "other", func() error { return nil })
			}))
		}
	})
}

package sending

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/intake"
)

func TestAFileThatHasChangedIsNotTriedAgain(t *testing.T) {
	for _, err := range []error{intake.Unfit("changed while it was read"),
		fmt.Errorf("a piece: %w", intake.Unfit("changed while it was read"))} {
		calls := 0
		got := To(nil).steady(t.Context(), nil, func() error { calls++; return err })
		if !intake.IsUnfit(got) || calls != 1 {
			t.Errorf("%v after %d calls", got, calls)
		}
	}
}

func TestAServerThatIsAwayIsToldOnceAndWaitedForOnce(t *testing.T) {
	var told []error
	waited := time.Duration(0)
	s := To(nil, WithNotice(func(err error) { told = append(told, err) }),
		WithPause(func(_ context.Context, d time.Duration) error { waited += d; return nil }))
	down := errors.New("connection refused")
	failing := func(times int) func() error {
		return func() error {
			if times--; times >= 0 {
				return down
			}
			return nil
		}
	}
	for range 2 { // it comes back each time
		if err := s.steady(t.Context(), nil, failing(6)); err != nil {
			t.Error(err)
		}
	}
	if len(told) != 2 {
		t.Errorf("of two times that it was away, %d were told", len(told))
	}
	waited = 0
	for range 3 { // whatever is asked for after the end of patience
		if err := s.steady(t.Context(), nil, failing(1000)); !errors.Is(err, down) {
			t.Error(err)
		}
	}
	if len(told) != 3 || waited < 9*time.Minute || waited > 11*time.Minute {
		t.Errorf("told %d times, waited %v in all", len(told), waited)
	}
}

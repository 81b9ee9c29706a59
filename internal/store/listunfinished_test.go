package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
)

// unfinishedLab has captures of which one in seven is not completed.
func unfinishedLab(i int, c *capture.Capture) {
	c.Status, c.Activity, c.CaptureTime = capture.Completed, ptr(fmt.Sprintf("activity %d", i%3)), ptr(noon.Add(time.Duration(i/2)*time.Minute))
	if i%7 == 3 {
		c.Status = []capture.Status{capture.AwaitingUpload, capture.Processing, capture.Error}[i/7%3]
	}
}

// everyPageOfAStatus holds pages of the statuses to a walk over all captures.
func everyPageOfAStatus(t *testing.T, s *Store, org id) {
	t.Helper()
	for _, status := range capture.Statuses {
		for _, activity := range []string{"", "activity 1"} {
			for _, offset := range []int64{0, 1, 17, 40, 1000} {
				q := capture.Query{Filter: capture.Filter{Status: status, Activity: activity}, Offset: offset, Limit: 11}
				if err := compare(s, org, q); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestPagesOfAStatusAreExactAlongTheirIndexFoldedAndNot(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		put(t, s, sc, many("a", 1000, unfinishedLab)...)
		folded(t, s, sc)
		everyPageOfAStatus(t, s, idOf(t, sc))
		put(t, s, sc, many("b", 100, unfinishedLab)...) // which wait to be folded
		everyPageOfAStatus(t, s, idOf(t, sc))
		for _, offset := range []int64{0, 17} { // and what is included goes with its row
			q := capture.Query{Filter: capture.Filter{Status: capture.Error}, Offset: offset, Limit: 5, Include: capture.IncludeFile}
			plain := q
			plain.Include = 0
			if got, want := listed(t, s, sc, q).sessions(), listed(t, s, sc, plain).sessions(); !slices.Equal(got, want) || len(got) != 5 {
				t.Errorf("offset %d: %q, and without what is included %q", offset, got, want)
			}
		}
	})
}

func TestRowsThatAnOlderProgramWroteAreListedByTheirStatusAllTheSame(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		put(t, s, sc, many("a", 1000, unfinishedLab)...)
		folded(t, s, sc)
		for _, every := range []string{`session_id LIKE '%7'`, `1 = 1`} {
			must(t, s.engine.write(t.Context(), org, func(w *writeTx) error {
				return w.do(exec(`UPDATE capture_row SET unfinished = NULL WHERE organization = $1 AND `+every, org))
			}))
			everyPageOfAStatus(t, s, org)
		}
	})
}

package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/internal/testkit"
)

// A stretch of a few blocks of the list is read for a page of a range of dates, to count a block again, and for the
// days of the overview. Each reads the rows that lie there, and no others.
func TestAStretchOfTheListIsReadAlongTheList(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		ids := create(t, s, sc, person("Ann"))
		const n = 12_000
		moment := func(i int) time.Time { return noon.Add(-time.Duration(i) * time.Minute) }
		for part := range slices.Chunk(many("a", n, func(i int, c *capture.Capture) {
			// They come in another order than they were recorded in: neighbours in the list are none in the table.
			c.CaptureTime, c.Activity = ptr(moment(i*7919%n)), ptr(fmt.Sprintf("activity %d", i%7))
			c.AthleteIDs = ids
		}), 2000) {
			put(t, s, sc, part...)
		}
		must(t, s.fold(t.Context(), org, []db.ID{mustID(t, ids[0])}))
		folded(t, s, sc)
		if p.options.Data == "" {
			_, err := connect(t, p.options.DatabaseURL).Exec(t.Context(), "ANALYZE")
			must(t, err)
		}
		from, to := moment(n/2+33), moment(n/4+11)
		captured := capture.RangeOf(&from, &to)
		for name, c := range map[string]struct {
			head string
			read func(e *explainer) error
		}{
			"a page of a range": {"SELECT combination, session_id", func(e *explainer) error {
				_, _, err := pageIn(e, s, org, capture.Query{Captured: captured, Limit: 20, Offset: 7})
				return err
			}},
			"a filtered page of a range": {"SELECT combination, session_id", func(e *explainer) error {
				_, _, err := pageIn(e, s, org, capture.Query{Captured: captured, Limit: 20, Offset: 7,
					Filter: capture.Filter{Activity: "activity 1"}})
				return err
			}},
			"a block that is counted again": {"SELECT sort_time, session_id, combination", func(e *explainer) error {
				first, last := moment(n/2+100), moment(n/2)
				block := capture.RangeOf(&first, &last)
				_, err := (&folding{s: s, t: e, org: org}).cut(db.ID{},
					tally.Range{Low: block.Low(), High: block.High()})
				return err
			}},
			"the overview": {"SELECT sort_time, combination", func(e *explainer) error {
				o := capture.Overview{ByStatus: map[capture.Status]int64{}}
				return s.countDays(e, org, &o, tally.Days{Last: noon.Unix() / (24 * 60 * 60), Count: 3})
			}},
		} {
			must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
				e := &explainer{Tx: tx, t: t, also: c.head}
				must(t, c.read(e))
				if len(e.seen) == 0 {
					t.Errorf("%s reads nothing", name)
				}
				for _, seen := range e.seen {
					// PostgreSQL expects a ninth of the list of two comparisons of pairs, and reads that in another
					// way where the list is longer than this one.
					many := strings.HasPrefix(seen.sql, c.head) && seen.expects > n/20
					if !slices.Equal(seen.indexes, []string{"PRIMARY KEY"}) || seen.scans || seen.sorts ||
						seen.rows > n || many {
						t.Errorf("%s looks at %d through %v (expects %v, scans %v, sorts %v):\n%s\n%s", name, seen.rows,
							seen.indexes, seen.expects, seen.scans, seen.sorts, seen.sql, seen.text)
					}
				}
				return nil
			}))
		}
	})
}

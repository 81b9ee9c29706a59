package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// unfinishedLab has captures of which one in seven is not completed.
func unfinishedLab(i int, c *capture.Capture) {
	c.Status, c.Activity, c.CaptureTime = capture.Completed, ptr(fmt.Sprintf("activity %d", i%3)),
		ptr(noon.Add(time.Duration(i/2)*time.Minute))
	if i%7 == 3 {
		c.Status = []capture.Status{capture.AwaitingUpload, capture.Processing, capture.Error}[i/7%3]
	}
}

// everyPageOfAStatus holds pages of the statuses to a walk over all captures.
func everyPageOfAStatus(t *testing.T, s *Store, org db.ID) {
	t.Helper()
	for _, status := range capture.Statuses {
		for _, activity := range []string{"", "activity 1"} {
			q := capture.Query{Filter: capture.Filter{Status: status, Activity: activity}, Limit: 11}
			if err := compare(s, org, q, 0, 1, 17, 40, 1000); err != nil {
				t.Fatal(err)
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
			q := capture.Query{Filter: capture.Filter{Status: capture.Error}, Offset: offset, Limit: 5,
				Include: capture.IncludeFile}
			plain := q
			plain.Include = 0
			if got, want := listed(t, s, sc, q).sessions(),
				listed(t, s, sc, plain).sessions(); !slices.Equal(got, want) || len(got) != 5 {
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
			must(t, s.write(t.Context(), org, func(w *writeTx) error {
				return w.Do(db.Exec(`UPDATE capture_row SET unfinished = NULL WHERE organization = $1 AND `+every, org))
			}))
			everyPageOfAStatus(t, s, org)
		}
	})
}

func TestTheCapturesOfAnOlderStoreAreAllThereAndFoundByTheirStatusAfterTheMigration(t *testing.T) {
	testkit.Long(t)
	unmigrated(t, func(t *testing.T, p place) {
		older(t, p, 10)
		body, cast := func(n int) string { return fmt.Sprintf(`{"session_id":"s%02d"}`, n) }, "'%s'"
		if p.options.Data != "" {
			cast = "CAST('%s' AS BLOB)"
		}
		orgs := []organization.Scope{{Organization: organization.NewID()}, {Organization: organization.NewID()}}
		for o, sc := range orgs {
			inOlder(t, p, sc, fmt.Sprintf(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'org %d', 1)`,
				o))
			for k, status := range capture.Statuses { // the numbers say something else in each organization
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO combination (organization, id, source, status, activity, movement) VALUES ($1, %d, 'mobile', '%s', '', '')`, (k+o)%len(capture.Statuses), status))
			}
			for n := range 40 {
				k := n % len(capture.Statuses)
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO capture (organization, session_id, sort_time, combination, source, status, dimensions, version, created_at, updated_at)
VALUES ($1, 's%02d', %d, %d, 'mobile', '%s', '{}', 1, 1, 1)`, n, n/2, (k+o)%len(capture.Statuses), capture.Statuses[k]))
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO capture_row (organization, sort_time, session_id, athlete, place, combination, body, file)
VALUES ($1, %d, 's%02d', $1, 0, %d, `+cast+`, 'f')`, n/2, n, (k+o)%len(capture.Statuses), body(n)))
			}
		}
		s := p.open(still)
		for _, sc := range orgs {
			org := idOf(t, sc)
			for n := range 40 {
				a, err := s.Capture(t.Context(), sc, fmt.Sprintf("s%02d", n), 0)
				if err != nil || string(a.Body) != body(n) {
					t.Errorf("capture %d is %q (%v)", n, a.Body, err)
				}
			}
			var found []string
			must(t, s.engine.Read(t.Context(), org, func(q db.Tx) error {
				return q.Do(db.Each(func(r db.Rows) error {
					var session, status string
					err := r.Scan(&session, &status)
					found = append(found, session+" "+status)
					return err
				}, `SELECT session_id, COALESCE(unfinished, 'completed') FROM capture_row WHERE organization = $1 ORDER BY session_id`, org))
			}))
			var want []string
			for n := range 40 {
				want = append(want, fmt.Sprintf("s%02d %s", n, capture.Statuses[n%len(capture.Statuses)]))
			}
			same(t, "rows and what they say of their status", found, want)
		}
	})
}

package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
)

func TestAPageOfTheFeedIsARangeOfPositions(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		var people []manifest.Record
		for n := range 300 {
			a := person(fmt.Sprint(n))
			people = append(people, manifest.Record{Athlete: &a},
				manifest.Record{Job: &export.Job{ID: fmt.Sprint(n), Status: export.Running, CreatedAt: noon}})
		}
		_, err := s.Import(t.Context(), sc, people, false)
		must(t, err)
		put(t, s, sc, many("c", 3000, func(int, *capture.Capture) {})...)
		for n := range 300 {
			must(t, s.write(t.Context(), org,
				func(w *writeTx) error { return w.buried(feed.Capture, fmt.Sprintf("gone %d", n)) }))
		}
		if p.options.Data == "" {
			_, err := connect(t, p.options.DatabaseURL).Exec(t.Context(), "ANALYZE")
			must(t, err)
		}
		ended, _, err := s.engine.Settled(t.Context(), org)
		must(t, err)
		must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
			for _, objects := range []bool{false, true} {
				readsRanges(t, changeReader{t: &explainer{Tx: tx, t: t}, org: org, until: lastPlace(ended), limit: 20,
					objects: objects})
			}
			return nil
		}))
	})
}

// readsRanges holds the statements of a page of 20 to their indexes.
func readsRanges(t *testing.T, r changeReader) {
	t.Helper()
	e := r.t.(*explainer)
	found, err := r.all(feed.Kinds)
	must(t, err)
	if len(found) != 20 || len(e.seen) != 6 {
		t.Fatalf("%d changes in %d statements", len(found), len(e.seen))
	}
	var indexes []string
	for _, p := range e.seen {
		if p.scans || p.sorts || p.rows > 3000 {
			t.Errorf("%s\nlooks at %d rows, sorts %v:\n%s", p.sql, p.rows, p.sorts, p.text)
		}
		indexes = append(indexes, p.indexes...)
	}
	for _, index := range []string{"capture_position", "athlete_position", "export_job_position", "deletion_kind"} {
		if !slices.Contains(indexes, index) {
			t.Errorf("nothing goes by %s, but by %v", index, indexes)
		}
	}
	if _, lite := e.Tx.(stepper); !lite {
		return
	}
	fromIndex := []string{"capture_position"}
	if !r.objects {
		fromIndex = append(fromIndex, "athlete_position")
	}
	for _, index := range fromIndex {
		covering := func(p planned) bool { return strings.Contains(p.text, "COVERING INDEX "+index) }
		if !slices.ContainsFunc(e.seen, covering) {
			t.Errorf("a page needs rows of the table that %s does not hold", index)
		}
	}
}

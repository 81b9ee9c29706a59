package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
)

// TestAnExportChoosesWhatAPlainScanDoesAndNoPageLooksAtAllCaptures holds what exports are about to a
// reading of all captures, and each statement of it to what a page may look at, on the one plan
// that PostgreSQL has for all bounds.
func TestAnExportChoosesWhatAPlainScanDoesAndNoPageLooksAtAllCaptures(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ahead := clock(s)
		ids := create(t, s, sc, person("Ann"), person("Bob"), person("Cid"))
		const n = 3*chosenFew/2 + 100
		all := many("a", n, func(i int, c *capture.Capture) {
			c.Status = []capture.Status{capture.Completed, capture.Completed, capture.Error}[i%3]
			c.CaptureTime = ptr(noon.Add(-time.Duration(i/3) * time.Minute)) // several at one moment
			if i%7 == 0 {
				c.CaptureTime = nil
			}
			c.AthleteIDs = [][]string{nil, ids[:1], ids[:2], ids[1:]}[i%4]
			c.Activity = ptr(fmt.Sprintf("activity %d", i%5))
		})
		put(t, s, sc, all[:100]...)
		early := s.now()
		ahead(time.Hour)
		for part := range slices.Chunk(all[100:], 2000) {
			put(t, s, sc, part...)
		}
		if p.options.Data == "" {
			_, err := connect(t, p.options.DatabaseURL).Exec(t.Context(), "ANALYZE")
			must(t, err)
		}
		later := early.Add(time.Minute)
		for what, r := range map[string]export.Request{
			"all":                       {},
			"an activity":               {Activity: "activity 3"},
			"athletes":                  {Athletes: []string{ids[1], ids[0]}},
			"a range":                   {Start: ptr(noon.Add(-20 * time.Hour)), End: ptr(noon.Add(-7 * time.Minute))},
			"a range of an athlete":     {Start: ptr(noon.Add(-20 * time.Hour)), Athletes: ids[2:]},
			"a moment":                  {Start: ptr(noon.Add(-time.Hour)), End: ptr(noon.Add(-time.Hour + 1000))},
			"few changed":               {End: &later, DateMode: export.ByLastModified},
			"few changed of an athlete": {End: &later, DateMode: export.ByLastModified, Athletes: ids[:1]},
			"many changed":              {Start: &later, DateMode: export.ByLastModified},
		} {
			var got []string
			must(t, s.engine.Aside(t.Context(), idOf(t, sc), func(tx db.Tx) error {
				e := &explainer{Tx: tx, t: t}
				err := s.eachChosen(e, idOf(t, sc), r, func(c chosen) (bool, error) {
					name := ""
					if c.athlete != (db.ID{}) {
						name = c.athlete.String()
					}
					got = append(got, c.session+" "+name)
					return true, nil
				})
				if len(e.seen) == 0 {
					t.Errorf("%s: no statement was explained", what)
				}
				for _, seen := range e.seen {
					most := int64(4 * chosenPage)
					switch {
					case strings.HasPrefix(seen.sql, "SELECT count(*)"):
						most = 2 * chosenFew
					case seen.sql == chosenChanged:
						most = 4 * 100 * 2
					}
					if _, ok := tx.(stepper); ok {
						most *= 20 // steps of SQLite's machine for each row
					}
					if seen.rows > most {
						t.Errorf("%s looks at %d, not at most %d, through %v:\n%s\n%s", what, seen.rows, most,
							seen.indexes, seen.sql, seen.text)
					}
				}
				return err
			}))
			same(t, what, got, plainlyChosen(all, early, 100, r))
		}
	})
}

// plainlyChosen gives the captures that a request is about, of which the first few were changed at
// one moment and all others later, as "session athlete".
func plainlyChosen(all []capture.Capture, changed time.Time, first int, r export.Request) (chosen []string) {
	type row struct {
		at               int64
		session, athlete string
	}
	var rows []row
	for i, c := range all {
		early := i < first
		switch {
		case c.Status != capture.Completed, r.Activity != "" && !strings.EqualFold(*c.Activity, r.Activity):
			continue
		case r.DateMode == export.ByLastModified:
			if early && r.Start != nil && changed.Before(*r.Start) || !early && r.End != nil {
				continue
			}
		case c.CaptureTime == nil && (r.Start != nil || r.End != nil),
			r.Start != nil && c.CaptureTime.Before(*r.Start), r.End != nil && !c.CaptureTime.Before(*r.End):
			continue
		}
		at := int64(math.MaxInt64)
		if c.CaptureTime != nil {
			at = -c.CaptureTime.UnixMicro()
		}
		athletes := c.AthleteIDs
		if len(athletes) == 0 {
			athletes = []string{""}
		}
		for _, a := range athletes {
			rows = append(rows, row{at, c.SessionID, a})
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.session, b.session),
			strings.Compare(a.athlete, b.athlete))
	})
	if len(r.Athletes) == 0 {
		for _, row := range rows {
			chosen = append(chosen, row.session+" "+row.athlete)
		}
		return chosen
	}
	for _, a := range r.Athletes {
		for _, row := range rows {
			if row.athlete == a {
				chosen = append(chosen, row.session+" "+a)
			}
		}
	}
	return chosen
}

func TestAnExportOfAnAthleteWhoIsErasedBeforeItIsBuiltHasNothingOfCapturesOfNobody(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		film(t, s, sc, session("nobody's", &noon), walked(3, "A", 1))
		film(t, s, sc, session("his", &noon, ids[1]), walked(2, "A", 1))
		hers, err := s.CreateJob(t.Context(), sc, export.Request{Athletes: ids[:1]}, nil)
		must(t, err)
		both, err := s.CreateJob(t.Context(), sc, export.Request{Athletes: ids}, nil)
		must(t, err)
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		for id, rows := range map[string]int64{hers.ID: 0, both.ID: 2} {
			if r := built(t, s, sc, id); r.Job.Status != export.Completed || *r.Job.RowCount != rows {
				t.Errorf("the job is %+v with %d rows, want %d", r.Job, *r.Job.RowCount, rows)
			}
		}
	})
}

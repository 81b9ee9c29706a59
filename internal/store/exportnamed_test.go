package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// keptFor is the request of a job as it is kept.
func keptFor(t *testing.T, s *Store, sc organization.Scope, jobID string) (text string) {
	t.Helper()
	must(t, s.engine.Read(t.Context(), idOf(t, sc), func(tx db.Tx) error {
		return tx.Do(db.One(db.Into(&text), `SELECT request FROM export_build WHERE organization = $1 AND job = $2`,
			idOf(t, sc), jobID))
	}))
	return text
}

// TestAnExportOfNamedCapturesHasWhatTheOthersHaveOfThemAndSaysWhyTheRestIsMissing holds exports that name captures to
// exports that do not, whatever else they ask for.
func TestAnExportOfNamedCapturesHasWhatTheOthersHaveOfThemAndSaysWhyTheRestIsMissing(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	engines(t, func(t *testing.T, p place) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := p.open(still)
		ahead := clock(s)
		sc := tenant(t, s, "A")
		people := create(t, s, sc, person("Ann"), person("Bob"), person("Cid"))
		var names []string
		status := map[string]capture.Status{}
		const n = 2*writeChunk + 30 // in several statements
		for i := range n {
			at := noon.Add(-time.Duration(i/3) * time.Minute)
			who := [][]string{nil, people[:1], people[:2], people[1:]}[r.IntN(4)]
			c := session(fmt.Sprintf("%s %03d", []string{"é", "a", "B", "'", `\`}[i%5], i), &at, who...)
			c.Activity = ptr([]string{"Jump", "walk"}[i%2])
			if i%7 == 0 {
				c.CaptureTime = nil
			}
			if r.IntN(4) == 0 {
				c.Status = capture.Error
			}
			names, status[c.SessionID] = append(names, c.SessionID), c.Status
			if c.Status == capture.Completed && i%11 > 0 {
				film(t, s, sc, c, walked(1+i%3, "A", i%2))
			} else {
				put(t, s, sc, c)
			}
			if i == n/2 {
				ahead(time.Hour)
			}
		}
		half, middle := s.now().Add(-30*time.Minute), noon.Add(-30*time.Minute)
		for range 12 {
			all := export.Request{
				Athletes: [][]string{nil, {people[2], people[0]}, people[1:2]}[r.IntN(3)],
				Activity: []string{"", "", "jump"}[r.IntN(3)],
				DateMode: []export.DateMode{export.ByCaptureTime, export.ByLastModified}[r.IntN(2)],
				Shape:    []export.Shape{"", export.RowPerFrame, export.RowPerCapture}[r.IntN(3)],
			}
			bound := &middle
			if all.DateMode == export.ByLastModified {
				bound = &half
			}
			switch r.IntN(3) {
			case 0:
				all.Start = bound
			case 1:
				all.End = bound
			}
			named := all
			named.Captures = slices.Clone(names)
			r.Shuffle(n, func(i, j int) {
				named.Captures[i], named.Captures[j] = named.Captures[j], named.Captures[i]
			})
			named.Captures = named.Captures[:1+r.IntN(n)]
			asks := func(session string) bool { return slices.Contains(named.Captures, session) }

			var want []export.Part
			whole := exported(t, s, sc, all)
			for _, part := range allParts(t, s, sc, whole, 500) {
				if asks(part.SessionID) {
					want = append(want, part)
				}
			}
			got := exported(t, s, sc, named)
			parts := allParts(t, s, sc, got, 500)
			line := func(p export.Part) string {
				return fmt.Sprint(p.SessionID, p.AthleteID, p.Rows, p.Frame, p.Table)
			}
			if !slices.EqualFunc(parts, want, func(a, b export.Part) bool { return line(a) == line(b) }) {
				t.Fatalf("%+v has %d parts, want %d: %v\n%v", named, len(parts), len(want), parts, want)
			}
			// What has no rows is told, each once.
			told, err := s.Job(t.Context(), sc, got.Job.ID, export.Left{Limit: export.MaxSkipped})
			must(t, err)
			var missing []string
			for _, session := range named.Captures {
				if !slices.ContainsFunc(parts, func(p export.Part) bool { return p.SessionID == session }) {
					missing = append(missing, session)
				}
			}
			slices.Sort(missing)
			var skipped []string
			for _, skip := range told.Skipped {
				skipped = append(skipped, skip.SessionID)
				if is := status[skip.SessionID]; strings.Contains(skip.Reason, "only completed") !=
					(is != capture.Completed) || skip.Reason == "" {
					t.Errorf("%s, which is %s, is left out because %q", skip.SessionID, is, skip.Reason)
				}
			}
			slices.Sort(skipped)
			same(t, fmt.Sprintf("what %+v leaves out", all), skipped, missing)
			if e, err := s.Estimate(t.Context(), sc, named); err != nil || !e.Exact || e.Rows != *got.Job.RowCount {
				t.Errorf("%d rows are estimated as %+v, %v", *got.Job.RowCount, e, err)
			}
		}
	})
}

func TestACaptureThatTheOrganizationDoesNotHaveIsRefusedWhetherItIsForeignUnknownOrDeleted(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, foreign := tenant(t, s, "A"), tenant(t, s, "B")
		film(t, s, sc, session("mine", &noon), walked(3, "A", 1))
		film(t, s, sc, session("deleted", &noon), walked(3, "A", 1))
		film(t, s, foreign, session("foreign", &noon), walked(3, "A", 1))
		must(t, s.DeleteCapture(t.Context(), sc, "deleted", func(string) error { return nil }))
		for _, name := range []string{"foreign", "unknown", "deleted", "MINE"} {
			r := export.Request{Captures: []string{"mine", name}}
			_, err := s.CreateJob(t.Context(), sc, r, nil)
			refused(t, err, fault.BadRequest, `captures names "`+name+`", which is no capture of the organization`)
			if _, again := s.Estimate(t.Context(), sc, r); again == nil || again.Error() != err.Error() {
				t.Errorf("%s is estimated with %v and refused with %v", name, again, err)
			}
		}
		if _, total, err := s.Jobs(t.Context(), sc, 10, 0); err != nil || total != 0 {
			t.Errorf("%d jobs, %v", total, err)
		}
	})
}

func TestTheIDsOfNamedCapturesAreKeptNoLongerThanTheyAreNeeded(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ann := create(t, s, sc, person("Ann"))[0]
		for _, name := range []string{ann, "stays", "goes"} { // a capture may be called as an athlete is
			film(t, s, sc, session(name, &noon), walked(3, "A", 1))
		}
		film(t, s, sc, session("hers", &noon, ann), walked(3, "A", 1))
		ask := func(r export.Request) string {
			t.Helper()
			j, err := s.CreateJob(t.Context(), sc, r, nil)
			must(t, err)
			if kept := keptFor(t, s, sc, j.ID); !strings.Contains(kept, "stays") {
				t.Errorf("kept is %s", kept)
			}
			return j.ID
		}
		names := []string{"stays", "goes", ann}
		listed, canceled := ask(export.Request{Captures: names}), ask(export.Request{Captures: names})
		hers := ask(export.Request{Captures: []string{"hers", "stays"}, Athletes: []string{ann}})

		// A server from before there were names must not take the request for one of all captures.
		before := struct{ Athletes []string }{}
		if err := json.Unmarshal([]byte(keptFor(t, s, sc, listed)), &before); err == nil {
			t.Error("the request is read as one that names no captures")
		}
		must(t, s.DeleteAthlete(t.Context(), sc, ann, anybody))
		must(t, s.DeleteCapture(t.Context(), sc, "goes", func(string) error { return nil }))
		r := built(t, s, sc, listed)
		parts := partsOf(t, s, sc, r)
		if len(parts) != 2 || r.Job.LeftOut != 0 {
			t.Errorf("the parts are %q, and %+v is left out", parts, r.Job)
		}
		_, err := s.CancelJob(t.Context(), sc, canceled, nil)
		must(t, err)
		if r := built(t, s, sc, hers); *r.Job.RowCount != 0 || r.Job.Status != export.Completed {
			t.Errorf("of an athlete who is erased: %+v", r)
		}
		for _, id := range []string{listed, canceled, hers} {
			if kept := keptFor(t, s, sc, id); strings.Contains(kept, "stays") || strings.Contains(kept, ann) {
				t.Errorf("kept is %s", kept)
			}
		}
	})
}

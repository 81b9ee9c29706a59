package store

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// dumped is a backup of the rows of a store.
type dumped struct {
	manifest backup.Manifest
	rows     []byte
}

func snapshotOf(t *testing.T, s *Store) dumped {
	t.Helper()
	var text bytes.Buffer
	w := backup.NewRowWriter(&text)
	found, err := s.Dump(t.Context(), w)
	must(t, err)
	must(t, w.Flush())
	return dumped{backup.Manifest{Schema: found.Schema, Number: found.Number, Counts: w.Counts()}, text.Bytes()}
}

// restored brings a snapshot into a store of the same engine, erases again what the other store has erased since, and
// gives the store and what is left to do by hand.
func (b dumped) restored(t *testing.T, p place, from *Store) (*Store, []string) {
	t.Helper()
	list := backup.List{Through: map[string]int64{}, Tokens: map[string]backup.Erasure{}, Gone: map[string]int64{}}
	erasures, err := from.Erasures(t.Context(), &list)
	must(t, err)
	o := Options{Data: t.TempDir()}
	if p.options.DatabaseURL != "" {
		o = Options{DatabaseURL: testkit.Postgres(t).Database(t)}
	}
	to := Restore(o)
	must(t, to.Load(t.Context(), b.manifest, 0, backup.NewRowReader(bytes.NewReader(b.rows))))
	_, left, err := to.EraseAgain(t.Context(), erasures)
	must(t, err)
	must(t, to.Finish(t.Context()))
	must(t, to.Close())
	return place{t, o}.open(), left
}

// linksOf gives the athletes of a capture; gone says that there is no such capture.
func linksOf(t *testing.T, s *Store, sc organization.Scope, session string) (ids []string, gone bool) {
	t.Helper()
	linked, err := s.LinkedAthletes(t.Context(), sc, session)
	if fault.Is(err, fault.NotFound) {
		return nil, true
	}
	must(t, err)
	for _, a := range linked {
		ids = append(ids, a.ID)
	}
	return ids, false
}

// TestNobodyComesBackByAChainOfMerges has a person of a backup become others, and tries every end of that.
func TestNobodyComesBackByAChainOfMerges(t *testing.T) {
	for name, c := range map[string]struct {
		there   []bool // whether the backup has the athletes after the first
		deleted bool   // the last one was deleted
		builds  bool   // an export was being built when the backup was made
		into    int    // who has the capture afterwards; -1: it is gone
		left    int
	}{
		"all after the backup, deleted":     {there: []bool{false, false}, deleted: true, into: -1},
		"four after the backup, deleted":    {there: []bool{false, false, false, false}, deleted: true, into: -1},
		"the next in the backup, deleted":   {there: []bool{true, false}, deleted: true, into: -1},
		"the last in the backup, deleted":   {there: []bool{false, true}, deleted: true, into: -1},
		"the last in the backup":            {there: []bool{false, false, true}, into: 3},
		"all in the backup":                 {there: []bool{true, true}, into: 2},
		"all in the backup, with a build":   {there: []bool{true, true}, builds: true, into: 2, left: 1},
		"all after the backup":              {there: []bool{false, false}, into: 2, left: 1},
		"the next in the backup":            {there: []bool{true, false}, into: 2, left: 1},
		"one after the backup":              {there: []bool{false}, into: 1, left: 1},
		"one after the backup, with builds": {there: []bool{false}, builds: true, into: 1, left: 2},
		"one after the backup, deleted":     {there: []bool{false}, deleted: true, into: -1},
	} {
		t.Run(name, func(t *testing.T) {
			engines(t, func(t *testing.T, p place) {
				s := p.open()
				sc := tenant(t, s, "A")
				ids := create(t, s, sc, person("Unmistakable"))
				later := func(there bool) {
					for i, was := range c.there {
						if was == there {
							a := person("Successor")
							a.ID = ids[i+1]
							create(t, s, sc, a)
						}
					}
				}
				for range c.there {
					ids = append(ids, organization.NewUUID())
				}
				later(true)
				put(t, s, sc, session("x", &noon, ids[0]))
				var build export.Job
				var err error
				if c.builds {
					build, err = s.CreateJob(t.Context(), sc, export.Request{}, nil)
					must(t, err)
				}
				b := snapshotOf(t, s)
				if c.builds {
					_, err = s.CancelJob(t.Context(), sc, build.ID, nil)
					must(t, err)
				}
				later(false)
				for i := range c.there {
					_, err := s.MergeAthletes(t.Context(), sc, ids[i+1], ids[i], nil, merging)
					must(t, err)
				}
				if c.deleted {
					must(t, s.DeleteAthlete(t.Context(), sc, ids[len(ids)-1], anybody))
				}

				again, left := b.restored(t, p, s)
				if len(left) != c.left {
					t.Errorf("left to do is %q", left)
				}
				links, gone := linksOf(t, again, sc, "x")
				if c.into < 0 && !gone || c.into >= 0 && !slices.Equal(links, []string{ids[c.into]}) {
					t.Errorf("the capture is of %v, gone %t; the athletes are %v", links, gone, ids)
				}
				for i, name := range ids {
					if _, err := again.Athlete(t.Context(), sc, name); (err == nil) != (i == c.into) {
						t.Errorf("the athlete %d: %v", i, err)
					}
				}
				known := c.into >= 0 && c.there[c.into-1]
				if rows := string(snapshotOf(t, again).rows); strings.Contains(rows, "Unmistakable") ||
					!known && strings.Contains(rows, "Successor") {
					t.Errorf("a name came back: %s", rows)
				}
			})
		})
	}
}

func TestARestoreErasesOnlyTheCapturesThatWereErased(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Unmistakable"), person("kept"), person("third"))
		put(t, s, sc, session("handed on", &noon, ids[0]), session("left alone", &noon, ids[0]),
			session("shared", &noon, ids[0], ids[1]),
			session("own", &noon, ids[0]), session("third's", &noon, ids[2]))
		film(t, s, sc, session("filmed", &noon, ids[0]), walked(3, "A", 1))
		b := snapshotOf(t, s)
		link := func(name string, to ...string) {
			t.Helper()
			_, err := s.ChangeCapture(t.Context(), sc, name, nil,
				func(c capture.Capture, _ string) (capture.Capture, error) {
					c.AthleteIDs = to
					return c, nil
				})
			must(t, err)
		}
		link("handed on", ids[1])
		link("left alone")
		link("filmed", ids[1])
		must(t, s.DeleteAthlete(t.Context(), sc, ids[0], anybody))
		must(t, s.DeleteCapture(t.Context(), sc, "third's", func(string) error { return nil }))

		again, left := b.restored(t, p, s)
		if len(left) > 0 {
			t.Errorf("left to do is %q", left)
		}
		for name, want := range map[string][]string{"handed on": nil, "left alone": nil, "filmed": nil,
			"shared": {ids[1]}} {
			if links, gone := linksOf(t, again, sc, name); gone || !slices.Equal(links, want) {
				t.Errorf("%s is of %v and not of %v, gone %t", name, links, want, gone)
			}
		}
		for _, name := range []string{"own", "third's"} {
			if _, gone := linksOf(t, again, sc, name); !gone {
				t.Errorf("%s came back", name)
			}
		}
		if strings.Contains(string(snapshotOf(t, again).rows), "Unmistakable") {
			t.Error("a name came back")
		}
	})
}

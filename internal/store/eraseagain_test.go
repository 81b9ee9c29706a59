package store

import (
	"bytes"
	"fmt"
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

// chain is a person of a backup who became others since.
type chain struct {
	there   []bool // whether the backup has the athletes after the first
	deleted bool   // the last one was deleted
	builds  bool   // an export was being built when the backup was made
	into    int    // who has the capture afterwards; -1: it is gone
	left    int    // what a restore leaves to do by hand
}

// chained is a chain in an organization of its own.
type chained struct {
	chain
	what  string
	sc    organization.Scope
	ids   []string
	build export.Job
}

// appear makes those of the athletes whom the backup has, or has not.
func (c *chained) appear(t *testing.T, s *Store, there bool) {
	t.Helper()
	for i, was := range c.there {
		if was == there {
			a := person(fmt.Sprintf("Successor %s.", c.what))
			a.ID = c.ids[i+1]
			create(t, s, c.sc, a)
		}
	}
}

// begin makes what the backup has.
func (c *chained) begin(t *testing.T, s *Store) {
	t.Helper()
	c.sc = tenant(t, s, c.what)
	c.ids = create(t, s, c.sc, person(fmt.Sprintf("Unmistakable %s.", c.what)))
	for range c.there {
		c.ids = append(c.ids, organization.NewUUID())
	}
	c.appear(t, s, true)
	put(t, s, c.sc, session("x", &noon, c.ids[0]))
	if c.builds {
		var err error
		c.build, err = s.CreateJob(t.Context(), c.sc, export.Request{}, nil)
		must(t, err)
	}
}

// end does what was done after the backup.
func (c *chained) end(t *testing.T, s *Store) {
	t.Helper()
	if c.builds {
		_, err := s.CancelJob(t.Context(), c.sc, c.build.ID, nil)
		must(t, err)
	}
	c.appear(t, s, false)
	for i := range c.there {
		_, err := s.MergeAthletes(t.Context(), c.sc, c.ids[i+1], c.ids[i], nil, merging)
		must(t, err)
	}
	if c.deleted {
		must(t, s.DeleteAthlete(t.Context(), c.sc, c.ids[len(c.ids)-1], anybody))
	}
}

// holds says what is wrong with a restored store.
func (c *chained) holds(t *testing.T, again *Store, left []string, rows string) {
	t.Helper()
	mine := 0
	for _, line := range left {
		if strings.Contains(line, c.sc.Organization.String()) {
			mine++
		}
	}
	if mine != c.left {
		t.Errorf("left to do is %q", left)
	}
	links, gone := linksOf(t, again, c.sc, "x")
	if c.into < 0 && !gone || c.into >= 0 && !slices.Equal(links, []string{c.ids[c.into]}) {
		t.Errorf("the capture is of %v, gone %t; the athletes are %v", links, gone, c.ids)
	}
	for i, name := range c.ids {
		if _, err := again.Athlete(t.Context(), c.sc, name); (err == nil) != (i == c.into) {
			t.Errorf("the athlete %d: %v", i, err)
		}
	}
	known := c.into >= 0 && c.there[c.into-1]
	if strings.Contains(rows, "Unmistakable "+c.what+".") || !known && strings.Contains(rows, "Successor "+c.what+".") {
		t.Errorf("a name came back: %s", rows)
	}
}

// TestNobodyComesBackByAChainOfMerges has a person of a backup become others, and tries every end of that.
func TestNobodyComesBackByAChainOfMerges(t *testing.T) {
	chains := map[string]chain{
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
	}
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		var all []*chained
		for what, c := range chains {
			all = append(all, &chained{chain: c, what: what})
		}
		for _, c := range all {
			c.begin(t, s)
		}
		b := snapshotOf(t, s)
		for _, c := range all {
			c.end(t, s)
		}
		again, left := b.restored(t, p, s)
		rows := string(snapshotOf(t, again).rows)
		for _, c := range all {
			t.Run(c.what, func(t *testing.T) { c.holds(t, again, left, rows) })
		}
	})
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

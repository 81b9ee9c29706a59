package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// many makes captures a second apart, the first one the oldest.
func many(prefix string, n int, edit func(int, *capture.Capture)) []capture.Capture {
	captures := make([]capture.Capture, n)
	for i := range captures {
		captures[i] = session(fmt.Sprintf("%s%05d", prefix, i), ptr(noon.Add(time.Duration(i)*time.Second)))
		if edit != nil {
			edit(i, &captures[i])
		}
	}
	return captures
}

// pageIn reads a page in a snapshot that is open already.
func pageIn(t db.Tx, s *Store, org db.ID, q capture.Query) (total int64, rows [][]byte, err error) {
	p := pager{s: s, t: t, org: org, q: q}
	if err := p.readState(); err != nil {
		return 0, nil, err
	}
	err = p.readPage()
	return p.total, p.rows, err
}

func TestASnapshotOlderThanFoldsSeesItsOwnTotalAndPage(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		for folds := range 6 { // more than the generations that are remembered
			s, writer := p.open(still), p.open(still)
			sc := tenant(t, s, "A")
			org := idOf(t, sc)
			put(t, s, sc, many("a", 900, nil)...)
			folded(t, s, sc)
			put(t, s, sc, many("b", 300, nil)...) // not folded when the snapshot is taken
			q := capture.Query{Limit: 50, Offset: 700}
			must(t, s.engine.Read(t.Context(), org, func(tx db.Tx) error {
				total, want, err := pageIn(tx, s, org, q)
				if err != nil || total != 1200 || len(want) != 50 {
					return fmt.Errorf("total %d, %d rows: %w", total, len(want), err)
				}
				for n := range folds {
					put(t, writer, sc, many(fmt.Sprintf("c%d-", n), 400, nil)...)
					_, err = writer.Import(t.Context(), sc, []manifest.Record{{Capture: ptr(session("a00450", nil))}},
						false)
					must(t, err)
					folded(t, writer, sc)
					folded(t, s, sc)
					if n%2 == 0 { // somebody else looks at the newest, through the same memory
						listed(t, s, sc, capture.Query{Offset: 10})
					}
				}
				for _, fresh := range []bool{false, true} {
					reader := s
					if fresh { // without anything in memory
						reader = &Store{}
						reader.lists.limit = 1 << 20
					}
					total, got, err := pageIn(tx, reader, org, q)
					if err != nil {
						return err
					}
					if total != 1200 || !slices.EqualFunc(got, want, bytes.Equal) {
						t.Errorf("after %d folds the old snapshot sees a total of %d and another page (%v)", folds,
							total, fresh)
					}
				}
				return nil
			}))
			if page := listed(t, s, sc, capture.Query{Limit: 1}); page.Total != int64(1200+400*folds) {
				t.Errorf("total %d after %d folds", page.Total, folds)
			}
		}
	})
}

func TestChangesThatAKilledProcessLeftAreFoldedByTheNextSweep(t *testing.T) {
	if child() == "leaves changes" {
		s := inherited(t).open(still)
		put(t, s, tenant(t, s, "A"), many("left", 100, nil)...)
		fmt.Println("left")
		select {} // until it is killed
	}
	engines(t, func(t *testing.T, p place) {
		p.t = t
		cmd := p.again("leaves changes")
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		var said []byte
		for b := make([]byte, 256); !bytes.Contains(said, []byte("left\n")); {
			n, err := out.Read(b)
			if said = append(said, b[:n]...); err != nil {
				t.Fatalf("the process said %q: %v", said, err)
			}
		}
		must(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed

		s := p.open() // sweeps as it starts
		orgs, err := s.Organizations(t.Context())
		must(t, err)
		sc := organization.Scope{Organization: orgs[0].ID}
		org := idOf(t, sc)
		if page := listed(t, s, sc, capture.Query{}); page.Total != 100 {
			t.Errorf("total %d before the fold", page.Total)
		}
		testkit.Until(t, "what was left is folded", func() bool {
			var waiting, blocks int64
			must(t, s.engine.Once(context.Background(),
				org, db.One(db.Into(&waiting), `SELECT count(*) FROM list_delta WHERE organization = $1`, org),
				db.One(db.Into(&blocks), `SELECT count(*) FROM list_block WHERE organization = $1`, org)))
			return waiting == 0 && blocks > 0
		})
		if page := listed(t, s, sc, capture.Query{Offset: 99}); page.Total != 100 || len(page.Captures) != 1 {
			t.Errorf("total %d after the fold", page.Total)
		}
	})
}

func TestAnAthletesListThatGrowsLongGetsCountsAndAnswersExactlyBeforeAndAfter(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		athletes := create(t, s, sc, person("long"), person("other"))
		all := many("a", shortList+300, func(i int, c *capture.Capture) {
			c.AthleteIDs = []string{athletes[0]}
			if i%3 == 0 {
				c.AthleteIDs = []string{athletes[1], athletes[0]}
			}
			c.Activity = ptr([]string{"jump", "golf"}[i%2])
		})
		put(t, s, sc, all...)
		folded(t, s, sc)
		must(t, s.write(t.Context(), org, func(w *writeTx) error { // as if the samples had missed it
			return w.Do(db.Exec(`DELETE FROM list WHERE organization = $1 AND athlete <> $2`, org, db.ID{}),
				db.Exec(`DELETE FROM list_block WHERE organization = $1 AND athlete <> $2`, org, db.ID{}))
		}))
		counted := func() (n int64) {
			must(t, s.engine.Once(t.Context(), org,
				db.One(db.Into(&n), `SELECT count(*) FROM list WHERE organization = $1 AND athlete = $2`, org,
					mustID(t, athletes[0]))))
			return n
		}
		check := func(when string) {
			for _, q := range []capture.Query{{Limit: 10}, {Limit: 500, Offset: 1100},
				{Limit: 3, Offset: shortList + 299}, {Limit: 3, Offset: shortList + 300},
				{Limit: 100, Offset: 333, Filter: capture.Filter{Activity: "golf"}},
				{Limit: 5, Filter: capture.Filter{Activity: "swim"}}} {
				q.AthleteID = athletes[0]
				for _, q.Oldest = range []bool{false, true} {
					q.Captured = capture.Range{}
					if err := compare(s, org, q); err != nil {
						t.Errorf("%s: %v", when, err)
					}
					for _, q.Captured = range ranges(all) {
						if err := compare(s, org, q); err != nil {
							t.Errorf("%s: %v", when, err)
						}
					}
				}
			}
		}
		if counted() != 0 {
			t.Fatal("there are counts already")
		}
		check("before")
		s.folder.lock.Lock()
		asked := s.folder.dirty[org].grown
		s.folder.lock.Unlock()
		if !slices.Contains(asked, mustID(t, athletes[0])) {
			t.Fatal("who read the long list did not ask for counts")
		}
		must(t, s.fold(t.Context(), org, asked))
		if counted() != 1 {
			t.Fatal("the long list has no counts")
		}
		check("after")
		must(t, s.fold(t.Context(), org, asked)) // asked for twice
		check("after being asked twice")
		put(t, s, sc, many("b", 200, func(i int, c *capture.Capture) { c.AthleteIDs = athletes[:1] })...)
		check("with changes that are not folded")
		must(t, s.fold(t.Context(), org, nil))
		check("with changes that are folded")
	})
}

func TestAHundredThousandLabelsInOneOrganizationStillAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many labels")
	}
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		// The labels come without captures, as after many renamings; the captures use
		// some of them, early and late.
		const labels = 100_000
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`INSERT INTO combination (organization, id, source, status, activity, movement)
				WITH RECURSIVE label (n) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT n + 1 FROM label WHERE n + 1 < $2)
				SELECT $1, n + 1, 'import', CASE n % 4 WHEN 0 THEN $3 WHEN 1 THEN $4 WHEN 2 THEN $5 ELSE $6 END, 'label ' || n, 'm' FROM label`,
				org, int64(labels), string(capture.Statuses[0]), string(capture.Statuses[1]),
				string(capture.Statuses[2]), string(capture.Statuses[3])))
		}))
		used := func(n int) capture.Capture {
			c := session(fmt.Sprintf("s%d", n), &noon)
			c.Status, c.Activity, c.Movement = capture.Statuses[n%4], ptr(fmt.Sprintf("Label %d", n)), ptr("M")
			return c
		}
		var captures []capture.Capture
		for n := 7; n < labels; n += 1009 {
			captures = append(captures, used(n))
		}
		captures = append(captures, used(labels)) // one more label
		put(t, s, sc, captures...)
		for range 2 { // with changes that are not folded, then folded; read again, then from memory
			for _, q := range []capture.Query{
				// selects all labels
				{Limit: 5, Filter: capture.Filter{Movement: "m"}},
				{Limit: 5, Offset: 50, Filter: capture.Filter{Movement: "m", Status: "completed"}}, // a quarter of them
				{Limit: 5, Filter: capture.Filter{Activity: "label 7"}},                            // one
				{Limit: 5, Filter: capture.Filter{Activity: fmt.Sprintf("label %d", labels)}},      // the last one
				{Limit: 5, Filter: capture.Filter{Activity: fmt.Sprintf("label %d", labels+1)}},    // none
			} {
				if err := compare(s, org, q); err != nil {
					t.Error(err)
				}
			}
			folded(t, s, sc)
		}
		if page := listed(t, s, sc, capture.Query{Filter: capture.Filter{Movement: "m"}}); page.Total !=
			int64(len(captures)) {
			t.Errorf("total %d of %d", page.Total, len(captures))
		}
	})
}

func TestAFloodOfChangesIsCountedAnewInsteadOfOneByOne(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		athletes := create(t, s, sc, person("long"))
		captures := many("a", 700, func(i int, c *capture.Capture) { c.AthleteIDs = athletes })
		put(t, s, sc, captures...)
		must(t, s.fold(t.Context(), org, []db.ID{mustID(t, athletes[0])}))
		// Captures that went and came back as they were, again and again.
		stored := storedCapture{Capture: captures[3], combination: 1}
		pair := stored.change(true)
		bytes := pair.Append(nil)
		pair.Gone = false
		bytes = pair.Append(bytes)
		bytes = []byte(strings.Repeat(string(bytes), manyBytes/len(bytes)+1))
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			w.lists, w.touched = bytes, true
			return nil
		}))
		check := func(when string) {
			for _, q := range []capture.Query{{Limit: 9, Offset: 300},
				{Limit: 9, Offset: 690, AthleteID: athletes[0]}} {
				if err := compare(s, org, q); err != nil {
					t.Errorf("%s: %v", when, err)
				}
			}
		}
		must(t, s.fold(t.Context(), org, nil))
		check("folded")
		put(t, s, sc, many("b", 100, func(i int, c *capture.Capture) { c.AthleteIDs = athletes })...)
		check("and more")
		must(t, s.fold(t.Context(), org, nil))
		check("and folded again")
	})
}

func TestCountsThatDoNotFitTheirRowsAreNoticedAndNotServed(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		org := idOf(t, sc)
		put(t, s, sc, many("a", 50, nil)...)
		must(t, s.fold(t.Context(), org, nil))
		must(t, s.write(t.Context(), org, func(w *writeTx) error { // as if somebody had been at the database
			w.change(tally.Change{Key: captureKey("a00007"), Combination: 1})
			return nil
		}))
		if _, err := s.Captures(t.Context(), sc, capture.Query{Limit: 10, Offset: 45}); err == nil ||
			!strings.Contains(err.Error(), "do not fit") {
			t.Errorf("got %v", err)
		}
	})
}

func captureKey(name string) capture.Key {
	c := session(name, &noon)
	return c.Key()
}

func TestASecondProcessWritesDuringTheHistory(t *testing.T) {
	testkit.Long(t)
	if child() == "writes" {
		s := inherited(t).open(func(o *Options) { o.FoldAfter = 3 * time.Millisecond })
		h := &history{scope: organization.In(os.Getenv("KINEBASE_STORE_ORG")), sessions: 500,
			times: []time.Time{noon, noon.Add(time.Hour)}}
		h.athletes = strings.Split(os.Getenv("KINEBASE_STORE_ATHLETES"), ",")
		r := chance(t)
		for range 40 {
			must(t, h.step(t.Context(), s, r))
		}
		return
	}
	engines(t, func(t *testing.T, p place) {
		p.t = t
		s := p.open(func(o *Options) { o.FoldAfter = 3 * time.Millisecond })
		h := newHistory(t, s, 500)
		org := idOf(t, h.scope)
		r := chance(t)
		cmd := p.again("writes")
		cmd.Env = append(cmd.Env, "KINEBASE_STORE_ORG="+h.scope.Organization.String(), "KINEBASE_STORE_ATHLETES="+
			strings.Join(h.athletes, ","))
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		must(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		checks, foreign := 0, 0
		before := listed(t, s, h.scope, capture.Query{Limit: 1}).Total
		for over := false; !over || checks < 30; checks++ {
			select {
			case err := <-ended:
				if over = true; err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
			default:
			}
			if err := compare(s, org, h.query(r)); err != nil {
				t.Fatal(err)
			}
			if !over && checks%3 == 0 {
				must(t, h.step(t.Context(), s, r))
			}
			if now := listed(t, s, h.scope, capture.Query{Limit: 1}).Total; now != before {
				before, foreign = now, foreign+1
			}
		}
		t.Logf("%d pages compared, %d totals", checks, foreign)
		if foreign < 2 {
			t.Error("nothing happened during the comparison")
		}
	})
}

package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// inQueue is an export that a worker has taken from the queue.
type inQueue struct{ organization, job string }

// take takes the export out of the queue that has stood there longest.
func take(t *testing.T, s *Store) (next inQueue, ok bool) {
	t.Helper()
	var number int64
	must(t, s.write(t.Context(), db.ID{}, func(w *writeTx) error {
		next, number = inQueue{}, 0
		if err := w.Do(db.Each(func(r db.Rows) error { return r.Scan(&number, &next.organization, &next.job) },
			`SELECT id, args->>'organization', args->>'subject' FROM river_job WHERE queue = 'exports' AND state IN ('available', 'scheduled') ORDER BY priority, scheduled_at, id LIMIT 1`)); err != nil {
			return err
		}
		return w.Do(db.Exec(`DELETE FROM river_job WHERE id = $1`, number))
	}))
	return next, number != 0
}

// ended lists which of the jobs are not running.
func ended(t *testing.T, s *Store, sc organization.Scope, jobs []string, status export.Status) (n int) {
	t.Helper()
	for _, id := range jobs {
		j, err := s.Job(t.Context(), sc, id, export.Left{})
		must(t, err)
		if j.Status == status {
			n++
		}
	}
	return n
}

func TestTheManyLargeExportsOfSomeHoldUpNobodysSmallOne(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		ask := func(sc organization.Scope, many int) (ids []string) {
			for range many {
				j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
				must(t, err)
				ids = append(ids, j.ID)
			}
			return ids
		}
		at := site(turn) // one worker, and a step is a piece
		step := func() (inQueue, bool) {
			next, ok := take(t, s)
			if ok {
				_, err := step(t.Context(), s, organization.In(next.organization), next.job, at)
				must(t, err)
			}
			return next, ok
		}
		a, b, small := tenant(t, s, "A"), tenant(t, s, "B"), tenant(t, s, "small")
		for _, large := range []organization.Scope{a, b} {
			for n := range openedAtOnce + openedAtOnce/2 { // of more than one piece
				film(t, s, large, session(fmt.Sprintf("%03d", n), ptr(noon.Add(-time.Duration(n)*time.Minute))),
					walked(2, "A", -1))
			}
		}
		film(t, s, small, session("one", &noon), walked(2, "A", -1))
		ofA, ofB := ask(a, 10), ask(b, 6)
		for round := range 3 {
			for range 5 {
				step()
			}
			ofSmall := ask(small, 2)
			for steps := 0; ended(t, s, small, ofSmall, export.Completed) < 2; steps++ {
				if steps == 3*inLine {
					t.Fatalf("in round %d a small export is not done after a step of each that stands before it", round)
				}
				step()
			}
		}
		// Of one organization the exports go on by turns, and in the end all are done.
		last := map[inQueue]int{}
		for n := 0; ; n++ {
			next, ok := step()
			if !ok {
				break
			}
			if before, ok := last[next]; ok && n-before < inLine && ended(t, s, a, ofA, export.Running) > inLine {
				t.Errorf("step %d is of the same export as step %d, and others wait", n, before)
			}
			last[next] = n
		}
		if done := ended(t, s, a, ofA, export.Completed) + ended(t, s, b, ofB, export.Completed); done != 16 {
			t.Errorf("%d of 16 exports are done, and the queue is empty", done)
		}
	})
}

func TestAnExportThatCannotGoOnLetsTheOthersPassAndHasFailedInTheEnd(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("one", &noon), walked(2, "A", -1))
		var ids []string
		for range 5 {
			j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
			must(t, err)
			ids = append(ids, j.ID)
		}
		away := errors.New("the bucket does not answer")
		sound, failing := site(turn), site(turn)
		failing.open = func(context.Context, string, int) (string, error) { return "", away }
		var again []inQueue // what the queue tries once more
		for tries := 0; ; {
			next, ok := take(t, s)
			if !ok && len(again) == 0 {
				break
			}
			if !ok {
				next, again = again[0], again[1:]
			}
			at := sound
			if next.job == ids[0] {
				at = failing
			}
			if _, err := step(t.Context(), s, sc, next.job, at); err != nil {
				if tries++; !errors.Is(err, away) || tries > export.MaxFailures {
					t.Fatalf("try %d: %v", tries, err)
				}
				again = append(again, next)
			}
		}
		if ended(t, s, sc, ids, export.Completed) != 4 || ended(t, s, sc, ids[:1], export.Failed) != 1 {
			t.Error("not all others are done, or the one has not failed")
		}
		if j, err := s.Job(t.Context(), sc, ids[0], export.Left{}); err != nil || len(j.ErrorMessage) == 0 ||
			j.CompletedAt == nil {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

func TestAnExportWhoseJobAnImportEndsGivesItsPlaceToAnother(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		var ids []string
		for range inLine + 1 {
			j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
			must(t, err)
			ids = append(ids, j.ID)
		}
		waiting := ids[inLine]
		if queued(t, s, "export", waiting) != 0 {
			t.Fatal("more stand in the queue than may")
		}
		endIt(t, s, sc, ids[0])
		if _, err := step(t.Context(), s, sc, ids[0], site(turn)); err != nil || queued(t, s, "export", waiting) != 1 {
			t.Errorf("the place is not given on: %v", err)
		}
		// The same in the middle of a step.
		j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		film(t, s, sc, session("one", &noon), walked(2, "A", -1))
		at := site(turn)
		at.open = func(context.Context, string, int) (string, error) { endIt(t, s, sc, ids[1]); return "", nil }
		if _, err := step(t.Context(), s, sc, ids[1], at); err != nil || queued(t, s, "export", j.ID) != 1 {
			t.Errorf("the place of one that was being built is not given on: %v", err)
		}
	})
}

func TestTheWorkerOfACanceledExportIsToldWhenItSaysThatItIsAlive(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("one", &noon), walked(2, "A", -1))
		j, err := s.CreateJob(t.Context(), sc, export.Request{}, nil)
		must(t, err)
		b, _, err := s.ClaimBuild(t.Context(), sc, j.ID, export.Budget)
		must(t, err)
		must(t, s.Extend(t.Context(), b.Held()))
		_, err = s.CancelJob(t.Context(), sc, j.ID, nil)
		must(t, err)
		if err := s.Extend(t.Context(), b.Held()); !errors.Is(err, job.ErrLost) {
			t.Errorf("of a canceled export: %v", err)
		}
		must(t, b.Release(t.Context(), false))
		if ended(t, s, sc, []string{j.ID}, export.Canceled) != 1 {
			t.Error("it was not canceled")
		}
	})
}

func TestASnapshotMayWaitForItsTurnForLong(t *testing.T) {
	s := (place{t, Options{DatabaseURL: empty.Database(t)}}).open(still)
	limit := func(read func(context.Context, db.ID, func(db.Tx) error) error) (text string) {
		must(t, read(t.Context(), db.ID{}, func(tx db.Tx) error {
			return tx.Do(db.One(db.Into(&text), `SELECT current_setting('idle_in_transaction_session_timeout')`))
		}))
		return text
	}
	if aside, short := limit(s.engine.Aside), limit(s.engine.Read); aside != "1h" || short != "1min" {
		t.Errorf("a snapshot that waits is ended after %s, a reader after %s", aside, short)
	}
}

func TestDeletionsAtAnyMomentOfAnExportLeaveTheSumsRight(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		g, chance := newGallery(t, p), chance(t)
		j, err := g.s.CreateJob(t.Context(), g.sc, export.Request{}, nil)
		must(t, err)
		var lock sync.Mutex
		looks := 0
		var once sync.Once
		var beside sync.WaitGroup
		at := site(func(context.Context) error {
			once.Do(func() {
				beside.Go(func() {
					for range 40 {
						lock.Lock()
						g.deleteOne(t, chance)
						lock.Unlock()
					}
				})
			})
			return nil
		})
		at.open = func(ctx context.Context, table string, rows int) (string, error) {
			lock.Lock()
			defer lock.Unlock()
			reason, err := g.look(ctx, table, rows)
			if looks++; looks == 90 {
				g.deleteBob(t)
			} else if looks%20 == 0 || reason != "" && looks%2 == 0 {
				g.deleteOne(t, chance)
			}
			return reason, err
		}
		builtAt(t, g.s, g.sc, j.ID, at)
		beside.Wait()
		r, err := g.s.Result(t.Context(), g.sc, j.ID)
		must(t, err)
		sums(t, g.s, g.sc, j.ID)
		parts, skipped := g.want(export.Request{})
		same(t, "parts", partsWithIDs(t, g, r), parts)
		var left []string
		for _, skip := range r.Job.Skipped {
			left = append(left, skip.SessionID)
		}
		same(t, "left out", left, skipped)
	})
}

// deleteOne deletes any capture.
func (g *gallery) deleteOne(t *testing.T, chance *rand.Rand) {
	n := chance.IntN(len(g.list))
	if err := g.s.DeleteCapture(context.Background(), g.sc, g.list[n].SessionID,
		func(string) error { return nil }); err != nil {
		t.Error(err)
	}
	g.list = slices.Delete(slices.Clone(g.list), n, n+1)
}

// deleteBob deletes an athlete, and the captures that are nobody else's.
func (g *gallery) deleteBob(t *testing.T) {
	if err := g.s.DeleteAthlete(context.Background(), g.sc, g.bob, anybody); err != nil {
		t.Error(err)
	}
	var list []filmed
	for _, f := range g.list {
		if slices.Equal(f.AthleteIDs, []string{g.bob}) {
			continue
		}
		f.AthleteIDs = slices.DeleteFunc(slices.Clone(f.AthleteIDs), func(a string) bool { return a == g.bob })
		list = append(list, f)
	}
	g.list = list
}

// endIt has an import say that a job has ended.
func endIt(t *testing.T, s *Store, sc organization.Scope, jobID string) {
	_, err := s.Import(context.Background(),
		sc, []manifest.Record{{Job: &export.Job{ID: jobID, Status: export.Canceled, CreatedAt: noon,
			CompletedAt: &noon}}}, false)
	if err != nil {
		t.Error(err)
	}
}

package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// death is where a worker dies: in a work, after a number of steps of it. After 0 it was
// handed the job and did nothing; after the last one all is done and the queue does not
// know.
type death struct {
	work  string
	after int
}

// simulation is a queue whose workers die, on a clock of its own. The jobs are those
// that the store puts into the queue; who works on them, and when the queue hands a job
// of a dead worker on by itself, follows the times that internal/jobs gives to the queue.
type simulation struct {
	t      *testing.T
	s      *Store
	sc     organization.Scope
	ahead  func(time.Duration)
	deaths []death             // to come, in order
	taken  map[int64]time.Time // jobs that a dead worker has, and since when
	later  map[int64]time.Time // jobs that asked to come again
	before []job.Begun         // what the last round found
	steps  map[string]func(subject string) []func() (time.Duration, error)
}

// The times of the queue: internal/jobs sets these.
const (
	queueTick   = 5 * time.Second
	queueRound  = 15 * time.Second
	queueRescue = 50 * time.Second // of a short job
)

func newSimulation(t *testing.T, s *Store, sc organization.Scope, ahead func(time.Duration)) *simulation {
	q := &simulation{t: t, s: s, sc: sc, ahead: ahead, taken: map[int64]time.Time{}, later: map[int64]time.Time{}}
	watch := func(work string) func(string) []func() (time.Duration, error) {
		return func(subject string) []func() (time.Duration, error) {
			return []func() (time.Duration,
				error){func() (time.Duration, error) { return s.Watch(t.Context(), about(sc, work, subject)) }}
		}
	}
	q.steps = map[string]func(string) []func() (time.Duration, error){
		job.Process: q.processing, job.Watch: watch(job.Process),
		job.ExportFile: q.copying, job.WatchExportFile: watch(job.ExportFile),
	}
	return q
}

// processing are the steps of reading a file.
func (q *simulation) processing(session string) []func() (time.Duration, error) {
	var work *upload.Work
	name := organization.NewUUID()
	return []func() (time.Duration, error){
		func() (wait time.Duration, err error) {
			work, wait, err = q.s.Claim(q.t.Context(), q.sc, session)
			return wait, err
		},
		func() (time.Duration, error) {
			if work == nil {
				return 0, nil
			}
			return 0, q.s.ExpectMade(q.t.Context(), q.sc, work, q.s.now().Add(time.Hour), name)
		},
		func() (time.Duration, error) {
			if work == nil {
				return 0, nil
			}
			return 0, q.s.Finish(q.t.Context(), q.sc, work, upload.Outcome{Table: name, Info: []byte(`{}`)})
		},
	}
}

// copying are the steps of making a file of a result.
func (q *simulation) copying(subject string) []func() (time.Duration, error) {
	var work *export.FileWork
	name := organization.NewUUID()
	return []func() (time.Duration, error){
		func() (wait time.Duration, err error) {
			work, wait, err = q.s.ClaimFile(q.t.Context(), q.sc, subject)
			return wait, err
		},
		func() (time.Duration, error) {
			if work == nil {
				return 0, nil
			}
			return 0, q.s.ExpectFile(q.t.Context(), q.sc, work, name)
		},
		func() (time.Duration, error) {
			if work == nil {
				return 0, nil
			}
			_, err := q.s.FinishFile(q.t.Context(), q.sc, work, name, 5)
			return 0, err
		},
	}
}

// waiting is a job that the queue has.
type waiting struct {
	number, attempt int64
	work, subject   string
	running         bool
	at              time.Time
}

// jobs gives what the queue has of the works of the simulation.
func (q *simulation) jobs() (found []waiting) {
	q.t.Helper()
	must(q.t, q.s.engine.Once(q.t.Context(), db.ID{}, db.Each(func(r db.Rows) error {
		var j waiting
		var state, at string
		if err := r.Scan(&j.number, &j.attempt, &j.work, &j.subject, &state, &at); err != nil {
			return err
		}
		moment, err := time.Parse(time.DateTime, strings.Replace(at[:len(time.DateTime)], "T", " ", 1))
		if zone := at[len(time.DateTime):]; strings.ContainsAny(zone, "+-") && !strings.HasSuffix(zone, "+00") &&
			!strings.HasSuffix(zone, "+00:00") {
			return fmt.Errorf("the queue's times are not in UTC: %q", at)
		}
		j.at, j.running = moment, state == "running"
		if q.steps[j.work] != nil {
			found = append(found, j)
		}
		return err
	}, `SELECT id, attempt, kind, args->>'subject', CAST(state AS TEXT), CAST(scheduled_at AS TEXT) FROM river_job WHERE finalized_at IS NULL ORDER BY id`)))
	return found
}

func (q *simulation) set(number int64, how string) {
	q.t.Helper()
	must(q.t, q.s.write(q.t.Context(), idOf(q.t, q.sc), func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE river_job SET `+how+` WHERE id = $1 AND state = 'running'`, number))
	}))
}

// work has a living worker take a job; it may die of what is planned.
func (q *simulation) work(j waiting) {
	q.t.Helper()
	must(q.t, q.s.write(q.t.Context(), idOf(q.t, q.sc), func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = created_at WHERE id = $1`, j.number))
	}))
	steps := q.steps[j.work](j.subject)
	for done := 0; ; done++ {
		if len(q.deaths) > 0 && q.deaths[0] == (death{j.work, done}) {
			q.deaths = q.deaths[1:]
			q.taken[j.number] = q.s.now()
			return
		}
		if done == len(steps) {
			break
		}
		wait, err := steps[done]()
		must(q.t, err)
		if wait > 0 {
			q.later[j.number] = q.s.now().Add(wait)
			q.set(j.number, `state = 'available'`)
			return
		}
	}
	q.set(j.number, `state = 'completed', finalized_at = attempted_at`)
}

// tick lets some time pass and everybody do what is theirs.
func (q *simulation) tick(n int) {
	q.t.Helper()
	q.ahead(queueTick)
	if n%int(queueRound/queueTick) == 0 {
		begun, err := q.s.Begun(q.t.Context())
		must(q.t, err)
		for _, b := range begun {
			if slices.Contains(q.before, b) {
				must(q.t, q.s.Reclaim(q.t.Context(), b))
			}
		}
		q.before = begun
	}
	for _, j := range q.jobs() {
		short := (job.Job{Work: j.work}).Queue() == job.Quick
		switch since, dead := q.taken[j.number]; {
		case j.running && dead && short && q.s.now().Sub(since) > queueRescue:
			delete(q.taken, j.number)
			q.set(j.number, `state = 'available'`)
		case !j.running && !j.at.After(q.s.now()) && !q.later[j.number].After(q.s.now()):
			q.work(j)
		}
	}
}

// until lets time pass until something holds, and fails when that takes longer than is
// allowed.
func (q *simulation) until(allowed time.Duration, what string, holds func() bool) {
	q.t.Helper()
	for n := 1; !holds(); n++ {
		if time.Duration(n)*queueTick > allowed {
			q.t.Fatalf("after %s, %s is not so: %+v", allowed, what, q.jobs())
		}
		q.tick(n)
	}
}

// perDeath is how long a death may put work off: a lease or two rounds of the search
// until it is noticed, and the queue's own time for a short job.
const perDeath = job.Lease + 2*queueRound + queueRescue + 2*queueTick

// points are the places where the workers of a work and of its watch can die.
func points(work, watch string) []death {
	var all []death
	for n := range 4 {
		all = append(all, death{work, n})
	}
	return append(all, death{watch, 0}, death{watch, 1})
}

// pairs are all pairs of deaths, in the order in which they happen, and some longer rows
// of them.
func pairs(t *testing.T, points []death, rows, length int) [][]death {
	var all [][]death
	for _, a := range points {
		for _, b := range points {
			all = append(all, []death{a, b})
		}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for range rows {
		var row []death
		for range length {
			row = append(row, points[random.IntN(len(points))])
		}
		all = append(all, row)
	}
	return all
}

// idle says that no job is left that a dead worker has.
func (q *simulation) idle() bool {
	return !slices.ContainsFunc(q.jobs(), func(j waiting) bool { return j.running })
}

func TestAnUploadIsReadWhateverItsWorkersDieOfAndHoweverOften(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ahead := clock(s)
		for _, deaths := range pairs(t, points(job.Process, job.Watch), 12, 7) {
			t.Run(fmt.Sprint(deaths), func(t *testing.T) {
				q := newSimulation(t, s, sc, ahead)
				q.deaths = deaths
				allowed := time.Duration(len(deaths)+1) * perDeath
				session, _ := arrived(t, s, sc)
				q.until(allowed, "the file is read", func() bool {
					got, why := status(t, s, sc, session)
					if got != capture.Completed && got != capture.Processing {
						t.Fatalf("the capture is %s: %s", got, why)
					}
					return got == capture.Completed
				})
				q.until(allowed, "no job of a dead worker is left", q.idle)
			})
		}
	})
}

func TestAFileOfAResultIsMadeWhateverTwoWorkersDieOf(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("a", &noon), walked(3, "A", -1))
		ahead := clock(s)
		for _, deaths := range pairs(t, points(job.ExportFile, job.WatchExportFile), 0, 0) {
			t.Run(fmt.Sprint(deaths), func(t *testing.T) {
				r := exported(t, s, sc, export.Request{})
				q := newSimulation(t, s, sc, ahead)
				q.deaths = deaths
				allowed := 3 * perDeath
				must(t, s.Keep(t.Context(), sc, r.Job.ID, export.CSV, ""))
				q.until(allowed, "the file is made",
					func() bool { return kept(t, s, sc, r.Job.ID, export.CSV).Name != "" })
				q.until(allowed, "no job of a dead worker is left", q.idle)
			})
		}
	})
}

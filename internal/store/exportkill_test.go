package store

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/job"
)

// life is how long a worker lives: it dies with one of the times that it turns to the
// database, and then is not heard of any more. Its store is one of its own on the same
// database.
type life struct {
	left int // times until it dies; it is dead below 0
	// late has the last transaction committed all the same: the worker does not live to
	// hear of it.
	late bool
	// asleep is called instead of dying, and then the worker goes on as if it had only
	// slept.
	asleep func()
	lock   sync.Mutex
}

var errDead = errors.New("the worker is dead")

// of is the worker's view of a store.
func (l *life) of(s *Store) *Store {
	return &Store{engine: mortal{s.engine, l}, log: s.log, now: s.now}
}

// turns counts a time that the worker turns to the database.
func (l *life) turns() (dies, dead bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.left < 0 {
		return false, l.asleep == nil
	}
	l.left--
	if l.left >= 0 {
		return false, false
	}
	if l.asleep != nil {
		l.asleep()
		return false, false
	}
	return true, false
}

// mortal is an engine whose caller dies.
type mortal struct {
	db.Engine
	life *life
}

func (m mortal) Write(ctx context.Context, org db.ID, fn func(*db.Write) error) error {
	dies, dead := m.life.turns()
	if dead || dies && !m.life.late {
		return errDead
	}
	if err := m.Engine.Write(ctx, org, fn); err != nil || !dies {
		return err
	}
	return errDead
}

// slow is an engine that takes its time in the middle of a transaction.
type slow struct {
	db.Engine
	in     int // which transaction, from 0
	middle func()
}

func (e *slow) Write(ctx context.Context, org db.ID, fn func(*db.Write) error) error {
	e.in--
	if e.in != -1 {
		return e.Engine.Write(ctx, org, fn)
	}
	return e.Engine.Write(ctx, org, func(w *db.Write) error {
		if w.Attempt == 1 {
			w.Tx = &slowTx{w.Tx, e.middle}
		}
		return fn(w)
	})
}

// slowTx takes its time after the first statements.
type slowTx struct {
	db.Tx
	middle func()
}

func (t *slowTx) Do(statements ...db.Statement) error {
	err := t.Tx.Do(statements...)
	if t.middle != nil {
		t.middle()
		t.middle = nil
	}
	return err
}

func (m mortal) Read(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	if dies, dead := m.life.turns(); dies || dead {
		return errDead
	}
	return m.Engine.Read(ctx, org, fn)
}

func (m mortal) Aside(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	if dies, dead := m.life.turns(); dies || dead {
		return errDead
	}
	return m.Engine.Aside(ctx, org, fn)
}

// kills is how many workers are killed: KINEBASE_TEST_KILLS of them.
func kills(t *testing.T) int {
	t.Helper()
	text := os.Getenv("KINEBASE_TEST_KILLS")
	if text == "" {
		return 60
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("KINEBASE_TEST_KILLS must be a number of workers, not %q", text)
	}
	return n
}

// trial is one export whose workers die.
type trial struct {
	*testing.T
	*gallery
	job      string
	deaths   int
	progress float64
	died     map[string]int // what the dead were at
}

// state is what is kept of a job, its parts included, to see that a zombie changes none
// of it.
func (r *trial) state() string {
	var text strings.Builder
	org := idOf(r.T, r.sc)
	line := func(row db.Rows) error {
		var s string
		err := row.Scan(&s)
		text.WriteString(s + "\n")
		return err
	}
	must(r.T, r.s.engine.Once(context.Background(), org,
		db.Each(line, `SELECT concat_ws(' ', status, attempt, deaths, lease, chosen, looked, parts, row_count, progress, line) FROM export_job JOIN export_build ON job = id WHERE job = $1`, r.job),
		db.Each(line, `SELECT concat_ws(' ', count(*), SUM(n), SUM(row_count)) FROM export_part WHERE job = $1`, r.job),
		db.Each(line, `SELECT concat_ws(' ', count(*), SUM(uses)) FROM export_column WHERE job = $1`, r.job),
		db.Each(line, `SELECT concat_ws(' ', count(*), SUM(row_count)) FROM export_block WHERE job = $1`, r.job),
		db.Each(line, `SELECT concat_ws(' ', 'at', chosen, looked) FROM export_build WHERE job = $1`, r.job)))
	return text.String()
}

// leased says whether somebody alive has the job, whether it is known to be without a
// worker, and whether its parts are listed.
func (r *trial) leased() (yes, free, listed bool) {
	must(r.T, r.s.engine.Once(context.Background(), idOf(r.T, r.sc), db.Each(func(row db.Rows) error {
		var lease, chosen int64
		err := row.Scan(&lease, &chosen)
		yes, free, listed = db.FromMicros(lease).After(r.s.now()), lease == 0, chosen != notChosen
		return err
	}, `SELECT lease, chosen FROM export_build WHERE job = $1`, r.job)))
	return yes, free, listed
}

// running asks for the job, whose progress never goes back.
func (r *trial) running() bool {
	j, err := r.s.Job(context.Background(), r.sc, r.job, export.Left{})
	must(r.T, err)
	if j.Progress < r.progress || j.Progress > 1 || j.Progress == 1 && j.Status == export.Running {
		r.Fatalf("after %v the progress is %v, %s", r.progress, j.Progress, j.Status)
	}
	r.progress = j.Progress
	return j.Status == export.Running
}

// goneBy lets a lease run out: whoever had it is dead, and the job goes on by itself.
func (r *trial) goneBy() {
	leased, free, listed := r.leased()
	if leased {
		r.deaths++
	}
	switch {
	case !leased:
		r.died["between steps"]++
	case listed:
		r.died["looking"]++
	default:
		r.died["listing"]++
	}
	r.ahead(job.Lease + time.Second)
	before := queued(r.T, r.s, job.Export, r.job)
	wait, err := r.s.Watch(context.Background(), about(r.sc, job.Export, r.job))
	must(r.T, err)
	if more := queued(r.T, r.s, job.Export, r.job) - before; wait != 0 || free && more != 0 || !free && more != 1 {
		r.Fatalf("after a death (free: %v) %d jobs, wait %s", free, more, wait)
	}
}

// works has a worker do steps while it lives.
func (r *trial) works(l *life, at builds) {
	for r.running() {
		_, err := step(context.Background(), l.of(r.s), r.sc, r.job, at)
		if errors.Is(err, errDead) {
			return
		}
		must(r.T, err)
	}
}

func TestAThousandDeathsOfWorkersLeaveEveryExportWholeAndInOneState(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		g, chance := newGallery(t, p), chance(t)
		ends, died, all := map[export.Status]int{}, map[string]int{}, kills(t)
		for killed := 0; killed < all; {
			request := []export.Request{{}, {Athletes: []string{g.bob, g.ann}}, {RowFilter: export.FrameZero},
				{RowFilter: "left_foot_strike"}}[chance.IntN(4)]
			j, err := g.s.CreateJob(t.Context(), g.sc, request, nil)
			must(t, err)
			g.opened = map[string]bool{}
			r := &trial{T: t, gallery: g, job: j.ID, died: died}
			canceled := false
			at := site(turn)
			at.open = g.look
			for r.running() {
				l := &life{left: chance.IntN(12)}
				if r.deaths+chance.IntN(3) >= job.MaxDeaths { // some get through
					l.left = 1000
				}
				before, leased := "", false
				switch chance.IntN(8) {
				case 0, 1:
					l.late = true
				case 2, 3: // a zombie: others take over while it sleeps
					l.asleep = func() {
						killed++
						if leased, _, _ = r.leased(); leased {
							r.goneBy()
						}
						for range 1 + chance.IntN(3) {
							_, err := step(context.Background(), g.s, g.sc, r.job, at)
							must(t, err)
						}
						if chance.IntN(2) == 0 { // and die of it
							killed++
							r.works(&life{left: chance.IntN(6)}, at)
						}
						before = r.state()
					}
				case 4: // a canceled job
					if chance.IntN(3) == 0 {
						l.asleep = func() {
							_, err := g.s.CancelJob(context.Background(), g.sc, r.job, nil)
							must(t, err)
							canceled, leased, before = true, true, r.state()
							killed++
							died["canceled"]++
						}
					}
				}
				if l.asleep == nil {
					r.works(l, at)
					if l.left < 0 && r.running() {
						killed++
						r.goneBy()
					} else if l.left < 0 {
						killed++
						died["ending"]++
					}
					continue
				}
				for r.running() && before == "" {
					_, err := step(context.Background(), l.of(g.s), g.sc, r.job, at)
					must(t, err)
				}
				if leased && before != r.state() {
					t.Fatalf("a zombie has changed\n%s\ninto\n%s", before, r.state())
				}
				if died, _, _ := r.leased(); died && r.running() {
					r.goneBy()
				}
			}
			got, err := g.s.Result(t.Context(), g.sc, r.job)
			must(t, err)
			ends[got.Job.Status]++
			sums(t, g.s, g.sc, r.job)
			switch got.Job.Status {
			case export.Completed:
				if r.deaths >= job.MaxDeaths || canceled {
					t.Errorf("completed after %d deaths, canceled: %v", r.deaths, canceled)
				}
				parts, skipped := g.want(request)
				for _, part := range parts {
					session, _, _ := strings.Cut(part, " ")
					if !g.opened["table of "+session] {
						t.Errorf("nobody has looked at the table of %s", session)
					}
				}
				same(t, "parts", partsWithIDs(t, g, got), parts)
				var left []string
				for _, skip := range got.Job.Skipped {
					left = append(left, skip.SessionID)
				}
				same(t, "left out", left, skipped[:min(len(skipped), export.DefaultSkipped)])
			case export.Failed:
				if r.deaths != job.MaxDeaths || got.Job.ErrorMessage != endedThrice || canceled {
					t.Errorf("after %d deaths: %+v", r.deaths, got.Job)
				}
			case export.Canceled:
				if !canceled {
					t.Error("nobody has canceled it")
				}
			}
			g.ahead(export.Life + time.Minute)
			_, err = g.s.ForgetResult(t.Context(), g.sc, r.job)
			must(t, err)
			if t.Failed() {
				t.FailNow()
			}
		}
		t.Logf("dead: %v; exports: %v", died, ends)
		if ends[export.Completed] == 0 || died["listing"] == 0 || died["looking"] == 0 || died["between steps"] == 0 {
			t.Error("not every step has met a death")
		}
	})
}

func TestAWorkerThatIsReplacedInTheMiddleOfItsTransactionIsRefused(t *testing.T) {
	p := postgres(t) // on SQLite there is nobody else in the middle of one
	g := newGallery(t, p)
	at := site(turn)
	at.open = g.look
	long := at
	long.step = time.Hour
	for what, in := range map[string]int{"listing": 1, "looking": 4} {
		j, err := g.s.CreateJob(t.Context(), g.sc, export.Request{}, nil)
		must(t, err)
		r := &trial{T: t, gallery: g, job: j.ID}
		before := ""
		e := &slow{Engine: g.s.engine, in: in, middle: func() {
			g.ahead(job.Lease + time.Second)
			_, err := step(context.Background(), g.s, g.sc, r.job, at)
			must(t, err)
			before = r.state()
		}}
		zombie := &Store{engine: e, log: g.s.log, now: g.s.now}
		_, err = step(t.Context(), zombie, g.sc, r.job, long)
		must(t, err)
		if before == "" || before != r.state() {
			t.Errorf("%s: a zombie has changed\n%s\ninto\n%s", what, before, r.state())
		}
		got := builtAt(t, g.s, g.sc, r.job, at)
		sums(t, g.s, g.sc, r.job)
		parts, _ := g.want(export.Request{})
		same(t, "parts", partsWithIDs(t, g, got), parts)
	}
}

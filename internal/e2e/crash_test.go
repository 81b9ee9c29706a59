package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// crashes is how often a server is killed: KINEBASE_TEST_CRASHES times.
func crashes(t *testing.T) int {
	t.Helper()
	text := os.Getenv("KINEBASE_TEST_CRASHES")
	switch {
	case text != "":
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("KINEBASE_TEST_CRASHES must be a number of rounds, not %q", text)
		}
		return n
	case testing.Short():
		return 3
	}
	return 10
}

// callers is how many write at the same time.
const callers = 8

// TestEveryAcknowledgedWriteSurvivesKill9 kills the server under writes again and
// again. What was acknowledged is there afterwards, what was not is there as a
// whole or not at all, and lists and searches agree with the records.
func TestEveryAcknowledgedWriteSurvivesKill9(t *testing.T) {
	testkit.Long(t)
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place := e.Place(t)
		m := machineAt(t, place)
		run := newTrial(t, m)
		slowest := time.Duration(0)
		for round := range crashes(t) {
			s := m.serve()
			slowest = max(slowest, s.ready)
			run.inspect(s)
			if t.Failed() {
				t.Fatalf("in round %d", round)
			}

			// The importer is another process: every other time it lives on when the
			// server dies, and must get everything in.
			importer := run.importing()
			stop := run.begin(s, false)
			run.amidst()
			if round%2 == 0 {
				importer.kill()
			}
			s.kill()
			stop()
			importer.wait(round%2 == 1)
			if e == apptest.PostgreSQL {
				awaitBackends(t, place["database-url"])
			}
		}
		s := m.serve()
		run.inspect(s)
		run.report(slowest)
	})
}

// awaitBackends waits until PostgreSQL has noticed that the killed client is gone:
// until then it may still be at what it was last told.
func awaitBackends(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	testkit.Until(t, "PostgreSQL notices that its client was killed", func() bool {
		var n int
		err := conn.QueryRow(t.Context(),
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kinebase'`).Scan(&n)
		return err == nil && n == 0
	})
}

// TestAServerOutlivesItsDatabase kills PostgreSQL under the server. While it is
// away everything is answered with 503, and when it is back the server goes on by
// itself, with everything that was acknowledged.
func TestAServerOutlivesItsDatabase(t *testing.T) {
	testkit.Long(t)
	p := testkit.Postgres(t, testkit.Durable())
	m := machineAt(t, map[string]string{"database-url": p.Database(t)})
	run := newTrial(t, m)
	s := m.serve()
	slowest := time.Duration(0)
	for round := range crashes(t) {
		run.inspect(s)
		if t.Failed() {
			t.Fatalf("in round %d:\n%s", round, tail(s.logs()))
		}
		importer := run.importing()
		stop := run.begin(s, true)
		run.amidst()
		p.Kill(t)
		run.awaitRefusal()
		if got := s.page("/readyz"); got != http.StatusServiceUnavailable {
			t.Errorf("without its database /readyz answers %d", got)
		}
		if got := s.page("/healthz"); got != http.StatusOK {
			t.Errorf("without its database /healthz answers %d", got)
		}
		p.Start(t)
		back := time.Now()
		testkit.Until(t, "the server is ready again", func() bool { return s.page("/readyz") == http.StatusOK })
		slowest = max(slowest, time.Since(back))
		run.awaitSuccess()
		stop()
		importer.wait(false)
	}
	run.inspect(s)
	run.report(slowest)
}

// trial is one organization that is written to while things break.
type trial struct {
	t       *testing.T
	m       *machine
	chance  *rand.Rand
	org     string
	secret  string
	writers []*writer
	lab     *lab
	rounds  int

	acknowledged, refused atomic.Int64
	captures              int64 // that were there after a crash, all rounds together
}

func newTrial(t *testing.T, m *machine) *trial {
	r := &trial{t: t, m: m, chance: seeded(t), lab: &lab{t: t, folder: t.TempDir()}}
	r.org = m.organization()
	_, r.secret = m.token(r.org)
	for n := range callers {
		r.writers = append(r.writers,
			&writer{t: t, name: fmt.Sprintf("w%d", n), chance: rand.New(rand.NewPCG(r.chance.Uint64(), 0)),
				acknowledged: &r.acknowledged, refused: &r.refused})
	}
	// One import is left in peace, so that there is something from the start.
	r.importing().wait(true)
	return r
}

// amidst waits for the moment of a crash: after a random number of further writes,
// which is sometimes none, so that the first ones are hit too.
func (r *trial) amidst() {
	r.t.Helper()
	crash := r.acknowledged.Load() + r.chance.Int64N(400)
	testkit.Until(r.t, "enough is written for a crash", func() bool { return r.acknowledged.Load() >= crash })
}

// begin lets everybody write until the server is gone or the returned function is
// called. Beside the writers somebody deletes the oldest batch of captures.
func (r *trial) begin(s *server, outage bool) (stop func()) {
	ctx, enough := r.t.Context(), make(chan struct{})
	var all sync.WaitGroup
	for _, w := range r.writers {
		w.client, w.outage = s.client(r.secret), outage
		all.Go(func() { w.work(ctx, enough) })
	}
	if len(r.lab.batches) > 3 {
		oldest, c := r.lab.batches[0], s.client(r.secret)
		all.Go(func() {
			err := oldest.remove(ctx, c)
			if got := status(err); got != 200 && got != 0 && !(outage && got == 503) && !busy(err) {
				r.t.Errorf("delete an athlete with its captures: %v", err)
			}
		})
	}
	return func() {
		close(enough)
		all.Wait()
	}
}

func (r *trial) awaitRefusal() {
	r.t.Helper()
	before := r.refused.Load()
	testkit.Until(r.t, "a write is refused", func() bool { return r.refused.Load() > before })
}

func (r *trial) awaitSuccess() {
	r.t.Helper()
	before := r.acknowledged.Load()
	testkit.Until(r.t, "a write goes through again", func() bool { return r.acknowledged.Load() > before+callers })
}

func (r *trial) inspect(s *server) {
	r.t.Helper()
	c := s.client(r.secret)
	inspect(r.t.Context(), r.t, c, r.writers)
	r.lab.inspect(r.t.Context(), c, &lists{t: r.t, url: s.url, secret: r.secret, http: s.http()})
	r.captures += int64(len(r.lab.batches)) * (batchLines - 1)
	for len(r.lab.batches) > 4 { // a crash often comes before a deletion
		if err := r.lab.batches[0].remove(r.t.Context(), c); err != nil {
			r.t.Fatalf("delete a batch: %v", err)
		}
		r.lab.batches = r.lab.batches[1:]
	}
}

func (r *trial) report(slowest time.Duration) {
	r.t.Helper()
	if r.acknowledged.Load() == 0 || r.captures == 0 {
		r.t.Error("nothing was written, so nothing was tested")
	}
	r.t.Logf("%d rounds, %d writes acknowledged, %d refused, %d captures looked at, ready again after at most %v",
		r.rounds, r.acknowledged.Load(), r.refused.Load(), r.captures, slowest.Round(time.Millisecond))
}

// importer is a running import.
type importer struct {
	t       *testing.T
	batches []*batch
	kill    func()
	wait    func(mustSucceed bool)
}

// importing starts an import of a new batch and of two that are there, with
// another status. Every third time there is none: an import keeps the writers
// waiting, and then fewer of their writes are under way.
func (r *trial) importing() *importer {
	r.t.Helper()
	r.rounds++
	if r.rounds%3 == 0 {
		return &importer{kill: func() {}, wait: func(bool) {}}
	}
	next := newBatch(r.rounds)
	batches := []*batch{next}
	if n := len(r.lab.batches); n > 1 { // the oldest is being deleted
		batches = append(batches, r.lab.batches[max(1, n-2):]...)
	}
	r.lab.batches = append(r.lab.batches, next)
	file := r.lab.manifest(batches, capture.Statuses[r.rounds%len(capture.Statuses)])
	cmd := r.m.onStore("import", "--json", "--org", r.org, file)
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	return &importer{t: r.t, batches: batches,
		kill: func() { _ = cmd.Process.Kill() },
		wait: func(mustSucceed bool) {
			err := cmd.Wait()
			if err != nil {
				if mustSucceed {
					r.t.Errorf("the import ended with %v:\n%s", err, &failure)
				}
				return
			}
			want := summary{Athletes: int64(len(batches)), Captures: int64(len(batches) * (batchLines - 1))}
			if got := parseSummary(r.t, out.Bytes()); got != want {
				r.t.Errorf("the import says %+v, want %+v", got, want)
			}
			settle(batches)
		},
	}
}

// tail is the end of a log.
func tail(log string) string {
	if len(log) > 4000 {
		return "…" + log[len(log)-4000:]
	}
	return log
}

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// fleet are three servers on one PostgreSQL, one Redis and one bucket, behind a proxy.
type fleet struct {
	*testing.T
	*machine
	database string
	proxy    *proxy
	servers  [3]*server
	secret   string
	by       *http.Client // of the callers; nil: one that is patient

	mortal  atomic.Bool // servers are killed and frozen, so that answers may be missing
	writers []*writer
	enough  chan struct{}
	all     sync.WaitGroup
	lost    atomic.Int64 // requests without an answer

	acknowledged, refused atomic.Int64
	lock                  sync.Mutex
	filmed                map[string]bool  // captures whose file was read
	exported              map[string]int64 // exports that have ended, with their rows
}

// The captures that are uploaded have so many frames.
const fleetFrames = 12

// The load is steady and not all that the machine bears: it goes on while leases run out, which takes a minute.
const (
	fleetStep = 60 * time.Millisecond  // between two calls of a writer, or two looks at what is under way
	fleetTurn = 600 * time.Millisecond // between two files, or two exports
)

func newFleet(t *testing.T) *fleet {
	return fleetAt(t, apptest.PostgreSQL.Place(t), testkit.Bucket(t), testkit.Redis(t).Addr, "")
}

// fleetAt is a fleet whose neighbours are where it is told, of the program in a file; "" for the one that is tested.
func fleetAt(t *testing.T, place map[string]string, bucket testkit.S3Bucket, redis, file string) *fleet {
	f := &fleet{T: t, machine: machineAt(t, place), database: place["database-url"], proxy: newProxy(t, 3),
		enough: make(chan struct{}), filmed: map[string]bool{}, exported: map[string]int64{}}
	f.file = file
	// The proxy looks twenty times a second, so that this is long even on a busy machine.
	f.env = append(append(f.env, inBucket(bucket)...), "KINEBASE_DRAIN_DELAY=5s", "KINEBASE_REDIS_URL="+redis,
		"KINEBASE_RATE_LIMIT=100000:100000")
	_, f.secret = f.token(f.organization())
	for n := range f.servers {
		f.start(n)
	}
	return f
}

// start has a new server in a place.
func (f *fleet) start(n int) {
	f.Helper()
	f.servers[n] = f.serve()
	f.proxy.put(n, f.servers[n])
	f.proxy.await(f.T, n, true, "the proxy finds the server ready")
}

// through is a client that calls by the proxy.
func (f *fleet) through() *client.Client {
	f.Helper()
	return f.as(f.secret)
}

// as is a client with another token.
func (f *fleet) as(secret string) *client.Client {
	f.Helper()
	by := f.by
	if by == nil {
		by = f.servers[0].http()
	}
	c, err := client.New(f.proxy.URL+"/v1", secret, client.WithHTTPClient(by))
	if err != nil {
		f.Fatal(err)
	}
	return c
}

// missing notes a request that was not answered, which is a fault unless servers die.
func (f *fleet) missing(what string, err error) {
	if f.lost.Add(1); !f.mortal.Load() {
		f.Errorf("%s was lost: %v", what, err)
	}
}

// load begins the load: athletes that are made, changed, read and deleted, files that are uploaded, exports.
func (f *fleet) load() {
	chance := seeded(f.T)
	for n := range 3 {
		w := &writer{t: f.T, name: fmt.Sprintf("f%d", n), chance: rand.New(rand.NewPCG(chance.Uint64(), 0)),
			client: f.through(), acknowledged: &f.acknowledged, refused: &f.refused}
		f.writers = append(f.writers, w)
		f.all.Go(func() {
			for !f.over() {
				w.outage, w.mortal = f.mortal.Load(), f.mortal.Load()
				// What is deleted for certain makes room; inspect misses none of it.
				w.entries = slices.DeleteFunc(w.entries, func(e *entry) bool { return e.now == nil && !e.doubt })
				if !w.step(f.Context()) && !f.Failed() {
					f.missing("a call about an athlete", nil)
				}
				<-time.After(fleetStep)
			}
		})
	}
	f.all.Go(func() { f.upload(f.through()) })
	f.all.Go(func() { f.export(f.through()) })
}

// over says whether the load is to end.
func (f *fleet) over() bool {
	select {
	case <-f.enough:
		return true
	default:
		return f.Failed()
	}
}

// insist makes a call until it is answered as it should; a call that changes something has an idempotency key. false:
// the load ends.
func (f *fleet) insist(what string, call func() error) bool {
	for !f.Failed() {
		err := call()
		switch code := status(err); {
		case err == nil:
			return true
		case code == 0, code == http.StatusServiceUnavailable && !busy(err):
			f.missing(what, err)
		case code == http.StatusConflict && strings.Contains(err.Error(), "is still running"):
			// A server that is frozen for longer than another one waits has the call under way.
		case code != http.StatusServiceUnavailable:
			f.Errorf("%s: %v", what, err)
		}
		<-time.After(fleetStep)
	}
	return false
}

// upload brings files, one after the other, until they are read.
func (f *fleet) upload(c *client.Client) {
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 2), Frames: fleetFrames})
	for n := 0; !f.over(); n++ {
		var r *client.Reservation
		ok := f.insist("a reservation", func() (err error) {
			r, err = c.Reserve(f.Context(), client.NewCapture{FileName: "walk.c3d", Activity: "fleet"},
				client.IdempotencyKey(fmt.Sprintf("reserve %d", n)))
			return err
		})
		if !ok {
			return
		}
		// The bucket takes the file; the servers have no part in it.
		testkit.Until(f.T, "the bucket takes the file",
			func() bool { return c.Upload(f.Context(), r, bytes.NewReader(file)) == nil })
		for state := ""; state != "completed"; {
			if !f.insist("a look at a capture", func() error {
				one, err := c.Capture(f.Context(), r.SessionID)
				if err == nil {
					state = one.Status
				}
				return err
			}) {
				return
			}
			if state == "error" {
				f.Errorf("the capture %s could not be read", r.SessionID)
				return
			}
			<-time.After(fleetStep)
		}
		f.lock.Lock()
		f.filmed[r.SessionID] = true
		f.lock.Unlock()
		<-time.After(fleetTurn)
	}
}

// export asks for all frames, one export after the other.
func (f *fleet) export(c *client.Client) {
	for n := 0; !f.over(); n++ {
		f.lock.Lock()
		before := int64(len(f.filmed))
		f.lock.Unlock()
		var job *client.ExportJob
		if !f.insist("an export", func() (err error) {
			job, err = c.CreateExport(f.Context(), client.NewExport{},
				client.IdempotencyKey(fmt.Sprintf("export %d", n)))
			return err
		}) {
			return
		}
		id := job.ID
		for job.Status == client.JobRunning {
			if !f.insist("a look at an export", func() error {
				one, err := c.ExportJob(f.Context(), id)
				if err == nil {
					job = one
				}
				return err
			}) {
				return
			}
			<-time.After(fleetStep)
		}
		if job.Status != client.JobCompleted || job.RowCount == nil || *job.RowCount%fleetFrames != 0 ||
			*job.RowCount/fleetFrames < before {
			f.Errorf("of %d captures that were there before, the export is %+v", before, job)
			return
		}
		f.lock.Lock()
		f.exported[id] = *job.RowCount
		f.lock.Unlock()
		<-time.After(fleetTurn)
	}
}

// progress waits until each part of the load has gone on.
func (f *fleet) progress(what string) {
	f.Helper()
	count := func() (written int64, filmed, exported int) {
		f.lock.Lock()
		defer f.lock.Unlock()
		return f.acknowledged.Load(), len(f.filmed), len(f.exported)
	}
	w, u, e := count()
	begun := time.Now()
	defer func() {
		written, filmed, exported := count()
		f.Logf("%s: %d writes, %d files and %d exports in %v", what, written-w, filmed-u, exported-e,
			time.Since(begun).Round(time.Millisecond))
	}()
	testkit.Until(f.T, what+" all goes on", func() bool {
		written, filmed, exported := count()
		return f.Failed() || written >= w+30 && filmed >= u+2 && exported >= e+2
	})
	if f.Failed() {
		f.FailNow()
	}
}

// settle ends the load and waits until nothing of it is under way at any server or in the database.
func (f *fleet) settle() {
	f.Helper()
	close(f.enough)
	f.all.Wait()
	for _, s := range f.servers {
		testkit.Until(f.T, "no request is under way", func() bool {
			return strings.Contains(s.text("/metrics"), "\nkinebase_http_requests_running 0\n")
		})
	}
	conn, err := pgx.Connect(f.Context(), f.database)
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	testkit.Until(f.T, "no transaction is left over", func() bool {
		var n int
		err := conn.QueryRow(f.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND application_name = 'kinebase' AND state <> 'idle' AND xact_start < now() - interval '1 second'`).Scan(&n)
		return err == nil && n == 0
	})
}

// inspect holds all that the servers have against what was acknowledged, at each of them.
func (f *fleet) inspect() {
	f.Helper()
	ctx := f.Context()
	inspect(ctx, f.T, f.servers[1].client(f.secret), f.writers)
	for n, s := range f.servers {
		c := s.client(f.secret)
		page, err := c.ListAthletes(ctx, client.AthleteFilter{Limit: 1})
		living := int64(0)
		for _, w := range f.writers {
			living += int64(len(w.entries))
		}
		if err != nil || page.TotalCount != living {
			f.Errorf("server %d has %+v (%v), want %d athletes", n, page, err, living)
		}
		seen := map[string]bool{}
		for one, err := range c.Captures(ctx, client.CaptureFilter{}) {
			if err != nil {
				f.Fatal(err)
			}
			if one.Status != "completed" || seen[one.SessionID] {
				f.Errorf("server %d has %+v", n, one)
			}
			seen[one.SessionID] = true
		}
		if !maps.Equal(seen, f.filmed) {
			f.Errorf("server %d has %d captures, and %d were made", n, len(seen), len(f.filmed))
		}
		rows := map[string]int64{}
		for job, err := range c.ExportJobs(ctx) {
			if err != nil || job.RowCount == nil {
				f.Fatalf("an export is %+v: %v", job, err)
			}
			rows[job.ID] = *job.RowCount
		}
		if !maps.Equal(rows, f.exported) {
			f.Errorf("server %d has %d exports, and %d were made", n, len(rows), len(f.exported))
		}
		for _, id := range slices.Sorted(maps.Keys(rows))[:2] {
			page, err := c.ExportResults(ctx, id, 1, 0)
			if err != nil || page.TotalCount != rows[id] {
				f.Errorf("server %d gives %+v of an export: %v", n, page, err)
			}
		}
		if got := s.page("/readyz"); got != http.StatusOK {
			f.Errorf("server %d answers %d", n, got)
		}
	}
}

// signal sends one to a server.
func (f *fleet) signal(n int, what syscall.Signal) {
	f.Helper()
	if err := f.servers[n].cmd.Process.Signal(what); err != nil {
		f.Fatal(err)
	}
}

// restart stops each server in turn and starts another one in its place, as an upgrade does it.
func (f *fleet) restart(what string) {
	f.Helper()
	for n := range f.servers {
		f.signal(n, syscall.SIGTERM)
		f.proxy.await(f.T, n, false, "the proxy learns that the server stops")
		<-f.servers[n].ended
		if err := f.servers[n].failure; err != nil {
			f.Errorf("a server that was asked to stop ended with %v\n%s", err, tail(f.servers[n].logs()))
		}
		f.start(n)
		f.progress(what)
	}
}

// live has each server restarted under load, then killed, then frozen at least so long.
func (f *fleet) live(frozen time.Duration) {
	f.load()
	f.progress("with three servers")
	f.restart("after a restart")
	restarted := f.lost.Load()
	f.mortal.Store(true)
	for n := range f.servers {
		f.servers[n].kill()
		f.progress("with one server killed")
		f.start(n)
	}
	killed := f.lost.Load()
	for n := range f.servers {
		f.signal(n, syscall.SIGSTOP)
		f.proxy.await(f.T, n, false, "the proxy learns that the server is frozen")
		<-time.After(frozen)
		f.progress("with one server frozen")
		f.signal(n, syscall.SIGCONT)
		f.proxy.await(f.T, n, true, "the server is there again")
	}
	frozenLost := f.lost.Load()
	f.mortal.Store(false)
	f.progress("in the end")
	f.settle()
	f.inspect()
	f.Logf("%d writes, %d files, %d exports; without an answer: %d by restarts, %d by kills, %d by freezes; refused %d",
		f.acknowledged.Load(), len(f.filmed), len(f.exported), restarted, killed-restarted, frozenLost-killed,
		f.refused.Load())
}

// TestOfThreeServersAnyMayBeRestartedKilledOrFrozen does so with each, under load. A restart loses no request; a kill
// or a freeze leaves some without an answer, and nothing that was acknowledged is lost or there twice.
func TestOfThreeServersAnyMayBeRestartedKilledOrFrozen(t *testing.T) {
	testkit.Long(t)
	newFleet(t).live(0)
}

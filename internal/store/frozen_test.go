package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
)

// notes is a log for a writer and a reader at the same time.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

// frost is a store on a PostgreSQL that can be frozen.
type frost struct {
	t *testing.T
	*Store
	server *testkit.PostgresServer
	clock  testkit.Timers
	log    notes
}

func newFrost(t *testing.T) *frost {
	f := &frost{t: t, server: testkit.Postgres(t, testkit.Durable())}
	o := Options{DatabaseURL: f.server.Database(t), Timer: f.clock.After,
		Log: slog.New(slog.NewTextHandler(&f.log, nil))}
	f.Store = place{t, o}.open()
	return f
}

// resume lets the server go on, and waits until it has answered.
func (f *frost) resume() {
	f.t.Helper()
	f.server.Cont(f.t)
	testkit.Until(f.t, "PostgreSQL is asked and answers", func() bool {
		f.clock.Pass(breaker.Pause)
		return !f.Breaker().Open()
	})
}

func (f *frost) unavailable(what string, err error) {
	f.t.Helper()
	var told *fault.Error
	if !errors.As(err, &told) || told.Code != fault.Unavailable || told.RetryAfter == 0 || !breaker.Silent(err) {
		f.t.Errorf("%s: %v", what, err)
	}
}

func TestEveryCallOfAFrozenDatabaseEndsAndTheNextOnesFailAtOnceUntilItGoesOn(t *testing.T) {
	f := newFrost(t)
	sc := tenant(t, f.Store, "Lab")
	ada := person("Ada")
	must(t, f.CreateAthlete(t.Context(), sc, ada, nil))
	calls := []struct {
		what string
		call func(ctx context.Context) error
	}{
		{"whether it answers", f.Ready},
		{"a read", func(ctx context.Context) error { _, err := f.Athlete(ctx, sc, ada.ID); return err }},
		{"a list", func(ctx context.Context) error {
			_, err := f.Captures(ctx, sc, capture.Query{Limit: 10})
			return err
		}},
		{"a list of athletes", func(ctx context.Context) error {
			_,
				err := f.Athletes(ctx, sc, athlete.Query{Limit: 10})
			return err
		}},
		{"a read aside", func(ctx context.Context) error {
			_, err := f.Estimate(ctx, sc, export.Request{})
			return err
		}},
		{"a write", func(ctx context.Context) error { return f.CreateAthlete(ctx, sc, person("Bob"), nil) }},
		{"a write of a job", func(ctx context.Context) error {
			_, err := f.CreateJob(ctx, sc, export.Request{}, nil)
			return err
		}},
		{"the latest moment", f.Mark},
		{"all organizations", func(ctx context.Context) error { _, err := f.Organizations(ctx); return err }},
		{"a fold", func(ctx context.Context) error {
			org := sc.Organization
			err := f.engine.Fold(ctx, org, func(db.Tx) error { return nil })
			if errors.Is(err, db.ErrElsewhere) { // the store's own fold is at it
				return nil
			}
			return db.ToFault(err)
		}},
	}
	for i, first := range calls {
		f.server.Stop(t)
		ended := make(chan error, 1)
		go func() { ended <- first.call(t.Context()) }()
		f.clock.Await(t, breaker.AnswerTime, breaker.Patience)
		f.unavailable(first.what, testkit.Receive(t, ended, first.what+" ends"))
		for _, next := range calls {
			go func() { ended <- next.call(t.Context()) }()
			f.unavailable(next.what+" after "+first.what, testkit.Receive(t, ended, next.what+" fails at once"))
		}
		f.resume()
		for _, next := range calls {
			if err := next.call(t.Context()); err != nil {
				t.Errorf("after it went on, %s: %v", next.what, err)
			}
		}
		text := f.log.String()
		if out, back := strings.Count(text, "the database does not answer"),
			strings.Count(text, "the database answers again"); out != i+1 || back != i+1 ||
			strings.Count(text, "level=WARN") != i+1 {
			t.Fatalf("after %d outages the log says:\n%s", i+1, text)
		}
	}
}

func TestWhatWasAcknowledgedBeforeADatabaseFrozeIsThereAfterwardsAndNothingIsThereTwice(t *testing.T) {
	f := newFrost(t)
	sc := tenant(t, f.Store, "Lab")
	var mu sync.Mutex
	kept := map[string]bool{} // by id: whether that was acknowledged
	var writing sync.WaitGroup
	begun := make(chan struct{}, 1000)
	for n := range 8 {
		writing.Go(func() {
			for i := 0; ; i++ {
				a := person(fmt.Sprintf("A%d-%d", n, i))
				err := f.CreateAthlete(t.Context(), sc, a, nil)
				mu.Lock()
				kept[a.ID] = err == nil
				mu.Unlock()
				if err != nil {
					if !fault.Is(err, fault.Unavailable) {
						t.Error(err)
					}
					return
				}
				select {
				case begun <- struct{}{}:
				default:
				}
			}
		})
	}
	for range 50 {
		testkit.Receive(t, begun, "athletes are created")
	}
	f.server.Stop(t)
	f.clock.Await(t, breaker.AnswerTime, breaker.Patience)
	writing.Wait()
	f.resume()
	testkit.Until(t, "the list has all that are there", func() bool { // a COMMIT may have been under way
		page, err := f.Athletes(t.Context(), sc, athlete.Query{Limit: 1})
		must(t, err)
		there := 0
		for id, acknowledged := range kept {
			_, err := f.Athlete(t.Context(), sc, id)
			if err == nil {
				there++
			}
			if acknowledged && err != nil || err != nil && !fault.Is(err, fault.NotFound) {
				t.Fatalf("an athlete, acknowledged: %v, is now %v", acknowledged, err)
			}
		}
		return page.TotalCount == int64(there)
	})
}

func TestAStatementThatIsSlowOpensNoBreakerAndIsNotEnded(t *testing.T) {
	f := newFrost(t)
	sc := tenant(t, f.Store, "Lab")
	org := sc.Organization
	holds, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 2)
	go func() {
		ended <- f.write(t.Context(), org, func(w *writeTx) error {
			if err := w.Line(); err != nil {
				return err
			}
			close(holds)
			<-release
			return nil
		})
	}()
	testkit.Receive(t, holds, "a transaction holds a lock")
	go func() { ended <- f.write(t.Context(), org, func(w *writeTx) error { return w.Line() }) }()
	f.clock.Await(t, breaker.Patience)
	f.clock.Await(t, breaker.Patience) // both have asked, and were answered
	close(release)
	for range 2 {
		if err := testkit.Receive(t, ended, "both end"); err != nil {
			t.Error(err)
		}
	}
	if f.Breaker().Opened() > 0 || strings.Contains(f.log.String(), "answer") {
		t.Errorf("the breaker opened %d times:\n%s", f.Breaker().Opened(), f.log.String())
	}
}

func TestASQLiteStoreHasNoNeighbour(t *testing.T) {
	s := place{t, Options{Data: t.TempDir()}}.open()
	if s.Breaker() != nil {
		t.Error("it has a breaker")
	}
}

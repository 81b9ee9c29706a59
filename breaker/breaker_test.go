package breaker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// neighbour can be frozen.
type neighbour struct {
	mu     sync.Mutex
	thawed chan struct{} // closed while it answers
	asked  int           // questions
	calls  int
}

func newNeighbour() *neighbour {
	n := &neighbour{thawed: make(chan struct{})}
	close(n.thawed)
	return n
}

func (n *neighbour) freeze() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.thawed = make(chan struct{})
}

func (n *neighbour) thaw() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.thawed)
}

// answer takes a while, and longer when the neighbour is frozen then.
func (n *neighbour) answer(ctx context.Context, count *int, after time.Duration) error {
	n.mu.Lock()
	*count++
	n.mu.Unlock()
	select {
	case <-time.After(after):
	case <-ctx.Done():
		return ctx.Err()
	}
	n.mu.Lock()
	thawed := n.thawed
	n.mu.Unlock()
	select {
	case <-thawed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// askedSoFar is read while another question may be under way.
func (n *neighbour) askedSoFar() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked
}

func (n *neighbour) ask(ctx context.Context) error { return n.answer(ctx, &n.asked, time.Millisecond) }

// call is watched from its beginning to its end.
func (n *neighbour) call(ctx context.Context, b *Breaker, after time.Duration) error {
	return b.Do(ctx, func(ctx context.Context) error {
		w := b.Watch(0, nil)
		defer w.End()
		return n.answer(ctx, &n.calls, after)
	})
}

const refusal = "The storage does not answer."

func start(t *testing.T, n *neighbour) (b *Breaker, lines func() string) {
	var log bytes.Buffer
	b = New(Options{Name: "the bucket", Refusal: refusal, Ask: n.ask, Log: slog.New(slog.NewTextHandler(&log, nil))})
	t.Cleanup(b.Close)
	return b, func() string {
		b.mu.Lock() // the log is written under it
		defer b.mu.Unlock()
		return log.String()
	}
}

func refused(err error) bool {
	var told *fault.Error
	return errors.As(err, &told) && told.Code == fault.Unavailable && told.Message == refusal && told.RetryAfter > 0 &&
		errors.Is(err, ErrOpen)
}

func TestAFrozenNeighbourEndsTheCallsUnderWayAndFailsFurtherOnesAtOnceUntilItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNeighbour()
		b, lines := start(t, n)
		if err := n.call(t.Context(), b, time.Second); err != nil || b.Open() {
			t.Fatalf("a neighbour that answers: %v, open %v", err, b.Open())
		}
		n.freeze()
		began := time.Now()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if err := n.call(t.Context(), b, 0); !refused(err) || !errors.Is(err, context.Canceled) {
					t.Errorf("a call under way: %v", err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != Patience+AnswerTime {
			t.Errorf("the calls under way ended after %v", took)
		}
		calls, began := n.calls, time.Now()
		for range 10 {
			if err := n.call(t.Context(), b, 0); !refused(err) {
				t.Errorf("a call of an open breaker: %v", err)
			}
		}
		if n.calls != calls || time.Since(began) != 0 || !b.Open() || b.Opened() != 1 {
			t.Errorf("%d calls were made within %v, open %v, opened %d times", n.calls-calls, time.Since(began),
				b.Open(), b.Opened())
		}
		waited := make(chan error, 1)
		go func() { waited <- b.Await(t.Context()) }()
		<-time.After(time.Hour)
		if want := 1 + int(time.Hour/(Pause+AnswerTime)); n.asked > want+1 || n.asked < want-1 {
			t.Errorf("it was asked %d times in an hour, want about %d", n.asked, want)
		}
		select {
		case err := <-waited:
			t.Error("work did not wait for the neighbour:", err)
		default:
		}
		if at := b.Answered(); !at.IsZero() {
			t.Errorf("it answered at %v, and never did", at)
		}
		n.thaw()
		if err := <-waited; err != nil || b.Open() {
			t.Errorf("after it answered: %v, open %v", err, b.Open())
		}
		if at := b.Answered(); !at.Equal(time.Now()) {
			t.Errorf("it answered at %v, and not now", at)
		}
		if err := n.call(t.Context(), b, time.Second); err != nil {
			t.Errorf("after it answered: %v", err)
		}
		if out := lines(); strings.Count(out, "\n") != 2 ||
			!strings.Contains(out, "level=WARN msg=\"the bucket does not answer") ||
			!strings.Contains(out, "level=INFO msg=\"the bucket answers again\" outage=") {
			t.Errorf("the log says:\n%s", out)
		}
	})
}

func TestASlowCallOpensNothingWhileTheNeighbourAnswersOtherwise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNeighbour()
		b, lines := start(t, n)
		if err := n.call(t.Context(), b, time.Hour); err != nil {
			t.Error(err)
		}
		if b.Open() || b.Opened() > 0 || lines() != "" || n.askedSoFar() == 0 {
			t.Errorf("open %v, asked %d times, the log says %q", b.Open(), n.askedSoFar(), lines())
		}
		if err := b.Await(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestAnExchangeIsCutOnlyWhenNothingMovesForItsWholeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNeighbour()
		b, _ := start(t, n)
		silent := make(chan time.Time, 2)
		w := b.Watch(10*Patience, func() { silent <- time.Now() })
		for range 100 {
			<-time.After(9 * Patience)
			w.Moved()
		}
		select {
		case <-silent:
			t.Error("an exchange that moves was cut")
		default:
		}
		last := time.Now()
		if took := (<-silent).Sub(last); took < 10*Patience || took > 12*Patience {
			t.Errorf("it was cut %v after its last move", took)
		}
		w.Moved()
		w.End()
		w.End()
		<-time.After(time.Hour)
		if len(silent) > 0 {
			t.Error("it was cut twice")
		}
	})
}

func TestAnOpenBreakerStaysOpenWhileTheNeighbourIsGoneAltogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var here atomic.Bool
		var log bytes.Buffer
		b := New(Options{Name: "the bucket", Refusal: refusal, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Ask: func(context.Context) error {
				if here.Load() {
					return nil
				}
				return errors.New("connection refused")
			}})
		defer b.Close()
		w := b.Watch(0, nil)
		<-time.After(Patience + 1)
		w.End()
		<-time.After(time.Hour)
		if !b.Open() || b.Opened() != 1 {
			t.Errorf("open %v, opened %d times", b.Open(), b.Opened())
		}
		here.Store(true)
		<-time.After(Pause)
		synctest.Wait()
		if b.Open() || strings.Count(log.String(), "\n") != 2 {
			t.Errorf("open %v, the log says:\n%s", b.Open(), log.String())
		}
	})
}

func TestWhatEndsBeforeItsNeighbourAnswersSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNeighbour()
		n.freeze()
		b, _ := start(t, n)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := n.call(ctx, b, 0); !errors.Is(err, context.DeadlineExceeded) || refused(err) {
			t.Errorf("a call whose caller goes: %v", err)
		}
		if err := n.call(t.Context(), b, 0); !refused(err) {
			t.Errorf("a call that waits: %v", err)
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := b.Await(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("work that is ended while it waits: %v", err)
		}
		failed := errors.New("no such file")
		n.thaw()
		<-time.After(Pause + AnswerTime)
		if err := b.Do(t.Context(), func(context.Context) error { return failed }); !errors.Is(err, failed) ||
			refused(err) {
			t.Errorf("an error of the neighbour: %v", err)
		}
	})
}

func TestWithoutANeighbourNothingIsEverRefused(t *testing.T) {
	var b *Breaker
	w := b.Watch(time.Second, nil)
	w.Moved()
	w.End()
	if err := b.Do(t.Context(), func(context.Context) error { return nil }); err != nil || b.Open() ||
		b.Opened() != 0 || b.Await(t.Context()) != nil {
		t.Error(err)
	}
	b.Close()
}

func TestHoweverANeighbourFreezesNoCallIsLostAndNoneOutlastsTheFrost(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for round := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, round))
		synctest.Test(t, func(t *testing.T) {
			n := newNeighbour()
			b, lines := start(t, n)
			var all sync.WaitGroup
			for range 200 {
				arrives, takes := time.Duration(random.Int64N(int64(2*time.Minute))),
					time.Duration(random.Int64N(int64(4*time.Second)))
				all.Go(func() {
					<-time.After(arrives)
					began := time.Now()
					err := n.call(t.Context(), b, takes)
					// The call that is silent first may begin just before the frost ends its
					// answer, and its patience may have to begin once more.
					if took := time.Since(began); took > takes+2*Patience+AnswerTime || err != nil && !refused(err) {
						t.Errorf("a call of %v ended after %v with %v", takes, took, err)
					}
				})
			}
			frosts := 0
			for range 3 {
				<-time.After(time.Duration(random.Int64N(int64(20 * time.Second))))
				n.freeze()
				frosts++
				<-time.After(time.Duration(random.Int64N(int64(30 * time.Second))))
				n.thaw()
			}
			all.Wait()
			<-time.After(Pause + AnswerTime)
			synctest.Wait()
			if b.Open() || len(b.calls) > 0 || b.Opened() > int64(frosts) ||
				strings.Count(lines(), "\n") != 2*int(b.Opened()) {
				t.Errorf("open %v, %d calls, opened %d times in %d frosts, the log says:\n%s", b.Open(), len(b.calls),
					b.Opened(), frosts, lines())
			}
			if err := n.call(t.Context(), b, 0); err != nil {
				t.Error("at the end:", err)
			}
		})
	}
}

// Package breaker is a circuit breaker for each neighbour of the server: the bucket, the
// database. A neighbour that answers errors is there. One that is frozen, or whose
// machine has gone, answers nothing, and every call of it would wait. A call that hears
// nothing for a while therefore has the neighbour asked a question that any neighbour
// answers at once. When that stays without an answer too, the breaker opens: calls under
// way end, and further calls fail at once, until the question is answered again.
//
// A slow call alone opens nothing, for the neighbour answers the question meanwhile.
package breaker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// The times of a breaker.
const (
	// Patience is how long a call hears nothing before the neighbour is asked.
	Patience = 3 * time.Second
	// AnswerTime is how long the neighbour may take to answer the question.
	AnswerTime = 5 * time.Second
	// Pause is the time between two questions while the breaker is open.
	Pause = time.Second
	// retry is how long a refused caller is told to wait.
	retry = 5 * time.Second
)

// ErrOpen is the cause of every refusal while a breaker is open.
var ErrOpen = errors.New("the neighbour does not answer")

// Silent says whether an error is only that a neighbour does not answer. The breaker has
// told of it when it opened.
func Silent(err error) bool { return errors.Is(err, ErrOpen) }

// Timer calls f after a time unless stop is called before.
type Timer func(d time.Duration, f func()) (stop func() bool)

// Options say which neighbour a breaker is for.
type Options struct {
	// Name is what the log calls the neighbour, such as "the bucket".
	Name string
	// Refusal is the sentence that a caller hears while the breaker is open.
	Refusal string
	// Ask asks the neighbour. Nil means that it answered, whatever it answered. Ask
	// returns soon after ctx ends.
	Ask   func(ctx context.Context) error
	Log   *slog.Logger // nil for none
	After Timer        // time.AfterFunc when nil
	// Now tells the time, for the log; time.Now when nil.
	Now func() time.Time
}

// Breaker watches the calls of one neighbour. A nil Breaker is for what has no
// neighbour: it never opens.
type Breaker struct {
	options Options
	life    context.Context // of the questions
	end     context.CancelFunc
	asking  sync.WaitGroup

	mu     sync.Mutex
	asks   bool          // a question is under way, or comes after a pause
	open   bool          // the last question stayed without an answer
	since  time.Time     // when it opened
	back   time.Time     // when it last closed
	closed chan struct{} // closed as soon as the breaker is no longer open
	calls  map[*context.CancelCauseFunc]struct{}
	opened atomic.Int64
}

// New makes a breaker that is not open. Close ends its questions.
func New(o Options) *Breaker {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.After == nil {
		o.After = func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	b := &Breaker{options: o, calls: map[*context.CancelCauseFunc]struct{}{}, closed: make(chan struct{})}
	close(b.closed)
	b.life, b.end = context.WithCancel(context.Background())
	return b
}

// Close ends the questions and waits for the one under way.
func (b *Breaker) Close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	b.end()
	b.mu.Unlock()
	b.asking.Wait()
}

// Open says whether calls fail at once.
func (b *Breaker) Open() bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// Opened says how often the breaker has opened.
func (b *Breaker) Opened() int64 {
	if b == nil {
		return 0
	}
	return b.opened.Load()
}

// Answered is when the neighbour last answered again after it had not; zero when it always did.
func (b *Breaker) Answered() time.Time {
	if b == nil {
		return time.Time{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.back
}

// Await waits until the breaker is not open, for work that nobody waits for. It gives the
// error of ctx when that ends before.
func (b *Breaker) Await(ctx context.Context) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	select {
	case <-closed:
		return nil
	default:
	}
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Leave has something closed that takes leave of the neighbour. While the breaker is open
// nobody is there to take leave of, and it is not waited for.
func (b *Breaker) Leave(closes func()) {
	if b.Open() {
		go closes()
		return
	}
	closes()
}

// Do makes a call of the neighbour. While the breaker is open it is not made, and when
// the breaker opens its context ends. The error is then a fault.Unavailable, with ErrOpen
// as its cause. Whether the call hears anything is for Watch to find out.
func (b *Breaker) Do(ctx context.Context, call func(ctx context.Context) error) error {
	ctx, leave, err := b.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	err = call(ctx)
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrOpen) {
		return &ended{cause, err}
	}
	return err
}

// Enter is Do for a call that goes on until leave is called. It gives the refusal while
// the breaker is open.
func (b *Breaker) Enter(ctx context.Context) (call context.Context, leave func(), err error) {
	if b == nil {
		return ctx, func() {}, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		cancel(nil)
		return nil, nil, b.refusal()
	}
	b.calls[&cancel] = struct{}{}
	return ctx, func() {
		b.mu.Lock()
		delete(b.calls, &cancel)
		b.mu.Unlock()
		cancel(nil)
	}, nil
}

// ended is the error of a call that the breaker has ended: a refusal, and what the call
// said of its end, which may tell what became of it.
type ended struct{ refusal, said error }

func (e *ended) Error() string   { return e.refusal.Error() + " (" + e.said.Error() + ")" }
func (e *ended) Unwrap() []error { return []error{e.refusal, e.said} }

func (b *Breaker) refusal() error { return fault.Busy(ErrOpen, retry, b.options.Refusal) }

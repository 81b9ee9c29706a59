package turns

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/fault"
)

type callerKey struct{}

// ForCaller marks what is done for a caller who waits for an answer, and would rather be
// refused than wait for long. Work that nobody waits for waits for its turn however long
// it takes.
func ForCaller(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, true)
}

// UnderWay takes the mark off again, for what would be lost if it were refused now: a
// file that has arrived, an answer that is half sent.
func UnderWay(ctx context.Context) context.Context {
	return context.WithValue(ctx, callerKey{}, false)
}

func isCaller(ctx context.Context) bool {
	caller, _ := ctx.Value(callerKey{}).(bool)
	return caller
}

// Late gives a channel that tells when a caller has waited as long as one waits for a
// turn of the line. For work without a caller it never tells. stop frees the timer.
func (l *Line[K]) Late(ctx context.Context) (late <-chan time.Time, stop func()) {
	if !isCaller(ctx) {
		return nil, func() {}
	}
	timer := time.NewTimer(l.wait)
	return timer.C, func() { timer.Stop() }
}

// Refuse is what a caller hears that has waited for too long.
func Refuse(message string) error { return fault.Busy(nil, retry, message) }

package httpapi

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// FirstAnswer is how long a request may take until its answer begins, where a database or
// a bucket on another machine may keep it waiting. It leaves room for what a request may
// wait for by the rules (a turn, a lock, another request with the same key), and ends
// before the server gives the connection up.
const FirstAnswer = 25 * time.Second

// errLate is why the context of a call ended whose answer did not begin in time.
var errLate = errors.New("the answer did not begin in time")

// hurry has the context of the call end when its answer has not begun in time. That of a
// server without neighbours never ends so.
func (c *call) hurry(limit time.Duration) {
	if limit == 0 {
		return
	}
	ctx, cancel := context.WithCancelCause(c.r.Context())
	c.r, c.limit, c.leave = c.r.WithContext(ctx), limit, cancel
	c.late = time.AfterFunc(limit, func() { cancel(errLate) })
}

// pause stops the time: the answer begins, or the caller itself has to be waited for.
func (c *call) pause() {
	if c.late != nil {
		c.late.Stop()
	}
}

// resume has the time begin once more after pause.
func (c *call) resume() {
	if c.late != nil {
		c.late.Reset(c.limit)
	}
}

// left frees what hurry has taken.
func (c *call) left() {
	if c.late != nil {
		c.late.Stop()
		c.leave(nil)
	}
}

// tooLate makes of an error that the end of the time has caused what the caller hears of
// it; nil for any other.
func (c *call) tooLate(err error) *fault.Error {
	if !errors.Is(err, context.Canceled) || !errors.Is(context.Cause(c.r.Context()), errLate) {
		return nil
	}
	return fault.Busy(err, 5*time.Second, "The server could not answer in time. Try again later.")
}

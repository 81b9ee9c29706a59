package client

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// retry decides whether a call is made again.
type retry struct {
	times   int
	longest time.Duration
	sleep   func(context.Context, time.Duration) error
}

// patience is the wait where a busy server, or a proxy before it, names none.
const patience = time.Second

// after says whether and when to call again after the given number of earlier
// repetitions.
func (r retry) after(err error, repeated int) (time.Duration, bool) {
	var e *Error
	if repeated >= r.times || !errors.As(err, &e) {
		return 0, false
	}
	if e.Status != http.StatusTooManyRequests && e.Status != http.StatusServiceUnavailable {
		return 0, false
	}
	wait := e.RetryAfter
	if wait == 0 {
		wait = patience
	}
	return wait, wait <= r.longest
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// leased is work that this server has taken under a lease.
type leased struct {
	held job.Held
	// do does it.
	do func(context.Context) error
	// tell says how far it is, whenever the lease was extended; nil: nobody asks.
	tell func(context.Context)
	// end says why it was not done. stopping says that neither the work nor what it is about
	// is to blame: this server stops, or the database does not answer.
	end func(ctx context.Context, why error, stopping bool) error
}

// work does some work under its lease.
func (o Options) work(ctx context.Context, l leased) error {
	why := o.alive(ctx, l)
	if why == nil {
		return nil
	}
	if breaker.Silent(why) {
		_ = o.Database.Await(ctx) // else another takes it over
	}
	stopping := ctx.Err() != nil || breaker.Silent(why)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTime)
	defer cancel()
	if err := l.end(ctx, why, stopping); !lost(err) {
		return err
	}
	return nil
}

// alive does the work and extends its lease; job.ErrLost when it is another's meanwhile.
func (o Options) alive(ctx context.Context, l leased) error {
	ctx, stop := context.WithCancelCause(ctx)
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		o.beat(ctx, stop, l)
	}()
	err := safely(func() error { return l.do(ctx) })
	if cause := context.Cause(ctx); err != nil && lost(cause) {
		err = cause
	}
	stop(nil)
	<-beating
	return err
}

// quickBeat is how often a worker tries to say that it is alive while the database does not
// answer.
const quickBeat = 200 * time.Millisecond

// beat says every few seconds that the worker is alive, and stops it when the work
// is not its own any more, or when nobody could be told for so long that it may be.
func (o Options) beat(ctx context.Context, stop context.CancelCauseFunc, l leased) {
	tick := time.NewTicker(job.Beat)
	defer tick.Stop()
	heard := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		switch err := o.Leases.Extend(ctx, l.held); {
		case err == nil:
			heard = time.Now()
			tick.Reset(job.Beat)
			if l.tell != nil {
				l.tell(ctx)
			}
		case breaker.Silent(err):
			// nobody else can take the work over meanwhile, and this worker is to be the first afterwards
			heard = time.Now()
			tick.Reset(quickBeat)
		case lost(err), time.Since(heard) > job.Lease:
			stop(job.ErrLost)
			return
		}
	}
}

// safely makes an error of a panic, which would end the server: the queue catches only those
// of its own goroutines.
func safely(do func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return do()
}

// forget has files erased that an attempt has stored, or may have.
func (o Options) forget(ctx context.Context, s organization.Scope, names ...string) {
	if len(names) == 0 {
		return
	}
	if err := o.Uploads.Forget(ctx, s, names...); err != nil {
		o.Log.Warn("files of an attempt are erased later", "error", err)
	}
}

// lost says whether an error only means that the work is somebody else's by now.
func lost(err error) bool { return errors.Is(err, job.ErrLost) }

// later is when work is tried again that has failed for the attempt-th time.
func later(attempt int64) time.Time {
	return time.Now().Add(min(5*time.Minute, time.Duration(attempt)*5*time.Second))
}

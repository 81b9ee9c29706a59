package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime/debug"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// processor reads the file of a capture and stores its tables. A file that is read gives its
// place in the queue to the next one: storing its tables waits for the disk several times, which
// a disk does for several at once.
type processor struct {
	river.WorkerDefaults[processing]
	Options
	*storing
}

// storing are the files that are read and not yet stored.
type storing struct {
	ctx   context.Context // of all of them: they outlive their jobs
	room  *semaphore.Weighted
	files sync.WaitGroup
}

// storedAtOnce is how many files may be being stored for each worker.
const storedAtOnce = 4

// slack is what a worker needs besides reading: fetching the file, storing tables.
const slack = 30 * time.Minute

// Timeout is how long the queue lets a worker live. Whether it does live, the
// lease tells much sooner.
func (p *processor) Timeout(*river.Job[processing]) time.Duration { return p.ReadTime + slack }

// Work takes the file, reads it and says what became of it.
func (p *processor) Work(ctx context.Context, j *river.Job[processing]) error {
	s := scope(j.Args.Job)
	work, wait, err := p.Leases.Claim(ctx, s, j.Args.Subject)
	if err != nil || wait > 0 || work == nil {
		return again(wait, err)
	}
	// The job can end the work until the file is read, and ends itself then.
	whole, cancel := context.WithTimeout(p.ctx, p.Timeout(j))
	detach := context.AfterFunc(ctx, cancel)
	read, ended := make(chan struct{}), make(chan error, 1)
	p.files.Go(func() {
		defer cancel()
		err := p.process(whole, s, work, func() error {
			if err := p.room.Acquire(whole, 1); err != nil {
				return err
			}
			detach()
			close(read)
			return nil
		})
		select {
		case <-read:
			p.room.Release(1)
			if err != nil { // the lease ends, and another worker takes the file over
				p.Log.Warn("a file that was read could not be stored; it is read again", "organization", s.Organization, "attempt", work.Attempt, "error", err)
			}
		default:
			ended <- err
		}
	})
	select {
	case err = <-ended:
		return err
	case <-read:
		return nil
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

// process reads the file, calls read, and stores what it gave.
func (p *processor) process(ctx context.Context, s organization.Scope, work *upload.Work, read func() error) error {
	var names []string
	err := alive(ctx, func(ctx context.Context) error { return p.Leases.Extend(ctx, s, work) }, func(ctx context.Context) error {
		return safely(func() (err error) {
			var outcome upload.Outcome
			if outcome, names, err = p.outcome(ctx, s, work, read); err != nil {
				return err
			}
			return p.Leases.Finish(ctx, s, work, outcome)
		})
	})
	if err == nil {
		return nil
	}
	return p.end(ctx, s, work, names, err)
}

// alive does some work under a lease that extend extends; upload.ErrLost when it is
// another's meanwhile.
func alive(ctx context.Context, extend, work func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		beat(ctx, stop, extend)
	}()
	err := work(ctx)
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
func beat(ctx context.Context, stop context.CancelCauseFunc, extend func(context.Context) error) {
	tick := time.NewTicker(upload.Beat)
	defer tick.Stop()
	heard := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		switch err := extend(ctx); {
		case err == nil:
			heard = time.Now()
			tick.Reset(upload.Beat)
		case breaker.Silent(err): // nobody else can take the work over meanwhile, and this worker is to be the first afterwards
			heard = time.Now()
			tick.Reset(quickBeat)
		case lost(err), time.Since(heard) > upload.Lease:
			stop(upload.ErrLost)
			return
		}
	}
}

// end says why a file was not processed.
func (p *processor) end(ctx context.Context, s organization.Scope, work *upload.Work, names []string, why error) error {
	if breaker.Silent(why) {
		_ = p.Database.Await(ctx) // else another takes it over
	}
	stopping := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTime)
	defer cancel()
	if len(names) > 0 {
		if err := p.Uploads.Forget(ctx, s, names...); err != nil {
			p.Log.Warn("files of an attempt are erased later", "error", err)
		}
	}
	var unreadable *upload.Unreadable
	var died *upload.Died
	var stopped *upload.Stopped
	var err error
	switch {
	case lost(why):
	case stopping, breaker.Silent(why):
		err = p.Leases.Release(ctx, s, work, time.Time{}, false, "")
	case errors.As(why, &unreadable):
		err = p.Leases.Fail(ctx, s, work, unreadable.Reason)
	case errors.As(why, &died):
		p.Log.Warn("a file ended its reader", "organization", s.Organization, "attempt", work.Attempt, "error", why)
		err = p.Leases.Release(ctx, s, work, time.Time{}, true, died.Reason)
	case errors.As(why, &stopped):
		p.Log.Warn("the reader of a file was stopped, and this server was not", "organization", s.Organization, "attempt", work.Attempt, "error", why)
		err = p.Leases.Release(ctx, s, work, time.Time{}, work.Attempt > upload.MaxStops, stopped.Reason)
	case errors.Is(why, upload.ErrNoFile):
		err = p.Leases.Fail(ctx, s, work, "The file is not in the server's storage any more. Upload it again as a new capture.")
	default:
		p.Log.Warn("a file could not be processed; it is tried again", "organization", s.Organization, "attempt", work.Attempt, "error", why)
		err = p.Leases.Release(ctx, s, work, time.Now().Add(min(5*time.Minute, time.Duration(work.Attempt)*5*time.Second)), false, "")
	}
	if lost(err) {
		return nil
	}
	return err
}

// intentTime is how long files that nobody has taken up are kept.
const intentTime = time.Hour

// outcome reads the file, says that it has, and stores its tables. names are those under
// which something was or may have been stored.
func (p *processor) outcome(ctx context.Context, s organization.Scope, work *upload.Work, read func() error) (o upload.Outcome, names []string, err error) {
	if work.Renew {
		return p.renewed(ctx, s, work)
	}
	original, err := p.Files.Open(ctx, work.Original)
	if err != nil {
		return o, nil, err
	}
	defer func() { _ = original.Close() }() // it was only read
	got, err := p.Reader.Read(ctx, s, work.FileName, original)
	if err != nil {
		return o, nil, err
	}
	defer func() { _ = got.Close() }() // temporary files
	info, err := p.Reader.Measure(ctx, s, upload.MeasuredAs(work.Capture, work.Rate), got.Info, got.Table, got.Samples)
	if err != nil {
		return o, nil, err
	}
	if err := read(); err != nil {
		return o, nil, err
	}
	o = upload.Outcome{Info: info, Rate: got.Rate, Made: got.Made}
	var puts []put
	if got.Table != nil {
		o.Table = upload.TableName(s.Organization, work.Capture)
		puts = append(puts, put{o.Table, got.Table})
		o.TableBytes += got.Table.Size()
	}
	if got.Samples != nil {
		o.Samples = upload.SamplesName(s.Organization, work.Capture)
		puts = append(puts, put{o.Samples, got.Samples})
		o.TableBytes += got.Samples.Size()
	}
	if got.Derived != nil {
		o.Derived = upload.DerivedName(s.Organization, got.Extension)
		puts = append(puts, put{o.Derived, got.Derived})
		o.DerivedBytes = got.Derived.Size()
	}
	names, err = p.store(ctx, s, work, puts)
	return o, names, err
}

// renewed measures the recording as what its capture is now, and copies the tables to the
// names that they would have now, where those are others.
func (p *processor) renewed(ctx context.Context, s organization.Scope, work *upload.Work) (o upload.Outcome, names []string, err error) {
	var puts []put
	var files [2]upload.File
	for i, t := range []struct {
		old  string
		name *string
		make func(string) string
	}{
		{work.Table, &o.Table, func(org string) string { return upload.TableName(org, work.Capture) }},
		{work.Samples, &o.Samples, func(org string) string { return upload.SamplesName(org, work.Capture) }},
	} {
		if t.old == "" {
			continue
		}
		f, err := p.Files.Open(ctx, t.old)
		if err != nil {
			return o, nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		files[i] = f
		o.TableBytes += f.Size()
		if *t.name = t.make(s.Organization); path.Dir(*t.name) == path.Dir(t.old) {
			*t.name = t.old
			continue
		}
		puts = append(puts, put{*t.name, f})
	}
	if o.Info, err = p.Reader.Measure(ctx, s, upload.MeasuredAs(work.Capture, work.Rate), work.Info, files[0], files[1]); err != nil {
		return o, nil, err
	}
	names, err = p.store(ctx, s, work, puts)
	return o, names, err
}

// put is a file to be stored.
type put struct {
	name string
	file upload.File
}

func (p *processor) store(ctx context.Context, s organization.Scope, work *upload.Work, puts []put) (names []string, err error) {
	for _, put := range puts {
		names = append(names, put.name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	if err := p.Leases.Intend(ctx, s, work, time.Now().Add(intentTime), names...); err != nil {
		return nil, err
	}
	for _, put := range puts {
		if _, err := p.Files.Put(ctx, put.name, io.NewSectionReader(put.file, 0, put.file.Size()), put.file.Size()); err != nil {
			return names, err
		}
	}
	return names, nil
}

package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/telemetry"
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
	work, wait, err := p.Readings.Claim(ctx, s, j.Args.Subject)
	if err != nil || wait > 0 || work == nil {
		return again(wait, err)
	}
	// The job can end the work until the file is read, and ends itself then.
	whole, cancel := context.WithTimeout(telemetry.Along(p.ctx, ctx), p.Timeout(j))
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
				p.Log.Warn("a file that was read could not be stored; it is read again", "organization", s.Organization,
					"attempt", work.Held.Attempt, "error", err)
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

// process reads the file, calls read, and stores what it gave.
func (p *processor) process(ctx context.Context, s organization.Scope, work *upload.Work, read func() error) error {
	var names []string
	var how telling
	return p.work(ctx, leased{
		held: work.Held,
		tell: func(ctx context.Context) { how.tell(ctx, p, s, work) },
		do: func(ctx context.Context) (err error) {
			var outcome upload.Outcome
			if outcome, names, err = p.outcome(ctx, s, work, how.hear, read); err != nil {
				return err
			}
			return p.Readings.Finish(ctx, s, work, outcome)
		},
		end: func(ctx context.Context, why error, stopping bool) error {
			p.forget(ctx, s, names...)
			return p.end(ctx, s, work, why, stopping)
		},
	})
}

// end says why a file was not processed.
func (p *processor) end(ctx context.Context, s organization.Scope, work *upload.Work, why error, stopping bool) error {
	var unreadable *upload.Unreadable
	var damaged *upload.Damaged
	var died *upload.Died
	var stopped *upload.Stopped
	var waits *upload.Waits
	switch {
	case errors.As(why, &waits):
		return p.Readings.Release(ctx, s, work, time.Now().Add(cmp.Or(p.WaitEvery, waitTime)), false, "")
	case lost(why):
		return nil
	case stopping:
		return p.Readings.Release(ctx, s, work, time.Time{}, false, "")
	case errors.As(why, &unreadable):
		return p.Readings.Fail(ctx, s, work, unreadable.Reason)
	case errors.As(why, &died):
		p.Log.Warn("a file ended its reader", "organization", s.Organization, "attempt", work.Held.Attempt, "error",
			why)
		return p.Readings.Release(ctx, s, work, time.Time{}, true, died.Reason)
	case errors.As(why, &stopped):
		p.Log.Warn("the reader of a file was stopped, and this server was not", "organization", s.Organization,
			"attempt", work.Held.Attempt, "error", why)
		return p.Readings.Release(ctx, s, work, time.Time{}, work.Held.Attempt > upload.MaxStops, stopped.Reason)
	case errors.As(why, &damaged):
		p.Log.Error("a stored file is damaged", "organization", s.Organization, "name", work.Original)
		return p.Readings.Fail(ctx, s, work, damaged.Reason)
	case errors.Is(why, upload.ErrNoFile):
		return p.Readings.Fail(ctx, s, work,
			"The file is not in the server's storage any more. Upload it again as a new capture.")
	}
	p.Log.Warn("a file could not be processed; it is tried again", "organization", s.Organization, "attempt",
		work.Held.Attempt, "error", why)
	return p.Readings.Release(ctx, s, work, later(work.Held.Attempt), false, "")
}

// expectTime is how long files that nobody has taken up are kept.
const expectTime = time.Hour

// outcome reads the file, which says to hear how far it is, calls read, and stores its tables. names are those
// under which something was or may have been stored.
func (p *processor) outcome(ctx context.Context, s organization.Scope, work *upload.Work, hear func(float64),
	read func() error) (o upload.Outcome, names []string, err error) {
	if work.Renew {
		o, names, err = p.renewed(ctx, s, work)
		var damaged *upload.Damaged
		if !errors.As(err, &damaged) {
			return o, names, err
		}
		p.Log.Error("a motion table is damaged; it is made again of the file that came", "organization", s.Organization,
			"error", err)
		o = upload.Outcome{}
	}
	original, err := p.Files.Open(ctx, work.Original)
	if err != nil {
		return o, nil, err
	}
	defer func() { _ = original.Close() }() // it was only read
	// It was read before, long ago perhaps.
	if work.Info != nil {
		if err := upload.Intact(work.Stored, original); err != nil {
			return o, nil, err
		}
	}
	as := upload.MeasuredAs(work.Capture, work.Rate)
	source := upload.Source{Name: work.FileName, Athletes: work.Capture.AthleteIDs, As: &as, Tell: hear}
	leave, err := p.views(ctx, s, work, original, &source)
	if err != nil {
		return o, nil, err
	}
	defer leave()
	got, err := p.Reader.Read(ctx, s, source, original)
	if err != nil {
		return o, nil, err
	}
	defer func() { _ = got.Close() }() // temporary files
	if err := read(); err != nil {
		return o, nil, err
	}
	o = upload.Outcome{Info: got.Info, Rate: got.Rate, Made: got.Made}
	var puts []put
	if got.Table != nil {
		o.Table = upload.TableName(s.Organization.String(), work.Capture)
		puts = append(puts, put{o.Table, got.Table})
		o.TableBytes += got.Table.Size()
	}
	if got.Samples != nil {
		o.Samples = upload.SamplesName(s.Organization.String(), work.Capture)
		puts = append(puts, put{o.Samples, got.Samples})
		o.TableBytes += got.Samples.Size()
	}
	if got.Derived != nil {
		o.Derived = upload.DerivedName(s.Organization.String(), got.Extension)
		puts = append(puts, put{o.Derived, got.Derived})
		o.DerivedBytes = got.Derived.Size()
	}
	names, err = p.store(ctx, s, work, puts)
	return o, names, err
}

// renewed measures the recording as what its capture is now, and copies the tables to the
// names that they would have now, where those are others.
func (p *processor) renewed(ctx context.Context, s organization.Scope, work *upload.Work) (o upload.Outcome,
	names []string, err error) {
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
		if *t.name = t.make(s.Organization.String()); path.Dir(*t.name) == path.Dir(t.old) {
			*t.name = t.old
			continue
		}
		if err := verified(f); err != nil {
			return o, nil, named(err, t.old)
		}
		puts = append(puts, put{*t.name, f})
	}
	if o.Info, err = p.Reader.Measure(ctx, s, upload.MeasuredAs(work.Capture, work.Rate), work.Info, files[0],
		files[1]); err != nil {
		return o, nil, named(err, work.Table, work.Samples)
	}
	names, err = p.store(ctx, s, work, puts)
	return o, names, err
}

// verified looks whether a table is damaged, which is then not copied.
func verified(f upload.File) error {
	t, err := frames.Open(f, f.Size())
	if err == nil {
		err = t.Verify()
	}
	var damaged *frames.Damaged
	if errors.As(err, &damaged) {
		return &upload.Damaged{Reason: err.Error()}
	}
	return err
}

// named names the tables of which one is damaged.
func named(err error, tables ...string) error {
	var damaged *upload.Damaged
	if errors.As(err, &damaged) {
		err = fmt.Errorf("%s: %w", strings.TrimSpace(strings.Join(tables, " ")), err)
	}
	return err
}

// put is a file to be stored.
type put struct {
	name string
	file upload.File
}

func (p *processor) store(ctx context.Context, s organization.Scope, work *upload.Work, puts []put) (names []string,
	err error) {
	for _, put := range puts {
		names = append(names, put.name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	if err := p.Readings.ExpectMade(ctx, s, work, time.Now().Add(expectTime), names...); err != nil {
		return nil, err
	}
	for _, put := range puts {
		if _, err := p.Files.Put(ctx, put.name, io.NewSectionReader(put.file, 0, put.file.Size()),
			put.file.Size()); err != nil {
			return names, err
		}
	}
	return names, nil
}

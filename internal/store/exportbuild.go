package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// An export is built by a chain of short jobs of the queue, each of which does some
// pieces, keeps how far it has come, and puts the next into the queue. First the parts
// are listed of one snapshot (exportlist.go): that is one job, for a snapshot ends with
// the worker that has it. Then all tables of the parts are opened (exportlook.go). Which
// of an organization's exports stand in the queue is said in exportline.go.
//
// A worker has a job for as long as its lease is extended and its attempt is the
// newest: every transaction that changes something asks for both.

// build is the row in export_build.
type build struct {
	request  export.Request
	erased   bool
	rowCount int64
	chosen   int64 // how many parts were listed, or notChosen
	looked   int64 // the number of the first part that was not looked at
	line     int64
	watched  bool // a job of the queue watches the lease
	failures int
	version  int64
	lease
}

// notChosen stands for the number of parts until all are listed.
const notChosen = -1

// allDone is the progress of a job that is done. Half of it is listing the parts.
const allDone = 10_000

var errNotMine = errors.New("the export is built by another, or not any more")

// lockBuild reads and locks a job and how it is built; nil when it was imported.
func lockBuild(w *writeTx, jobID string) (j export.Job, b *build, err error) {
	if j, err = lockJob(w, jobID); err != nil {
		return j, nil, err
	}
	err = w.do(each(func(r rows) error {
		b = new(build)
		return b.scan(r)
	}, `SELECT `+buildColumns+` FROM export_build WHERE organization = $1 AND job = $2 AND line >= 0`, w.org, jobID))
	return j, b, err
}

const buildColumns = `request, erased, row_count, chosen, looked, line, watched, failures, attempt, deaths, lease, version`

func (b *build) scan(r rows) error {
	var request string
	var erased, watched int64
	if err := r.Scan(&request, &erased, &b.rowCount, &b.chosen, &b.looked, &b.line, &watched, &b.failures, &b.attempt, &b.deaths, &b.until, &b.version); err != nil {
		return err
	}
	b.erased, b.watched = erased != 0, watched != 0
	return json.Unmarshal([]byte(request), &b.request)
}

// building is one attempt to take a job a step further.
type building struct {
	s       *Store
	org     id
	job     string
	site    export.BuildOptions
	begun   time.Time
	attempt int64
	request export.Request
	chosen  int64
	looked  int64
	list    listing
}

// Build takes a job one step further. With wait above 0 another is at it.
func (s *Store) Build(ctx context.Context, sc organization.Scope, jobID string, site export.BuildOptions) (wait time.Duration, err error) {
	org, err := scope(sc)
	if err != nil {
		return 0, err
	}
	p := &building{s: s, org: org, job: jobID, site: site, begun: s.now()}
	if wait, err = p.claim(ctx); err != nil || wait > 0 || p.attempt == 0 {
		return wait, toFault(err)
	}
	alive, end := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { p.watch(alive, end) })
	err = p.step(alive)
	if cause := context.Cause(alive); err != nil && errors.Is(cause, errNotMine) {
		err = cause
	}
	end(nil)
	watching.Wait()
	switch {
	case errors.Is(err, errNotMine):
		return 0, toFault(p.leave(ctx))
	case err != nil:
		if breaker.Silent(err) {
			_ = p.s.Breaker().Await(ctx) // else another takes it over
		}
		p.release(context.WithoutCancel(ctx), ctx.Err() == nil && !breaker.Silent(err))
	}
	return 0, toFault(err)
}

// step does pieces until it has taken its time or nothing is left to be done.
func (p *building) step(ctx context.Context) error {
	if p.chosen == notChosen {
		if ended, err := p.choose(ctx); err != nil || ended {
			return err
		}
	}
	for {
		if more, err := p.look(ctx); err != nil || !more {
			return err
		}
	}
}

const endedThrice = "The export was ended three times while it was built. Narrow the date range or request fewer athletes."

// claim makes the job this worker's.
func (p *building) claim(ctx context.Context) (wait time.Duration, err error) {
	err = p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		wait, p.attempt = 0, 0
		if err := p.s.engine.line(w); err != nil {
			return err
		}
		j, b, err := lockBuild(w, p.job)
		switch {
		case err != nil || b == nil:
			return ignoreMissing(err)
		case j.Status != export.Running: // an import may say so of one that stands in the queue
			return p.s.quit(w, p.job)
		case b.line != stands: // its turn comes
			return nil
		}
		now := p.s.now()
		if wait = b.left(now); wait > 0 {
			return nil
		}
		if b.take(now, export.Lease) {
			b.deaths++
		}
		if b.deaths >= export.MaxDeaths {
			return p.s.end(w, &j, export.Failed, endedThrice)
		}
		p.attempt, p.request, p.chosen, p.looked = b.attempt, b.request, b.chosen, b.looked
		if !b.watched {
			w.enqueue(job.Job{Work: job.WatchExport, Organization: p.org.String(), Subject: p.job, At: now.Add(export.Lease)})
		}
		return w.do(exec(`UPDATE export_build SET attempt = $3, deaths = $4, lease = $5, watched = 1 WHERE organization = $1 AND job = $2`,
			p.org, p.job, p.attempt, int64(b.deaths), b.until))
	})
	return wait, err
}

// mine extends the lease and keeps how far the job has come, which never goes back; or
// it says that the job is not this worker's any more.
func (p *building) mine(w *writeTx, progress int64) (export.Job, error) {
	j, b, err := lockBuild(w, p.job)
	if err != nil {
		return j, err
	}
	if j.Status != export.Running || b == nil || !b.heldBy(p.attempt) {
		return j, errNotMine
	}
	return j, w.do(exec(`UPDATE export_build SET lease = $3, progress = CASE WHEN progress < $4 THEN $4 ELSE progress END WHERE organization = $1 AND job = $2`,
		p.org, p.job, micros(p.s.now().Add(export.Lease)), progress))
}

// How often a worker asks whether the job is still its own, and how often it says that
// it is alive: while it waits for a bucket it says so in no other way.
const (
	askEvery  = 400 * time.Millisecond
	beatEvery = 12 // as many asks
)

// watch cuts the work short as soon as the job is not this worker's any more.
func (p *building) watch(ctx context.Context, end context.CancelCauseFunc) {
	tick := time.NewTicker(cmp.Or(p.s.asks, askEvery))
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := p.s.engine.read(ctx, p.org, p.still)
		if errors.Is(err, errNotMine) {
			end(err)
			return
		}
		if n%beatEvery == 0 && err == nil {
			err = p.beat(ctx)
		}
		if breaker.Silent(err) && p.s.Breaker().Await(ctx) == nil { // before another may take it to be dead
			err = p.beat(ctx)
		}
		if err != nil && ctx.Err() == nil && !breaker.Silent(err) {
			p.s.log.Warn("the worker of an export could not say that it is alive; it says so again", "error", err)
		}
	}
}

// still asks whether the job is this worker's, and locks nothing: it is for those who
// want to know early. Only mine is a promise.
func (p *building) still(t tx) error {
	var attempt int64
	err := t.do(one(into(&attempt), `SELECT b.attempt FROM export_job j JOIN export_build b ON b.organization = j.organization AND b.job = j.id
WHERE j.organization = $1 AND j.id = $2 AND j.status = 'RUNNING' AND b.lease <> 0`, p.org, p.job))
	if errors.Is(err, errNoRow) || err == nil && attempt != p.attempt {
		return errNotMine
	}
	return err
}

// beat extends the lease.
func (p *building) beat(ctx context.Context) error {
	return p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		return w.do(exec(`UPDATE export_build SET lease = $4 WHERE organization = $1 AND job = $2 AND attempt = $3 AND lease <> 0`, p.org, p.job, p.attempt, micros(p.s.now().Add(export.Lease))))
	})
}

// release lets the job go on later, or another in its place. What is tried so often in
// vain has failed.
func (p *building) release(ctx context.Context, failed bool) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err := p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		if err := p.s.engine.line(w); err != nil {
			return err
		}
		j, b, err := lockBuild(w, p.job)
		if err != nil || b == nil || !b.heldBy(p.attempt) {
			return err
		}
		if failed {
			b.failures++
		}
		if b.failures >= export.MaxFailures && j.Status == export.Running {
			return p.s.end(w, &j, export.Failed, "The server's storage could not be read, however often that was tried. Ask for the export again when it can be.")
		}
		if err := w.do(exec(`UPDATE export_build SET lease = 0, failures = $3 WHERE organization = $1 AND job = $2`, p.org, p.job, int64(b.failures))); err != nil || !failed {
			return err
		}
		_, err = p.s.passOn(w, p.job, p.s.now().Add(afterFailure))
		return err
	})
	if err != nil {
		p.s.log.Warn("an export is taken over later", "error", err)
	}
}

// afterFailure is how long an organization's next export waits after one that could not
// go on, for what the one has failed of the next may fail of too.
const afterFailure = 2 * time.Second

// leave gives the place in the queue of a job to another that an import has ended.
func (p *building) leave(ctx context.Context) error {
	return p.s.engine.write(ctx, p.org, func(w *writeTx) error {
		if err := p.s.engine.line(w); err != nil {
			return err
		}
		j, b, err := lockBuild(w, p.job)
		if err != nil || b == nil || j.Status == export.Running {
			return ignoreMissing(err)
		}
		return p.s.quit(w, p.job)
	})
}

// end brings a job to a final state and sees to it that its result is erased in time.
// The line is the transaction's.
func (s *Store) end(w *writeTx, j *export.Job, status export.Status, why string) error {
	now := s.now().UTC().Truncate(time.Millisecond)
	j.Status, j.ErrorMessage, j.CompletedAt = status, why, &now
	forget := job.Job{Work: job.ForgetExport, Organization: w.org.String(), Subject: j.ID}
	if status == export.Completed {
		forget.At = now.Add(export.Life)
	}
	w.enqueue(forget)
	if err := s.quit(w, j.ID); err != nil {
		return err
	}
	return w.putJob(*j)
}

// WatchBuild has a dead worker's job go on.
func (s *Store) WatchBuild(ctx context.Context, sc organization.Scope, jobID string) (wait time.Duration, err error) {
	return s.asked(ctx, sc, func(w *writeTx) (time.Duration, error) {
		j, b, err := lockBuild(w, jobID)
		if err != nil || b == nil || j.Status != export.Running {
			return 0, err
		}
		if b.until != 0 {
			if left := b.left(s.now()); left > 0 {
				return left + time.Second, nil
			}
			w.enqueue(job.Job{Work: job.Export, Organization: sc.Organization, Subject: jobID})
		}
		return 0, w.do(exec(`UPDATE export_build SET watched = 0 WHERE organization = $1 AND job = $2`, w.org, jobID))
	})
}

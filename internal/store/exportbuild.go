package store

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/store/db"
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

// lockBuild reads and locks a job and how it is built; nil when it was imported.
func lockBuild(w *writeTx, jobID string) (j export.Job, b *build, err error) {
	if j, err = lockJob(w, jobID); err != nil {
		return j, nil, err
	}
	err = w.Do(db.Each(func(r db.Rows) error {
		b = new(build)
		return b.scan(r)
	}, `SELECT `+buildColumns+` FROM export_build WHERE organization = $1 AND job = $2 AND line >= 0`, w.Org, jobID))
	return j, b, err
}

const buildColumns = `request, erased, row_count, chosen, looked, line, watched, failures, attempt, deaths, lease, version`

func (b *build) scan(r db.Rows) error {
	var request string
	var erased, watched int64
	if err := r.Scan(&request, &erased, &b.rowCount, &b.chosen, &b.looked, &b.line, &watched, &b.failures, &b.attempt,
		&b.deaths, &b.until, &b.version); err != nil {
		return err
	}
	b.erased, b.watched = erased != 0, watched != 0
	var err error
	b.request, err = requestOf(request)
	return err
}

// building is one attempt to take a job a step further.
type building struct {
	s       *Store
	org     db.ID
	job     string
	held    job.Held
	budget  int64
	request export.Request
	chosen  int64
	looked  int64
	list    listing
}

var _ export.Build = (*building)(nil)

// Held is the job and the attempt.
func (p *building) Held() job.Held { return p.held }

const endedThrice = "The export was ended three times while it was built. Narrow the date range or request fewer " +
	"athletes."

// ClaimBuild takes a job for a step.
func (s *Store) ClaimBuild(ctx context.Context, sc organization.Scope, jobID string, budget int64) (taken export.Build,
	wait time.Duration, err error) {
	org := sc.Organization
	err = s.write(ctx, org, func(w *writeTx) error {
		taken, wait = nil, 0
		if err := w.Line(); err != nil {
			return err
		}
		j, b, err := lockBuild(w, jobID)
		switch {
		case err != nil || b == nil:
			return ignoreMissing(err)
		case j.Status != export.Running: // an import may say so of one that stands in the queue
			return s.quit(w, jobID)
		case b.line != stands: // its turn comes
			return nil
		}
		now := s.now()
		until := b.until
		held, left, died := b.take(job.Job{Work: job.Export, Organization: sc.Organization.String(), Subject: jobID},
			now)
		if wait = left; wait > 0 {
			return nil
		}
		if died && !starved(until, s.engine.Breaker().Answered()) {
			b.deaths++
		}
		if b.deaths >= job.MaxDeaths {
			return s.end(w, &j, export.Failed, endedThrice)
		}
		taken = &building{s: s, org: org, job: jobID, held: held, budget: budget, request: b.request, chosen: b.chosen,
			looked: b.looked}
		if !b.watched {
			w.Enqueue(held.Watching(now))
		}
		return w.Do(db.Exec(`UPDATE export_build SET attempt = $3, deaths = $4, lease = $5, watched = 1 WHERE organization = $1 AND job = $2`,
			org, jobID, b.attempt, int64(b.deaths), b.until))
	})
	return taken, wait, db.ToFault(err)
}

// mine extends the lease and keeps how far the job has come, which never goes back; or
// it says that the job is not this worker's any more.
func (p *building) mine(w *writeTx, progress int64) (export.Job, error) {
	j, b, err := lockBuild(w, p.job)
	if err != nil {
		return j, err
	}
	if j.Status != export.Running || b == nil || !b.heldBy(p.held) {
		return j, job.ErrLost
	}
	return j, w.Do(db.Exec(`UPDATE export_build SET lease = $3, progress = CASE WHEN progress < $4 THEN $4 ELSE progress END WHERE organization = $1 AND job = $2`,
		p.org, p.job, db.Micros(p.s.now().Add(job.Lease)), progress))
}

// still asks whether the job is this worker's, and locks nothing: it is for those who
// want to know early. Only mine is a promise.
func (p *building) still(t db.Tx) error {
	var attempt int64
	err := t.Do(db.One(db.Into(&attempt),
		`SELECT b.attempt FROM export_job j JOIN export_build b ON b.organization = j.organization AND b.job = j.id
WHERE j.organization = $1 AND j.id = $2 AND j.status = 'RUNNING' AND b.lease <> 0`, p.org, p.job))
	if errors.Is(err, db.ErrNoRow) || err == nil && attempt != p.held.Attempt {
		return job.ErrLost
	}
	return err
}

// Release lets the job go on later, or another in its place, as it does when the job was ended
// by an import meanwhile. What is tried so often in vain has failed.
func (p *building) Release(ctx context.Context, failed bool) error {
	return db.ToFault(p.s.write(ctx, p.org, func(w *writeTx) error {
		if err := w.Line(); err != nil {
			return err
		}
		j, b, err := lockBuild(w, p.job)
		switch {
		case err != nil || b == nil:
			return ignoreMissing(err)
		case j.Status != export.Running:
			return p.s.quit(w, p.job)
		case !b.heldBy(p.held):
			return nil
		}
		if failed {
			b.failures++
		}
		if b.failures >= export.MaxFailures {
			return p.s.end(w, &j, export.Failed,
				"The server's storage could not be read, however often that was tried. Ask for the export again when "+
					"it can be.")
		}
		if err := w.Do(db.Exec(`UPDATE export_build SET lease = 0, failures = $3 WHERE organization = $1 AND job = $2`,
			p.org, p.job, int64(b.failures))); err != nil || !failed {
			return err
		}
		_, err = p.s.passOn(w, p.job, p.s.now().Add(afterFailure))
		return err
	}))
}

// afterFailure is how long an organization's next export waits after one that could not
// go on, for what the one has failed of the next may fail of too.
const afterFailure = 2 * time.Second

// end brings a job to a final state and sees to it that its result is erased in time.
// The line is the transaction's.
func (s *Store) end(w *writeTx, j *export.Job, status export.Status, why string) error {
	now, before := s.now().UTC().Truncate(time.Millisecond), j.Status
	j.Status, j.ErrorMessage, j.CompletedAt = status, why, &now
	forget := job.Job{Work: job.ForgetExport, Organization: w.Org.String(), Subject: j.ID}
	if status == export.Completed {
		forget.At = now.Add(export.Life)
	}
	w.Enqueue(forget)
	if err := s.quit(w, j.ID); err != nil {
		return err
	}
	return w.putJob(*j, before)
}

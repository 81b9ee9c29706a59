package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// lease says who works on a row: the file of a capture, an export, a kept file. A worker
// takes it, extends it while it is alive, and gives it back. When it runs out another
// worker takes it under a higher attempt, and whatever the first one writes after that
// is refused.
type lease struct {
	attempt int64 // of the newest worker: it fences all earlier ones
	deaths  int   // of workers, as far as the work is to blame for them
	until   int64 // micros until which the attempt is believed to be alive; 0: given back
}

// left is how long the worker is still believed to be alive; 0: nobody is at work. A
// lease that ran out and one that was given back are the same to whoever looks for work
// that nobody does.
func (l *lease) left(now time.Time) time.Duration { return max(0, db.FromMicros(l.until).Sub(now)) }

// heldBy says whether the attempt still is the newest and was not given back. A lease
// that ran out is still the worker's until another takes it.
func (l *lease) heldBy(h job.Held) bool { return l.until != 0 && l.attempt == h.Attempt }

// giveBack ends the work of the newest attempt.
func (l *lease) giveBack() { l.until = 0 }

// take gives the lease on a job to the next worker, unless another holds it: then wait is
// how long that is believed to be alive. died says that the worker before died with it.
func (l *lease) take(j job.Job, now time.Time) (h job.Held, wait time.Duration, died bool) {
	if wait = l.left(now); wait > 0 {
		return job.Held{}, wait, false
	}
	died = l.until != 0
	l.attempt++
	l.until = db.Micros(now.Add(job.Lease))
	return job.Held{Job: j, Attempt: l.attempt}, 0, died
}

// starved says of a lease that ran out whether its worker may have been unable to extend it: after it last did,
// the database did not answer until the time given. Nobody has died then.
func starved(until int64, answered time.Time) bool {
	return !db.FromMicros(until).Add(-job.Lease).After(answered)
}

// leased locks the lease on what a job is about, and says whether that is still to be done;
// nil when it is not there.
func (s *Store) leased(w *writeTx, j job.Job) (l *lease, wanted bool, err error) {
	switch j.Work {
	case job.Export:
		e, b, err := lockBuild(w, j.Subject)
		if err != nil || b == nil {
			return nil, false, err
		}
		return &b.lease, e.Status == export.Running && b.line == stands, nil
	case job.ExportFile:
		id, format := export.ParseFileSubject(j.Subject)
		f, err := w.lockFile(id, string(format))
		if err != nil || f == nil {
			return nil, false, err
		}
		return &f.lease, f.name == "" && f.notBefore == 0, nil
	}
	if j.Work == job.Gather {
		c, p, err := s.lockPartial(w, j.Subject)
		if err != nil || p == nil {
			return nil, false, err
		}
		return &p.lease, p.whole(c), nil
	}
	c, r, err := s.lockRecording(w, j.Subject)
	if err != nil || r == nil {
		return nil, false, err
	}
	return &r.lease, r.due(c), nil
}

// Extend says that a worker is alive.
func (s *Store) Extend(ctx context.Context, h job.Held) error {
	org := organization.In(h.Organization).Organization
	extend := db.Exec("", org, h.Attempt, db.Micros(s.now().Add(job.Lease)))
	switch h.Work {
	case job.Export:
		extend.SQL, extend.Args =
			`UPDATE export_build SET lease = $3 WHERE organization = $1 AND attempt = $2 AND lease <> 0 AND job = $4`,
			append(extend.Args, h.Subject)
	case job.ExportFile:
		id, format := export.ParseFileSubject(h.Subject)
		extend.SQL, extend.Args =
			`UPDATE export_file SET lease = $3 WHERE organization = $1 AND attempt = $2 AND lease <> 0 AND job = $4 AND format = $5`, append(extend.Args, id, string(format))
	case job.Gather:
		extend.SQL, extend.Args =
			`UPDATE upload_partial SET lease = $3 WHERE organization = $1 AND attempt = $2 AND lease <> 0 AND session_id = $4`, append(extend.Args, h.Subject)
	default:
		extend.SQL, extend.Args =
			`UPDATE recording SET lease = $3 WHERE organization = $1 AND attempt = $2 AND lease <> 0 AND session_id = $4`, append(extend.Args, h.Subject)
	}
	return s.fenced(ctx, org, extend)
}

// fenced runs an update of the row that a worker has a lease on, which changes nothing when the lease is another
// worker's or was given back: then it is job.ErrLost.
func (s *Store) fenced(ctx context.Context, org organization.ID, update db.Statement) error {
	var updated int64
	update.Affected = &updated
	err := s.write(ctx, org, func(w *writeTx) error { return w.Do(update) })
	if err == nil && updated == 0 {
		return job.ErrLost
	}
	return db.ToFault(err)
}

// Watch puts a job whose worker has died into the queue again.
func (s *Store) Watch(ctx context.Context, j job.Job) (wait time.Duration, err error) {
	return s.asked(ctx, organization.In(j.Organization), func(w *writeTx) (time.Duration, error) {
		l, wanted, err := s.leased(w, j)
		if err != nil || l == nil {
			return 0, err
		}
		if left := l.left(s.now()); wanted && left > 0 {
			return left + time.Second, nil
		}
		if wanted && l.until != 0 {
			w.Enqueue(j)
		}
		if j.Work != job.Export {
			return 0, nil
		}
		return 0, w.Do(db.Exec(`UPDATE export_build SET watched = 0 WHERE organization = $1 AND job = $2`, w.Org,
			j.Subject))
	})
}

// asked runs a verb that says when it is worth asking again. What it is about may be
// gone: then there is nothing to be done.
func (s *Store) asked(ctx context.Context, sc organization.Scope, verb func(*writeTx) (time.Duration, error)) (
	wait time.Duration, err error) {
	org := sc.Organization
	err = s.write(ctx, org, func(w *writeTx) (err error) {
		wait, err = verb(w)
		return ignoreMissing(err)
	})
	return wait, db.ToFault(err)
}

// ignoreMissing lets what is not there any more be no error.
func ignoreMissing(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

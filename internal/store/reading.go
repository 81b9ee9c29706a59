package store

import (
	"context"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// A worker that reads a file holds its recording by a lease.

// due says whether there is a file to be read, or tables to be renewed.
func (r *recording) due(c *storedCapture) bool {
	return r != nil && r.Original != "" && (c.Status == capture.Processing || r.stale && c.Status == capture.Completed)
}

// Claim takes a capture's file.
func (s *Store) Claim(ctx context.Context, sc organization.Scope, sessionID string) (work *upload.Work,
	wait time.Duration, err error) {
	org := sc.Organization
	err = s.write(ctx, org, func(w *writeTx) error {
		work, wait = nil, 0
		c, r, err := s.lockRecording(w, sessionID)
		if fault.Is(err, fault.NotFound) || err == nil && !r.due(c) {
			return nil
		}
		if err != nil {
			return err
		}
		now := s.now()
		held, left, died := r.take(job.Job{Work: job.Process, Organization: sc.Organization.String(),
			Subject: sessionID}, now)
		if wait = left; wait > 0 {
			return nil
		}
		// A worker that dies takes its server along, or the other way round: the file is
		// not to blame. It is when its reader dies, which the worker lives to tell.
		if died {
			if err := w.eraseUnfinished(sessionID); err != nil {
				return err
			}
		}
		w.Enqueue(held.Watching(now))
		r.Processing = upload.Processing{Begun: now}
		work = &upload.Work{Stored: r.Stored, Held: held, Deaths: r.deaths, Renew: c.Status == capture.Completed}
		return w.updateRecording(sessionID, r)
	})
	return work, wait, db.ToFault(err)
}

// giveUp ends the work on a file in status error; tables that were only to be
// renewed stay as they are.
func (s *Store) giveUp(w *writeTx, c *storedCapture, r *recording, why string) error {
	r.until, r.deaths, r.stale = 0, 0, false
	if err := w.updateRecording(c.SessionID, r); err != nil {
		return err
	}
	if c.Status != capture.Processing {
		s.log.Error("the tables of a capture could not be renewed", "organization", w.Org.String(), "why", why)
		return nil
	}
	return s.failed(w, c, why)
}

// held runs f on the recording that a piece of work is about, when it is still the
// worker's.
func (s *Store) held(ctx context.Context, sc organization.Scope, work *upload.Work,
	f func(*writeTx, *storedCapture, *recording) error) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		c, r, err := s.lockRecording(w, work.Capture.SessionID)
		if fault.Is(err, fault.NotFound) || err == nil && (!r.due(c) || !r.heldBy(work.Held)) {
			return job.ErrLost
		}
		if err != nil {
			return err
		}
		return f(w, c, r)
	}))
}

// Tell says which part of the work is done. The recording stays as it is, and keeps its version.
func (s *Store) Tell(ctx context.Context, sc organization.Scope, work *upload.Work, done float64) error {
	return s.fenced(ctx, sc.Organization, db.Exec(
		`UPDATE recording SET told = $3, done = $4 WHERE organization = $1 AND attempt = $2 AND lease <> 0 AND session_id = $5`,
		sc.Organization, work.Held.Attempt, db.Micros(s.now()), done, work.Held.Subject))
}

// ExpectMade says that the files of an outcome are being stored under the names.
func (s *Store) ExpectMade(ctx context.Context, sc organization.Scope, work *upload.Work, until time.Time,
	names ...string) error {
	return s.held(ctx, sc, work, func(w *writeTx, c *storedCapture, _ *recording) error {
		return w.expect(c.SessionID, until, names...)
	})
}

// Finish completes a capture, or renews its tables.
func (s *Store) Finish(ctx context.Context, sc organization.Scope, work *upload.Work, o upload.Outcome) error {
	return s.held(ctx, sc, work, func(w *writeTx, c *storedCapture, r *recording) error {
		if err := w.adopt(fresh(o.Derived, r.Derived), fresh(o.Table, r.Table), fresh(o.Samples, r.Samples)); err !=
			nil {
			return err
		}
		table, replaced, found := r.Table, []string{fresh(r.Samples, o.Samples)}, work.Renew && o.Info != nil &&
			!sameValues(r.Info, o.Info)
		before := r.made()
		r.Table, r.Samples, r.tableBytes = o.Table, o.Samples, o.TableBytes
		if o.Info != nil {
			r.learn(o.Info)
		}
		if !work.Renew {
			replaced = append(replaced, r.Derived)
			r.Derived, r.derivedBytes, r.warnings = o.Derived, o.DerivedBytes, nil
		}
		w.weigh(0, r.made()-before)
		if err := w.discard(c.SessionID, replaced...); err != nil {
			return err
		}
		r.until, r.deaths, r.stale = 0, 0, false
		if !sameMeasure(work.Capture, c.Capture, work.Rate, r.Rate) { // corrected meanwhile
			r.measureAgain(w, c.SessionID)
		}
		told := !work.Renew && r.TimeFrom != upload.TimeGiven && o.Made != nil
		if told {
			r.TimeFrom = upload.TimeOfFile
		}
		if err := w.updateRecording(c.SessionID, r); err != nil {
			return err
		}
		if err := w.discardUnnamed(table); err != nil {
			return err
		}
		if found { // whoever asks what was changed since is to see it
			return s.putCaptures(w, []capturePut{{old: c, Capture: c.Capture}})
		}
		if work.Renew {
			return nil
		}
		next := c.Capture
		next.Status, next.Error = capture.Completed, nil
		if r.Rate == 0 && o.Rate > 0 {
			next.FPSDetected = &o.Rate
		}
		if told {
			made := o.Made.UTC().Truncate(time.Millisecond)
			next.CaptureTime = &made
		}
		return s.putCaptures(w, []capturePut{{old: c, Capture: next}})
	})
}

// fresh is a name that is another than the one before; "" when it is the same.
func fresh(name, before string) string {
	if name == before {
		return ""
	}
	return name
}

// Fail ends the capture in status error.
func (s *Store) Fail(ctx context.Context, sc organization.Scope, work *upload.Work, reason string) error {
	return s.held(ctx, sc, work,
		func(w *writeTx, c *storedCapture, r *recording) error { return s.giveUp(w, c, r, reason) })
}

// Release gives the work back.
func (s *Store) Release(ctx context.Context, sc organization.Scope, work *upload.Work, again time.Time, died bool,
	why string) error {
	return s.held(ctx, sc, work, func(w *writeTx, c *storedCapture, r *recording) error {
		if died {
			r.deaths++
		}
		if r.deaths >= job.MaxDeaths {
			return s.giveUp(w, c, r, fmt.Sprintf("%s It was tried %d times.", why, r.deaths))
		}
		r.giveBack()
		w.Enqueue(job.Job{Work: job.Process, Organization: sc.Organization.String(), Subject: c.SessionID, At: again})
		return w.updateRecording(c.SessionID, r)
	})
}

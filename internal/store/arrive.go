package store

import (
	"context"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// awaiting says of a capture that is not waiting for a file why it is not.
func awaiting(c *storedCapture, r *recording) error {
	switch {
	case r == nil:
		return fault.New(fault.Conflict, "the capture was not reserved for a file")
	case c.Status == capture.AwaitingUpload && r.Original == "":
		return nil
	case c.Status == capture.Error && r.Original == "":
		if c.Error != nil {
			return fault.New(fault.Conflict, "%s", *c.Error)
		}
		return fault.New(fault.Conflict, "the time for uploading has passed")
	}
	return fault.New(fault.Conflict, "a file has been uploaded already")
}

// Expect says that a file for the capture is being stored under the name.
func (s *Store) Expect(ctx context.Context, sc organization.Scope, sessionID, name string, until time.Time) error {
	org := sc.Organization
	return db.ToFault(s.write(audit.Without(ctx), org, func(w *writeTx) error {
		c, r, err := s.lockRecording(w, sessionID)
		if err != nil {
			return err
		}
		if err := awaiting(c, r); err != nil {
			return err
		}
		return w.expect(sessionID, until, name)
	}))
}

// Arrive makes a stored file the capture's and has it processed.
func (s *Store) Arrive(ctx context.Context, sc organization.Scope, sessionID, name string, size int64,
	sha256 string) error {
	org := sc.Organization
	var refused error
	err := s.write(ctx, org, func(w *writeTx) error {
		refused = nil
		c, r, err := s.lockRecording(w, sessionID)
		if err == nil {
			err = awaiting(c, r)
		}
		if err == nil {
			err = s.fit(w, size-r.Size, 0)
		}
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict) {
			refused, w.act = err, nil
			return w.discard(sessionID, name)
		}
		if err != nil {
			return err
		}
		if err := w.adopt(name); err != nil {
			return err
		}
		if err := w.dropPieces(sessionID); err != nil {
			return err
		}
		w.about("capture", sessionID)
		r.Original, r.Size, r.SHA256 = name, size, sha256
		next := c.Capture
		next.Status = capture.Processing
		if err := s.putCaptures(w, []capturePut{{old: c, Capture: next}}); err != nil {
			return err
		}
		w.Enqueue(job.Job{Work: job.Process, Organization: sc.Organization.String(), Subject: sessionID})
		return w.updateRecording(sessionID, r)
	})
	if err == nil {
		err = refused
	}
	return db.ToFault(err)
}

// TurnAway ends a reservation whose file came and was not taken.
func (s *Store) TurnAway(ctx context.Context, sc organization.Scope, sessionID, reason string) error {
	_, err := s.asked(ctx, sc, func(w *writeTx) (time.Duration, error) {
		c, r, err := s.lockRecording(w, sessionID)
		if err != nil || awaiting(c, r) != nil {
			w.act = nil // nothing has changed
			return 0, err
		}
		w.about("capture", sessionID)
		return 0, s.failed(w, c, reason)
	})
	return err
}

// Expire ends a reservation whose window has passed. While a file is being stored
// for it, it waits for that.
func (s *Store) Expire(ctx context.Context, sc organization.Scope, sessionID string) (wait time.Duration, err error) {
	return s.asked(ctx, sc, func(w *writeTx) (time.Duration, error) {
		c, r, err := s.lockRecording(w, sessionID)
		if err != nil || r == nil || c.Status != capture.AwaitingUpload {
			return 0, err
		}
		now := s.now()
		p, err := readPartial(w, w.Org, sessionID, "")
		if err != nil {
			return 0, err
		}
		if p != nil {
			if left := p.Expires.Sub(now); left > 0 || p.whole(c) {
				return max(left, 5*time.Second), nil
			}
			return 0, s.failed(w, c, "The upload was not finished: no more of the file came within "+windowText+
				". Reserve another upload.")
		}
		var coming bool
		if err := w.Do(db.One(db.Into(&coming),
			`SELECT EXISTS (SELECT 1 FROM erasure WHERE organization = $1 AND session_id = $2 AND due > $3)`, w.Org,
			sessionID, db.Micros(now))); err != nil {
			return 0, err
		}
		if left := r.Expires.Sub(now); left > 0 || coming {
			return max(left, 5*time.Second), nil
		}
		return 0, s.failed(w, c, "No file was uploaded within "+windowText+". Reserve another upload.")
	})
}

// windowText is upload.Window in words.
var windowText = fmt.Sprintf("%d minutes", upload.Window/time.Minute)

// failed ends a capture in status error.
func (s *Store) failed(w *writeTx, c *storedCapture, why string) error {
	if err := w.dropPieces(c.SessionID); err != nil {
		return err
	}
	next := c.Capture
	text := capture.ErrorText(why)
	next.Status, next.Error = capture.Error, &text
	return s.putCaptures(w, []capturePut{{old: c, Capture: next}})
}

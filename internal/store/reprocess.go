package store

import (
	"context"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// Reprocess has a capture's file read once more, from its first byte and with all its
// tries.
func (s *Store) Reprocess(ctx context.Context, sc organization.Scope, sessionID string,
	once *organization.Once[capture.Answer]) (capture.Answer, error) {
	org := sc.Organization
	var a capture.Answer
	err := writeOnce(ctx, s, org, once, &a, func(w *writeTx) (db.ID, error) {
		if err := s.apart(w); err != nil {
			return db.ID{}, err
		}
		c, r, err := s.lockRecording(w, sessionID)
		if err != nil {
			return db.ID{}, err
		}
		if err := readable(c, r); err != nil {
			return db.ID{}, err
		}
		// The outcome of the reading before stays in the row until it is replaced, so that the names
		// of its tables are not lost; no answer has it while the capture is processing.
		if r.until != 0 { // its tables are being renewed, which this reading does too
			if err := w.eraseUnfinished(sessionID); err != nil {
				return db.ID{}, err
			}
		}
		r.giveBack()
		r.deaths, r.stale = 0, false
		w.Enqueue(job.Job{Work: job.Process, Organization: sc.Organization.String(), Subject: sessionID})
		if err := w.updateRecording(sessionID, r); err != nil {
			return db.ID{}, err
		}
		next := c.Capture
		next.Status, next.Error = capture.Processing, nil
		a = answer(&next, c.version+1)
		return captureSubject(sessionID), s.putCaptures(w, []capturePut{{old: c, Capture: next}})
	})
	return a, err
}

// readable says why a capture's file cannot be read once more now.
func readable(c *storedCapture, r *recording) error {
	switch {
	case r == nil:
		return fault.New(fault.Conflict, "The capture never had a file.")
	case c.Status == capture.AwaitingUpload:
		return fault.New(fault.Conflict, "The capture's status is awaiting_upload: its file has not arrived yet.")
	case r.Original == "":
		return fault.New(fault.Conflict, "The capture has no file.")
	case c.Status == capture.Processing:
		return fault.New(fault.Conflict, "The capture's file is being read already.")
	}
	return nil
}

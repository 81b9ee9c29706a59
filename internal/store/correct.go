package store

import (
	"context"
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// answer is the capture on the wire, with its first athlete, as Capture gives it.
func answer(c *capture.Capture, version int64) capture.Answer {
	first := ""
	if len(c.AthleteIDs) > 0 {
		first = c.AthleteIDs[0]
	}
	body := c.AppendJSON(nil, first)
	return capture.Answer{Body: body, Tag: tag(version, body)}
}

// ChangeCapture reads the capture, lets change decide and writes what it returns.
func (s *Store) ChangeCapture(ctx context.Context, sc organization.Scope, sessionID string,
	once *organization.Once[capture.Answer],
	change func(capture.Capture, string) (capture.Capture, error)) (capture.Answer, error) {
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
		a = answer(&c.Capture, c.version)
		old := c.Capture
		old.AthleteIDs = slices.Clone(c.AthleteIDs)
		next, err := change(old, a.Tag)
		if err != nil {
			return db.ID{}, err
		}
		if next.Equal(c.Capture) {
			return captureSubject(sessionID), nil
		}
		if err := s.known(w, c.AthleteIDs, next.AthleteIDs); err != nil {
			return db.ID{}, err
		}
		a = answer(&next, c.version+1)
		if err := s.corrected(w, c, next, r); err != nil {
			return db.ID{}, err
		}
		return captureSubject(sessionID), s.putCaptures(w, []capturePut{{old: c, Capture: next}})
	})
	return a, err
}

// known refuses athletes that are new to a capture and to the organization.
func (s *Store) known(w *writeTx, before, after []string) error {
	added := slices.DeleteFunc(slices.Clone(after), func(a string) bool { return slices.Contains(before, a) })
	present, err := (&importing{s: s, w: w}).present([]manifest.Record{{Capture: &capture.Capture{AthleteIDs: added}}})
	if err != nil {
		return err
	}
	for _, a := range added {
		if !present[a] {
			return fault.New(fault.BadRequest, "athlete_id not found")
		}
	}
	return nil
}

// corrected keeps, of what has changed, what is about the file.
func (s *Store) corrected(w *writeTx, c *storedCapture, next capture.Capture, r *recording) error {
	if r == nil {
		return nil
	}
	rate := r.Rate
	if next.FPSDetected != nil && (c.FPSDetected == nil || *c.FPSDetected != *next.FPSDetected) {
		r.Rate = *next.FPSDetected
	}
	if next.CaptureTime != nil && (c.CaptureTime == nil || !c.CaptureTime.Equal(*next.CaptureTime)) {
		r.TimeFrom = upload.TimeGiven
	}
	if !sameMeasure(c.Capture, next, rate, r.Rate) {
		r.measureAgain(w, c.SessionID)
	}
	return w.updateRecording(c.SessionID, r)
}

// DeleteCapture deletes a capture and has its files erased.
func (s *Store) DeleteCapture(ctx context.Context, sc organization.Scope, sessionID string,
	allow func(string) error) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		c, _, err := s.lockRecording(w, sessionID)
		if err != nil {
			return err
		}
		if err := allow(answer(&c.Capture, c.version).Tag); err != nil {
			return err
		}
		w.touched, w.Erased = true, true
		w.Then(func() { s.answers.forget(org) })
		if err := s.deleteCapture(w, c); err != nil {
			return err
		}
		return w.discardRecordings([]string{sessionID})
	}))
}

package store

import (
	"context"
	"maps"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// ExpectBrought says that files for a capture that is yet to come are being stored.
func (s *Store) ExpectBrought(ctx context.Context, sc organization.Scope, sessionID string, until time.Time,
	names ...string) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error { return w.expect(sessionID, until, names...) }))
}

// Bring stores a capture together with its file.
func (s *Store) Bring(ctx context.Context, sc organization.Scope, b upload.Brought) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		if err := w.Exclude(); err != nil {
			return err
		}
		present, err := (&importing{s: s, w: w}).present([]manifest.Record{{Capture: &b.Capture}})
		if err != nil {
			return err
		}
		for _, a := range b.Capture.AthleteIDs {
			if !present[a] {
				return fault.New(fault.BadRequest, "athlete_id not found")
			}
		}
		old, had, err := s.lockRecording(w, b.Capture.SessionID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		next := b.Capture
		r := &recording{Stored: upload.Stored{FileName: b.FileName, Expires: s.now(), Original: b.Original,
			Size: b.Size, SHA256: b.SHA256,
			Derived: b.Derived, Table: b.Table, Samples: b.Samples, Info: b.Info}}
		if old != nil {
			next = brought(old.Capture, b.Capture)
		}
		r.derivedBytes, r.tableBytes = b.DerivedBytes, b.TableBytes
		sent, made := b.Size, r.made()
		if had != nil {
			sent, made = sent-had.Size, made-had.made()
		}
		if err := s.fit(w, sent, made); err != nil {
			return err
		}
		if had != nil {
			r.Version, r.attempt, r.Rate, r.Camera, r.counted, r.learned = had.Version, had.attempt+1, had.Rate,
				had.Camera, had.counted, true
			if old.CaptureTime != nil {
				r.TimeFrom = had.TimeFrom // the time stays
			}
			if had.Rate != 0 && next.Status == capture.Completed {
				next.FPSDetected = &had.Rate
			}
			if err := w.discard(next.SessionID, had.Original, had.Derived, had.Samples); err != nil {
				return err
			}
		}
		if !sameMeasure(next, b.Capture, r.Rate, 0) {
			r.measureAgain(w, next.SessionID)
		}
		if err := w.adopt(b.Original, b.Derived, b.Table, b.Samples); err != nil {
			return err
		}
		if old == nil || !next.Equal(old.Capture) || had == nil || had.FileName != b.FileName {
			if err := s.putCaptures(w, []capturePut{{old: old, Capture: next, file: &b.FileName}}); err != nil {
				return err
			}
		}
		w.touched = true // pages that include what is known of the file
		if had != nil {
			if err := w.updateRecording(next.SessionID, r); err != nil {
				return err
			}
			return w.discardUnnamed(had.Table)
		}
		return w.insertRecording(next.SessionID, r)
	}))
}

// brought is a capture after its file has been brought again: what people have
// added stays unless it is given again.
func brought(old, b capture.Capture) capture.Capture {
	next := old
	next.Status, next.Error, next.FPSDetected = b.Status, b.Error, b.FPSDetected
	if b.Activity != nil {
		next.Activity = b.Activity
	}
	if b.Movement != nil {
		next.Movement = b.Movement
	}
	if len(b.Dimensions) > 0 {
		next.Dimensions = maps.Clone(old.Dimensions)
		if next.Dimensions == nil {
			next.Dimensions = map[string]string{}
		}
		maps.Copy(next.Dimensions, b.Dimensions)
	}
	if len(b.AthleteIDs) > 0 {
		next.AthleteIDs = b.AthleteIDs
	}
	if old.CaptureTime == nil {
		next.CaptureTime = b.CaptureTime
	}
	return next
}

// sameFolder says whether the tables of two captures lie in one folder.
func sameFolder(a, b capture.Capture) bool {
	x, y := a.Combination(), b.Combination()
	return x.Activity == y.Activity && x.Movement == y.Movement
}

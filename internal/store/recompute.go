package store

import (
	"context"
	"encoding/json"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// computedBy is the version by which what is told of a recording was found: "" where nobody has
// looked, nil where there is nothing to look into.
func computedBy(info []byte) *string {
	if info == nil {
		return nil
	}
	var of struct {
		Computed struct {
			Library   string `json:"library"`
			Landmarks string `json:"landmarks"`
		} `json:"computed"`
	}
	by := ""
	if json.Unmarshal(info, &of) == nil {
		by = measuredWith(of.Computed.Library, of.Computed.Landmarks)
	}
	return &by
}

// Hold says by which version of the library recordings are measured.
func (s *Store) Hold(ctx context.Context, version string) error {
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(db.Exec(`INSERT INTO library (one, version) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET version = excluded.version`, version))
	}))
}

// Holds gives that version; "" when no server has said one yet.
func (s *Store) Holds(ctx context.Context) (version string, err error) {
	err = s.engine.Once(ctx, db.ID{},
		db.Each(func(r db.Rows) error { return r.Scan(&version) }, `SELECT version FROM library`))
	return version, db.ToFault(err)
}

// outdated is what the statements below have in common: $2 is the version. A range
// on either side of it is read, so that those which have it are not.
const outdated = ` FROM recording /*+ INDEXED BY recording_computed_by */
WHERE organization = $1 AND stale = 0 AND computed_by `

// Outdated gives recordings that were measured by another version.
func (s *Store) Outdated(ctx context.Context, sc organization.Scope, version string, after upload.Outdated,
	limit int) ([]upload.Outdated, error) {
	org := sc.Organization
	var list []upload.Outdated
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		list = nil
		version, err := current(t, org, version)
		if err != nil {
			return err
		}
		for _, side := range []string{"<", ">"} {
			if err := t.Do(db.Each(func(r db.Rows) error {
				var o upload.Outdated
				err := r.Scan(&o.By, &o.SessionID)
				list = append(list, o)
				return err
			}, `SELECT computed_by, session_id`+outdated+side+
				` $2 AND (computed_by, session_id) > ($3, $4) ORDER BY computed_by, session_id LIMIT $5`,
				org, version, after.By, after.SessionID, limit-len(list))); err != nil {
				return err
			}
		}
		return nil
	})
	return list, db.ToFault(err)
}

// CountOutdated says how many they are.
func (s *Store) CountOutdated(ctx context.Context, sc organization.Scope, version string) (int64, error) {
	org := sc.Organization
	var below, above int64
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		version, err := current(t, org, version)
		if err != nil {
			return err
		}
		return t.Do(db.One(db.Into(&below), `SELECT count(*)`+outdated+`< $2`, org, version),
			db.One(db.Into(&above), `SELECT count(*)`+outdated+`> $2`, org, version))
	})
	return below + above, db.ToFault(err)
}

// Recompute puts the job into the queue that measures them, where there are some and no other
// job waits for it.
func (s *Store) Recompute(ctx context.Context, sc organization.Scope, version string) error {
	if holds, err := s.Holds(ctx); err != nil || holds != version {
		return err
	}
	some, err := s.Outdated(ctx, sc, version, upload.Outdated{}, 1)
	if err != nil || len(some) == 0 {
		return err
	}
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error { return w.recompute() }))
}

// recompute does so in the transaction. A job that runs may have passed what is to be measured.
func (w *writeTx) recompute() error {
	var waiting int64
	if err := w.Do(db.One(db.Into(&waiting), `SELECT count(*) FROM river_job
		WHERE kind = $1 AND args->>'subject' = '' AND args->>'organization' = $2 AND finalized_at IS NULL AND state <> 'running'`, job.Recompute, w.Org.String())); err != nil {
		return err
	}
	if waiting == 0 {
		w.Enqueue(job.Job{Work: job.Recompute, Organization: w.Org.String()})
	}
	return nil
}

// Waits says whether a job waits for a worker among those that read files.
func (s *Store) Waits(ctx context.Context) (waits bool, err error) {
	err = s.engine.Once(ctx, db.ID{}, db.Each(func(db.Rows) error { waits = true; return nil },
		`SELECT 1 FROM river_job WHERE state = 'available' AND queue = $1 LIMIT 1`, job.Slow))
	return waits, db.ToFault(err)
}

// Recomputed keeps what was found in a recording.
func (s *Store) Recomputed(ctx context.Context, sc organization.Scope, of upload.Stored, info []byte) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		c, r, err := s.lockRecording(w, of.Capture.SessionID)
		if fault.Is(err, fault.NotFound) || err == nil &&
			(r == nil || r.Version != of.Version || r.stale || c.Status != capture.Completed ||
				!sameMeasure(of.Capture, c.Capture, of.Rate, r.Rate)) {
			return job.ErrLost
		}
		if err != nil {
			return err
		}
		found := !sameValues(r.Info, info)
		r.learn(info)
		if err := w.updateRecording(c.SessionID, r); err != nil || !found {
			return err
		}
		// A caller who asks for changes since then must see it.
		return s.putCaptures(w, []capturePut{{old: c, Capture: c.Capture}})
	}))
}

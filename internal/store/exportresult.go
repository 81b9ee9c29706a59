package store

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Result gives a finished export as it is now.
func (s *Store) Result(ctx context.Context, sc organization.Scope, jobID string) (export.Result, error) {
	org := sc.Organization
	var out export.Result
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		j, find := findJob(org, jobID)
		if err := t.Do(find); err != nil {
			return err
		}
		var b *build
		if err := t.Do(db.Each(func(r db.Rows) error {
			b = new(build)
			return b.scan(r)
		}, `SELECT `+buildColumns+` FROM export_build WHERE organization = $1 AND job = $2 AND line >= 0`, org,
			jobID)); err != nil {
			return err
		}
		out = export.Result{Job: *j}
		switch {
		case j.Status != export.Completed:
			return nil
		case b == nil:
			return fault.New(fault.NotFound, "this export job was imported, and has no result here")
		case b.erased:
			return fault.New(fault.NotFound, "the result of this export has been erased")
		}
		out.Request, out.Rows, out.Version = b.request, b.rowCount, strconv.FormatInt(b.version, 10)
		if err := t.Do(skips(org, jobID, export.Left{}, &out.Job.Skipped)); err != nil {
			return err
		}
		var err error
		out.Columns, err = columnsOf(t, org, jobID, b.request)
		return err
	})
	return out, db.ToFault(err)
}

// Parts gives parts in their order, from the one on that has the row.
func (s *Store) Parts(ctx context.Context, sc organization.Scope, jobID, version string, row int64,
	limit int) ([]export.Part, error) {
	org := sc.Organization
	var parts []export.Part
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		parts = nil
		var now int64
		if err := t.Do(db.Each(func(r db.Rows) error { return r.Scan(&now) },
			`SELECT version FROM export_build WHERE organization = $1 AND job = $2 AND erased = 0`, org, jobID)); err !=
			nil {
			return err
		}
		if strconv.FormatInt(now, 10) != version {
			return fault.New(fault.NotFound, "the result has changed: something in it was deleted; ask for it again")
		}
		first, block, found := int64(0), int64(0), false
		if err := t.Do(db.Each(func(r db.Rows) error {
			var b, n int64
			if err := r.Scan(&b, &n); err != nil || found {
				return err
			}
			if block, found = b, row < first+n; !found {
				first += n
			}
			return nil
		}, `SELECT block, row_count FROM export_block WHERE organization = $1 AND job = $2 ORDER BY block`, org,
			jobID)); err != nil || !found {
			return err
		}
		return t.Do(db.Each(func(r db.Rows) error {
			p, err := scanPart(r)
			if err != nil {
				return err
			}
			p.First = first
			if first += p.Rows; first > row {
				parts = append(parts, p)
			}
			return nil
		}, `SELECT session_id, athlete, facts, motion_table, info, rate, frame, row_count FROM export_part WHERE organization = $1 AND job = $2 AND n >= $3 ORDER BY n LIMIT $4`,
			org, jobID, block*blockParts, int64(blockParts)+int64(limit)))
	})
	if len(parts) > limit {
		parts = parts[:limit]
	}
	return parts, db.ToFault(err)
}

func scanPart(r db.Rows) (export.Part, error) {
	p := export.Part{Source: new(export.Source)}
	var athlete db.ID
	var text string
	if err := r.Scan(&p.SessionID, &athlete, &text, &p.Table, &p.Info, &p.Rate, &p.Frame, &p.Rows); err != nil {
		return p, err
	}
	var f facts
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return p, err
	}
	p.Athlete, p.Activity, p.Movement, p.Dimensions, p.FPS = f.Name, f.Activity, f.Movement, f.Dimensions, f.FPS
	if athlete != (db.ID{}) {
		p.AthleteID = athlete.String()
	}
	if f.CaptureTime != nil {
		t := db.FromMicros(*f.CaptureTime)
		p.CaptureTime = &t
	}
	return p, nil
}

// forgetFor is how long ForgetResult does pieces before it asks to be called again.
const forgetFor = 5 * time.Second

// ForgetResult erases the parts of a job that has failed or was canceled, or whose
// result has lived long enough. From the first piece on nobody sees any of it.
func (s *Store) ForgetResult(ctx context.Context, sc organization.Scope, jobID string) (wait time.Duration, err error) {
	for begun := time.Now(); ; {
		left := false
		wait, err = s.asked(ctx, sc, func(w *writeTx) (_ time.Duration, err error) {
			left = false
			if found, more, err := w.forgetDeleted(jobID); err != nil || found {
				left = more
				return 0, err
			}
			j, b, err := lockBuild(w, jobID)
			if err != nil || b == nil || j.Status == export.Running {
				return 0, err
			}
			if j.Status == export.Completed {
				if left := j.CompletedAt.Add(export.Life).Sub(s.now()); left > 0 {
					return left, nil
				}
			}
			left, err = w.forget(jobID, b.erased)
			return 0, err
		})
		if err != nil || !left {
			return wait, err
		}
		if time.Since(begun) > forgetFor {
			return time.Second, nil
		}
	}
}

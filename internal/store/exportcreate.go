package store

import (
	"cmp"
	"context"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// CreateJob keeps a new job, which begins at once.
func (s *Store) CreateJob(ctx context.Context, sc organization.Scope, r export.Request,
	once *organization.Once[export.Job]) (export.Job, error) {
	org := sc.Organization
	if err := s.lookFor(ctx, org, r); err != nil {
		return export.Job{}, db.ToFault(err)
	}
	text, err := keptRequest(r)
	if err != nil {
		return export.Job{}, err
	}
	var j export.Job
	err = writeOnce(ctx, s, org, once, &j, func(w *writeTx) (db.ID, error) {
		if err := w.Line(); err != nil {
			return db.ID{}, err
		}
		present, err := (&importing{s: s, w: w}).present(
			[]manifest.Record{{Capture: &capture.Capture{AthleteIDs: r.Athletes}}})
		if err != nil {
			return db.ID{}, err
		}
		for _, a := range r.Athletes {
			if !present[a] {
				return db.ID{}, noSuchAthlete(a)
			}
		}
		if err := allThere(w, org, r.Captures); err != nil {
			return db.ID{}, err
		}
		if err := s.mayExport(w); err != nil {
			return db.ID{}, err
		}
		j = export.Job{ID: organization.NewUUID(), Status: export.Running,
			CreatedAt: s.now().UTC().Truncate(time.Millisecond)}
		w.about("export", j.ID)
		line, err := s.join(w, j.ID)
		if err != nil {
			return db.ID{}, err
		}
		key, _ := organization.ParseID(j.ID)
		if err := w.putJob(j, ""); err != nil {
			return db.ID{}, err
		}
		return key, w.Do(db.Exec(
			`INSERT INTO export_build (organization, job, request, shape, erased, parts, skipped, row_count, progress, chosen, looked, line, turn, watched, failures, attempt, deaths, lease, version)
VALUES ($1, $2, $3, $7, 0, 0, 0, 0, 0, $4, 0, $5, $6, 0, 0, 0, 0, 0, 1)`, org, j.ID, text, int64(notChosen), line, db.Micros(s.now()), string(cmp.Or(r.Shape, export.RowPerFrame))))
	})
	return j, err
}

// lookFor looks for the columns that a request names in the first of the captures
// that it is about. Not to be found among all of them is an error.
func (s *Store) lookFor(ctx context.Context, org db.ID, r export.Request) error {
	missing := newWanted(r)
	if missing.found() {
		return nil
	}
	looked := 0
	err := s.engine.Read(ctx, org, func(t db.Tx) error {
		return s.eachChosen(t, org, r, func(c chosen) (bool, error) {
			if c.why != "" {
				return true, nil
			}
			var raw []byte
			var rate float64
			if err := t.Do(db.Each(func(row db.Rows) error { return row.Scan(&raw, &rate) },
				`SELECT info, rate FROM recording WHERE organization = $1 AND session_id = $2`, org, c.session)); err !=
				nil {
				return false, err
			}
			if info, err := infoOf(raw, rate); err == nil {
				_, _, why := rowsOf(r, info)
				missing.see(info, why == "")
			}
			looked++
			return !missing.found() && looked < export.LookedAt, nil
		})
	})
	if err != nil || looked == 0 || looked >= export.LookedAt {
		return err
	}
	return missing.fault()
}

// CancelJob ends a running job.
func (s *Store) CancelJob(ctx context.Context, sc organization.Scope, jobID string,
	once *organization.Once[export.Job]) (export.Job, error) {
	org := sc.Organization
	var j export.Job
	err := writeOnce(ctx, s, org, once, &j, func(w *writeTx) (db.ID, error) {
		if err := w.Line(); err != nil {
			return db.ID{}, err
		}
		var err error
		if j, err = lockJob(w, jobID); err != nil {
			return db.ID{}, err
		}
		if j.Status != export.Running {
			return db.ID{}, fault.New(fault.Conflict, "only a RUNNING job can be canceled; this one is %s",
				j.Status)
		}
		key, _ := organization.ParseID(j.ID)
		err = s.end(w, &j, export.Canceled, "")
		return key, err
	})
	return j, err
}

package store

import (
	"context"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A deleted job may have too much built for one transaction to remove. Its row of export_build stays
// until all of it has gone, with a line below zero, by which it is nobody's: an import may bring a job of the same id
// meanwhile.

// DeleteJob deletes a job that has ended. From then on nobody sees any of it; its result is erased right after.
func (s *Store) DeleteJob(ctx context.Context, sc organization.Scope, jobID string) error {
	org := sc.Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		if err := w.Line(); err != nil {
			return err
		}
		j, b, err := lockBuild(w, jobID)
		if err != nil {
			return err
		}
		if j.Status == export.Running {
			return fault.New(fault.Conflict, "A job that is RUNNING cannot be deleted; cancel it first.")
		}
		if b != nil {
			if !b.erased {
				if err := w.forgetFiles(jobID); err != nil {
					return err
				}
			}
			w.Enqueue(job.Job{Work: job.ForgetExport, Organization: sc.Organization.String(), Subject: jobID})
		}
		if err := w.buried(feed.Export, jobID); err != nil {
			return err
		}
		w.Erased = true // an error message may hold what a person wrote
		key, _ := organization.ParseID(jobID)
		return w.Do(
			db.Exec(`UPDATE export_build SET erased = 1, lease = 0, line = -1, version = version + 1 WHERE organization = $1 AND job = $2 AND line >= 0`, org, jobID),
			db.Exec(`DELETE FROM export_job WHERE organization = $1 AND id = $2`, org, jobID),
			eraseAnswers(org, key))
	}))
}

// forgetDeleted removes some of what was built of a deleted job; found is false where there is nothing.
func (w *writeTx) forgetDeleted(jobID string) (found, left bool, err error) {
	if err := w.Do(db.Each(func(db.Rows) error { found = true; return nil },
		`SELECT job FROM export_build WHERE organization = $1 AND job = $2 AND line < 0 FOR UPDATE`, w.Org,
		jobID)); err != nil || !found {
		return false, false, err
	}
	if left, err = w.forget(jobID, true); err != nil || left {
		return true, left, err
	}
	return true, false, w.Do(db.Exec(`DELETE FROM export_build WHERE organization = $1 AND job = $2 AND line < 0`,
		w.Org, jobID))
}

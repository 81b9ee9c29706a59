package store

import (
	"context"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func findJob(org id, jobID, lock string) (*export.Job, statement) {
	j := &export.Job{ID: jobID}
	return j, statement{
		sql:  `SELECT status, error_message, created_at, completed_at FROM export_job WHERE organization = $1 AND id = $2` + lock,
		args: []any{org, jobID},
		read: func(r rows) error {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return fault.New(fault.NotFound, "there is no such export job")
			}
			var status string
			var created int64
			var completed *int64
			if err := r.Scan(&status, &j.ErrorMessage, &created, &completed); err != nil {
				return err
			}
			j.Status, j.CreatedAt, j.CompletedAt = export.Status(status), fromMicros(created), timeOrNil(completed)
			return nil
		},
	}
}

// Job finds one by id.
func (s *Store) Job(ctx context.Context, sc organization.Scope, jobID string) (export.Job, error) {
	org, err := scope(sc)
	if err != nil {
		return export.Job{}, err
	}
	j, find := findJob(org, jobID, "")
	err = s.engine.once(ctx, org, find)
	return *j, tell(err)
}

// putJob keeps a new job or writes over an old one.
func putJob(org id, j export.Job) statement {
	return exec(`INSERT INTO export_job (organization, id, status, error_message, created_at, completed_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (organization, id) DO UPDATE SET status = excluded.status, error_message = excluded.error_message, created_at = excluded.created_at, completed_at = excluded.completed_at`,
		org, j.ID, string(j.Status), j.ErrorMessage, micros(j.CreatedAt), microsOrNil(j.CompletedAt))
}

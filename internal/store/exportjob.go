package store

import (
	"cmp"
	"context"
	"errors"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// A job is kept in export_job, whoever made it; one that is built here also has a row
// in export_build. What is built are sources, a capture each with where its numbers
// lie, and parts, the rows of a source for one athlete; blocks are sums of the rows
// of export.BlockParts parts, by which any row is found.

func noJob() error { return fault.New(fault.NotFound, "there is no such export job") }

const jobColumns = `j.id, j.status, j.error_message, j.created_at, j.completed_at, b.progress, b.row_count, CASE WHEN b.erased = 0 THEN b.skipped END`

const jobTables = ` FROM export_job j LEFT JOIN export_build b ON b.organization = j.organization AND b.job = j.id AND b.line >= 0`

// scanJob reads jobColumns. more are the places of columns that follow them.
func scanJob(r db.Rows, more ...any) (j export.Job, err error) {
	var status string
	var created int64
	var completed, progress, count, skipped *int64
	if err := r.Scan(append([]any{&j.ID, &status, &j.ErrorMessage, &created, &completed, &progress, &count, &skipped},
		more...)...); err != nil {
		return j, err
	}
	if skipped != nil {
		j.LeftOut = *skipped
	}
	j.Status, j.CreatedAt, j.CompletedAt = export.Status(status), db.FromMicros(created), db.TimeOrNil(completed)
	switch {
	case j.Status == export.Completed:
		j.Progress, j.RowCount = 1, count
	case progress != nil:
		j.Progress = float64(*progress) / allDone
	}
	return j, nil
}

// lockJob reads a job and locks it.
func lockJob(w *writeTx, jobID string) (export.Job, error) {
	var found string
	lock := db.One(db.Into(&found), `SELECT id FROM export_job WHERE organization = $1 AND id = $2 FOR UPDATE`, w.Org,
		jobID)
	if err := w.Do(lock); errors.Is(err, db.ErrNoRow) {
		return export.Job{}, noJob()
	} else if err != nil {
		return export.Job{}, err
	}
	j, find := findJob(w.Org, jobID)
	err := w.Do(find)
	return *j, err
}

func findJob(org db.ID, jobID string) (*export.Job, db.Statement) {
	j := new(export.Job)
	return j, db.Statement{
		SQL:  `SELECT ` + jobColumns + jobTables + ` WHERE j.organization = $1 AND j.id = $2`,
		Args: []any{org, jobID},
		Read: func(r db.Rows) (err error) {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return noJob()
			}
			*j, err = scanJob(r)
			return err
		},
	}
}

// Job finds one by id.
func (s *Store) Job(ctx context.Context, sc organization.Scope, jobID string, left export.Left) (export.Job, error) {
	org := sc.Organization
	j, find := findJob(org, jobID)
	var reasons []export.Reason
	err := s.engine.Once(ctx, org, find, reasonsOf(org, jobID, &reasons), skips(org, jobID, left, &j.Skipped))
	if j.LeftOut > 0 && len(j.Skipped) > 0 {
		j.Reasons = reasons
	}
	// The sum and its parts are told as they were at one moment.
	j.LeftOut = 0
	for _, reason := range j.Reasons {
		j.LeftOut += reason.Captures
	}
	if j.LeftOut == 0 {
		j.Skipped = nil
	}
	return *j, db.ToFault(err)
}

// reasonsOf reads why a job has left captures out.
func reasonsOf(org db.ID, jobID string, into *[]export.Reason) db.Statement {
	return db.Each(func(r db.Rows) error {
		var reason export.Reason
		err := r.Scan(&reason.Text, &reason.Captures)
		*into = append(*into, reason)
		return err
	}, `SELECT reason, captures FROM export_reason WHERE organization = $1 AND job = $2 AND captures > 0 ORDER BY captures DESC, reason`, org, jobID)
}

// skips reads the first of the captures that a job has left out.
func skips(org db.ID, jobID string, left export.Left, into *[]export.Skip) db.Statement {
	name := `''`
	if left.Files {
		name = `COALESCE((SELECT file_name FROM recording WHERE organization = s.organization AND session_id = s.session_id), '')`
	}
	return db.Each(func(r db.Rows) error {
		var skip export.Skip
		err := r.Scan(&skip.SessionID, &skip.Reason, &skip.FileName)
		*into = append(*into, skip)
		return err
	}, `SELECT session_id, reason, `+
		name+` FROM export_skip s WHERE organization = $1 AND job = $2 ORDER BY session_id LIMIT $3`, org, jobID,
		int64(cmp.Or(left.Limit, export.DefaultSkipped)))
}

// Jobs lists the organization's jobs, newest first, and counts them.
func (s *Store) Jobs(ctx context.Context, sc organization.Scope, limit int, offset int64) (jobs []export.Job,
	total int64, err error) {
	org := sc.Organization
	err = s.engine.Once(ctx, org, db.One(db.Into(&total), `SELECT count(*) FROM export_job WHERE organization = $1`,
		org),
		db.Each(func(r db.Rows) error {
			j, err := scanJob(r)
			jobs = append(jobs, j)
			return err
		}, `SELECT `+jobColumns+jobTables+
			` WHERE j.organization = $1 ORDER BY j.created_at DESC, j.id DESC LIMIT $2 OFFSET $3`, org, limit, offset))
	return jobs, total, db.ToFault(err)
}

// putJob keeps a new job or writes over an old one, whose state was before; "" for a new one.
func (w *writeTx) putJob(j export.Job, before export.Status) error {
	at, err := w.stamped()
	if err != nil {
		return err
	}
	if e, ok := webhook.OfExport(before, j.Status); ok {
		if err := w.tell(webhook.Data{Event: e, ID: j.ID, Status: string(j.Status)}); err != nil {
			return err
		}
	}
	return w.Do(db.Exec(`INSERT INTO export_job (organization, id, status, error_message, created_at, completed_at, changed, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (organization, id) DO UPDATE SET status = excluded.status, error_message = excluded.error_message, created_at = excluded.created_at, completed_at = excluded.completed_at,
changed = excluded.changed, changed_at = excluded.changed_at`,
		w.Org, j.ID, string(j.Status), j.ErrorMessage, db.Micros(j.CreatedAt), db.MicrosOrNil(j.CompletedAt),
		at.position, at.now))
}

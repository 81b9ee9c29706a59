package store

import (
	"context"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A worker that dies between taking a job from the queue and taking the lease leaves
// nothing that runs out soon: the queue believes that it is at work for as long as
// such work may take.

// Begun gives the jobs with leases that the queue takes for being worked on.
func (s *Store) Begun(ctx context.Context) (begun []job.Begun, err error) {
	err = s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var b job.Begun
		err := r.Scan(&b.Number, &b.Attempt, &b.Work, &b.Organization, &b.Subject)
		begun = append(begun, b)
		return err
	}, `SELECT id, attempt, kind, args->>'organization', args->>'subject' FROM river_job WHERE state = 'running' AND queue IN ($1, $2, $3) AND kind <> $4`, job.Slow, job.Exports, job.Copies, job.Recompute))
	return begun, db.ToFault(err)
}

// Reclaim ends a job whose worker is dead, and puts another into the queue when what it
// is about is still to be done and no other job stands there for it. A job whose worker
// is alive and only late does no harm by that: the lease tells who may do the work.
func (s *Store) Reclaim(ctx context.Context, b job.Begun) error {
	org := organization.In(b.Organization).Organization
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		l, wanted, err := s.leased(w, b.Job)
		if err = ignoreMissing(err); err != nil || l != nil && l.left(s.now()) > 0 {
			return err
		}
		var ended, others int64
		// The engines write times differently; when the job was taken stands there already.
		end := db.Exec(`UPDATE river_job SET state = 'cancelled', finalized_at = attempted_at WHERE id = $1 AND attempt = $2 AND state = 'running'`, b.Number, b.Attempt)
		end.Affected = &ended
		if err := w.Do(end, db.One(db.Into(&others), `SELECT count(*) FROM river_job
			WHERE kind = $1 AND args->>'subject' = $2 AND args->>'organization' = $3 AND finalized_at IS NULL`, b.Work, b.Subject, b.Organization)); err != nil {
			return err
		}
		if ended > 0 && wanted && others == 0 {
			w.Enqueue(job.Job{Work: b.Work, Organization: b.Organization, Subject: b.Subject})
		}
		return nil
	}))
}

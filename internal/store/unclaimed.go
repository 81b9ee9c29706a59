package store

import (
	"context"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A worker that dies between taking a job from the queue and taking the lease leaves
// nothing that runs out soon: the queue believes that it is at work for as long as
// such work may take.

// Begun gives the jobs with leases that the queue takes for being worked on.
func (s *Store) Begun(ctx context.Context) (begun []job.Begun, err error) {
	err = s.engine.once(ctx, id{}, each(func(r rows) error {
		var b job.Begun
		err := r.Scan(&b.Number, &b.Attempt, &b.Work, &b.Organization, &b.Subject)
		begun = append(begun, b)
		return err
	}, `SELECT id, attempt, kind, args->>'organization', args->>'subject' FROM river_job WHERE state = 'running' AND queue IN ($1, $2, $3)`, job.Slow, job.Exports, job.Copies))
	return begun, tell(err)
}

// mostAlike is how often a job may stand in the queue. One that waits for its turn
// before it takes a lease looks like one of a dead worker.
const mostAlike = 5

// Reclaim puts a job into the queue again that nobody is at.
func (s *Store) Reclaim(ctx context.Context, b job.Begun) error {
	org, err := scope(organization.Scope{Organization: b.Organization})
	if err != nil {
		return err
	}
	return tell(s.engine.write(ctx, org, func(w *writeTx) error {
		if unclaimed, err := s.unclaimed(w, b.Job); err != nil || !unclaimed {
			return ignoreMissing(err)
		}
		var all, running int64
		if err := w.do(one(into(&all, &running), `SELECT count(*), count(CASE WHEN state = 'running' THEN 1 END) FROM river_job
			WHERE kind = $1 AND args->>'subject' = $2 AND args->>'organization' = $3 AND finalized_at IS NULL`, b.Work, b.Subject, b.Organization)); err != nil {
			return err
		}
		if all == running && all < mostAlike {
			w.enqueue(job.Job{Work: b.Work, Organization: b.Organization, Subject: b.Subject})
		}
		return nil
	}))
}

// unclaimed says whether there is work about the job's subject and nobody at it.
func (s *Store) unclaimed(w *writeTx, j job.Job) (bool, error) {
	if j.Work == job.Export {
		e, b, err := lockBuild(w, j.Subject)
		return err == nil && b != nil && e.Status == export.Running && b.line == stands && s.left(b.lease) == 0, err
	}
	if j.Work == job.ExportFile {
		id, format := export.ParseFileSubject(j.Subject)
		f, err := w.lockFile(id, string(format))
		return err == nil && f != nil && f.name == "" && f.notBefore == 0 && f.lease == 0, err
	}
	c, r, err := s.lockRecording(w, j.Subject)
	return err == nil && r.due(c) && r.lease == 0, err
}

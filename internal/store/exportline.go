package store

import (
	"errors"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
)

// The queue is first come, first served. So that an organization with many exports, or
// a large one, keeps nobody else waiting, only so many of its exports stand in the
// queue at a time. The others wait in a line of its own: with each step that is done an
// export goes to the end of that line, and the one that has waited longest takes its
// place in the queue.

// inLine is how many exports of one organization stand in the queue.
const inLine = 2

// Where an export is; 0 when it is not running.
const (
	waits  = 1 // in the organization's line
	stands = 2 // in the queue, or somebody is at it
)

// join puts a new export into the queue, or into the line.
func (s *Store) join(w *writeTx, jobID string) (line int64, err error) {
	if err := w.Do(db.One(db.Into(&line),
		`SELECT count(*) FROM export_build WHERE organization = $1 AND line = 2 AND line > 0`, w.Org)); err != nil {
		return 0, err
	}
	if line >= inLine {
		return waits, nil
	}
	w.Enqueue(job.Job{Work: job.Export, Organization: w.Org.String(), Subject: jobID})
	return stands, nil
}

// passOn gives the place in the queue of an export to the one that has waited longest,
// from that moment on. passed is false when none waits.
func (s *Store) passOn(w *writeTx, jobID string, at time.Time) (passed bool, err error) {
	var line int64
	var next string
	err = w.Do(db.One(db.Into(&line), `SELECT line FROM export_build WHERE organization = $1 AND job = $2`, w.Org,
		jobID),
		db.Each(func(r db.Rows) error { return r.Scan(&next) },
			`SELECT job FROM export_build WHERE organization = $1 AND line = 1 AND line > 0 ORDER BY turn, job LIMIT 1`,
			w.Org))
	if errors.Is(err, db.ErrNoRow) {
		return false, nil // it was imported
	}
	if err != nil || line != stands || next == "" {
		return false, err
	}
	w.Enqueue(job.Job{Work: job.Export, Organization: w.Org.String(), Subject: next, At: at})
	return true, w.Do(db.Exec(`UPDATE export_build SET line = 2 WHERE organization = $1 AND job = $2`, w.Org, next),
		db.Exec(`UPDATE export_build SET line = 1, turn = $3 WHERE organization = $1 AND job = $2`, w.Org, jobID,
			db.Micros(s.now())))
}

// goOn ends a step of an export: the next one of the organization comes, or else its own.
func (s *Store) goOn(w *writeTx, jobID string) error {
	passed, err := s.passOn(w, jobID, time.Time{})
	if err == nil && !passed {
		w.Enqueue(job.Job{Work: job.Export, Organization: w.Org.String(), Subject: jobID})
	}
	return err
}

// quit takes an export that is not running any more out of the queue and the line. One whose parts were never listed
// has no result, so that nothing of its request is needed: captures that it names are not kept.
func (s *Store) quit(w *writeTx, jobID string) error {
	if _, err := s.passOn(w, jobID, time.Time{}); err != nil {
		return err
	}
	return w.Do(db.Exec(`UPDATE export_build SET line = 0, lease = 0, request = CASE WHEN request LIKE '[%"]' THEN '{}' ELSE request END WHERE organization = $1 AND job = $2`,
		w.Org, jobID))
}

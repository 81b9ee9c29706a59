package store

import (
	"bytes"
	"slices"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// A server that has athletes' names in memory reads in athlete_log which of them have
// come since, or are called or listed otherwise: a row for each fold, with their ids. An
// erased athlete is taken out of it; a mark of 32 bits says that somebody has gone, for those
// who remember lists of athletes.

// keptLogs is how many folds' rows are kept. A server that remembers an earlier moment
// reads all athletes again.
const keptLogs = 256

// logPeople keeps who came or is called otherwise. Each row says which one was before
// it, so that nobody passes over one that has gone; 0 before it says that everybody is
// to be read again.
func (f *folding) logPeople() error {
	if len(f.people) == 0 && len(f.gone) == 0 && !f.recount {
		return nil
	}
	var last, oldest int64
	if err := f.t.Do(
		db.One(db.Into(&last), `SELECT COALESCE(MAX(generation), 0) FROM athlete_log WHERE organization = $1`, f.org),
		db.Each(func(r db.Rows) error { return r.Scan(&oldest) },
			`SELECT generation FROM athlete_log WHERE organization = $1 ORDER BY generation DESC LIMIT 1 OFFSET $2`,
			f.org, keptLogs)); err != nil {
		return err
	}
	before := last
	if f.recount {
		before = 0
	}
	ids, err := f.present()
	if err != nil {
		return err
	}
	return f.t.Do(
		db.Exec(`INSERT INTO athlete_log (organization, generation, earlier, athletes, gone) VALUES ($1, $2, $3, $4, $5)`, f.org, max(f.now, last+1), before, ids, tally.AppendMarks([]byte{}, f.gone)),
		db.Exec(`DELETE FROM athlete_log WHERE organization = $1 AND generation <= $2`, f.org, oldest))
}

// present gives the ids of those who are still there. They are locked: one who is being
// erased makes this fold fail, and it is tried again.
func (f *folding) present() ([]byte, error) {
	slices.SortFunc(f.people, func(a, b tally.Athlete) int { return bytes.Compare(a[:], b[:]) })
	f.people = slices.Compact(f.people)
	ids := make([]byte, 0, 16*len(f.people))
	for part := range slices.Chunk(f.people, writeChunk) {
		in, args := parameterList(f.org, part, func(a tally.Athlete) any { return db.ID(a) })
		if err := f.t.Do(db.Each(func(r db.Rows) error {
			var key db.ID
			err := r.Scan(&key)
			ids = append(ids, key[:]...)
			return err
		}, `SELECT id FROM athlete WHERE organization = $1 AND id IN (`+in+`) ORDER BY id FOR KEY SHARE`,
			args...)); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// unlog takes an athlete who is locked out of the log.
func (w *writeTx) unlog(athlete db.ID) error {
	var statements []db.Statement
	if err := w.Do(db.Each(func(r db.Rows) error {
		var generation int64
		var ids []byte
		if err := r.Scan(&generation, &ids); err != nil {
			return err
		}
		left := make([]byte, 0, len(ids))
		for one := range slices.Chunk(ids, len(athlete)) {
			if db.ID(one) != athlete {
				left = append(left, one...)
			}
		}
		if len(left) != len(ids) {
			statements = append(statements,
				db.Exec(`UPDATE athlete_log SET athletes = $3 WHERE organization = $1 AND generation = $2`, w.Org,
					generation, left))
		}
		return nil
	}, `SELECT generation, athletes FROM athlete_log WHERE organization = $1 ORDER BY generation`, w.Org)); err != nil {
		return err
	}
	return w.Do(statements...)
}

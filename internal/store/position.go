package store

import (
	"context"

	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
)

// A position in the feed of changes is the number of a transaction, which the engine gives, and a place in it: all
// changes of a transaction have positions of their own, next to each other.

// placeBits are the bits of the place in a transaction. 41 bits are left for the number: a million transactions
// a second for 25 days, or a thousand a second for seventy years.
const placeBits = 22

// lastPlace is the last position of a transaction.
func lastPlace(number int64) int64 { return number<<placeBits | (1<<placeBits - 1) }

// position gives the next position of the transaction.
func (w *writeTx) position() (int64, error) {
	if w.placed&(1<<placeBits-1) == 0 { // the first one, or there is no place left
		number, err := w.Stamp(w.listeners()...)
		if err != nil {
			return 0, err
		}
		w.placed = number << placeBits
	}
	w.placed++
	return w.placed, nil
}

// buried notes that an object was deleted.
func (w *writeTx) buried(k feed.Kind, name string) error {
	at, err := w.position()
	if err != nil {
		return err
	}
	return w.Do(db.Exec(`INSERT INTO deletion (organization, kind, id, changed, changed_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (organization, kind, id) DO UPDATE SET changed = excluded.changed, changed_at = excluded.changed_at, merged_into = ''`,
		w.Org, int64(k), name, at, db.Micros(w.now())))
}

// shownOtherwise moves captures to the end of the feed whose rows are as they were, and which show something else.
func (w *writeTx) shownOtherwise(sessions []string) error {
	return w.moved(`UPDATE capture SET changed = $3, changed_at = $4 WHERE organization = $1 AND session_id = $2`,
		sessions)
}

// resultsChanged moves finished export jobs to the end of the feed whose rows have become fewer.
func (w *writeTx) resultsChanged(jobs []string) error {
	return w.moved(`UPDATE export_job SET changed = $3, changed_at = $4 WHERE organization = $1 AND id = $2 AND status = 'COMPLETED'`, jobs)
}

// moved gives objects a new position each, by a statement with the organization, the object, the position and the time.
func (w *writeTx) moved(sql string, names []string) error {
	statements := make([]db.Statement, len(names))
	for i, name := range names {
		at, err := w.stamped()
		if err != nil {
			return err
		}
		statements[i] = db.Exec(sql, w.Org, name, at.position, at.now)
	}
	return w.Do(statements...)
}

// stamped is where a change stands in the feed, and when it was made.
type stamped struct{ position, now int64 }

func (w *writeTx) stamped() (stamped, error) {
	at, err := w.position()
	return stamped{at, db.Micros(w.now())}, err
}

// forgottenDeletions bounds what one transaction forgets.
const forgottenDeletions = 1000

// forgetDeletions takes deletions out of the feed that are older than they are kept, as far as every place of backups
// has taken them. A reader who has not come past them begins again.
func (s *Store) forgetDeletions(ctx context.Context) error {
	before := db.Micros(s.now().Add(-s.options.ChangesKeep))
	return s.eachOrganization(ctx, func(org db.ID) error {
		last, more, err := oldDeletions(org, before,
			func(statements ...db.Statement) error { return s.engine.Once(ctx, org, statements...) })
		if err != nil || last == 0 {
			return err
		}
		for more = true; more; {
			if err := s.write(ctx, org, func(w *writeTx) (err error) {
				// Once more, for a place may have become known.
				if last, more, err = oldDeletions(org, before, w.Do); err != nil || last == 0 {
					return err
				}
				w.Erased = true // an id may hold what a person wrote
				return w.Do(db.Exec(`DELETE FROM deletion WHERE organization = $1 AND changed <= $2`, org, last),
					db.Exec(`UPDATE organization SET forgotten = $2 WHERE id = $1 AND forgotten < $2`, org, last))
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// oldDeletions gives the position of the last one of some that were made before a moment and taken by every place of
// backups; 0 where there is none. more says that there may be others.
func oldDeletions(org db.ID, before int64, do func(...db.Statement) error) (last int64, more bool, err error) {
	all, err := takenEverywhere(org, do)
	if err != nil {
		return 0, false, err
	}
	count, young := 0, false
	err = do(db.Each(func(r db.Rows) error {
		var position, at int64
		if err := r.Scan(&position, &at); err != nil {
			return err
		}
		count++
		if young = young || at >= before; !young {
			last = position
		}
		return nil
	}, `SELECT changed, changed_at FROM deletion WHERE organization = $1 AND changed <= $2 ORDER BY changed LIMIT $3`,
		org, all, forgottenDeletions))
	return last, !young && count == forgottenDeletions, err
}

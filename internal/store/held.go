package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/kinebase/kinebase/internal/store/db"
)

// A place of backups has to take every deletion into its list before the store forgets it: else a restore would bring
// back what was deleted. Each place that the store knows has a row among the secrets, which is in every backup
// too, with the positions of each organization up to which its list is complete.

// heldMark begins the names of those rows; the name of the place follows.
const heldMark = "deletions taken by "

// HoldDeletions has the store keep every deletion until the list of a place has it, from now on.
func (s *Store) HoldDeletions(ctx context.Context, place string) error {
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(db.Exec(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, heldMark+place, []byte("{}")))
	}))
}

// TookDeletions says that the list of a place is complete up to positions, by organization.
func (s *Store) TookDeletions(ctx context.Context, place string, through map[string]int64) error {
	value, err := json.Marshal(through)
	if err != nil {
		return err
	}
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE secret SET value = $2 WHERE name = $1 AND value <> $2`, heldMark+place, value))
	}))
}

// takenEverywhere gives the position up to which every place has taken the deletions of an organization.
func takenEverywhere(org db.ID, do func(...db.Statement) error) (position int64, err error) {
	position = math.MaxInt64
	err = do(db.Each(func(r db.Rows) error {
		var name string
		var value []byte
		if err := r.Scan(&name, &value); err != nil {
			return err
		}
		through := map[string]int64{}
		if err := json.Unmarshal(value, &through); err != nil {
			return fmt.Errorf("the secret %q cannot be read: %w", name, err)
		}
		position = min(position, through[org.String()])
		return nil
	}, `SELECT name, value FROM secret WHERE name LIKE $1`, heldMark+"%"))
	return position, err
}

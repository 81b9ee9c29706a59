package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
)

// A place of backups has to take every deletion into its list before the store forgets it: else a restore would bring
// back what was deleted. Each place that the store knows has a row among the secrets, which is in every backup
// too, with the positions of each organization up to which its list is complete.

// heldMark begins the names of those rows, and givenUpMark those of places that were given up; the name of the place
// follows.
const (
	heldMark    = "deletions taken by "
	givenUpMark = "place given up "
)

// HoldDeletions has the store keep every deletion until the list of a place has it, from now on. A place that was given
// up is a fault.Conflict.
func (s *Store) HoldDeletions(ctx context.Context, place string) error {
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		var gone bool
		if err := w.Do(db.One(db.Into(&gone), `SELECT EXISTS (SELECT 1 FROM secret WHERE name = $1)`,
			givenUpMark+place)); err != nil {
			return err
		}
		if gone {
			return fault.New(fault.Conflict,
				"the place of backups %s was given up by kinebase backup --forget: choose another one", place)
		}
		return w.Do(db.Exec(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, heldMark+place,
			[]byte("{}")))
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

// GiveUpPlace has the store keep no deletion for a place any more, for good, and says whether it did.
func (s *Store) GiveUpPlace(ctx context.Context, place string) (known bool, err error) {
	err = s.write(ctx, db.ID{}, func(w *writeTx) error {
		var gone int64
		forget := db.Exec(`DELETE FROM secret WHERE name = $1`, heldMark+place)
		forget.Affected = &gone
		if err := w.Do(forget); err != nil {
			return err
		}
		if known = gone > 0; !known {
			return nil
		}
		return w.Do(db.Exec(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
			givenUpMark+place, []byte{}))
	})
	return known, db.ToFault(err)
}

// Holding is a place of backups for which deletions are kept, and how many are not in its list yet.
type Holding struct {
	Place string `json:"place"`
	Waits int64  `json:"waits"`
}

// Holdings gives the places that the store knows, by their names.
func (s *Store) Holdings(ctx context.Context) ([]Holding, error) {
	var all []Holding
	through := map[string]map[string]int64{}
	err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var name string
		var value []byte
		if err := r.Scan(&name, &value); err != nil {
			return err
		}
		place := strings.TrimPrefix(name, heldMark)
		positions := map[string]int64{}
		all, through[place] = append(all, Holding{Place: place}), positions
		return json.Unmarshal(value, &positions)
	}, `SELECT name, value FROM secret WHERE name LIKE $1 ORDER BY name`, heldMark+"%"))
	if err != nil {
		return nil, db.ToFault(err)
	}
	err = s.eachOrganization(ctx, func(org db.ID) error {
		for i := range all {
			var waits int64
			if err := s.engine.Once(ctx, org,
				db.One(db.Into(&waits), `SELECT count(*) FROM deletion WHERE organization = $1 AND changed > $2`, org,
					through[all[i].Place][org.String()])); err != nil {
				return err
			}
			all[i].Waits += waits
		}
		return nil
	})
	return all, db.ToFault(err)
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

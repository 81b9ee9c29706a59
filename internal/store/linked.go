package store

import (
	"context"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// LinkedAthletes gives the athletes of a capture in the order of linking. It is one
// statement, so that links and names are of one moment.
func (s *Store) LinkedAthletes(ctx context.Context, sc organization.Scope, sessionID string) ([]athlete.Linked, error) {
	org := sc.Organization
	var linked []athlete.Linked
	found := false
	err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var key db.ID
		var first, last *string
		if err := r.Scan(&key, &first, &last); err != nil {
			return err
		}
		found = true
		if first != nil { // else the row is that of nobody
			linked = append(linked, athlete.Linked{ID: key.String(), FirstName: *first, LastName: *last})
		}
		return nil
	}, `SELECT r.athlete, a.first_name, a.last_name FROM capture c CROSS JOIN capture_row r LEFT JOIN athlete a ON a.organization = r.organization AND a.id = r.athlete
WHERE c.organization = $1 AND c.session_id = $2 AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id
ORDER BY r.place`, org, sessionID))
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such capture")
	}
	return linked, db.ToFault(err)
}

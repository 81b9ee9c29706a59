package store

import (
	"context"
	"encoding/json"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/skeleton"
)

func readSkeletons(org db.ID, sets **skeleton.Sets) db.Statement {
	return readSaying(sets, `SELECT sets FROM skeleton WHERE organization = $1`, org)
}

// Skeletons gives the organization's sets of bones; nil where it has none.
func (s *Store) Skeletons(ctx context.Context, sc organization.Scope) (sets *skeleton.Sets, err error) {
	org := sc.Organization
	err = s.engine.Once(ctx, org, readSkeletons(org, &sets))
	return sets, db.ToFault(err)
}

// SetSkeletons puts others in their place, when allow lets it.
func (s *Store) SetSkeletons(ctx context.Context, sc organization.Scope, sets skeleton.Sets,
	allow func(*skeleton.Sets) error) error {
	raw, err := json.Marshal(sets)
	if err != nil {
		return err
	}
	return db.ToFault(s.write(ctx, sc.Organization, func(w *writeTx) error {
		lock := db.Exec(`INSERT INTO skeleton (organization, sets) VALUES ($1, $2) ON CONFLICT (organization) DO UPDATE SET sets = skeleton.sets`, w.Org, []byte(`{"skeletons":[]}`))
		if _, err := allowed(w, lock, readSkeletons, allow); err != nil {
			return err
		}
		return w.Do(db.Exec(`UPDATE skeleton SET sets = $2 WHERE organization = $1`, w.Org, raw))
	}))
}

package store

import (
	"context"
	"encoding/json"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
)

// readLandmarks reads how the organization calls the points of its markers; nil where it has no
// names of its own.
func readLandmarks(org db.ID, own **movement.MarkerSet) db.Statement {
	return readSaying(own, `SELECT names FROM landmarks WHERE organization = $1`, org)
}

// Landmarks gives the organization's names; nil where it has none of its own.
func (s *Store) Landmarks(ctx context.Context, sc organization.Scope) (own *movement.MarkerSet, err error) {
	org := sc.Organization
	err = s.engine.Once(ctx, org, readLandmarks(org, &own))
	return own, db.ToFault(err)
}

// SetLandmarks puts others in their place, when allow lets it, and has all recordings measured by them.
func (s *Store) SetLandmarks(ctx context.Context, sc organization.Scope, own movement.MarkerSet,
	allow func(*movement.MarkerSet) error) error {
	org := sc.Organization
	raw, err := json.Marshal(own)
	if err != nil {
		return err
	}
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		lock := db.Exec(`INSERT INTO landmarks (organization, version, names) VALUES ($1, '', $2) ON CONFLICT (organization) DO UPDATE SET version = landmarks.version`, org, []byte("{}"))
		before, err := allowed(w, lock, readLandmarks, allow)
		if err != nil {
			return err
		}
		if before.Version() != own.Version() {
			if err := w.recompute(); err != nil {
				return err
			}
		}
		return w.Do(db.Exec(`UPDATE landmarks SET version = $2, names = $3 WHERE organization = $1`, org, own.Version(),
			raw))
	}))
}

// current is by what recordings of an organization are to have been measured: the library, and its names
// of points.
func current(t db.Tx, org db.ID, library string) (string, error) {
	version := ""
	err := t.Do(db.Each(func(r db.Rows) error { return r.Scan(&version) },
		`SELECT version FROM landmarks WHERE organization = $1`, org))
	return measuredWith(library, version), err
}

// measuredWith names both versions as one.
func measuredWith(library, landmarks string) string {
	if landmarks == "" {
		return library
	}
	return library + "+" + landmarks
}

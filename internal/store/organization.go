package store

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// CreateOrganization keeps a new organization.
func (s *Store) CreateOrganization(ctx context.Context, o organization.Organization) error {
	key, ok := db.ParseID(o.ID)
	if !ok {
		return fault.New(fault.BadRequest, "the organization's id must be a UUID of 36 characters")
	}
	err := s.write(ctx, db.ID{}, func(w *writeTx) error {
		var there bool
		if err := w.Do(db.One(db.Into(&there), `SELECT EXISTS (SELECT 1 FROM organization WHERE id = $1)`, key)); err != nil {
			return err
		}
		if there {
			return fault.New(fault.Conflict, "there is an organization with the id %s already", key)
		}
		folded, err := w.nameOf(key, o.Name)
		if err != nil {
			return err
		}
		// Where another has taken id or name since, the transaction runs once more.
		return w.Do(db.Exec(`INSERT INTO organization (id, name, created_at, name_key) VALUES ($1, $2, $3, $4)`, key, o.Name, db.Micros(o.CreatedAt), folded),
			db.Exec(`DELETE FROM gone_organization WHERE id = $1`, key))
	})
	return db.ToFault(err)
}

// Organization finds one by id.
func (s *Store) Organization(ctx context.Context, orgID string) (organization.Organization, error) {
	notFound := fault.New(fault.NotFound, "there is no organization with the id %s", orgID)
	key, ok := db.ParseID(orgID)
	if !ok {
		return organization.Organization{}, notFound
	}
	o := organization.Organization{ID: key.String()}
	var created int64
	var suspended *int64
	err := s.engine.Once(ctx, db.ID{}, db.One(db.Into(&o.Name, &created, &suspended), `SELECT name, created_at, suspended_at FROM organization WHERE id = $1`, key))
	if errors.Is(err, db.ErrNoRow) {
		return organization.Organization{}, notFound
	}
	o.CreatedAt, o.SuspendedAt = db.FromMicros(created), db.TimeOrNil(suspended)
	return o, db.ToFault(err)
}

// Organizations lists all, by creation time, then id.
func (s *Store) Organizations(ctx context.Context) ([]organization.Organization, error) {
	var list []organization.Organization
	err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var key db.ID
		var o organization.Organization
		var created int64
		var suspended *int64
		if err := r.Scan(&key, &o.Name, &created, &suspended); err != nil {
			return err
		}
		o.ID, o.CreatedAt, o.SuspendedAt = key.String(), db.FromMicros(created), db.TimeOrNil(suspended)
		list = append(list, o)
		return nil
	}, `SELECT id, name, created_at, suspended_at FROM organization ORDER BY created_at, id`))
	return list, db.ToFault(err)
}

// scope gives the organization's key. A Scope comes from a token, or from the
// operator's command, who has it looked up; anything else finds nothing.
func scope(s organization.Scope) (db.ID, error) {
	key, ok := db.ParseID(s.Organization)
	if !ok {
		return db.ID{}, fault.New(fault.NotFound, "there is no such organization")
	}
	return key, nil
}

package store

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// CreateOrganization keeps a new organization.
func (s *Store) CreateOrganization(ctx context.Context, o organization.Organization) error {
	key := o.ID
	if key == (db.ID{}) {
		return fault.New(fault.BadRequest, "the organization's id must not be the nil UUID")
	}
	err := s.write(ctx, key, func(w *writeTx) error {
		var there bool
		if err := w.Do(db.One(db.Into(&there), `SELECT EXISTS (SELECT 1 FROM organization WHERE id = $1)`, key)); err !=
			nil {
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
		return w.Do(db.Exec(`INSERT INTO organization (id, name, created_at, name_key) VALUES ($1, $2, $3, $4)`, key,
			o.Name, db.Micros(o.CreatedAt), folded),
			db.Exec(`DELETE FROM gone_organization WHERE id = $1`, key))
	})
	return db.ToFault(err)
}

// Organization finds one by id.
func (s *Store) Organization(ctx context.Context, key organization.ID) (organization.Organization, error) {
	o := organization.Organization{ID: key}
	var created int64
	var suspended *int64
	err := s.engine.Once(ctx, db.ID{},
		db.One(db.Into(&o.Name, &created, &suspended),
			`SELECT name, created_at, suspended_at FROM organization WHERE id = $1`, key))
	if errors.Is(err, db.ErrNoRow) {
		return organization.Organization{}, noOrganization(key)
	}
	o.CreatedAt, o.SuspendedAt = db.FromMicros(created), db.TimeOrNil(suspended)
	return o, db.ToFault(err)
}

// Organizations lists all, by creation time, then id.
func (s *Store) Organizations(ctx context.Context) ([]organization.Organization, error) {
	var list []organization.Organization
	err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var o organization.Organization
		var created int64
		var suspended *int64
		if err := r.Scan(&o.ID, &o.Name, &created, &suspended); err != nil {
			return err
		}
		o.CreatedAt, o.SuspendedAt = db.FromMicros(created), db.TimeOrNil(suspended)
		list = append(list, o)
		return nil
	}, `SELECT id, name, created_at, suspended_at FROM organization ORDER BY created_at, id`))
	return list, db.ToFault(err)
}

package store

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

// CreateOrganization keeps a new organization.
func (s *Store) CreateOrganization(ctx context.Context, o organization.Organization) error {
	key, ok := parseID(o.ID)
	if !ok {
		return fault.New(fault.BadRequest, "the organization's id must be a UUID of 36 characters")
	}
	err := s.engine.write(ctx, id{}, func(w *writeTx) error {
		var made int64
		insert := exec(`INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, key, o.Name, micros(o.CreatedAt))
		insert.affected = &made
		if err := w.do(insert); err != nil {
			return err
		}
		if made == 0 {
			return fault.New(fault.Conflict, "there is an organization with the id %s already", key)
		}
		return nil
	})
	return toFault(err)
}

// Organization finds one by id.
func (s *Store) Organization(ctx context.Context, orgID string) (organization.Organization, error) {
	notFound := fault.New(fault.NotFound, "there is no organization with the id %s", orgID)
	key, ok := parseID(orgID)
	if !ok {
		return organization.Organization{}, notFound
	}
	o := organization.Organization{ID: key.String()}
	var created int64
	err := s.engine.once(ctx, id{}, one(into(&o.Name, &created), `SELECT name, created_at FROM organization WHERE id = $1`, key))
	if errors.Is(err, errNoRow) {
		return organization.Organization{}, notFound
	}
	o.CreatedAt = fromMicros(created)
	return o, toFault(err)
}

// Organizations lists all, by creation time, then id.
func (s *Store) Organizations(ctx context.Context) ([]organization.Organization, error) {
	var list []organization.Organization
	err := s.engine.once(ctx, id{}, each(func(r rows) error {
		var key id
		var o organization.Organization
		var created int64
		if err := r.Scan(&key, &o.Name, &created); err != nil {
			return err
		}
		o.ID, o.CreatedAt = key.String(), fromMicros(created)
		list = append(list, o)
		return nil
	}, `SELECT id, name, created_at FROM organization ORDER BY created_at, id`))
	return list, toFault(err)
}

// scope gives the organization's key. A Scope comes from a token, or from the
// operator's command, who has it looked up; anything else finds nothing.
func scope(s organization.Scope) (id, error) {
	key, ok := parseID(s.Organization)
	if !ok {
		return id{}, fault.New(fault.NotFound, "there is no such organization")
	}
	return key, nil
}

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
	if taken, err := s.named(ctx, o.Name); err != nil {
		return toFault(err)
	} else if taken != nil && *taken != key {
		return nameTaken(o.Name)
	}
	err := s.engine.write(ctx, id{}, func(w *writeTx) error {
		var made int64
		insert := exec(`INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, key, o.Name, micros(o.CreatedAt))
		insert.affected = &made
		var there bool
		if err := w.do(insert, one(into(&there), `SELECT EXISTS (SELECT 1 FROM organization WHERE id = $1)`, key)); err != nil {
			return err
		}
		switch {
		case made == 0 && there:
			return fault.New(fault.Conflict, "there is an organization with the id %s already", key)
		case made == 0: // another has taken the name since it was looked for
			return nameTaken(o.Name)
		}
		return w.do(exec(`DELETE FROM gone_organization WHERE id = $1`, key))
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
	var suspended *int64
	err := s.engine.once(ctx, id{}, one(into(&o.Name, &created, &suspended), `SELECT name, created_at, suspended_at FROM organization WHERE id = $1`, key))
	if errors.Is(err, errNoRow) {
		return organization.Organization{}, notFound
	}
	o.CreatedAt, o.SuspendedAt = fromMicros(created), timeOrNil(suspended)
	return o, toFault(err)
}

// Organizations lists all, by creation time, then id.
func (s *Store) Organizations(ctx context.Context) ([]organization.Organization, error) {
	var list []organization.Organization
	err := s.engine.once(ctx, id{}, each(func(r rows) error {
		var key id
		var o organization.Organization
		var created int64
		var suspended *int64
		if err := r.Scan(&key, &o.Name, &created, &suspended); err != nil {
			return err
		}
		o.ID, o.CreatedAt, o.SuspendedAt = key.String(), fromMicros(created), timeOrNil(suspended)
		list = append(list, o)
		return nil
	}, `SELECT id, name, created_at, suspended_at FROM organization ORDER BY created_at, id`))
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

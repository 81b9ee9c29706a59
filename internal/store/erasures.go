package store

import (
	"context"
	"encoding/hex"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Standing says what became of a file that a snapshot names.
func (s *Store) Standing(ctx context.Context, f backup.File) (backup.Standing, error) {
	org := organization.In(f.Organization).Organization
	var there, recorded, exported bool
	err := s.engine.Once(ctx, org,
		db.One(db.Into(&there), `SELECT EXISTS (SELECT 1 FROM capture WHERE organization = $1 AND session_id = $2)`,
			org, f.Session),
		db.One(db.Into(&recorded),
			`SELECT EXISTS (SELECT 1 FROM recording WHERE organization = $1 AND session_id = $2 AND (original = $3 OR derived = $3 OR motion_table = $3 OR samples = $3))`, org, f.Session, f.Name),
		db.One(db.Into(&exported),
			`SELECT EXISTS (SELECT 1 FROM export_part WHERE organization = $1 AND motion_table = $2)`, org, f.Name))
	switch {
	case err != nil:
		return 0, db.ToFault(err)
	case recorded || exported:
		return backup.Named, nil
	case there || f.Export:
		return backup.Replaced, nil
	}
	return backup.Erased, nil
}

// Arrived gives the name of the file of a capture that waited for one; "" while it waits and
// when it is gone.
func (s *Store) Arrived(ctx context.Context, orgID, session string) (name string, err error) {
	org := organization.In(orgID).Organization
	err = s.engine.Once(ctx, org, db.Each(func(r db.Rows) error { return r.Scan(&name) },
		`SELECT original FROM recording WHERE organization = $1 AND session_id = $2`, org, session))
	return name, db.ToFault(err)
}

// Erasures gives what was erased after the positions of a list, and moves the list on.
func (s *Store) Erasures(ctx context.Context, l *backup.List) (all []backup.Erasure, err error) {
	err = s.eachOrganization(ctx, func(org db.ID) error {
		ended, _, err := s.engine.Settled(ctx, org)
		if err != nil {
			return err
		}
		found := []backup.Erasure{}
		through := l.Through[org.String()]
		err = s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
			e := backup.Erasure{Organization: org.String()}
			var kind int64
			if err := r.Scan(&kind, &e.ID, &e.Position, &e.Into); err != nil {
				return err
			}
			e.Kind = feed.Kind(kind).String()
			through = max(through, e.Position)
			found = append(found, e)
			return nil
		}, `SELECT kind, id, changed, merged_into FROM deletion WHERE organization = $1 AND changed > $2 AND changed <= $3 ORDER BY changed`, org, through, lastPlace(ended)),
			db.Each(func(r db.Rows) error {
				e := backup.Erasure{Kind: backup.KindToken, Organization: org.String()}
				var key db.ID
				var hash []byte
				if err := r.Scan(&key, &hash, &e.Revoked); err != nil {
					return err
				}
				e.ID, e.Hash = key.String(), hex.EncodeToString(hash)
				if l.Tokens[e.ID] != e {
					l.Tokens[e.ID] = e
					found = append(found, e)
				}
				return nil
			}, `SELECT id, hash, COALESCE(revoked_at, 0) FROM token WHERE organization = $1 ORDER BY id`, org))
		l.Through[org.String()] = through
		all = append(all, found...)
		return err
	})
	if err != nil {
		return nil, db.ToFault(err)
	}
	err = s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		e := backup.Erasure{Kind: backup.KindOrganization}
		var key db.ID
		if err := r.Scan(&key, &e.At); err != nil {
			return err
		}
		e.ID, e.Organization = key.String(), key.String()
		if l.Gone[e.ID] < e.At {
			l.Gone[e.ID] = e.At
			all = append(all, e)
		}
		return nil
	}, `SELECT id, at FROM gone_organization ORDER BY id`))
	return all, db.ToFault(err)
}

package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	people "github.com/kinebase/kinebase/person"
)

var _ people.Store = (*Store)(nil)

// namedTenant is an organization as people name it.
type namedTenant struct {
	id     organization.ID
	barred bool // it is suspended
}

// Tenant finds the organization of an id or of a name.
func (s *Store) Tenant(ctx context.Context, named string) (organization.ID, error) {
	found, err := remember(ctx, s, &s.tenants, named,
		func(*namedTenant) (namedTenant, error) { return s.findTenant(ctx, named) })
	switch {
	case err != nil:
		return organization.ID{}, db.ToFault(err)
	case found.barred:
		return organization.ID{}, errSuspended()
	}
	return found.id, nil
}

// findTenant takes what is the id of an organization for one, and all else for a name, which may look like an id of
// somebody else's. A name must be that of one organization: those that were called alike before names were unique are
// meant by their names to the letter. What can be no name is not asked for: a claim may hold anything.
func (s *Store) findTenant(ctx context.Context, named string) (namedTenant, error) {
	id, isID := organization.ParseID(named)
	var found []namedTenant
	find := func(where string, args ...any) error {
		return s.engine.Once(ctx, id, db.Each(func(r db.Rows) error {
			var t namedTenant
			err := r.Scan(&t.id, &t.barred)
			found = append(found, t)
			return err
		}, `SELECT id, suspended_at IS NOT NULL FROM organization WHERE `+where, args...))
	}
	var err error
	if isID {
		err = find(`id = $1`, id)
	}
	if _, no := organization.ValidName(named); err == nil && len(found) == 0 && no == nil {
		err = find(`name_key = $1 OR name_key IS NULL AND name = $2`, organization.NameKey(named), named)
	}
	if err == nil && len(found) != 1 {
		err = noOrganization(id)
	}
	if err != nil {
		return namedTenant{}, err
	}
	return found[0], nil
}

// endedKeep is how long it is known that something has ended: longer than any session or access token lasts.
const endedKeep = 31 * 24 * time.Hour

// Ended gives the latest moment at which one of the keys was ended; zero when none was.
func (s *Store) Ended(ctx context.Context, keys []people.Key) (latest time.Time, err error) {
	for _, k := range keys {
		at, err := remember(ctx, s, &s.ended, k, func(*int64) (at int64, err error) {
			err = s.engine.Once(ctx, db.ID{},
				db.Each(func(r db.Rows) error { return r.Scan(&at) }, `SELECT upto FROM ended WHERE key = $1`, k[:]))
			return at, err
		})
		if err != nil {
			return latest, db.ToFault(err)
		}
		if at != 0 && db.FromMicros(at).After(latest) {
			latest = db.FromMicros(at)
		}
	}
	return latest, nil
}

// End ends what the key names, if it began at or before a moment.
func (s *Store) End(ctx context.Context, e people.Ending) error {
	forget := db.Micros(s.now().Add(endedKeep))
	if e.Known {
		// Anybody may ask for this, as often as they like: what is not noted costs no write.
		var noted bool
		if err := s.engine.Once(ctx, db.ID{},
			db.One(db.Into(&noted), `SELECT EXISTS (SELECT 1 FROM ended WHERE key = $1 AND upto < $2)`, e.Key[:],
				db.Micros(e.Before))); err != nil || !noted {
			return db.ToFault(err)
		}
	}
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		w.Then(s.ended.forget)
		if e.Known {
			return w.Do(db.Exec(`UPDATE ended SET upto = $2, forget_at = $3 WHERE key = $1 AND upto < $2`, e.Key[:],
				db.Micros(e.Before), forget))
		}
		return w.Do(db.Exec(`INSERT INTO ended (key, upto, forget_at) VALUES ($1, $2, $3)
ON CONFLICT (key) DO UPDATE SET upto = CASE WHEN excluded.upto > ended.upto THEN excluded.upto ELSE ended.upto END, forget_at = excluded.forget_at`,
			e.Key[:], db.Micros(e.Before), forget))
	}))
}

// Note notes a key for a time; false when it was noted before, and then it is noted for as long from now on.
func (s *Store) Note(ctx context.Context, k people.Key, keep time.Duration) (first bool, err error) {
	err = s.write(ctx, db.ID{}, func(w *writeTx) error {
		var n int64
		forget := db.Micros(s.now().Add(keep))
		note := db.Exec(`INSERT INTO ended (key, upto, forget_at) VALUES ($1, 0, $2) ON CONFLICT (key) DO NOTHING`,
			k[:], forget)
		note.Affected = &n
		err := w.Do(note)
		if first = n == 1; first || err != nil {
			return err
		}
		return w.Do(db.Exec(`UPDATE ended SET forget_at = $2 WHERE key = $1 AND forget_at < $2`, k[:], forget))
	})
	return first, db.ToFault(err)
}

// forgetEnded forgets what ended so long ago that nothing is left of it.
func (s *Store) forgetEnded(ctx context.Context) error {
	now := db.Micros(s.now())
	var some bool
	if err := s.engine.Once(ctx, db.ID{},
		db.One(db.Into(&some), `SELECT EXISTS (SELECT 1 FROM ended WHERE forget_at < $1)`, now)); err != nil || !some {
		return err
	}
	return s.write(ctx, db.ID{},
		func(w *writeTx) error { return w.Do(db.Exec(`DELETE FROM ended WHERE forget_at < $1`, now)) })
}

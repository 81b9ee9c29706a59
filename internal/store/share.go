package store

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/share"
)

var _ share.Store = (*Store)(nil)

var shares = db.NewTable("share", []string{"organization"},
	db.Keyed(db.AsIs("id", func(s *share.Share) *organization.ID { return &s.ID })),
	db.AsIs("name", func(s *share.Share) *string { return &s.Name }),
	word("kind", func(s *share.Share) *share.Kind { return &s.Kind }),
	db.AsIs("view", func(s *share.Share) *string { return &s.View }),
	db.Flag("names", func(s *share.Share) *bool { return &s.Names }),
	db.Moment("created_at", func(s *share.Share) *time.Time { return &s.CreatedAt }),
	db.Moment("expires_at", func(s *share.Share) *time.Time { return &s.ExpiresAt }),
	db.AsIs("uses", func(s *share.Share) *int64 { return &s.Uses }),
	db.MaybeMoment("used_at", func(s *share.Share) **time.Time { return &s.UsedAt }))

// keptAfterEnd is how long the list shows a share that has ended, at least.
const keptAfterEnd = 30 * 24 * time.Hour

func noShare() error { return fault.New(fault.NotFound, "there is no such share") }

// CreateShare keeps a new one. Those that ended long ago go.
func (s *Store) CreateShare(ctx context.Context, sc organization.Scope, made share.Share, h organization.SecretHash,
	once *organization.Once[share.Share]) error {
	org := sc.Organization
	return writeOnce(ctx, s, org, once, &made, func(w *writeTx) (db.ID, error) {
		// Two that are made at the same time are counted one after the other.
		if err := w.Do(db.Each(func(db.Rows) error { return nil },
			`SELECT id FROM organization WHERE id = $1 FOR UPDATE`, org)); err != nil {
			return db.ID{}, err
		}
		if err := w.unshare(`SELECT id FROM share WHERE organization = $1 AND expires_at < $2`,
			db.Micros(s.now().Add(-keptAfterEnd))); err != nil {
			return db.ID{}, err
		}
		var there int64
		if err := w.Do(db.One(db.Into(&there), `SELECT count(*) FROM share WHERE organization = $1`, org)); err != nil {
			return db.ID{}, err
		}
		if there >= share.Most {
			return db.ID{}, fault.New(fault.Conflict,
				"The organization has %d shares, which is as many as it may have. Take one back first.", there)
		}
		if err := w.shareCaptures(made); err != nil {
			return db.ID{}, err
		}
		if err := w.shareCourse(made); err != nil {
			return db.ID{}, err
		}
		w.about("share", made.ID.String())
		return made.ID, w.Do(shares.Inserted(&made, org),
			db.Exec(`INSERT INTO token_index (hash, organization, token) VALUES ($1, $2, $3)`, h[:], org, made.ID))
	})
}

// shareCaptures keeps which captures a share shows. Each is locked, so that a deletion at the same time finds the share
// or is found.
func (w *writeTx) shareCaptures(made share.Share) error {
	for place, session := range made.Captures {
		var found string
		err := w.Do(db.One(db.Into(&found),
			`SELECT session_id FROM capture WHERE organization = $1 AND session_id = $2 FOR UPDATE`, w.Org, session))
		if errors.Is(err, db.ErrNoRow) {
			return fault.New(fault.BadRequest, "captures names %s, and there is no such capture",
				payload.Quote(session))
		}
		if err != nil {
			return err
		}
		if err := w.Do(db.Exec(`INSERT INTO share_capture (organization, share, place, session_id) VALUES ($1, $2, $3, $4)`, w.Org, made.ID, place, session)); err != nil {
			return err
		}
	}
	return nil
}

// Shares lists those of the organization, newest first.
func (s *Store) Shares(ctx context.Context, sc organization.Scope) (list []share.Share, err error) {
	org := sc.Organization
	at := map[organization.ID]int{}
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		list = nil
		return t.Do(db.Each(func(r db.Rows) error {
			var one share.Share
			err := shares.Scan(r, &one)
			at[one.ID] = len(list)
			list = append(list, one)
			return err
		}, `SELECT `+shares.List+` FROM share WHERE organization = $1 ORDER BY created_at DESC, id DESC`, org),
			db.Each(func(r db.Rows) error {
				var of organization.ID
				var session string
				err := r.Scan(&of, &session)
				if i, ok := at[of]; ok {
					list[i].Captures = append(list[i].Captures, session)
				}
				return err
			}, `SELECT share, session_id FROM share_capture WHERE organization = $1 ORDER BY share, place`, org),
			db.Each(func(r db.Rows) error {
				var of organization.ID
				var c share.Course
				err := r.Scan(&of, &c.Athlete, &c.Activity, &c.Movement, &c.Metric)
				if i, ok := at[of]; ok {
					list[i].Course = &c
				}
				return err
			}, `SELECT share, athlete, activity, movement, metric FROM share_progress WHERE organization = $1`, org))
	})
	return list, db.ToFault(err)
}

// DeleteShare takes one back. Its secret counts no more from then on.
func (s *Store) DeleteShare(ctx context.Context, sc organization.Scope, id organization.ID) error {
	return db.ToFault(s.write(ctx, sc.Organization, func(w *writeTx) error {
		var found organization.ID
		err := w.Do(db.One(db.Into(&found), `SELECT id FROM share WHERE organization = $1 AND id = $2 FOR UPDATE`,
			w.Org, id))
		if errors.Is(err, db.ErrNoRow) {
			return noShare()
		}
		if err != nil {
			return err
		}
		return w.unshare(`SELECT id FROM share WHERE organization = $1 AND id = $2`, id)
	}))
}

// unshare erases the shares of the transaction's organization that a query finds. It has the organization as its
// first argument and what is given as its second one.
func (w *writeTx) unshare(query string, given any) error {
	var ids []organization.ID
	if err := w.Do(db.Each(func(r db.Rows) error {
		var id organization.ID
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	}, query, w.Org, given)); err != nil {
		return err
	}
	for _, id := range ids {
		if err := w.Do(
			db.Exec(`DELETE FROM token_index WHERE organization = $1 AND token = $2`, w.Org, id),
			db.Exec(`DELETE FROM share_capture WHERE organization = $1 AND share = $2`, w.Org, id),
			db.Exec(`DELETE FROM share_progress WHERE organization = $1 AND share = $2`, w.Org, id),
			db.Exec(`DELETE FROM share WHERE organization = $1 AND id = $2`, w.Org, id),
			eraseAnswers(w.Org, id)); err != nil {
			return err
		}
	}
	return nil
}

// unshareCapture erases the shares that show a capture, with all else that they show: a comparison without one of its
// trials would have other numbers under the same link.
func (w *writeTx) unshareCapture(session string) error {
	return w.unshare(`SELECT share FROM share_capture WHERE organization = $1 AND session_id = $2`, session)
}

// Shown finds what a secret shows at a moment.
func (s *Store) Shown(ctx context.Context, h organization.SecretHash, at time.Time) (shown share.Share,
	org organization.ID, err error) {
	var id organization.ID
	err = s.engine.Once(ctx, db.ID{},
		db.One(db.Into(&org, &id), `SELECT organization, token FROM token_index WHERE hash = $1`, h[:]))
	if err == nil {
		err = s.engine.Read(ctx, org, func(t db.Tx) error {
			var suspended *int64
			shown = share.Share{}
			if err := t.Do(db.One(db.Into(&suspended), `SELECT suspended_at FROM organization WHERE id = $1`, org),
				db.Statement{SQL: `SELECT ` + shares.List + ` FROM share WHERE organization = $1 AND id = $2`,
					Args: []any{org, id}, Read: func(r db.Rows) error {
						if !r.Next() {
							return errors.Join(r.Err(), noShare())
						}
						return shares.Scan(r, &shown)
					}}, db.Each(func(r db.Rows) error {
					var session string
					err := r.Scan(&session)
					shown.Captures = append(shown.Captures, session)
					return err
				}, `SELECT session_id FROM share_capture WHERE organization = $1 AND share = $2 ORDER BY place`, org,
					id), courseOf(org, id, &shown.Course)); err != nil {
				return err
			}
			if suspended != nil || !at.Before(shown.ExpiresAt) {
				return noShare()
			}
			// A clock that goes back brings no link back.
			_, err := s.living(organization.Token{ExpiresAt: &shown.ExpiresAt})
			return err
		})
	}
	if errors.Is(err, db.ErrNoRow) {
		err = noShare()
	}
	return shown, org, db.ToFault(err)
}

// Visited counts a use.
func (s *Store) Visited(ctx context.Context, sc organization.Scope, id organization.ID, at time.Time) error {
	return db.ToFault(s.write(ctx, sc.Organization, func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE share SET uses = uses + 1, used_at = $3 WHERE organization = $1 AND id = $2`, w.Org,
			id, db.Micros(at.Truncate(time.Minute))))
	}))
}

package store

import (
	"cmp"
	"context"
	"math"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

var _ audit.Log = (*Store)(nil)

// about names what the transaction's act was done to, where the transaction makes it.
func (w *writeTx) about(kind, name string) { w.object = audit.Object{Kind: kind, ID: name} }

// alsoAbout names another object that the act ended: it gets an entry of its own, by which it is found. An act that
// names one has no more than this transaction.
func (w *writeTx) alsoAbout(kind, name string) { w.other = audit.Object{Kind: kind, ID: name} }

// note writes the entry of the act that the transaction is a part of; the first one that is committed has it.
func (w *writeTx) note() error {
	if w.act == nil || w.Org == (db.ID{}) {
		return nil
	}
	e := *w.act
	if w.object != (audit.Object{}) {
		e.Object = w.object
	}
	if err := w.entry(e); err != nil || w.other == (audit.Object{}) {
		return err
	}
	e.ID, e.Object = organization.NewUUID(), w.other
	return w.entry(e)
}

func (w *writeTx) entry(e audit.Entry) error {
	at, err := w.stamped()
	if err != nil {
		return err
	}
	key, _ := organization.ParseID(e.ID)
	return w.Do(db.Exec(`INSERT INTO audit (organization, id, changed, at, actor_kind, actor_id, actor_name, action, object_kind, object_id, status, request_id, address)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (organization, id) DO NOTHING`,
		w.Org, key, at.position, at.now, e.Actor.Kind, e.Actor.ID, e.Actor.Name, e.Action, e.Object.Kind, e.Object.ID,
		int64(e.Status), e.RequestID, e.Address))
}

// Record writes an entry about what has changed nothing.
func (s *Store) Record(ctx context.Context, sc organization.Scope, e audit.Entry) error {
	org := sc.Organization
	e.ID = cmp.Or(e.ID, organization.NewUUID())
	return db.ToFault(s.write(audit.Without(ctx), org, func(w *writeTx) error { return w.entry(e) }))
}

// Audit gives a page of the record.
func (s *Store) Audit(ctx context.Context, sc organization.Scope, q audit.Query) (p audit.Page, err error) {
	org := sc.Organization
	ended, given, err := s.engine.Settled(ctx, org)
	if err != nil {
		return p, db.ToFault(err)
	}
	if q.After > lastPlace(given) {
		return p, fault.New(fault.Gone, "This cursor is of another store. Ask for all entries again, without after.")
	}
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	if q.From != nil {
		from = db.Micros(*q.From)
	}
	if q.To != nil {
		to = db.Micros(*q.To)
	}
	first, last, order := q.After, lastPlace(ended), "changed"
	if q.Newest {
		first, order = 0, "changed DESC"
		if q.After != 0 {
			last = min(last, q.After-1)
		}
	}
	p.Next = q.After
	err = s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var e audit.Entry
		var key db.ID
		var position, at, status int64
		if err := r.Scan(&key, &position, &at, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Action, &e.Object.Kind,
			&e.Object.ID, &status, &e.RequestID, &e.Address); err != nil {
			return err
		}
		if p.More = len(p.Entries) == q.Limit; p.More {
			return nil
		}
		e.ID, e.At, e.Status, p.Next = key.String(), db.FromMicros(at), int(status), position
		p.Entries = append(p.Entries, e)
		return nil
	}, `SELECT id, changed, at, actor_kind, actor_id, actor_name, action, object_kind, object_id, status, request_id, address FROM audit /*+ INDEXED BY audit_position */
WHERE organization = $1 AND changed > $2 AND changed <= $3 AND at >= $4 AND at < $5
AND ($6 = '' OR actor_id = $6) AND ($7 = '' OR object_id = $7) AND ($8 = '' OR action = $8) ORDER BY `+order+` LIMIT $9`,
		org, first, last, from, to, q.Actor, q.Object, q.Action, q.Limit+1))
	return p, db.ToFault(err)
}

// forgetEntries makes the statement that forgets entries of the organization from before a moment, and all of one
// that is gone but the one that says who erased it.
func (s *Store) forgetEntries(org db.ID, before int64) db.Statement {
	if s.options.DatabaseURL != "" {
		return db.Exec(`SELECT kinebase_forget_audit($1)`, before)
	}
	return db.Exec(`DELETE FROM audit WHERE organization = $1 AND (at < $2 OR action <> $3
AND NOT EXISTS (SELECT 1 FROM organization o WHERE o.id = $1))`, org, before, audit.OrgDelete)
}

// forgetAllEntries makes the statement that forgets what is told of an organization that is gone.
func (s *Store) forgetAllEntries(org db.ID) db.Statement { return s.forgetEntries(org, math.MinInt64) }

// forgetAudit forgets entries that are older than they are kept.
func (s *Store) forgetAudit(ctx context.Context) error {
	before := db.Micros(s.now().Add(-s.options.AuditKeep))
	return s.eachWithEntries(ctx, func(org db.ID) error {
		var some bool
		if err := s.engine.Once(ctx, org,
			db.One(db.Into(&some), `SELECT EXISTS (SELECT 1 FROM audit WHERE organization = $1 AND at < $2)`,
				org, before)); err != nil || !some {
			return err
		}
		return s.write(ctx, org, func(w *writeTx) error { return w.Do(s.forgetEntries(org, before)) })
	})
}

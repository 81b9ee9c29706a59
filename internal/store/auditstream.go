package store

import (
	"context"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

var _ audit.Streams = (*Store)(nil)

// Stream sends what of the audit log was not sent yet, organization by organization. Nothing is read while no
// transaction of anybody has taken a number since the last time.
func (s *Store) Stream(ctx context.Context, holder string, to audit.Sink) (sent int, err error) {
	if err := s.auditTurn(ctx, holder, nil); err != nil {
		return 0, err
	}
	ended, _, err := s.engine.Settled(ctx, db.ID{})
	if err != nil {
		return 0, db.ToFault(err)
	}
	if ended == s.streamed.Load() {
		return 0, nil
	}
	behind, err := s.streamPositions(ctx)
	if err != nil {
		return 0, err
	}
	err = s.eachWithEntries(ctx, func(org db.ID) error {
		n, err := s.streamOne(ctx, holder, to, org, behind[org])
		sent += n
		return err
	})
	if err == nil {
		s.streamed.Store(ended)
	}
	return sent, err
}

// EndTurn lets another server stream at once.
func (s *Store) EndTurn(ctx context.Context, holder string) error {
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(db.Exec(`UPDATE audit_turn SET until = 0 WHERE one = 1 AND holder = $1`, holder))
	}))
}

// streamOne sends the entries of one organization behind a position.
func (s *Store) streamOne(ctx context.Context, holder string, to audit.Sink, org db.ID, after int64) (sent int,
	err error) {
	q := audit.Query{After: after, Limit: audit.Batch}
	for {
		page, err := s.Audit(ctx, organization.Scope{Organization: org}, q)
		if fault.Is(err, fault.Gone) && q.After != 0 { // the store was restored from before that position
			q.After = 0
			continue
		}
		if err != nil || len(page.Entries) == 0 {
			return sent, err
		}
		batch := make([]audit.Streamed, len(page.Entries))
		for i, e := range page.Entries {
			batch[i] = audit.Streamed{Organization: org.String(), Entry: e}
		}
		if err := to.Send(ctx, batch); err != nil {
			return sent, err
		}
		sent += len(batch)
		// A server that stops notes what was sent all the same, so that nothing comes twice for that.
		if err := s.auditTurn(context.WithoutCancel(ctx), holder, func(w *writeTx) error {
			return w.Do(db.Exec(`INSERT INTO audit_streamed (id, position) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET position = excluded.position`, org, page.Next))
		}); err != nil || !page.More {
			return sent, err
		}
		q.After = page.Next
	}
}

func (s *Store) streamPositions(ctx context.Context) (map[db.ID]int64, error) {
	all := map[db.ID]int64{}
	return all, db.ToFault(s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var org db.ID
		var position int64
		err := r.Scan(&org, &position)
		all[org] = position
		return err
	}, `SELECT id, position FROM audit_streamed`)))
}

// auditTurn takes or extends the turn to stream, together with what fn writes.
func (s *Store) auditTurn(ctx context.Context, holder string, fn func(*writeTx) error) error {
	return db.ToFault(s.write(ctx, db.ID{}, func(w *writeTx) error {
		now := w.now()
		var whose string
		var until int64
		if err := w.Do(db.One(db.Into(&whose, &until), `SELECT holder, until FROM audit_turn WHERE one = 1 FOR UPDATE`)); err != nil {
			return err
		}
		if whose != holder && db.Micros(now) < until {
			return audit.ErrElsewhere
		}
		if whose == holder && fn == nil && until-db.Micros(now) > (audit.TurnFor/2).Microseconds() {
			return nil // an idle server writes twice a minute
		}
		if fn != nil {
			if err := fn(w); err != nil {
				return err
			}
		}
		return w.Do(db.Exec(`UPDATE audit_turn SET holder = $1, until = $2 WHERE one = 1`, holder,
			db.Micros(now.Add(audit.TurnFor))))
	}))
}

package store

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// A clock may go back: a battery is empty, a virtual machine is restored, somebody
// sets it. What has expired must stay so. The latest moment that a server on this
// database has seen is therefore kept, and tokens expire by that.

// latestMoment is the latest moment that this process knows of, in microseconds.
type latestMoment struct{ micros atomic.Int64 }

// raise notes a moment and gives the latest.
func (l *latestMoment) raise(at int64) int64 {
	for {
		known := l.micros.Load()
		if at <= known {
			return known
		}
		if l.micros.CompareAndSwap(known, at) {
			return at
		}
	}
}

// behindNotice is how far the clock may be behind the latest moment before that is
// said: the clocks of servers are never quite the same.
const behindNotice = time.Minute

// recall reads the latest moment that was kept.
func (s *Store) recall(ctx context.Context) error {
	err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var kept int64
		if err := r.Scan(&kept); err != nil {
			return err
		}
		s.latest.raise(kept)
		return nil
	}, `SELECT moment FROM latest_moment`))
	if err != nil {
		return db.ToFault(err)
	}
	now := s.now()
	if behind := db.FromMicros(s.latest.micros.Load()).Sub(now); behind > behindNotice {
		s.log.Warn("the clock is behind the latest moment that this store has seen; tokens expire by that moment",
			"behind", behind.Round(time.Second))
	}
	return nil
}

// Mark keeps the latest moment that this process has seen, and learns of that of the
// others. It is a write like every other: when it fails, so would they.
func (s *Store) Mark(ctx context.Context) error {
	at := s.latest.raise(db.Micros(s.now()))
	var kept int64
	err := s.write(ctx, db.ID{}, func(w *writeTx) error {
		return w.Do(
			db.Exec(`INSERT INTO latest_moment (one, moment) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET moment = CASE WHEN excluded.moment > latest_moment.moment THEN excluded.moment ELSE latest_moment.moment END`, at),
			db.One(db.Into(&kept), `SELECT moment FROM latest_moment`))
	})
	if err != nil {
		return db.ToFault(err)
	}
	s.latest.raise(kept)
	return nil
}

// living gives the token back unless its life has ended at the latest moment known.
func (s *Store) living(t organization.Token) (organization.Token, error) {
	if latest := s.latest.raise(db.Micros(s.now())); t.ExpiresAt != nil && latest >= db.Micros(*t.ExpiresAt) {
		return organization.Token{}, noToken()
	}
	return t, nil
}

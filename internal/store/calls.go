package store

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/job"
)

// Operations are those of the database, as figures name them.
var Operations = []string{"read", "once", "aside", "write", "bulk", "fold"}

// CallFailed tells what a database does not answer from what it refuses rightly.
func CallFailed(err error) bool {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code == fault.Internal || f.Code == fault.Unavailable
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, db.ErrElsewhere)
}

// counted is an engine whose calls are counted.
type counted struct {
	db.Engine
	calls *telemetry.Calls
}

func (c counted) Read(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	ctx, call := c.calls.Begin(ctx, "read")
	err := c.Engine.Read(ctx, org, fn)
	call.End(err)
	return err
}

func (c counted) Once(ctx context.Context, org db.ID, statements ...db.Statement) error {
	ctx, call := c.calls.Begin(ctx, "once")
	err := c.Engine.Once(ctx, org, statements...)
	call.End(err)
	return err
}

func (c counted) Aside(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	ctx, call := c.calls.Begin(ctx, "aside")
	err := c.Engine.Aside(ctx, org, fn)
	call.End(err)
	return err
}

func (c counted) Write(ctx context.Context, org db.ID, fn func(*db.Write) error) error {
	ctx, call := c.calls.Begin(ctx, "write")
	err := c.Engine.Write(ctx, org, fn)
	call.End(err)
	return err
}

func (c counted) Bulk(ctx context.Context, org db.ID, fn func(*db.Write) error) error {
	ctx, call := c.calls.Begin(ctx, "bulk")
	err := c.Engine.Bulk(ctx, org, fn)
	call.End(err)
	return err
}

func (c counted) Fold(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	ctx, call := c.calls.Begin(ctx, "fold")
	err := c.Engine.Fold(ctx, org, fn)
	call.End(err)
	return err
}

// lite gives the engine where it is SQLite.
func (s *Store) lite() (*db.SQLite, bool) {
	e := s.engine
	if c, ok := e.(counted); ok {
		e = c.Engine
	}
	lite, ok := e.(*db.SQLite)
	return lite, ok
}

// Backlogs says how much work waits in each queue, for all servers together.
func (s *Store) Backlogs(ctx context.Context) (all []job.Backlog, err error) {
	err = s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var b job.Backlog
		var since int64
		err := r.Scan(&b.Queue, &b.Waiting, &b.Retrying, &since)
		if since > 0 {
			b.Oldest = max(0, s.now().Sub(time.Unix(since, 0)))
		}
		all = append(all, b)
		return err
	}, `SELECT queue, SUM(CASE WHEN state = 'available' THEN 1 ELSE 0 END), SUM(CASE WHEN state = 'retryable' THEN 1 ELSE 0 END),
COALESCE(MIN(CASE WHEN state = 'available' THEN /*+ CAST(strftime('%s', scheduled_at) AS INTEGER) -- */ EXTRACT(EPOCH FROM scheduled_at)::bigint
END), 0) FROM river_job WHERE state IN ('available', 'retryable') GROUP BY queue ORDER BY queue`))
	return all, db.ToFault(err)
}

// Held is what a store has in memory, and what waits to be folded.
type Held struct {
	// bytes of lists' counts, of remembered answers, of texts for searches, and of athletes
	Counts, Answers, Texts, Athletes int64
	Changes                          int64         // changes of lists that wait to be folded by this server
	Oldest                           time.Duration // since when the first of them waits
}

// Held says it for this moment.
func (s *Store) Held() (h Held) {
	s.lists.lock.Lock()
	h.Counts = int64(s.lists.size)
	s.lists.lock.Unlock()
	s.answers.lock.Lock()
	h.Answers = int64(s.answers.size)
	s.answers.lock.Unlock()
	for f, to := range map[*finder]*int64{&s.finder: &h.Texts, &s.rosters: &h.Athletes} {
		f.lock.Lock()
		*to = int64(f.size)
		f.lock.Unlock()
	}
	s.folder.lock.Lock()
	defer s.folder.lock.Unlock()
	for _, b := range s.folder.dirty {
		h.Changes += int64(b.entries)
		h.Oldest = max(h.Oldest, time.Since(b.since))
	}
	return h
}

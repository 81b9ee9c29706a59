package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/breaker"
)

// Alone says that the database role of this store could lift the wall between
// organizations: there is no other role that owns the tables. It is false on SQLite,
// which has no roles.
func (s *Store) Alone() bool { return s.engine.OneRole() }

// Breaker is open while PostgreSQL does not answer; nil on SQLite.
func (s *Store) Breaker() *breaker.Breaker { return s.engine.Breaker() }

// QueueDB opens what the workers of the queue work with: a connection of their own
// to the SQLite file, or a pool of connections to PostgreSQL. One of the two is
// set; it is the caller's to close.
func (s *Store) QueueDB(ctx context.Context) (*sql.DB, *pgxpool.Pool, error) {
	return s.engine.QueueDB(ctx)
}

// AwaitJobs waits until there may be new jobs in the SQLite file, and names their queues;
// none means that it may be any. One goroutine at a time may call it. Its error is that of
// ctx.
func (s *Store) AwaitJobs(ctx context.Context) ([]string, error) {
	lite, _ := s.lite()
	return lite.AwaitJobs(ctx)
}

// Exclusive runs f while no other process on this store runs one under the same name;
// backup.ErrElsewhere, without having run it, when another one does. The lock ends with the process.
func (s *Store) Exclusive(ctx context.Context, name string, f func() error) error {
	err := s.engine.Exclusive(ctx, name, f)
	if errors.Is(err, db.ErrElsewhere) {
		return backup.ErrElsewhere
	}
	return err
}

// Package db is the database below a store: an embedded SQLite file or a PostgreSQL. It runs
// statements and transactions, has concurrent writes on SQLite share a commit, puts jobs into the
// queue, and migrates. It knows rows of values (Table), and nothing of what they are about.
package db

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kinebase/kinebase/breaker"
)

// Options say where a database is.
type Options struct {
	Folder string // of the SQLite file; made when it is not there
	URL    string // postgres://…; when set, Folder is not used
	Log    *slog.Logger
	// Timer is the clock of what is waited for an answer of PostgreSQL; time.AfterFunc when nil.
	Timer breaker.Timer
	// Gather makes the statement that keeps what transactions of one organization gathered.
	Gather func(org ID, gathered []byte) Statement
}

// Open opens a database and brings it to the newest version. It waits while another process migrates.
func Open(ctx context.Context, o Options) (Engine, error) {
	switch {
	case o.URL != "":
		return openPostgres(ctx, o)
	case o.Folder != "":
		return openSQLiteFolder(ctx, o)
	}
	return nil, errors.New("neither a data folder nor a database URL is given")
}

// Engine is a database: SQLite or PostgreSQL.
type Engine interface {
	// Read runs fn on a snapshot of one moment. org is who may be seen, the zero id
	// for the tables outside any organization.
	Read(ctx context.Context, org ID, fn func(Tx) error) error
	// Aside is read for what takes long, waits for others in the middle of it, or reads
	// more while it does: on a connection of its own, so that it keeps nobody waiting,
	// itself included. fn runs once.
	Aside(ctx context.Context, org ID, fn func(Tx) error) error
	// Once is read for statements that do not depend on each other.
	Once(ctx context.Context, org ID, statements ...Statement) error
	// Write runs fn in a transaction that is durable when write returns nil. fn may
	// run more than once, and must set whatever it gives back again each time.
	Write(ctx context.Context, org ID, fn func(*Write) error) error
	// Bulk is write for what writes much: beside others in one transaction it would cost more.
	Bulk(ctx context.Context, org ID, fn func(*Write) error) error
	// BulkRecords is how many records a transaction of an import has at most.
	BulkRecords() int
	// Fold runs fn in a transaction that reads and writes one snapshot, or gives
	// errElsewhere when another process is in fold for the organization.
	Fold(ctx context.Context, org ID, fn func(Tx) error) error
	// Settled says up to which number no transaction of the organization can commit any more, of all organizations
	// where it is the zero id; a snapshot that is taken afterwards has all of them. given is the last number that
	// anybody has.
	Settled(ctx context.Context, org ID) (ended, given int64, err error)
	// Moment numbers what is committed: two equal numbers with ok mean that nothing,
	// of any process, was committed between. ok is false where that cannot be known.
	Moment(ctx context.Context) (n uint64, ok bool, err error)
	// Filled says that so many records were brought in at once, so that tables may be
	// much larger than they were when statements about them were planned.
	Filled(ctx context.Context, records int)
	// Tidy does what the engine wants done now and then.
	Tidy(ctx context.Context) error
	// QueueDB opens what the workers of the queue work with: a connection of their own
	// to the SQLite file, or a pool of connections to PostgreSQL. One of the two is
	// set; it is the caller's to close.
	QueueDB(ctx context.Context) (*sql.DB, *pgxpool.Pool, error)
	// Apart opens a connection for what takes long and reads whatever there is; it is the caller's to close.
	Apart() (*sql.DB, error)
	// Breaker is open while a server of a database does not answer; nil on SQLite.
	Breaker() *breaker.Breaker
	// OneRole says that the role could lift the wall between organizations: there is no other role that owns the
	// tables. It is false on SQLite, which has no roles.
	OneRole() bool
	// Exclusive runs f while no other process on this database runs one under the same name; errElsewhere, without
	// having run it, when another one does. The lock ends with the process.
	Exclusive(ctx context.Context, name string, f func() error) error
	Close() error

	// A transaction calls these by the methods of the same names of its Write.
	exclude(w *Write) error
	number(w *Write) error
	line(w *Write) error
	stamp(w *Write, more []Statement) (number int64, err error)
}

package db

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// exclusiveLock is the first key of advisory locks of Exclusive, in ASCII.
const exclusiveLock = 0x6f6e6365 // "once"

// ErrElsewhere says that another process does it already.
var ErrElsewhere = errors.New("another process does it already")

// Exclusive runs f under a lock that ends with the process.
func (e *Postgres) Exclusive(ctx context.Context, name string, f func() error) (err error) {
	c, err := pgx.ParseConfig(e.url)
	if err != nil {
		return errURL
	}
	c.RuntimeParams["application_name"] = "kinebase-" + name
	bound(c)
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var mine bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, hashtext($2))`, int32(exclusiveLock),
		name).Scan(&mine); err != nil {
		return err
	}
	if !mine {
		return ErrElsewhere
	}
	// The end of the connection gives the lock back too, but some time after it was closed here.
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1, hashtext($2))`,
			int32(exclusiveLock), name)
	}()
	return f()
}

// Exclusive runs f under a lock that ends with the process.
func (e *SQLite) Exclusive(_ context.Context, name string, f func() error) (err error) {
	lock, err := os.OpenFile(filepath.Join(filepath.Dir(e.path), "kinebase."+name+".lock"), os.O_CREATE|os.O_RDWR,
		0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	mine, err := lockAlone(lock)
	if err != nil {
		return err
	}
	if !mine {
		return ErrElsewhere
	}
	return f()
}

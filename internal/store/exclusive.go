package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/backup"
)

// exclusiveLock is the first key of advisory locks of Exclusive, in ASCII.
const exclusiveLock = 0x6f6e6365 // "once"

// Exclusive runs f while no other process on this store runs one under the same name;
// backup.ErrElsewhere, without having run it, when another one does. The lock ends with the process.
func (s *Store) Exclusive(ctx context.Context, name string, f func() error) (err error) {
	if s.options.DatabaseURL == "" {
		return exclusiveFile(filepath.Join(s.options.Data, "kinebase."+name+".lock"), f)
	}
	c, err := pgx.ParseConfig(s.options.DatabaseURL)
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
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, hashtext($2))`, int32(exclusiveLock), name).Scan(&mine); err != nil {
		return err
	}
	if !mine {
		return backup.ErrElsewhere
	}
	// The end of the connection gives the lock back too, but some time after it was closed here.
	defer func() {
		_, _ = conn.Exec(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1, hashtext($2))`, int32(exclusiveLock), name)
	}()
	return f()
}

func exclusiveFile(path string, f func() error) (err error) {
	lock, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	mine, err := lockAlone(lock)
	if err != nil {
		return err
	}
	if !mine {
		return backup.ErrElsewhere
	}
	return f()
}

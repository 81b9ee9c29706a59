package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// databaseSilent is what callers hear while PostgreSQL does not answer.
const databaseSilent = "The server's database does not answer."

// guarded makes a call of PostgreSQL that ends when the breaker opens.
func (e *Postgres) guarded(ctx context.Context, call func(context.Context) error) error {
	return e.breaker.Do(ctx, func(ctx context.Context) error {
		defer e.breaker.Watch(0, nil).End()
		return call(ctx)
	})
}

// asker asks the breaker's question, one at a time, on a connection of its own: that all
// others are taken by slow statements says nothing.
type asker struct {
	config *pgx.ConnConfig
	conn   *pgx.Conn // nil before the first question
}

// ask has PostgreSQL answer anything, an error included.
func (a *asker) ask(ctx context.Context) error {
	if a.conn != nil {
		if answered(a.conn.Ping(ctx)) {
			return nil
		}
		a.Close() // the connection may have been lost long ago
	}
	conn, err := pgx.ConnectConfig(ctx, a.config)
	if err == nil {
		a.conn = conn
		err = conn.Ping(ctx)
	}
	if answered(err) {
		return nil
	}
	return fmt.Errorf("PostgreSQL: %w", err)
}

func (a *asker) Close() {
	if a.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = a.conn.Close(ctx) // of no use in any case
	a.conn = nil
}

func answered(err error) bool {
	var pg *pgconn.PgError
	return err == nil || errors.As(err, &pg)
}

// keepAlive has the operating system notice within 35 seconds that the other end of an
// idle connection is gone.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 4}

// bound bounds how long connections take to be made, unless the URL says so itself, and
// how long a dead one is believed to be alive. A pool goes on with a connection whose
// caller has left, and has no place for another meanwhile.
func bound(c *pgx.ConnConfig) {
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, connectTime)
	c.DialFunc = (&net.Dialer{Timeout: c.ConnectTimeout, KeepAliveConfig: keepAlive}).DialContext
}

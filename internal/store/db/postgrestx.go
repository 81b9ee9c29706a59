package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresTx sends statements in batches. The transaction begins with the first
// one, in the same round trip.
type postgresTx struct {
	ctx   context.Context
	conn  *pgxpool.Conn
	org   ID
	begin string // "" for an implicit transaction of one batch
	begun bool

	writes bool

	handed bool // a row has reached who asked
}

func (t *postgresTx) Do(statements ...Statement) error {
	var b pgx.Batch
	prelude := 0
	if !t.begun {
		t.begun = true
		if t.begin != "" {
			b.Queue(t.begin)
			prelude++
		}
		org := ""
		if t.org != (ID{}) {
			org = t.org.String()
		}
		b.Queue(SetOrganization, org)
		prelude++
	}
	for i := range statements {
		b.Queue(statements[i].SQL, postgresArgs(statements[i].Args)...)
	}
	results := t.conn.SendBatch(t.ctx, &b)
	err := func() error {
		for range prelude {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		for i := range statements {
			if err := statements[i].take(results, &t.handed); err != nil {
				return RowError(statements[i].SQL, err)
			}
		}
		return nil
	}()
	closing := results.Close()
	if err != nil {
		return err
	}
	return closing
}

// take reads one statement's result.
func (st *Statement) take(results pgx.BatchResults, handed *bool) error {
	if st.Read == nil {
		tag, err := results.Exec()
		if err == nil && st.Affected != nil {
			*st.Affected = tag.RowsAffected()
		}
		return err
	}
	r, err := results.Query()
	if err != nil {
		return err
	}
	defer r.Close()
	if err := st.Read(postgresRows{r, handed}); err != nil {
		return err
	}
	r.Close()
	if st.Affected != nil {
		*st.Affected = r.CommandTag().RowsAffected()
	}
	return r.Err()
}

// finish ends an explicit transaction: it commits when err is nil.
func (t *postgresTx) finish(err error) error {
	if !t.begun {
		return err
	}
	if err != nil {
		// The caller may have gone; the connection must be usable all the same, and a
		// connection that cannot roll back is closed by the pool.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), 5*time.Second)
		defer cancel()
		_, _ = t.conn.Exec(ctx, "ROLLBACK")
		return err
	}
	tag, err := t.conn.Exec(t.ctx, "COMMIT")
	var pg *pgconn.PgError
	switch {
	case err == nil && tag.String() == "ROLLBACK":
		return errors.New("the transaction was rolled back")
	case errors.As(err, &pg) && (pg.Code[:2] == "40" || pg.Code[:2] == "23"):
		return err // refused, and so rolled back
	case err != nil && t.writes:
		return &commitError{err}
	}
	return err
}

// commitError is a COMMIT whose answer did not come: whether it was done is not
// known, so it must not be tried again. The driver may call such an error safe to
// retry: when a connection breaks under a COMMIT, what it tells in the end is that
// the connection is closed.
type commitError struct{ error }

func (e *commitError) Unwrap() error { return e.error }

// postgresArgs turns the store's types into the driver's.
func postgresArgs(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case ID:
			out[i] = [16]byte(v)
		case *ID:
			if v != nil {
				out[i] = [16]byte(*v)
			}
		case int:
			out[i] = int64(v)
		default:
			out[i] = a
		}
	}
	return out
}

type postgresRows struct {
	pgx.Rows
	handed *bool
}

func (r postgresRows) Next() bool {
	next := r.Rows.Next()
	*r.handed = *r.handed || next
	return next
}

func (r postgresRows) Raw(col int) []byte { return r.RawValues()[col] }

func (r postgresRows) Scan(dest ...any) error {
	for i, d := range dest {
		if p, ok := d.(*ID); ok {
			dest[i] = (*[16]byte)(p)
		}
	}
	return r.Rows.Scan(dest...)
}

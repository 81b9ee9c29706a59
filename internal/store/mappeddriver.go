package store

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"
)

// The workers of the queue speak to SQLite through database/sql. Their connection takes
// part in the mapping like every other one, and keeps its prepared statements, for they
// ask the same few questions day and night.

// mappedConnector opens connections for database/sql.
type mappedConnector struct {
	driver.Connector
	m *mapping
}

func (n mappedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	var opened driver.Conn
	_, p, err := n.m.open(func() (*sqlite3.Conn, error) {
		var err error
		if opened, err = n.Connector.Connect(ctx); err != nil {
			return nil, err
		}
		return opened.(sqlite.Conn).Raw(), nil
	})
	if err != nil {
		return nil, err
	}
	return &mappedConn{Conn: opened.(sqlite.Conn), p: p, kept: map[string]*mappedStmt{}}, nil
}

type mappedConn struct {
	sqlite.Conn
	p    *mapped
	kept map[string]*mappedStmt // those that nobody uses
}

// IsValid is asked by database/sql, which closes a connection that is not.
func (c *mappedConn) IsValid() bool { return !c.p.stale() }

func (c *mappedConn) Close() error {
	return c.p.close(func() error {
		for _, s := range c.kept {
			_ = s.Stmt.Close()
		}
		return c.Conn.Close()
	})
}

func (c *mappedConn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *mappedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s := c.kept[query]; s != nil {
		delete(c.kept, query)
		return s, nil
	}
	s := &mappedStmt{c: c, text: query}
	err := c.p.use(func() (err error) {
		s.Stmt, err = c.Conn.PrepareContext(ctx, query)
		if err == nil {
			s.inputs = s.Stmt.NumInput()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (c *mappedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (r driver.Result, err error) {
	err = c.p.use(func() (err error) {
		r, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
		return err
	})
	return r, err
}

func (c *mappedConn) CheckNamedValue(v *driver.NamedValue) error {
	return c.Conn.(driver.NamedValueChecker).CheckNamedValue(v)
}

func (c *mappedConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *mappedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	t := &mappedTx{p: c.p}
	err := c.p.use(func() (err error) { t.Tx, err = c.Conn.BeginTx(ctx, o); return err })
	return t, err
}

type mappedTx struct {
	driver.Tx
	p *mapped
}

func (t *mappedTx) Commit() error   { return t.p.use(t.Tx.Commit) }
func (t *mappedTx) Rollback() error { return t.p.use(t.Tx.Rollback) }

type mappedStmt struct {
	driver.Stmt
	c      *mappedConn
	text   string
	inputs int
}

func (s *mappedStmt) NumInput() int { return s.inputs }

// Close keeps the statement for the next one who asks for it.
func (s *mappedStmt) Close() error {
	if s.c.kept[s.text] == nil && len(s.c.kept) < maxStatements {
		s.c.kept[s.text] = s
		return nil
	}
	return s.c.p.use(s.Stmt.Close)
}

func (s *mappedStmt) CheckNamedValue(v *driver.NamedValue) error {
	return s.Stmt.(driver.NamedValueChecker).CheckNamedValue(v)
}

func (s *mappedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (r driver.Result, err error) {
	err = s.c.p.use(func() (err error) { r, err = s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args); return err })
	return r, err
}

func (s *mappedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows := &mappedRows{p: s.c.p}
	err := s.c.p.use(func() (err error) {
		if rows.Rows, err = s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args); err == nil {
			rows.names = rows.Rows.Columns()
		}
		return err
	})
	return rows, err
}

type mappedRows struct {
	driver.Rows
	p     *mapped
	names []string
}

func (r *mappedRows) Columns() []string { return r.names }

func (r *mappedRows) Next(dest []driver.Value) error {
	return r.p.use(func() error { return r.Rows.Next(dest) })
}

func (r *mappedRows) Close() error {
	err := r.p.use(r.Rows.Close)
	if errors.Is(err, errMapped) {
		return nil // the rows have said so, or nobody read to their end
	}
	return err
}

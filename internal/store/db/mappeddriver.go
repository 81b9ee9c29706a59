package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	sqlite "github.com/ncruces/go-sqlite3/driver"
)

// The workers of the queue, and the writer when it puts jobs into the queue, speak to
// SQLite through database/sql. Here are the types that database/sql calls. None embeds one
// of the library's: a method that is not written here does not exist, rather than going
// past the guard. A connection keeps its prepared statements, for the queue asks the same
// few questions day and night.

// openMapped gives a pool of connections. The pragmas are the end of a URI's query.
func openMapped(m *mapping, pragmas string) (*sql.DB, error) {
	connector, err := new(sqlite.SQLite).OpenConnector(fileURI(m.path) + pragmas)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(mappedConnector{connector, m}), nil
}

// mappedConnector opens connections for database/sql.
type mappedConnector struct {
	connector driver.Connector // it has no connection
	m         *mapping
}

func (n mappedConnector) Driver() driver.Driver { return n.connector.Driver() }

func (n mappedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := n.connect(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (n mappedConnector) connect(ctx context.Context) (*mappedConn, error) {
	g, err := open(n.m, func() (sqlite.Conn, error) {
		c, err := n.connector.Connect(ctx)
		if err != nil {
			return nil, err
		}
		return c.(sqlite.Conn), nil
	})
	if err != nil {
		return nil, err
	}
	return &mappedConn{conn: g, kept: map[string]*mappedStmt{}}, nil
}

type mappedConn struct {
	conn guarded[sqlite.Conn]
	kept map[string]*mappedStmt // those that nobody uses
}

// IsValid is asked by database/sql, which closes a connection that is not.
func (c *mappedConn) IsValid() bool { return !c.conn.stale() }

func (c *mappedConn) Close() error {
	return c.conn.Close(func(conn sqlite.Conn) error {
		c.forget()
		return conn.Close()
	})
}

// forget closes the statements that are kept. It is called within the guard.
func (c *mappedConn) forget() {
	for text, s := range c.kept {
		_ = s.stmt.Do(driver.Stmt.Close)
		delete(c.kept, text)
	}
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
	var err error
	s.stmt, err = derive(c.conn, func(conn sqlite.Conn) (driver.Stmt, error) {
		stmt, err := conn.PrepareContext(ctx, query)
		if err == nil {
			s.inputs = stmt.NumInput()
		}
		return stmt, err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (c *mappedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return ask(c.conn, func(conn sqlite.Conn) (driver.Result, error) {
		return conn.(driver.ExecerContext).ExecContext(ctx, query, args)
	})
}

func (c *mappedConn) CheckNamedValue(v *driver.NamedValue) error {
	return c.conn.Do(func(conn sqlite.Conn) error { return conn.(driver.NamedValueChecker).CheckNamedValue(v) })
}

func (c *mappedConn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

func (c *mappedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	t, err := derive(c.conn, func(conn sqlite.Conn) (driver.Tx, error) { return conn.BeginTx(ctx, o) })
	if err != nil {
		return nil, err
	}
	return &mappedTx{t}, nil
}

type mappedTx struct{ tx guarded[driver.Tx] }

func (t *mappedTx) Commit() error   { return t.tx.Do(driver.Tx.Commit) }
func (t *mappedTx) Rollback() error { return t.tx.Do(driver.Tx.Rollback) }

type mappedStmt struct {
	stmt   guarded[driver.Stmt]
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
	return s.stmt.Do(driver.Stmt.Close)
}

func (s *mappedStmt) CheckNamedValue(v *driver.NamedValue) error {
	return s.stmt.Do(func(stmt driver.Stmt) error { return stmt.(driver.NamedValueChecker).CheckNamedValue(v) })
}

// errOldCall is what a method says that database/sql does not call where there is one with
// a context.
var errOldCall = errors.New("store: the method that takes a context is the one to call")

func (s *mappedStmt) Exec([]driver.Value) (driver.Result, error) { return nil, errOldCall }
func (s *mappedStmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errOldCall }

func (s *mappedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return ask(s.stmt, func(stmt driver.Stmt) (driver.Result, error) {
		return stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	})
}

func (s *mappedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r := &mappedRows{}
	var err error
	r.rows, err = derive(s.stmt, func(stmt driver.Stmt) (driver.Rows, error) {
		rows, err := stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
		if err == nil {
			r.names = rows.Columns()
		}
		return rows, err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

type mappedRows struct {
	rows  guarded[driver.Rows]
	names []string
}

func (r *mappedRows) Columns() []string { return r.names }

func (r *mappedRows) Next(dest []driver.Value) error {
	return r.rows.Do(func(rows driver.Rows) error { return rows.Next(dest) })
}

func (r *mappedRows) Close() error {
	err := r.rows.Do(driver.Rows.Close)
	if errors.Is(err, errMapped) {
		return nil // the rows have said so, or nobody read to their end
	}
	return err
}

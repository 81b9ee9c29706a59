package db

import (
	"errors"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// sqliteConn is one connection with its prepared statements. It serves one
// goroutine at a time.
type sqliteConn struct {
	part  guarded[*sqliteSession]
	queue *sqliteQueue // where jobs are put; nil but for the writer
}

// sqliteSession is what a sqliteConn guards. Its methods run within the guard.
type sqliteSession struct {
	conn  *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
}

func newSession(conn *sqlite3.Conn) *sqliteSession {
	return &sqliteSession{conn: conn, stmts: map[string]*sqlite3.Stmt{}}
}

// maxStatements bounds the prepared statements of a connection; there are fewer
// texts than that, but for lists of parameters of many lengths.
const maxStatements = 256

func openSQLite(m *mapping, path string, flags sqlite3.OpenFlag, pragmas ...string) (*sqliteConn, error) {
	g, err := open(m, func() (*sqliteSession, error) {
		conn, err := sqlite3.OpenFlags(path, flags|sqlite3.OPEN_EXRESCODE)
		return newSession(conn), err
	})
	if err != nil {
		return nil, err
	}
	c := &sqliteConn{part: g}
	return c.prepared(c.setUp(pragmas))
}

// setUp sets a new connection up.
func (c *sqliteConn) setUp(pragmas []string) error {
	for _, p := range pragmas {
		if err := c.part.Do(func(s *sqliteSession) error { return s.conn.Exec("PRAGMA " + p) }); err != nil {
			return fmt.Errorf("PRAGMA %s: %w", p, err)
		}
	}
	return nil
}

// prepared gives the connection, or closes it after an error of its set-up.
func (c *sqliteConn) prepared(err error) (*sqliteConn, error) {
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// renew opens another connection in the place of one that is of no use any longer.
func renew(c **sqliteConn, open func() (*sqliteConn, error)) error {
	if !(*c).part.stale() {
		return nil
	}
	next, err := open()
	if err != nil {
		return err
	}
	_ = (*c).Close()
	*c = next
	return nil
}

func (c *sqliteConn) Close() error {
	if c.queue != nil {
		_ = c.queue.db.Close() // its connection is this one, and stays
	}
	return c.part.Close(func(s *sqliteSession) error {
		if c.queue != nil {
			c.queue.conn.forget()
		}
		return s.Close()
	})
}

func (s *sqliteSession) Close() error {
	for _, stmt := range s.stmts {
		_ = stmt.Close() // says again what its last step said
	}
	return s.conn.Close()
}

// open says whether a transaction is open. It is, as far as is known, when SQLite cannot be asked.
func (c *sqliteConn) open() bool {
	auto, err := ask(c.part, func(s *sqliteSession) (bool, error) { return s.conn.GetAutocommit(), nil })
	return err != nil || !auto
}

// prepare gives a ready statement.
func (s *sqliteSession) prepare(sql string) (*sqlite3.Stmt, error) {
	if stmt := s.stmts[sql]; stmt != nil {
		return stmt, nil
	}
	if len(s.stmts) >= maxStatements {
		for text, stmt := range s.stmts {
			_ = stmt.Close()
			delete(s.stmts, text)
		}
	}
	stmt, tail, err := s.conn.PrepareFlags(ForSQLite(sql), sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, RowError(sql, err)
	}
	if tail != "" {
		_ = stmt.Close()
		return nil, fmt.Errorf("more than one statement in %.60q", sql)
	}
	s.stmts[sql] = stmt
	return stmt, nil
}

// Do runs the statements one after the other.
func (c *sqliteConn) Do(statements ...Statement) error {
	for i := range statements {
		if err := c.run(&statements[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *sqliteConn) run(st *Statement) error {
	return c.part.Do(func(s *sqliteSession) error { return s.step(st) })
}

// Steps runs a statement and gives how many steps SQLite's machine has taken: what it costs, on any processor.
func (c *sqliteConn) Steps(st Statement) (steps int64, err error) {
	err = c.part.Do(func(s *sqliteSession) error {
		stmt, err := s.prepare(st.SQL)
		if err != nil {
			return err
		}
		stmt.Status(sqlite3.STMTSTATUS_VM_STEP, true)
		err = s.step(&st)
		steps = int64(stmt.Status(sqlite3.STMTSTATUS_VM_STEP, true))
		return err
	})
	return steps, err
}

func (s *sqliteSession) step(st *Statement) error {
	stmt, err := s.prepare(st.SQL)
	if err != nil {
		return err
	}
	done := false
	defer func() {
		if !done { // what reads the rows has panicked: the statement must not stay open
			_ = stmt.Reset()
		}
	}()
	for i, a := range st.Args {
		if err := bind(stmt, i+1, a); err != nil {
			return RowError(st.SQL, err)
		}
	}
	if st.Read != nil {
		err = st.Read(sqliteRows{stmt})
	} else {
		for stmt.Step() {
		}
		err = stmt.Err()
	}
	// Reset gives the error of the last step again: the first one is the one to tell.
	done = true
	if reset := stmt.Reset(); err == nil {
		err = reset
	}
	if err != nil {
		return RowError(st.SQL, err)
	}
	if st.Affected != nil {
		*st.Affected = s.conn.Changes()
	}
	return nil
}

func bind(s *sqlite3.Stmt, n int, a any) error {
	switch v := a.(type) {
	case nil:
		return s.BindNull(n)
	case string:
		return s.BindText(n, v)
	case ID:
		return s.BindBlob(n, v[:])
	case []byte:
		if v == nil {
			return s.BindNull(n)
		}
		return s.BindBlob(n, v)
	case int64:
		return s.BindInt64(n, v)
	case int:
		return s.BindInt64(n, int64(v))
	case float64:
		return s.BindFloat(n, v)
	case bool:
		return s.BindBool(n, v)
	case *string:
		if v == nil {
			return s.BindNull(n)
		}
		return s.BindText(n, *v)
	case *int64:
		if v == nil {
			return s.BindNull(n)
		}
		return s.BindInt64(n, *v)
	case *float64:
		if v == nil {
			return s.BindNull(n)
		}
		return s.BindFloat(n, *v)
	case *ID:
		if v == nil {
			return s.BindNull(n)
		}
		return s.BindBlob(n, v[:])
	}
	return fmt.Errorf("store: cannot bind a %T", a)
}

type sqliteRows struct{ s *sqlite3.Stmt }

func (r sqliteRows) Next() bool         { return r.s.Step() }
func (r sqliteRows) Err() error         { return r.s.Err() }
func (r sqliteRows) Raw(col int) []byte { return r.s.ColumnRawBlob(col) }

func (r sqliteRows) Scan(dest ...any) error {
	for i, d := range dest {
		switch p := d.(type) {
		case nil:
		case *string:
			*p = r.s.ColumnText(i)
		case *ID:
			b := r.s.ColumnRawBlob(i)
			if len(b) != len(p) {
				return fmt.Errorf("store: column %d is no id", i)
			}
			copy(p[:], b)
		case *[]byte:
			*p = nil
			if r.s.ColumnType(i) != sqlite3.NULL {
				*p = r.s.ColumnBlob(i, []byte{})
			}
		case *int64:
			*p = r.s.ColumnInt64(i)
		case *int:
			*p = r.s.ColumnInt(i)
		case *bool:
			*p = r.s.ColumnBool(i)
		case *float64:
			*p = r.s.ColumnFloat(i)
		case **string:
			*p = nil
			if r.s.ColumnType(i) != sqlite3.NULL {
				v := r.s.ColumnText(i)
				*p = &v
			}
		case **int64:
			*p = nil
			if r.s.ColumnType(i) != sqlite3.NULL {
				v := r.s.ColumnInt64(i)
				*p = &v
			}
		case **float64:
			*p = nil
			if r.s.ColumnType(i) != sqlite3.NULL {
				v := r.s.ColumnFloat(i)
				*p = &v
			}
		default:
			return fmt.Errorf("store: cannot scan into a %T", d)
		}
	}
	return nil
}

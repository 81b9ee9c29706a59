package db

import (
	"errors"
	"fmt"
)

// Statement is one SQL statement with its arguments, and what to do with what it
// gives. The text is written for both engines (PostgreSQL's $N, see dialect.go).
// Arguments are string, []byte, id, int64, int, float64, bool, the pointers of
// these, and nil: never a time.Time, which drivers write in their own ways.
type Statement struct {
	SQL  string
	Args []any
	// Read takes the rows; nil for a statement that gives none.
	Read func(Rows) error
	// Affected, when not nil, gets the number of rows written.
	Affected *int64
}

// Rows are a statement's result. Scan takes pointers to the types of arguments,
// and nil for a column that is passed over.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	// Raw gives a column's bytes, which are valid until the next call of Next.
	Raw(column int) []byte
	Err() error
}

// Tx runs statements in one transaction. Statements given together go to a
// server in one round trip.
type Tx interface {
	Do(statements ...Statement) error
}

// ErrNoRow says that a statement of one gave nothing.
var ErrNoRow = errors.New("no row")

// One makes a statement whose single row is scanned into dest; no row is
// errNoRow.
func One(dest []any, sql string, args ...any) Statement {
	return Statement{SQL: sql, Args: args, Read: func(r Rows) error {
		if !r.Next() {
			if err := r.Err(); err != nil {
				return err
			}
			return ErrNoRow
		}
		return r.Scan(dest...)
	}}
}

// Into makes the list of scan destinations for one.
func Into(dest ...any) []any { return dest }

// Each makes a statement of which f is called for every row.
func Each(f func(Rows) error, sql string, args ...any) Statement {
	return Statement{SQL: sql, Args: args, Read: func(r Rows) error {
		for r.Next() {
			if err := f(r); err != nil {
				return err
			}
		}
		return r.Err()
	}}
}

// Exec makes a statement that gives no rows.
func Exec(sql string, args ...any) Statement { return Statement{SQL: sql, Args: args} }

// RowError names the statement in an error of the log; it never reaches a caller.
func RowError(sql string, err error) error {
	if err == nil || errors.Is(err, ErrNoRow) {
		return err
	}
	return fmt.Errorf("%w (in %.60q)", err, sql)
}

package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/organization"
)

// statement is one SQL statement with its arguments, and what to do with what it
// gives. The text is written for both engines (PostgreSQL's $N, see dialect.go).
// Arguments are string, []byte, id, int64, int, float64, bool, the pointers of
// these, and nil: never a time.Time, which drivers write in their own ways.
type statement struct {
	sql  string
	args []any
	// read takes the rows; nil for a statement that gives none.
	read func(rows) error
	// affected, when not nil, gets the number of rows written.
	affected *int64
}

// rows are a statement's result. Scan takes pointers to the types of arguments,
// and nil for a column that is passed over.
type rows interface {
	Next() bool
	Scan(dest ...any) error
	// Raw gives a column's bytes, which are valid until the next call of Next.
	Raw(column int) []byte
	Err() error
}

// tx runs statements in one transaction. Statements given together go to a
// server in one round trip.
type tx interface {
	do(statements ...statement) error
}

// errNoRow says that a statement of one gave nothing.
var errNoRow = errors.New("no row")

// one makes a statement whose single row is scanned into dest; no row is
// errNoRow.
func one(dest []any, sql string, args ...any) statement {
	return statement{sql: sql, args: args, read: func(r rows) error {
		if !r.Next() {
			if err := r.Err(); err != nil {
				return err
			}
			return errNoRow
		}
		return r.Scan(dest...)
	}}
}

// into makes the list of scan destinations for one.
func into(dest ...any) []any { return dest }

// each makes a statement of which f is called for every row.
func each(f func(rows) error, sql string, args ...any) statement {
	return statement{sql: sql, args: args, read: func(r rows) error {
		for r.Next() {
			if err := f(r); err != nil {
				return err
			}
		}
		return r.Err()
	}}
}

// exec makes a statement that gives no rows.
func exec(sql string, args ...any) statement { return statement{sql: sql, args: args} }

// id is a UUID as it is stored: 16 bytes, which PostgreSQL's uuid and a BLOB
// order alike. The zero id stands for nobody.
type id [16]byte

// parseID reads a lower-case UUID of 36 characters; ok is false for anything
// else and for the nil UUID, which names nobody.
func parseID(s string) (v id, ok bool) {
	s, ok = organization.ParseUUID(s)
	if !ok {
		return id{}, false
	}
	var b [32]byte
	copy(b[:], s[:8])
	copy(b[8:], s[9:13])
	copy(b[12:], s[14:18])
	copy(b[16:], s[19:23])
	copy(b[20:], s[24:])
	_, err := hex.Decode(v[:], b[:])
	return v, err == nil && v != id{}
}

// String gives the 36 characters.
func (v id) String() string {
	var b [36]byte
	hex.Encode(b[:8], v[:4])
	hex.Encode(b[9:13], v[4:6])
	hex.Encode(b[14:18], v[6:8])
	hex.Encode(b[19:23], v[8:10])
	hex.Encode(b[24:], v[10:])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

func newID() id {
	v, ok := parseID(organization.NewID())
	if !ok {
		panic("store: organization.NewID made no UUID")
	}
	return v
}

// micros is how a time is stored: microseconds since 1970, UTC.
func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

func microsOrNil(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	n := t.UnixMicro()
	return &n
}

func timeOrNil(n *int64) *time.Time {
	if n == nil {
		return nil
	}
	t := fromMicros(*n)
	return &t
}

// engine is a database: SQLite or PostgreSQL.
type engine interface {
	// read runs fn on a snapshot of one moment. org is who may be seen, the zero id
	// for the tables outside any organization.
	read(ctx context.Context, org id, fn func(tx) error) error
	// aside is read for what takes long, waits for others in the middle of it, or reads
	// more while it does: on a connection of its own, so that it keeps nobody waiting,
	// itself included. fn runs once.
	aside(ctx context.Context, org id, fn func(tx) error) error
	// once is read for statements that do not depend on each other.
	once(ctx context.Context, org id, statements ...statement) error
	// write runs fn in a transaction that is durable when write returns nil. fn may
	// run more than once, and must set whatever it gives back again each time.
	write(ctx context.Context, org id, fn func(*writeTx) error) error
	// bulk is write for what writes much: beside others in one transaction it would cost more.
	bulk(ctx context.Context, org id, fn func(*writeTx) error) error
	// bulkRecords is how many records a transaction of an import has at most.
	bulkRecords() int
	// fold runs fn in a transaction that reads and writes one snapshot, or gives
	// errElsewhere when another process is in fold for the organization.
	fold(ctx context.Context, org id, fn func(tx) error) error
	// exclude keeps imports of the organization apart once two have met: the first
	// try of a transaction runs beside others, a later one alone.
	exclude(w *writeTx) error
	// number makes the transaction, until its end, the only one that gives numbers to
	// the organization's combinations.
	number(w *writeTx) error
	// line makes the transaction, until its end, the only one that says which of the
	// organization's exports stand in the queue. It is locked before any row.
	line(w *writeTx) error
	// stamp gives the transaction its number in the order of changes: each change of the feed has a place below it.
	// Numbers are given in the order in which they are asked for, not in that of the commits.
	stamp(w *writeTx) (number int64, err error)
	// settled says up to which number no transaction of the organization can commit any more, of all organizations
	// where it is the zero id; a snapshot that is taken afterwards has all of them. given is the last number that
	// anybody has.
	settled(ctx context.Context, org id) (ended, given int64, err error)
	// moment numbers what is committed: two equal numbers with ok mean that nothing,
	// of any process, was committed between. ok is false where that cannot be known.
	moment(ctx context.Context) (n uint64, ok bool, err error)
	// filled says that so many records were brought in at once, so that tables may be
	// much larger than they were when statements about them were planned.
	filled(ctx context.Context, records int)
	// tidy does what the engine wants done now and then.
	tidy(ctx context.Context) error
	close() error
}

// rowError names the statement in an error of the log; it never reaches a caller.
func rowError(sql string, err error) error {
	if err == nil || errors.Is(err, errNoRow) {
		return err
	}
	return fmt.Errorf("%w (in %.60q)", err, sql)
}

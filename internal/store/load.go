package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/store/db"
)

// A backup is brought into an empty store by one transaction: the tables as they were made at the
// version of the backup, its rows, and a mark by which nobody opens the store before the files are
// there too. Migrations to the newest version come after it, as for any store of that version.

// restoringMark is the name of that mark among the secrets.
const restoringMark = "restoring"

// whole refuses a store whose restore did not come to its end.
func (s *Store) whole(ctx context.Context) error {
	var marked bool
	err := s.engine.Once(ctx, db.ID{}, db.One(db.Into(&marked), `SELECT EXISTS (SELECT 1 FROM secret WHERE name = $1)`,
		restoringMark))
	if err == nil && marked && !s.options.restoring {
		err = errors.New("the store was being restored and is not whole: remove what is there, and restore the " +
			"backup again into an empty store")
	}
	return err
}

// numberLeap is by how much the numbers of changes go on after a restore: by more than the store
// that was lost can have given since the backup, or since the list of erasures has heard of it.
const numberLeap = 1 << 32

// epochSecret has the name of the time since the last restore, in epochBytes, which is part of cursors: what one store
// has given, no other one takes, not even another one of the same backup.
const (
	epochSecret = "epoch"
	epochBytes  = 8
)

// Epoch gives that name: zeros in a store that was never restored.
func (s *Store) Epoch(ctx context.Context) ([]byte, error) {
	return s.Secret(ctx, epochSecret, make([]byte, epochBytes))
}

// Restoring is an empty store that a backup is brought into.
type Restoring struct {
	options Options
	store   *Store
	jobs    []backup.Job
	rows    int
	unnamed map[string]bool // athletes that were made for captures, by organization and id
}

var _ backup.Loader = (*Restoring)(nil)

// Restore makes one of the place of a store. Nothing is touched before Load.
func Restore(o Options) *Restoring {
	o.restoring = true
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Restoring{options: o}
}

// Load brings the rows in.
func (r *Restoring) Load(ctx context.Context, m backup.Manifest, taken int64, rows *backup.RowReader) error {
	l := loader{restoring: r, manifest: m, taken: taken, rows: rows, postgres: r.options.DatabaseURL != ""}
	err := db.Restore(ctx, db.Options{Folder: r.options.Data, URL: r.options.DatabaseURL, Log: r.options.Log}, m.Schema,
		func(db *sql.DB) error { return l.load(ctx, db) })
	if err != nil {
		return err
	}
	r.store, err = Open(ctx, r.options)
	return err
}

// Close gives back what Load has opened.
func (r *Restoring) Close() error {
	if r.store == nil {
		return nil
	}
	return r.store.Close()
}

// loader brings rows in.
type loader struct {
	restoring *Restoring
	postgres  bool
	manifest  backup.Manifest
	taken     int64
	rows      *backup.RowReader

	tx     *sql.Tx
	table  *tableShape
	values []any // of rows that are not inserted yet
	wait   int   // how many rows that are
	counts map[string]int64
}

func (l *loader) load(ctx context.Context, db *sql.DB) (err error) {
	if l.tx, err = db.BeginTx(ctx, nil); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ignoreDone(l.tx.Rollback())) }()
	var some bool
	if err := l.tx.QueryRowContext(ctx,
		l.text(`SELECT EXISTS (SELECT 1 FROM organization) OR EXISTS (SELECT 1 FROM secret)`)).Scan(&some); err != nil {
		return err
	}
	if some {
		return errors.New("the store is not empty: restore into an empty one")
	}
	tables, err := tablesOf(ctx, l.tx, l.postgres)
	if err != nil {
		return err
	}
	l.counts = map[string]int64{}
	if err := l.lines(ctx, tables); err != nil {
		return err
	}
	for table, n := range l.manifest.Counts {
		if l.counts[table] != n {
			return &backup.Damaged{Reason: fmt.Sprintf("it has %d rows of %s, and its manifest says %d",
				l.counts[table], table, n)}
		}
	}
	if err := l.goOn(ctx); err != nil {
		return err
	}
	return l.tx.Commit()
}

func (l *loader) lines(ctx context.Context, tables []tableShape) error {
	for {
		head, job, row, err := l.rows.Next()
		if err == io.EOF {
			return l.flush(ctx)
		}
		switch {
		case err != nil:
			return err
		case job != nil:
			l.counts["job"]++
			l.restoring.jobs = append(l.restoring.jobs, *job)
		case head != nil:
			err = l.begin(ctx, *head, tables)
		default:
			err = l.row(ctx, row)
		}
		if err != nil {
			return err
		}
	}
}

// begin turns to the rows of a table.
func (l *loader) begin(ctx context.Context, h backup.Head, tables []tableShape) error {
	if err := l.flush(ctx); err != nil {
		return err
	}
	at := slices.IndexFunc(tables, func(t tableShape) bool { return t.name == h.Table })
	if at < 0 || len(tables[at].columns) != len(h.Columns) {
		return &backup.Damaged{Reason: "its table " + h.Table + " is none of the version that it says it is of"}
	}
	t := tableShape{name: h.Table, columns: h.Columns, uuids: make([]bool, len(h.Columns))}
	for i, column := range h.Columns {
		j := slices.Index(tables[at].columns, column)
		if j < 0 {
			return &backup.Damaged{Reason: "its table " + h.Table +
				" has a column that the version does not have which it says it is of"}
		}
		t.uuids[i] = tables[at].uuids[j]
	}
	l.table = &t
	if l.postgres {
		_, err := l.tx.ExecContext(ctx, db.SetOrganization, h.Organization)
		return err
	}
	return nil
}

// rowsAtOnce is how many rows one statement inserts.
const rowsAtOnce = 100

func (l *loader) row(ctx context.Context, row []any) error {
	if l.table == nil || len(row) != len(l.table.columns) {
		return &backup.Damaged{Reason: "a row of it has more or fewer values than its table has columns"}
	}
	for i, v := range row {
		if b, bytes := v.([]byte); bytes && l.table.uuids[i] {
			key, err := asID(b)
			if err != nil {
				return err
			}
			v = key.String()
		}
		l.values = append(l.values, v)
	}
	l.counts[l.table.name]++
	l.restoring.rows++
	if l.wait++; l.wait < rowsAtOnce {
		return nil
	}
	return l.flush(ctx)
}

// flush inserts the rows that wait.
func (l *loader) flush(ctx context.Context) error {
	if l.wait == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString(`INSERT INTO ` + l.table.name + ` (` + strings.Join(l.table.columns, ", ") + `) VALUES `)
	for n := range l.wait {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(" + parameters(n*len(l.table.columns)+1, len(l.table.columns)) + ")")
	}
	text := l.text(b.String())
	_, err := l.tx.ExecContext(ctx, text, l.values...)
	l.values, l.wait = l.values[:0], 0
	return db.RowError(text, err)
}

// text is a statement in the words of the engine.
func (l *loader) text(sql string) string {
	if l.postgres {
		return sql
	}
	return db.ForSQLite(sql)
}

// goOn has numbers of changes go on where neither the lost store nor an earlier restore of the backup has
// given any, has cursors of both refused, and marks the store.
func (l *loader) goOn(ctx context.Context) error {
	number := max(l.manifest.Number, l.taken>>placeBits) + numberLeap
	leap := `UPDATE change_number SET last = $1`
	if l.postgres {
		leap = `SELECT setval('change_number', $1)`
	}
	if _, err := l.tx.ExecContext(ctx, l.text(leap), number); err != nil {
		return err
	}
	if _, err := l.tx.ExecContext(ctx, l.text(`UPDATE organization SET forgotten = $1`), lastPlace(number)); err !=
		nil {
		return err
	}
	epoch := make([]byte, epochBytes)
	_, _ = rand.Read(epoch) // which cannot fail
	put := l.text(`INSERT INTO secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
	if _, err := l.tx.ExecContext(ctx, put, epochSecret, epoch); err != nil {
		return err
	}
	_, err := l.tx.ExecContext(ctx, put, restoringMark, []byte(time.Now().UTC().Format(time.RFC3339)))
	return err
}

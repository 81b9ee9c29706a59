package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A backup has the rows of all tables, as they are in one snapshot and whatever the engine, so that either engine
// can be restored from either. It leaves out what a restored store makes for itself: files that are kept of exports,
// pieces of files that are not whole, whose turn it is, the counter of changes, and the queue, of which the work is
// kept that was to be done.

var _ backup.Source = (*Store)(nil)

// notDumped are the tables of which a backup has no rows.
var notDumped = []string{"audit_turn", "change_number", "ended", "export_file", "export_storage", "upload_partial",
	"upload_piece", db.VersionTable}

// remade is work about files that no backup has.
var remade = []string{job.ExportFile, job.WatchExportFile}

// tableShape is a table as the database has it.
type tableShape struct {
	name    string
	columns []string
	uuids   []bool // which columns are of PostgreSQL's type for them
	owned   bool   // its rows are an organization's
}

// dumper reads one snapshot, on a connection of its own.
type dumper struct {
	*sql.Tx
	postgres bool
	w        *backup.RowWriter
	found    backup.Snapshot
}

// Dump writes every row of one snapshot.
func (s *Store) Dump(ctx context.Context, w *backup.RowWriter) (found backup.Snapshot, err error) {
	db, err := s.engine.Apart()
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	d := dumper{postgres: s.options.DatabaseURL != "", w: w}
	options := sql.TxOptions{ReadOnly: true}
	if d.postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	if d.Tx, err = db.BeginTx(ctx, &options); err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, ignoreDone(d.Rollback())) }()
	err = d.all(ctx)
	return d.found, err
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

func (d *dumper) all(ctx context.Context) error {
	d.found.Engine = "SQLite"
	number := `SELECT last FROM change_number`
	if d.postgres {
		d.found.Engine, number = "PostgreSQL", `SELECT pg_sequence_last_value('change_number')`
	}
	if err := d.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&d.found.Schema); err != nil {
		return err
	}
	if err := d.QueryRowContext(ctx, number).Scan(&d.found.Number); err != nil {
		return err
	}
	tables, err := tablesOf(ctx, d.Tx, d.postgres)
	if err != nil {
		return err
	}
	orgs, err := d.organizations(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables { // first what others refer to
		if !t.owned {
			if err := d.table(ctx, t, db.ID{}); err != nil {
				return err
			}
		}
	}
	for _, org := range orgs {
		if d.postgres {
			if _, err := d.ExecContext(ctx, db.SetOrganization, org.String()); err != nil {
				return err
			}
		}
		for _, t := range tables {
			if t.owned {
				if err := d.table(ctx, t, org); err != nil {
					return err
				}
			}
		}
		if err := d.files(ctx, org); err != nil {
			return err
		}
	}
	return d.jobs(ctx)
}

func (d *dumper) organizations(ctx context.Context) (orgs []db.ID, err error) {
	err = d.each(ctx, `SELECT id FROM organization`, nil, func(row []any) error {
		org, err := asID(row[0])
		orgs = append(orgs, org)
		return err
	})
	return orgs, err
}

// each calls f for every row of a query. The row is f's until it returns.
func (d *dumper) each(ctx context.Context, query string, args []any, f func(row []any) error) (err error) {
	if !d.postgres {
		query = db.ForSQLite(query)
	}
	r, err := d.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	columns, err := r.Columns()
	if err != nil {
		return err
	}
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for r.Next() {
		if err := r.Scan(into...); err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return r.Err()
}

// owner is an organization as a parameter.
func owner(postgres bool, org db.ID) any {
	if postgres {
		return org.String()
	}
	return org[:]
}

// asID reads a UUID as the engines give it.
func asID(v any) (db.ID, error) {
	switch v := v.(type) {
	case []byte:
		if len(v) == len(db.ID{}) {
			return db.ID(v), nil
		}
	case string:
		if key, ok := parseUUID(v); ok {
			return key, nil
		}
	}
	return db.ID{}, fmt.Errorf("%v is no UUID", v)
}

// parseUUID is parseID for what also may be the id of nobody.
func parseUUID(s string) (db.ID, bool) {
	if s == (db.ID{}).String() {
		return db.ID{}, true
	}
	return organization.ParseID(s)
}

func (d *dumper) table(ctx context.Context, t tableShape, org db.ID) error {
	head := backup.Head{Table: t.name, Columns: t.columns}
	query, args := `SELECT `+strings.Join(t.columns, ", ")+` FROM `+t.name, []any(nil)
	if t.owned {
		head.Organization = org.String()
		query, args = query+` WHERE organization = $1`, []any{owner(d.postgres, org)}
	}
	some := false
	return d.each(ctx, query, args, func(row []any) error {
		if !some {
			some = true
			if err := d.w.Head(head); err != nil {
				return err
			}
		}
		for i, v := range row {
			if t.uuids[i] && v != nil {
				key, err := asID(v)
				if err != nil {
					return err
				}
				row[i] = key[:]
			}
		}
		return d.w.Row(row)
	})
}

// files finds what rows name. Tables that only a result has are no recording's any more.
func (d *dumper) files(ctx context.Context, org db.ID) error {
	args := []any{owner(d.postgres, org)}
	seen := map[string]bool{}
	if err := d.each(ctx, `SELECT r.session_id, r.original, r.derived, r.motion_table, r.samples, c.status FROM recording r
JOIN capture c ON c.organization = r.organization AND c.session_id = r.session_id WHERE r.organization = $1`, args, func(row []any) error {
		f := backup.File{Organization: org.String(), Session: text(row[0])}
		for i, name := range row[1:5] {
			f.Original = i == 0
			if f.Name = text(name); f.Name != "" && !seen[f.Name] {
				seen[f.Name] = true
				d.found.Files = append(d.found.Files, f)
			}
		}
		if text(row[1]) == "" && text(row[5]) == "awaiting_upload" {
			f.Name, f.Original = "", false
			d.found.Waiting = append(d.found.Waiting, f)
		}
		return nil
	}); err != nil {
		return err
	}
	return d.each(ctx, `SELECT DISTINCT session_id, motion_table FROM export_part WHERE organization = $1 AND motion_table <> ''`, args, func(row []any) error {
		f := backup.File{Organization: org.String(), Session: text(row[0]), Name: text(row[1]), Export: true}
		if !seen[f.Name] {
			seen[f.Name] = true
			d.found.Files = append(d.found.Files, f)
		}
		return nil
	})
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// jobs writes the work that was to be done, or was being done.
func (d *dumper) jobs(ctx context.Context) error {
	query := `SELECT kind, args->>'organization', args->>'subject', CAST(strftime('%s', scheduled_at) AS INTEGER) FROM river_job WHERE finalized_at IS NULL`
	if d.postgres {
		query = `SELECT kind, args->>'organization', args->>'subject', EXTRACT(EPOCH FROM scheduled_at)::bigint FROM river_job WHERE finalized_at IS NULL`
	}
	return d.each(ctx, query, nil, func(row []any) error {
		j := backup.Job{Work: text(row[0]), Organization: text(row[1]), Subject: text(row[2])}
		j.At, _ = row[3].(int64)
		if slices.Contains(remade, j.Work) {
			return nil
		}
		return d.w.Job(j)
	})
}

// queries is a database or a transaction.
type queries interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// tablesOf finds the tables whose rows a backup has, in the order of their names.
func tablesOf(ctx context.Context, db queries, postgres bool) (all []tableShape, err error) {
	query := `SELECT m.name, c.name, lower(c.type) FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY m.name, c.cid`
	if postgres {
		query = `SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, pg_class g
WHERE g.oid = to_regclass('goose_db_version') AND c.relnamespace = g.relnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`
	}
	r, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for r.Next() {
		var table, column, kind string
		if err := r.Scan(&table, &column, &kind); err != nil {
			return nil, err
		}
		if slices.Contains(notDumped, table) || strings.HasPrefix(table, "river_") {
			continue
		}
		if len(all) == 0 || all[len(all)-1].name != table {
			all = append(all, tableShape{name: table})
		}
		t := &all[len(all)-1]
		t.columns, t.uuids = append(t.columns, column), append(t.uuids, kind == "uuid")
		t.owned = t.owned || column == "organization"
	}
	return all, r.Err()
}

// Identity names the store, for as long as it or one that is restored from it lives.
func (s *Store) Identity(ctx context.Context) (string, error) {
	fresh := make([]byte, 16)
	_, _ = rand.Read(fresh) // never fails
	value, err := s.Secret(ctx, "identity", fresh)
	return hex.EncodeToString(value), err
}

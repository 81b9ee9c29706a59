package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// The questions of a doctor to a store. All of them only read, and have no limit of time.

// Integrity gives what the database finds wrong with its own files; nothing on PostgreSQL, which
// looks after its own.
func (s *Store) Integrity(ctx context.Context) (wrong []string, err error) {
	if s.options.DatabaseURL != "" {
		return nil, nil
	}
	told := func(r db.Rows) error {
		var line string
		if err := r.Scan(&line); err != nil {
			return err
		}
		if line != "ok" {
			wrong = append(wrong, line)
		}
		return nil
	}
	err = s.engine.Aside(ctx, db.ID{}, func(t db.Tx) error {
		return t.Do(db.Each(told, `PRAGMA integrity_check(20)`),
			db.Each(told, `SELECT "table" || ' refers to what is not there' FROM pragma_foreign_key_check LIMIT 20`))
	})
	return wrong, err
}

// Counted is a number that is kept, and the same one counted.
type Counted struct {
	What          string
	Kept, Counted int64
}

// Counts compares the sums that are kept of an organization with plain counts.
func (s *Store) Counts(ctx context.Context, sc organization.Scope) ([]Counted, error) {
	org := sc.Organization
	total, err := s.total(ctx, sc)
	if err != nil {
		return nil, err
	}
	captures, files := Counted{What: "captures", Kept: total}, Counted{What: "bytes of files"}
	err = s.engine.Aside(ctx, org, func(t db.Tx) error {
		return t.Do(db.One(db.Into(&captures.Counted), `SELECT count(*) FROM capture WHERE organization = $1`, org),
			db.One(db.Into(&files.Kept),
				`SELECT CAST(COALESCE(SUM(bytes + made), 0) AS BIGINT) FROM recording_bytes WHERE organization = $1`,
				org),
			db.One(db.Into(&files.Counted),
				`SELECT CAST(COALESCE(SUM(size + CASE WHEN derived_bytes > 0 THEN derived_bytes ELSE 0 END + CASE WHEN table_bytes > 0 THEN table_bytes ELSE 0 END), 0) AS BIGINT) FROM recording WHERE organization = $1`, org))
	})
	return []Counted{captures, files}, db.ToFault(err)
}

func totalOf(body []byte) (int64, error) {
	var page struct {
		Total int64 `json:"total_count"`
	}
	err := json.Unmarshal(body, &page)
	return page.Total, err
}

// Owned is a file that the rows of an organization name.
type Owned struct {
	backup.File
	SHA256 string // of an original, where it is known
	// Needed says that the file must be there: what is only noted, or kept for convenience, may be missing.
	Needed bool
}

// Owned calls each for every file that an organization's rows name, in one snapshot.
func (s *Store) Owned(ctx context.Context, sc organization.Scope, f func(Owned) error) error {
	org := sc.Organization
	// The rows are read into memory first, for f may be slow and the snapshot must not wait.
	var all []Owned
	take := func(needed, export bool) func(db.Rows) error {
		return func(r db.Rows) error {
			o := Owned{File: backup.File{Organization: sc.Organization.String(), Export: export}, Needed: needed}
			err := r.Scan(&o.Session, &o.Name, &o.SHA256)
			if o.Name != "" {
				all = append(all, o)
			}
			return err
		}
	}
	err := s.engine.Aside(ctx, org, func(t db.Tx) error {
		return t.Do(
			db.Each(take(true, false), `SELECT session_id, original, sha256 FROM recording WHERE organization = $1`,
				org),
			db.Each(take(true, false), `SELECT session_id, derived, '' FROM recording WHERE organization = $1`, org),
			db.Each(take(true, false), `SELECT session_id, motion_table, '' FROM recording WHERE organization = $1`,
				org),
			db.Each(take(true, false), `SELECT session_id, samples, '' FROM recording WHERE organization = $1`, org),
			db.Each(take(true, true),
				`SELECT DISTINCT session_id, motion_table, '' FROM export_part WHERE organization = $1`, org),
			db.Each(take(false, true), `SELECT job, name, '' FROM export_file WHERE organization = $1`, org),
			db.Each(take(false, true), `SELECT job, coming, '' FROM export_file WHERE organization = $1`, org),
			db.Each(take(false, false), `SELECT session_id, name, '' FROM erasure WHERE organization = $1`, org))
	})
	if err != nil {
		return db.ToFault(err)
	}
	for _, o := range all {
		if err := f(o); err != nil {
			return err
		}
	}
	return nil
}

// Clock gives the time of the database's machine; that of this one on SQLite, or the latest moment that
// the store has seen where that is later.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	if s.options.DatabaseURL == "" {
		now := s.now()
		if latest := db.FromMicros(s.latest.micros.Load()); latest.After(now) {
			return latest, nil
		}
		return now, nil
	}
	var at int64
	err := s.engine.Once(ctx, db.ID{},
		db.One(db.Into(&at), `SELECT (EXTRACT(EPOCH FROM pg_catalog.clock_timestamp()) * 1000000)::bigint`))
	return db.FromMicros(at), db.ToFault(err)
}

// Unwalled gives the tables with rows of organizations that no row-level security holds; none on SQLite.
func (s *Store) Unwalled(ctx context.Context) (tables []string, err error) {
	if s.options.DatabaseURL == "" {
		return nil, nil
	}
	err = s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var name string
		err := r.Scan(&name)
		tables = append(tables, name)
		return err
	}, `SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid, pg_class g WHERE g.oid = to_regclass('goose_db_version')
AND c.relnamespace = g.relnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'organization' AND NOT a.attisdropped AND c.relname <> 'token_index'
AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1`))
	return tables, db.ToFault(err)
}

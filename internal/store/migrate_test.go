package store

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func TestEightProcessesMigrateTheSameNewStoreAtOnce(t *testing.T) {
	if child() == "migrates" {
		fmt.Println("ready")
		_, _ = io.Copy(io.Discard, os.Stdin) // until all are
		s := inherited(t).open()
		made := organization.Organization{ID: organization.NewID(), Name: "made by a process " + organization.NewUUID(),
			CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
		for {
			// A write waits ten seconds for a process that still migrates, and is then refused.
			err := s.CreateOrganization(t.Context(), made)
			if !fault.Is(err, fault.Unavailable) {
				must(t, err)
				return
			}
		}
	}
	unmigrated(t, func(t *testing.T, p place) {
		p.t = t
		// All wait at the same gate: the end of their input.
		gate, open, err := os.Pipe()
		must(t, err)
		defer func() { must(t, gate.Close()) }()
		var ready, ended sync.WaitGroup
		for range 8 {
			cmd := p.again("migrates")
			cmd.Stdin = gate
			out, err := cmd.StdoutPipe()
			must(t, err)
			cmd.Stderr = cmd.Stdout
			must(t, cmd.Start())
			ready.Add(1)
			ended.Go(func() {
				in := bufio.NewReader(out)
				first, _ := in.ReadString('\n')
				ready.Done()
				rest, _ := io.ReadAll(in)
				if err := cmd.Wait(); err != nil || first != "ready\n" {
					t.Errorf("%v\n%s%s", err, first, rest)
				}
			})
		}
		ready.Wait()
		must(t, open.Close())
		ended.Wait()
		orgs, err := p.open().Organizations(t.Context())
		must(t, err)
		if len(orgs) != 8 {
			t.Errorf("%d of 8 processes have left something", len(orgs))
		}
	})
}

func TestAStoreOfANewerVersionIsRefusedAndLeftAlone(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		o := organization.Organization{ID: organization.NewID(), Name: "from the future", CreatedAt: noon}
		must(t, s.CreateOrganization(t.Context(), o))
		applied := any(int64(1))
		if p.options.Data == "" {
			applied = true
		}
		must(t, s.write(t.Context(), db.ID{}, func(w *writeTx) error {
			return w.Do(db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, $2)`, int64(9999),
				applied))
		}))
		if _, err := Open(t.Context(), p.options); err == nil || !strings.Contains(err.Error(), "newer Kinebase") ||
			!strings.Contains(err.Error(), "9999") {
			t.Fatalf("got %v", err)
		}
		got, err := s.Organization(t.Context(), o.ID)
		must(t, err)
		if got != o {
			t.Errorf("got %+v", got)
		}
	})
}

func TestAStoreNeedsAPlaceThatItCanUse(t *testing.T) {
	for what, o := range map[string]Options{"neither a data folder": {},
		"has the form postgres://": {DatabaseURL: "postgres://%zz"}} {
		if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: %v", what, err)
		}
	}
	s := place{t, Options{Data: t.TempDir() + "/made?/when needed#1"}}.open()
	tenant(t, s, "A")
	must(t, s.Ready(t.Context()))
}

// column is what both engines must agree on.
type column struct {
	table, name, kind string
	nullable          bool
}

func (c column) String() string {
	null := " NOT NULL"
	if c.nullable {
		null = ""
	}
	return c.table + "." + c.name + " " + c.kind + null
}

// catalog reads columns, and keys and indexes, from an engine's own catalog.
func catalog(t *testing.T, s *Store) (columns, indexes []string) {
	t.Helper()
	columnText := `SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL), NOT a.attnotnull FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname, a.attnum`
	indexText := `SELECT t.relname::text, CASE WHEN x.indisprimary THEN 'key' ELSE i.relname::text END, x.indisunique, COALESCE((SELECT string_agg(a.attname::text, ',' ORDER BY k.n) FROM unnest(x.indkey) WITH ORDINALITY k (attnum, n) JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum), '')
FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid WHERE t.relnamespace = 'public'::regnamespace`
	foreignText := `SELECT conrelid::regclass::text, 'refers to', true, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'`
	if _, lite := s.engine.(*db.SQLite); lite {
		columnText = `SELECT m.name, c.name, c.type, NOT c."notnull" FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid`
		indexText = `SELECT m.name, CASE WHEN i.origin = 'pk' THEN 'key' ELSE i.name END, i."unique", COALESCE((SELECT group_concat(k.name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) k), '') FROM sqlite_schema m, pragma_index_list(m.name) i WHERE m.type = 'table'`
		foreignText = `SELECT m.name, 'refers to', 1, f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
	}
	kinds := map[string]string{"uuid": "BLOB", "bytea": "BLOB", "bigint": "INTEGER", "text": "TEXT",
		"double precision": "REAL"}
	ours := func(table string) bool {
		return table != "goose_db_version" && table != "change_number" && // a sequence on PostgreSQL
			!strings.HasPrefix(table, "sqlite_") && !slices.Contains(queueTables, table)
	}
	must(t, s.engine.Once(t.Context(), db.ID{}, db.Each(func(r db.Rows) error {
		var c column
		err := r.Scan(&c.table, &c.name, &c.kind, &c.nullable)
		if k, ok := kinds[c.kind]; ok {
			c.kind = k
		}
		if ours(c.table) {
			columns = append(columns, c.String())
		}
		return err
	}, columnText)))
	for _, text := range []string{indexText, foreignText} {
		must(t, s.engine.Once(t.Context(), db.ID{}, db.Each(func(r db.Rows) error {
			var table, name, list string
			var unique bool
			err := r.Scan(&table, &name, &unique, &list)
			if ours(table) {
				indexes = append(indexes, fmt.Sprintf("%s %s (%s) unique %v", table, name, list, unique))
			}
			return err
		}, text)))
	}
	slices.Sort(indexes)
	return columns, indexes
}

func TestBothEnginesHaveTheSameColumnsKeysIndexesAndNullability(t *testing.T) {
	lite, server := place{t, Options{Data: t.TempDir()}}.open(), postgres(t).open()
	columns, indexes := catalog(t, lite)
	serverColumns, serverIndexes := catalog(t, server)
	// Three indexes of SQLite have what is read of the rows in them too. PostgreSQL would refuse a capture whose row is
	// too long for an index, and has the rows of the feed in the order in which they came.
	for name, read := range map[string]string{"capture_row capture_row_unfinished ": ",combination,body)",
		"capture capture_position ": ",changed_at,updated_at,sort_time)", "athlete athlete_position ": ",changed_at)"} {
		i := slices.IndexFunc(indexes, func(index string) bool { return strings.HasPrefix(index, name) })
		indexes[i] = strings.Replace(indexes[i], read, ")", 1)
	}
	same(t, "columns", serverColumns, columns)
	same(t, "keys and indexes", serverIndexes, indexes)
	if len(columns) < 90 || len(indexes) < 25 {
		t.Errorf("only %d columns and %d indexes were compared", len(columns), len(indexes))
	}
	for _, c := range columns {
		if table, _, _ := strings.Cut(c, "."); slices.Contains(tenantTables, table) &&
			strings.HasSuffix(c, ".organization BLOB") {
			t.Errorf("%s may be without an organization", table)
		}
	}
	for _, table := range tenantTables {
		if !slices.ContainsFunc(indexes, func(i string) bool {
			return strings.HasPrefix(i, table+" key (organization,") ||
				strings.HasPrefix(i, table+" key (organization)")
		}) {
			t.Errorf("the key of %s does not begin with the organization", table)
		}
	}
}

func TestEveryTextOnPostgreSQLIsComparedByItsBytes(t *testing.T) {
	p := postgres(t)
	p.open()
	conn := connect(t, p.options.DatabaseURL)
	const text = `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') AND table_name <> 'goose_db_version' AND table_name NOT LIKE 'river!_%' ESCAPE '!' AND collation_name IS `
	same(t, "columns in the order of a language", asked(t, conn, text+`DISTINCT FROM 'C'`), []string{})
	if n := len(asked(t, conn, text+`NOT NULL`)); n < 30 {
		t.Errorf("only %d columns were looked at", n)
	}
}

func TestARoleThatMayNotMakeTablesIsToldWhatToDoAndThenItWorks(t *testing.T) {
	for name, spoil := range map[string]string{
		"somebody else's database": `ALTER DATABASE %[1]s OWNER TO CURRENT_USER`,
		"no schema":                `DROP SCHEMA public`,
		"a schema out of reach":    `ALTER SCHEMA public OWNER TO CURRENT_USER; REVOKE ALL ON SCHEMA public FROM PUBLIC`,
	} {
		t.Run(name, func(t *testing.T) {
			server := testkit.Postgres(t)
			url := server.Database(t)
			super := connect(t, server.Superuser(t, url))
			run := func(statements string) {
				t.Helper()
				_, err := super.Exec(t.Context(), strings.ReplaceAll(statements, "%[1]s", super.Config().Database))
				must(t, err)
			}
			run(spoil)
			_, err := Open(t.Context(), Options{DatabaseURL: url})
			if err == nil || !strings.Contains(err.Error(), "may not make tables") {
				t.Fatalf("got %v", err)
			}
			// The advice is taken word for word.
			_, advice, _ := strings.Cut(err.Error(), "as a superuser: ")
			for _, part := range strings.Split(strings.Replace(advice, "and in that database: ", "", 1), ";") {
				run(part)
			}
			s, err := Open(t.Context(), Options{DatabaseURL: url})
			must(t, err)
			must(t, s.Close())
		})
	}
}

func TestAFileThatIsNoDatabaseIsToldSo(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, db.FileName)
	must(t, os.WriteFile(file, []byte(strings.Repeat("not a database ", 100)), 0o600))
	if _, err := Open(t.Context(), Options{Data: folder}); err == nil ||
		!strings.HasPrefix(err.Error(), "the file "+file+" is not a database") {
		t.Errorf("a file of text: %v", err)
	}
	if _, err := Open(t.Context(), Options{Data: file}); err == nil ||
		!strings.Contains(err.Error(), "is a file where a folder should be") {
		t.Errorf("a file instead of a folder: %v", err)
	}
}

package store

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/store/db"
)

func TestParametersKeepTheirNumbersWhateverTheOrderInWhichTheyAppear(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open()
		var a, b string
		var c int64
		must(t, s.engine.Once(t.Context(), db.ID{},
			db.One(db.Into(&a, &b, &c),
				`SELECT CAST($2 AS TEXT), CAST($1 AS TEXT), CAST($10 AS BIGINT) WHERE $3 = 'c' AND $9 = 'i' AND $8 = 'h' AND $4 = 'd' AND $5 = 'e' AND $7 = 'g' AND $6 = 'f'`,
				"first", "second", "c", "d", "e", "f", "g", "h", "i", 10)))
		if a != "second" || b != "first" || c != 10 {
			t.Errorf("got %q, %q, %d", a, b, c)
		}
	})
}

func TestSQLiteIsSparedWhatOnlyPostgreSQLKnows(t *testing.T) {
	for text, want := range map[string]string{
		`SELECT a FROM b WHERE c = $2 AND d = $11 FOR UPDATE`:      `SELECT a FROM b WHERE c = ?2 AND d = ?11`,
		"SELECT a FROM b ORDER BY a\n FOR KEY SHARE ":              `SELECT a FROM b ORDER BY a`,
		`SELECT a FROM b /*+ INDEXED BY i */ WHERE c = $1`:         `SELECT a FROM b INDEXED BY i WHERE c = ?1`,
		`INSERT INTO a (b) VALUES ($1) ON CONFLICT (b) DO NOTHING`: `INSERT INTO a (b) VALUES (?1) ON CONFLICT (b) DO NOTHING`,
		`UPDATE a SET b = 'FOR UPDATE' WHERE c = $1`:               `UPDATE a SET b = 'FOR UPDATE' WHERE c = ?1`,
	} {
		if got := db.ForSQLite(text); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// errWall is an error of a test.
var errWall = errors.New("up to here")

// ofOneEngine are the texts that one engine alone is asked.
var ofOneEngine = regexp.MustCompile(
	`^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|EXPLAIN|PREPARE|DEALLOCATE)|pg_|set_config|sqlite_|pragma_|goose_db_version|kinebase_analyze|kinebase_forget_audit|information_schema|river_|change_number|SELECT CAST\(|SELECT a FROM|INSERT INTO a|UPDATE a `)

func TestEveryStatementOfTheStoreIsUnderstoodByBothEngines(t *testing.T) {
	p := postgres(t)
	exercise(t, p.open(still))
	lite := place{t, Options{Data: t.TempDir()}}.open(still)
	exercise(t, lite)
	conn := connect(t, p.options.DatabaseURL)
	var texts []string
	for text := range db.Texts() {
		if !ofOneEngine.MatchString(text) {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	for _, text := range texts {
		if _, err := conn.Prepare(t.Context(), "", text); err != nil {
			t.Errorf("PostgreSQL: %v: %s", err, text)
		}
		must(t, lite.engine.Read(t.Context(), db.ID{}, func(tx db.Tx) error {
			return tx.Do(db.Each(func(db.Rows) error { return nil }, "EXPLAIN "+text))
		}))
	}
	t.Logf("%d texts", len(texts))

	// And those are all: every text in the sources is, or begins, one that was run.
	for where, text := range textsInSources(t) {
		if !ofOneEngine.MatchString(text) &&
			!slices.ContainsFunc(texts,
				func(run string) bool { return strings.Contains(run, strings.TrimSpace(text)) }) {
			t.Errorf("%s: nothing has run this text: %s", where, text)
		}
	}
}

// textsInSources finds the string literals of the package that are SQL.
func textsInSources(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	must(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		must(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			must(t, err)
			for _, verb := range []string{"SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "} {
				if strings.HasPrefix(text, verb) && !strings.Contains(text, "%") {
					found[files.Position(literal.Pos()).String()] = text
				}
			}
			return true
		})
	}
	if len(found) < 50 {
		t.Errorf("only %d texts are in the sources", len(found))
	}
	return found
}

package e2e

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/internal/testkit/need"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// clone copies the files of the project as a fresh clone has them.
func clone(t *testing.T) (folder string) {
	t.Helper()
	root := absolute(t, "..", "..")
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	files, err := list.Output()
	if err != nil {
		t.Skip("not a git checkout, so there is no list of the project's files")
	}
	folder = t.TempDir()
	for _, name := range strings.Split(strings.TrimRight(string(files), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		at, err2 := os.Stat(filepath.Join(root, name))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, at.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// desk is where somebody reads the pages: a clone, a home, and programs.
type desk struct {
	*testing.T
	clone, home string
	database    *url.URL // of a superuser
	bucket      testkit.S3Bucket
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	for _, tool := range []string{"bash", "make", "curl", "python3", "sqlite3", "rsync", "pg_dump"} {
		if _, err := exec.LookPath(tool); err != nil {
			need.Missing(t, "no %s for the examples of the pages; to run this test: apt-get install make curl "+
				"python3 sqlite3 rsync postgresql", tool)
		}
	}
	p := testkit.Postgres(t, testkit.Durable()) // of its own: the pages name databases and roles
	database, err := url.Parse(p.Superuser(t, p.Database(t)))
	if err != nil {
		t.Fatal(err)
	}
	at := *database
	at.Path = "/postgres"
	db, err := pgx.Connect(t.Context(), at.String())
	if err == nil {
		_, err = db.Exec(t.Context(), "DROP DATABASE "+strings.TrimPrefix(database.Path, "/"))
		_ = db.Close(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return &desk{T: t, clone: clone(t), home: t.TempDir(), database: database, bucket: testkit.Bucket(t)}
}

// port gives that of an address.
func port(t *testing.T, address string) string {
	t.Helper()
	_, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// sit begins to read.
func (d *desk) sit(t *testing.T) *reader {
	t.Helper()
	tools := filepath.Join(d.home, "tools")
	temporary := filepath.Join(d.home, "tmp")
	for _, folder := range []string{tools, temporary} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// Nothing is fetched for the console: here is a Node.js that will not do, and no PyPI.
	if err := os.WriteFile(filepath.Join(tools, "node"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"HOME=" + d.home, "TMPDIR=" + temporary, "PATH=" + tools + ":" + os.Getenv("PATH"), "LC_ALL=C.UTF-8",
		"PGHOST=" + d.database.Query().Get("host"), "PGUSER=" + d.database.User.Username(), "PIP_NO_INDEX=1",
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		// they are below HOME if nothing is said
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	at := *d.database
	at.User, at.Path = nil, "/kinebase"
	r := newReader(t, d.clone, env, strings.NewReplacer(
		"KINEBASE_LISTEN=:8080", "KINEBASE_LISTEN=127.0.0.1:0", "KINEBASE_LISTEN=127.0.0.1:8080",
		"KINEBASE_LISTEN=127.0.0.1:0",
		"127.0.0.1:8081", freeAddress(t), "8093", port(t, freeAddress(t)), "8094", port(t, freeAddress(t)),
		"8095", port(t, freeAddress(t)),
		"/var/lib/kinebase", filepath.Join(d.home, "var"),
		"db.example.org/kinebase", strings.TrimPrefix(at.String(), "postgres://"),
		"https://s3.example.org", d.bucket.Endpoint, "KINEBASE_S3_BUCKET=motion", "KINEBASE_S3_BUCKET="+d.bucket.Name,
		"=the-key", "="+d.bucket.AccessKey, "=its-secret", "="+d.bucket.SecretKey,
	))
	at.User, at.Path = d.database.User, "/postgres"
	r.superuser = at.String()
	return r
}

// TestThePagesAreTypedStraightThrough types every block of the README and of docs in
// the order in which they stand, in one shell, in a fresh clone.
func TestThePagesAreTypedStraightThrough(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	r := newDesk(t).sit(t)
	var all []block
	for _, name := range paged(t) {
		all = append(all, page(t, name, "")...)
	}
	r.read(all)
}

// TestEveryPageIsEnoughByItself types every page in a shell of its own, with nothing
// before it but what it asks for: a program, and for some pages the demo.
func TestEveryPageIsEnoughByItself(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	d := newDesk(t)
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	begin := []block{{"sh", "mkdir bin; cp " + file + " bin/kinebase", "the program"}}
	for _, name := range paged(t)[1:] {
		blocks := page(t, name, "")
		if !slices.ContainsFunc(blocks,
			func(b block) bool { return strings.HasPrefix(b.kind, "sh") || b.kind == "sql postgres" }) {
			continue // nothing to type
		}
		t.Run(name, func(t *testing.T) {
			if slices.ContainsFunc(blocks, func(b block) bool { return strings.Contains(b.text, "bin/demo.env") }) {
				begin = append(begin, block{"sh service", "bin/kinebase demo --env bin/demo.env # as make demo does",
					"the demo"})
			}
			d.sit(t).read(append(begin, blocks...))
			begin = nil
		})
	}
}

// TestAFileIsSentAsPrintedToADiskAndToABucket has the same lines do for both.
func TestAFileIsSentAsPrintedToADiskAndToABucket(t *testing.T) {
	testkit.Long(t)
	var functions []block
	for _, b := range page(t, "README.md", "## First five minutes") {
		if strings.HasPrefix(b.text, "ask() {") {
			functions = append(functions, b, block{"sh", "json='Content-Type: application/json'", b.at})
		}
	}
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			m, files := where.setUp(t)
			_, secret := m.token(m.organization())
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home, "TMPDIR=" + m.home,
				"KINEBASE_URL=" + m.serve().url, "KINEBASE_TOKEN=" + secret}
			r := newReader(t, t.TempDir(), env, strings.NewReplacer("bin/kinebase", file))
			r.read(append(functions, page(t, "README.md", "## Send a motion file")...))
			if there := files(); len(there) != 4 {
				t.Errorf("two files and their tables should be kept, and there are %q", there)
			}
		})
	}
}

// TestTheRecipeForASpreadsheetSurvivesEmptyCells runs the last block of
// docs/import.md on a table as spreadsheets write them, and imports what it prints.
func TestTheRecipeForASpreadsheetSurvivesEmptyCells(t *testing.T) {
	testkit.Long(t)
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "import.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(guide), "```python save\n")
	recipe, _, found := strings.Cut(recipe, "```")
	if !found {
		t.Fatal("docs/import.md has no block of Python")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		need.Missing(t, "no python3 for the recipe of docs/import.md; to run this test: apt-get install "+
			"python3-minimal")
	}
	m := machineAt(t, apptest.SQLite.Place(t))
	org := m.organization()
	const ada = "0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f"
	folder := t.TempDir()
	table := "\ufefftrial,athlete,time,fps\r\nS-1," + ada +
		",2026-05-13T12:00:00Z,\"239,76\"\r\nS-2,,,\r\n,,,\r\nS-3, ,2026-05-14T08:00\r\n\r\n" +
		"S-4,,2026-05-14T09:00:00Z,240,a remark\r\n"
	if err := os.WriteFile(filepath.Join(folder, "trials.csv"), []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "python3", "-c", recipe)
	cmd.Dir = folder
	var failure strings.Builder
	cmd.Stderr = &failure
	lines, err := cmd.Output()
	if err != nil {
		t.Fatalf("the recipe ended with %v: %s", err, &failure)
	}
	manifest := filepath.Join(folder, "m.ndjson")
	text := `{"type":"athlete","id":"` + ada + `","first_name":"Ada"}` + "\n" + string(lines)
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var got summary
	if m.run(&got, "import", "--org", org, manifest); got != (summary{Athletes: 1, Captures: 4}) {
		t.Errorf("imported %+v of\n%s", got, text)
	}
}

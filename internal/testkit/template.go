package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Template is the state that the data of many tests begin in, such as empty tables. It
// is prepared once for a test process, on each engine that a test asks for, and each test
// gets a copy of its own: a copy costs a fraction of what migrations do.
type Template struct {
	// Prepare fills an empty folder, or the empty database of a URL; the other is "".
	// It leaves nothing open.
	Prepare func(folder, url string) error

	lock   sync.Mutex
	files  map[string][]byte // of the folder, by name; nil before it was prepared
	server *PostgresServer   // that has the database
	name   string            // of the database
}

// Folder gives a new folder with a copy of the files, for one test.
func (p *Template) Folder(t testing.TB) string {
	t.Helper()
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.files == nil {
		p.files = p.prepared(t)
	}
	folder := t.TempDir()
	for name, content := range p.files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func (p *Template) prepared(t testing.TB) map[string][]byte {
	t.Helper()
	folder := t.TempDir()
	if err := p.Prepare(folder, ""); err != nil {
		t.Fatal("prepare the folder that others are copies of: ", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = content
	}
	return files
}

// Database makes a copy of the database for one test on the server that the test process
// shares, and gives its URL as PostgresServer.Database does.
func (p *Template) Database(t testing.TB) string {
	t.Helper()
	server := Postgres(t)
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.server != server {
		name := server.create(t, pristine)
		atEnd(t, func() {
			if server.cluster != nil {
				return // it goes with its server
			}
			if err := server.drop(name); err != nil {
				fmt.Fprintln(os.Stderr, "the database that others were copies of stays behind:", err)
			}
		})
		if err := p.Prepare("", server.url(name)); err != nil {
			t.Fatal("prepare the database that others are copies of: ", err)
		}
		p.server, p.name = server, name
	}
	return server.forTest(t, "TEMPLATE "+p.name+" STRATEGY FILE_COPY")
}

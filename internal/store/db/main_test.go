package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// place is where a test's database lies, so that it can be opened more than once.
type place struct {
	t       *testing.T
	options Options
}

// open opens the database; it is closed at the end of the test.
func (p place) open() Engine {
	p.t.Helper()
	e, err := openFor(p.options)
	must(p.t, err)
	p.t.Cleanup(func() {
		if err := e.Close(); err != nil {
			p.t.Error("closing the database:", err)
		}
	})
	return e
}

func openFor(o Options) (Engine, error) {
	o.Log = quiet
	o.Gather = func(org ID, gathered []byte) Statement {
		return Exec(`INSERT INTO thing (name, note) VALUES ($1, $2)`, organization.NewID().String(),
			org.String()+" "+string(gathered))
	}
	return Open(context.Background(), o)
}

// withThings has the tables of a store, and one of the tests' own.
var withThings = testkit.Template{Prepare: func(folder, url string) error {
	e, err := openFor(Options{Folder: folder, URL: url})
	if err != nil {
		return err
	}
	return errors.Join(e.Bulk(context.Background(), ID{}, func(w *Write) error {
		return w.Do(Exec(`CREATE TABLE thing (name TEXT PRIMARY KEY, note TEXT NOT NULL)`))
	}), e.Close())
}}

// engines runs a test on both engines at the same time, each with fresh data. A short run is on SQLite alone.
func engines(t *testing.T, test func(*testing.T, place)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, place{t, Options{Folder: withThings.Folder(t)}})
	})
	if !testing.Short() {
		t.Run("PostgreSQL", func(t *testing.T) {
			t.Parallel()
			test(t, place{t, Options{URL: withThings.Database(t)}})
		})
	}
}

// lite gives an engine on SQLite.
func lite(t *testing.T) *SQLite {
	t.Helper()
	return place{t, Options{Folder: withThings.Folder(t)}}.open().(*SQLite)
}

// keep is the statement that keeps a thing.
func keep(name string) Statement { return Exec(`INSERT INTO thing (name, note) VALUES ($1, '')`, name) }

// things are the names of the things that are kept, in order.
func things(t *testing.T, e Engine) (names []string) {
	t.Helper()
	must(t, e.Once(t.Context(), ID{}, Each(func(r Rows) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	}, `SELECT name FROM thing WHERE note = '' ORDER BY name`)))
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// refused holds an error to its code, and to a part of its message.
func refused(t *testing.T, err error, code fault.Code, message string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != code || !strings.Contains(f.Message, message) {
		t.Fatalf("got %v, and not a %s with %q", err, code, message)
	}
}

// chance is a random source whose seed is printed.
func chance(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

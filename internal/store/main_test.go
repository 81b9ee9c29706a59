package store

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// place is where a test's data lies, so that it can be opened more than once.
type place struct {
	t       *testing.T
	options Options
}

// open opens the store; it is closed at the end of the test.
func (p place) open(change ...func(*Options)) *Store {
	p.t.Helper()
	o := p.options
	for _, f := range change {
		f(&o)
	}
	s, err := Open(context.Background(), o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			p.t.Error("closing the store:", err)
		}
	})
	return s
}

// empty is a store of the newest version in which there is nothing. The tests of migrations
// begin with nothing at all.
var empty = testkit.Template{Prepare: func(folder, url string) error {
	s, err := Open(context.Background(), Options{Data: folder, DatabaseURL: url})
	if err != nil {
		return err
	}
	return s.Close()
}}

// engines runs a test on both engines at the same time, each with fresh data. A short run is on SQLite alone.
func engines(t *testing.T, test func(*testing.T, place)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, place{t, Options{Data: empty.Folder(t)}})
	})
	if !testing.Short() {
		t.Run("PostgreSQL", func(t *testing.T) {
			t.Parallel()
			test(t, postgres(t))
		})
	}
}

func postgres(t *testing.T) place { return place{t, Options{DatabaseURL: empty.Database(t)}} }

// unmigrated runs a test on both engines, each with nothing at all.
func unmigrated(t *testing.T, test func(*testing.T, place)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) { test(t, place{t, Options{Data: t.TempDir()}}) })
	if !testing.Short() {
		t.Run("PostgreSQL", func(t *testing.T) {
			test(t, place{t, Options{DatabaseURL: testkit.Postgres(t).Database(t)}})
		})
	}
}

// tenant makes an organization.
func tenant(t *testing.T, s *Store, name string) organization.Scope {
	t.Helper()
	o := organization.Organization{ID: organization.NewID(), Name: name + " " + organization.NewUUID(),
		CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
	if err := s.CreateOrganization(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return organization.Scope{Organization: o.ID}
}

// chance is a random source whose seed is printed.
func chance(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

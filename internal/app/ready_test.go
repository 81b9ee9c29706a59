package app_test

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// outside opens a server's database beside it.
func outside(t *testing.T, place map[string]string) *sql.DB {
	t.Helper()
	driver, name := "sqlite3", (&url.URL{Scheme: "file", Path: filepath.Join(place["data"], store.FileName)}).String()
	if place["database-url"] != "" {
		driver, name = "pgx", place["database-url"]
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // nothing of it is kept
	return db
}

func TestAServerIsNotReadyWhileNoWriteSucceeds(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		a := apptest.Start(t, e)
		a.Page("/readyz").Want(200)
		db := outside(t, a.Place)
		for _, c := range []struct{ does, status string }{
			{"ALTER TABLE latest_moment RENAME TO away", "the store cannot be written"},
			{"ALTER TABLE away RENAME TO latest_moment", "ready"},
		} {
			if _, err := db.ExecContext(t.Context(), c.does); err != nil {
				t.Fatal(err)
			}
			a.Until("/readyz says "+c.status, func() bool { return a.Page("/readyz").Object()["status"] == c.status })
			a.Page("/healthz").Want(200)
			a.Get("/captures", a.Token(a.Organization())).Want(200)
		}
	})
}

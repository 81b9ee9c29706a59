package app_test

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// page asks a server for a page, and says whether it was the last of its connection.
func page(t *testing.T, a *app.App, path string) (status int, body string, last bool) {
	t.Helper()
	response, err := http.Get("http://" + a.Addr() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Close
}

// outside opens a server's database beside it.
func outside(t *testing.T, place map[string]string) *sql.DB {
	t.Helper()
	driver, name := "sqlite3", (&url.URL{Scheme: "file", Path: filepath.Join(place["data"], db.FileName)}).String()
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
		place := a.Place
		if e == apptest.PostgreSQL { // the tables are not the server's
			place = map[string]string{"database-url": testkit.Postgres(t).Superuser(t, place["database-url"])}
		}
		db := outside(t, place)
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

func TestAStopSaysSoFirstAndTakesRequestsUntilItsDelayHasPassed(t *testing.T) {
	c, err := app.Configure(map[string]string{"listen": "127.0.0.1:0", "data": t.TempDir()},
		func(name string) (string, bool) {
			return "90s", name == "KINEBASE_DRAIN_DELAY"
		})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), c, telemetry.NewLog(io.Discard, c.LogLevel, true), "")
	if err != nil {
		t.Fatal(err)
	}
	asked, passed := make(chan time.Duration, 1), make(chan time.Time)
	app.DelayBy(a, asked, passed)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	<-a.Ready()
	get := func(path string) (status int, body string, last bool) { return page(t, a, path) }
	if status, _, last := get("/v1/captures"); status != 401 || last {
		t.Errorf("before the stop: %d, the last of its connection: %v", status, last)
	}

	stop()

	if d := <-asked; d != 90*time.Second {
		t.Errorf("the delay is %s", d)
	}
	if status, body, _ := get("/readyz"); status != 503 || !strings.Contains(body, `"stopping"`) {
		t.Errorf("/readyz says %d %s", status, body)
	}
	if _, body, _ := get("/metrics"); !strings.Contains(body, "\nkinebase_ready 0\n") {
		t.Error("the metric says that the server is ready")
	}
	o := organization.Organization{ID: organization.NewID(), Name: "A", CreatedAt: time.Now()}
	if err := a.Store().CreateOrganization(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	token, secret, err := organization.NewToken(o.ID, "t", organization.AllPermissions, 0, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Store().CreateToken(t.Context(), token.Scope(), token, secret.Hash(), nil); err != nil {
		t.Fatal(err)
	}
	late := apptest.Begin(t, "http://"+a.Addr()+"/v1", "/athletes", string(secret), `{"first_name":"Ada"}`)
	if status, _, last := get("/v1/captures"); status != 401 || !last {
		t.Errorf("while it is leaving: %d, the last of its connection: %v", status, last)
	}
	close(passed)
	if status, err := late.Finish(); status != 200 {
		t.Errorf("a request that came during the delay was answered with %d (%v)", status, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// Package apptest gives tests a whole running server in one call, the same that
// the command line runs, on either engine, with what tests need to fill it and
// to ask it. Every answer of the interface that a test gets through it is held
// against the interface document.
//
//	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
//		a := apptest.Start(t, e)
//		org := a.Organization()
//		a.Get("/captures", a.Token(org)).Want(200)
//	})
//
// It is a package of its own beside testkit because the store's tests, which
// stand below the server, use testkit too.
package apptest

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/internal/testkit/storetest"
)

// Engine is a database that a server keeps its data in.
type Engine string

// The engines.
const (
	SQLite     Engine = "SQLite"
	PostgreSQL Engine = "PostgreSQL"
)

// Engines runs a test on each engine; a short run is on SQLite alone.
func Engines(t *testing.T, test func(t *testing.T, e Engine)) {
	t.Run(string(SQLite), func(t *testing.T) { test(t, SQLite) })
	if !testing.Short() {
		t.Run(string(PostgreSQL), func(t *testing.T) { test(t, PostgreSQL) })
	}
}

// Place is an empty store's settings: a new folder or a new database, by the
// names of the flags that name it. On PostgreSQL there is also "files", the folder of
// KINEBASE_FILES, for which there is no flag. The server's role there owns nothing: another
// one has made the tables.
func (e Engine) Place(t testing.TB) map[string]string {
	t.Helper()
	if e == PostgreSQL {
		server := testkit.Postgres(t)
		owner := server.Database(t)
		serving := server.Serving(t, owner)
		if err := db.Migrate(t.Context(), owner, serving, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatalf("prepare a database: %v", err)
		}
		return map[string]string{"database-url": serving, "files": filepath.Join(t.TempDir(), "files")}
	}
	return map[string]string{"data": filepath.Join(t.TempDir(), "data")}
}

// migrated is what Place gives, of a store that no server has to migrate.
func (e Engine) migrated(t testing.TB) map[string]string {
	t.Helper()
	if e == PostgreSQL {
		return map[string]string{"database-url": storetest.Empty.Database(t),
			"files": filepath.Join(t.TempDir(), "files")}
	}
	return map[string]string{"data": storetest.Empty.Folder(t)}
}

// App is a running server.
type App struct {
	URL   string            // the base of the interface, …/v1
	Root  string            // what the pages beside the interface are below
	Place map[string]string // the flags that name its store
	HTTP  *http.Client      // its answers are held against the interface document
	Store *store.Store      // the server's own, for what the interface cannot make

	t    testing.TB
	app  *app.App
	logs *testkit.Buffer
	stop context.CancelFunc
	done chan struct{}
	err  error // of Run, once done
}

type options struct {
	place    map[string]string
	settings map[string]string
	early    bool
	database *testkit.Timers
	bucket   *testkit.Timers
}

// Option changes how a server starts.
type Option func(*options)

// With sets a variable of the environment, such as KINEBASE_RATE_LIMIT, which is
// off when nothing is said.
func With(variable, value string) Option {
	return func(o *options) { o.settings[variable] = value }
}

// At uses a store that is there already, by its flags as Engine.Place gives them.
func At(place map[string]string) Option { return func(o *options) { o.place = place } }

// Early returns as soon as the server listens. Its store may not be open then;
// App.AwaitReady waits for it.
func Early() Option { return func(o *options) { o.early = true } }

// DatabaseTimers has the server wait for answers of its database by a clock of the test's.
func DatabaseTimers(clock *testkit.Timers) Option { return func(o *options) { o.database = clock } }

// BucketTimers has the server wait for answers of its bucket by a clock of the test's.
func BucketTimers(clock *testkit.Timers) Option { return func(o *options) { o.bucket = clock } }

// Start runs a server on a free port until the test ends, on an empty store of the
// newest version if nothing else is said.
func Start(t testing.TB, e Engine, set ...Option) *App {
	t.Helper()
	o := options{settings: map[string]string{"KINEBASE_RATE_LIMIT": "off", "KINEBASE_LOG_LEVEL": "debug"}}
	for _, option := range set {
		option(&o)
	}
	if o.place == nil {
		o.place = e.migrated(t)
	}
	flags := map[string]string{"listen": "127.0.0.1:0"}
	for name, value := range o.place {
		if name == "files" {
			o.settings["KINEBASE_FILES"] = value
			continue
		}
		flags[name] = value
	}
	if _, server := flags["database-url"]; server && o.settings["KINEBASE_FILES"] == "" &&
		o.settings["KINEBASE_S3_ENDPOINT"] == "" {
		o.settings["KINEBASE_FILES"] = filepath.Join(t.TempDir(), "files")
	}
	settings, err := app.Configure(flags, func(name string) (string, bool) {
		v, ok := o.settings[name]
		return v, ok
	})
	if err != nil {
		t.Fatalf("configure a server: %v", err)
	}
	a := &App{t: t, Place: o.place, logs: new(testkit.Buffer), done: make(chan struct{})}
	a.app, err = app.New(context.Background(), settings, telemetry.NewLog(a.logs, slog.LevelDebug, true), "test")
	if err != nil {
		t.Fatalf("start a server: %v", err)
	}
	var database, bucket breaker.Timer
	if o.database != nil {
		database = o.database.After
	}
	if o.bucket != nil {
		bucket = o.bucket.After
	}
	a.app.SetTimers(database, bucket)
	a.Root = "http://" + a.app.Addr()
	a.URL = a.Root + contract.Of(t).Base()
	a.HTTP = &http.Client{
		Transport: contract.Of(t).Wrap(&http.Transport{}),
		Timeout:   testkit.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // the interface has none, and a test wants to see one
		},
	}
	ctx, stop := context.WithCancel(context.Background())
	a.stop = stop
	go func() {
		defer close(a.done)
		a.err = a.app.Run(ctx)
	}()
	t.Cleanup(func() {
		if err := a.Stop(); err != nil {
			t.Errorf("the server ended with: %v", err)
		}
		if t.Failed() && os.Getenv("KINEBASE_TEST_LOGS") != "" {
			t.Logf("the server's log:\n%s", a.Logs())
		}
	})
	if !o.early {
		a.AwaitReady()
	}
	return a
}

// AwaitReady waits until the server answers requests of the interface.
func (a *App) AwaitReady() {
	a.t.Helper()
	select {
	case <-a.app.Ready():
		a.Store = a.app.Store()
	case <-a.done:
		a.t.Fatalf("the server ended instead of becoming ready: %v\n%s", a.err, a.Logs())
	}
}

// Signal asks the server to stop, as the first SIGTERM does, and does not wait.
func (a *App) Signal() { a.stop() }

// Stop ends the server gracefully and gives what its Run gave.
func (a *App) Stop() error {
	a.stop()
	a.HTTP.CloseIdleConnections()
	<-a.done
	return a.err
}

// Until waits for a condition of the server that it gives no signal of.
func (a *App) Until(what string, holds func() bool) {
	a.t.Helper()
	testkit.Until(a.t, what, holds)
}

// Logs is what the server has logged so far.
func (a *App) Logs() string { return a.logs.String() }

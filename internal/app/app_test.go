package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/limit"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestEveryPageBesideTheInterfaceAnswers(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	a.Get("/captures", a.Token(a.Organization())).Want(200)
	metrics := string(a.Page("/metrics").Want(200).Body)
	for _, want := range []string{"\nkinebase_ready 1\n", "\nkinebase_http_requests_running 0\n",
		"\nkinebase_store_bytes ", "\ngo_goroutines ", "\nprocess_resident_memory_bytes "} {
		if !strings.Contains(metrics, want) || strings.Contains(metrics, "kinebase_store_bytes 0\n") {
			t.Errorf("/metrics does not hold %q", want)
		}
	}
	for path, want := range map[string]struct {
		status      int
		kind, holds string
	}{
		"/healthz": {200, "application/json", `{"status":"alive"}`},
		"/readyz":  {200, "application/json", `{"status":"ready"}`},
		"/metrics": {200, "text/plain",
			`kinebase_http_requests_total{method="GET",route="/v1/captures",status="2xx"} 1`},
		"/openapi.json": {200, "application/json", `"openapi":"3.1`},
		"/docs":         {200, "text/html", "/captures"},
		"/elsewhere":    {404, "application/json", `"NotFound"`},
	} {
		got := a.Page(path).Want(want.status)
		if kind := got.Header.Get("Content-Type"); !strings.HasPrefix(kind, want.kind) {
			t.Errorf("%s is %s, want %s", path, kind, want.kind)
		}
		if !strings.Contains(string(got.Body), want.holds) {
			t.Errorf("%s does not hold %s:\n%.2000s", path, want.holds, got.Body)
		}
	}
}

func TestPagesOfConfiguredOriginsMayCall(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_CORS_ORIGINS", "https://lab.example.org"))
	secret := a.Token(a.Organization())
	if got := a.Get("/captures", secret, "Origin", "https://lab.example.org").Want(200).Header.Get(
		"Access-Control-Allow-Origin"); got != "https://lab.example.org" {
		t.Errorf("the configured origin is allowed as %q", got)
	}
	if got := a.Get("/captures", secret, "Origin", "https://other.example.org").Want(200).Header.Get(
		"Access-Control-Allow-Origin"); got != "" {
		t.Errorf("another origin is allowed as %q", got)
	}
}

func TestPagesBesideTheInterfaceCanOnlyBeRead(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/"} {
		response, err := a.HTTP.Post(a.Root+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != 405 || response.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s answers %d and allows %q", path, response.StatusCode, response.Header.Get("Allow"))
		}
	}
}

// holdMigration keeps a store from being migrated, as another process that is at
// it does, until the returned function is called.
func holdMigration(t *testing.T, e apptest.Engine, place map[string]string) (release func()) {
	t.Helper()
	if e == apptest.PostgreSQL {
		conn, err := pgx.Connect(t.Context(), place["database-url"])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(t.Context(), "SELECT pg_advisory_lock($1)", int64(0x6b696e6562617365)); err != nil {
			t.Fatal(err)
		}
		return func() { _ = conn.Close(context.Background()) }
	}
	if err := os.MkdirAll(place["data"], 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(place["data"], "kinebase.lock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { _ = file.Close() }
}

func TestWhileAnotherProcessMigratesTheServerIsAliveButNotReady(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		place := e.Place(t)
		release := holdMigration(t, e, place)
		a := apptest.Start(t, e, apptest.At(place), apptest.Early())
		a.Page("/healthz").Want(200)
		if got := a.Page("/readyz").Want(503).Object()["status"]; got != "migrating" {
			t.Errorf("/readyz says %v, want migrating", got)
		}
		a.Page("/metrics").Want(200)
		secret := "kb_" + strings.Repeat("0", 49) // not a token: its form is judged without a store
		a.Get("/captures", secret).Want(401)
		a.Get("/nowhere", secret).Want(404)
		release()
		a.AwaitReady()
		a.Page("/readyz").Want(200)
		a.Get("/captures", a.Token(a.Organization())).Want(200)
	})
}

func TestAGoodTokenIsAskedToComeBackWhileTheServerStarts(t *testing.T) {
	place := apptest.SQLite.Place(t)
	first := apptest.Start(t, apptest.SQLite, apptest.At(place))
	secret := first.Token(first.Organization())
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	release := holdMigration(t, apptest.SQLite, place)
	second := apptest.Start(t, apptest.SQLite, apptest.At(place), apptest.Early())
	got := second.Get("/captures", secret).Want(503)
	if got.Header.Get("Retry-After") == "" || !strings.Contains(string(got.Body), "starting") {
		t.Errorf("the answer is %v %s, want one that says when to come back", got.Header, got.Body)
	}
	release()
	second.AwaitReady()
	second.Get("/captures", secret).Want(200)
}

func TestAServerThatIsStoppedBeforeItsStoreIsOpenEndsWell(t *testing.T) {
	place := apptest.SQLite.Place(t)
	defer holdMigration(t, apptest.SQLite, place)()
	a := apptest.Start(t, apptest.SQLite, apptest.At(place), apptest.Early())
	a.Page("/healthz").Want(200)
	if err := a.Stop(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestAStopAnswersWhatIsUnderWayAndTakesNothingNew(t *testing.T) {
	place := apptest.SQLite.Place(t)
	a := apptest.Start(t, apptest.SQLite, apptest.At(place))
	org := a.Organization()
	secret := a.Token(org)
	underway := apptest.Begin(t, a.URL, "/athletes", secret, `{"first_name":"Ada"}`)

	a.Signal()

	a.Until("/readyz says stopping", func() bool { return a.Page("/readyz").Status == 503 })
	if got := a.Page("/readyz").Object()["status"]; got != "stopping" {
		t.Errorf("/readyz says %v, want stopping", got)
	}
	a.Page("/healthz").Want(200)
	if got := a.Get("/captures", secret).Want(503); got.Header.Get("Retry-After") == "" {
		t.Error("what is refused is not told when to come back")
	}
	if status, err := underway.Finish(); status != 200 {
		t.Errorf("the request under way was answered with %d (%v)", status, err)
	}
	if err := a.Stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}

	again := apptest.Start(t, apptest.SQLite, apptest.At(place))
	var list struct {
		Athletes []struct {
			FirstName string `json:"first_name"`
		}
	}
	again.Get("/athletes", secret).Want(200).Into(&list)
	if len(list.Athletes) != 1 || list.Athletes[0].FirstName != "Ada" {
		t.Errorf("after the restart there are %v, want Ada", list.Athletes)
	}
}

func TestAStopCutsOffWhatTakesTooLong(t *testing.T) {
	c, err := app.Configure(map[string]string{"listen": "127.0.0.1:0", "data": t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	a, err := app.New(t.Context(), c, telemetry.NewLog(&log, c.LogLevel, true), "")
	if err != nil {
		t.Fatal(err)
	}
	app.DrainWithin(a, 50*time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	<-a.Ready()
	o := organization.Organization{ID: organization.NewID(), Name: "A", CreatedAt: time.Now()}
	token, secret, err := organization.NewToken(o.ID, "t", organization.AllPermissions, 0, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Store().CreateOrganization(ctx, o),
		a.Store().CreateToken(ctx, token.Scope(), token, secret.Hash(), nil)); err != nil {
		t.Fatal(err)
	}
	endless := apptest.Begin(t, "http://"+a.Addr()+"/v1", "/athletes", string(secret), `{"first_name":"Ada"}`)

	stop()

	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if status, err := endless.Finish(); err == nil {
		t.Errorf("the endless request was answered with %d", status)
	}
	if !strings.Contains(log.String(), `"requests":1`) {
		t.Errorf("the log does not tell of the request that was cut off:\n%s", &log)
	}
}

func TestAPortInUseIsToldBeforeAnythingElse(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	place := apptest.SQLite.Place(t)
	c := config.Config{Listen: strings.TrimPrefix(a.Root, "http://"), Data: place["data"]}
	_, err := app.New(t.Context(), c, telemetry.NewLog(io.Discard, c.LogLevel, true), "")
	if err == nil || !strings.Contains(err.Error(), "in use") || !strings.Contains(err.Error(), "--listen") {
		t.Errorf("the error is %v, want one that says what to do", err)
	}
	if _, err := os.Stat(place["data"]); !os.IsNotExist(err) {
		t.Error("a store was made for a server that cannot run")
	}
}

func TestAServerThatNeverRanGivesItsPortBack(t *testing.T) {
	c := config.Config{Listen: "127.0.0.1:0", Data: t.TempDir()}
	log := telemetry.NewLog(io.Discard, c.LogLevel, true)
	a, err := app.New(t.Context(), c, log, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	c.Listen = a.Addr()
	b, err := app.New(t.Context(), c, log, "")
	if err != nil {
		t.Fatalf("the port is still taken: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestARoleThatRowLevelSecurityDoesNotHoldForIsRefused(t *testing.T) {
	p := testkit.Postgres(t)
	database := p.Superuser(t, p.Database(t))
	c := config.Config{Listen: "127.0.0.1:0", DatabaseURL: config.NewURL(database), RateLimit: "off",
		RateLimitOrganization: "off"}
	a, err := app.New(t.Context(), c, telemetry.NewLog(io.Discard, c.LogLevel, true), "")
	if err != nil {
		t.Fatal(err)
	}
	err = a.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "superuser") ||
		!strings.Contains(err.Error(), "NOSUPERUSER NOBYPASSRLS") {
		t.Errorf("a superuser gets %v, want an error that says why and what instead", err)
	}
	if u, _ := url.Parse(database); u.User != nil {
		if password, ok := u.User.Password(); ok && strings.Contains(err.Error(), password) {
			t.Error("the error holds the password")
		}
	}
}

func TestTheDefaultRatesAreThoseOfTheLimiter(t *testing.T) {
	c, err := app.Configure(map[string]string{"data": t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.RateLimit != limit.DefaultToken.String() || c.RateLimitOrganization != limit.DefaultOrganization.String() {
		t.Errorf("the defaults are %s and %s, the limiter's %s and %s", c.RateLimit, c.RateLimitOrganization,
			limit.DefaultToken, limit.DefaultOrganization)
	}
}

package app_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/internal/testkit"
)

// gone gives an address that nobody listens on, and what has a neighbour answer there
// from now on, until the test ends.
func gone(t *testing.T, network, neighbour string) (address string, comes func()) {
	t.Helper()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = taken.Addr().String()
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	return address, func() {
		door, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		var passing sync.WaitGroup
		t.Cleanup(func() { _ = door.Close(); passing.Wait() })
		passing.Go(func() {
			for {
				in, err := door.Accept()
				if err != nil {
					return
				}
				out, err := new(net.Dialer).DialContext(context.Background(), network, neighbour)
				if err != nil {
					_ = in.Close()
					continue
				}
				for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
					passing.Go(func() {
						_, _ = io.Copy(way[0], way[1]) // until either end closes
						_ = in.Close()
						_ = out.Close()
					})
				}
			}
		})
	}
}

// missing is a neighbour that is away: the settings of a server that needs it, what
// /readyz says meanwhile, and what makes it come.
func missing(t *testing.T, which string) (flags, env map[string]string, reason string, comes func()) {
	t.Helper()
	flags = map[string]string{"listen": "127.0.0.1:0", "data": t.TempDir()}
	if which == "database" {
		c, err := pgx.ParseConfig(testkit.Postgres(t).Database(t))
		if err != nil {
			t.Fatal(err)
		}
		network, address := pgconnAddress(c)
		at, comes := gone(t, network, address)
		user := url.User(c.User)
		if c.Password != "" {
			user = url.UserPassword(c.User, c.Password)
		}
		delete(flags, "data")
		flags["database-url"] = (&url.URL{Scheme: "postgres", User: user, Host: at, Path: c.Database,
			RawQuery: "sslmode=disable"}).String()
		return flags, map[string]string{"KINEBASE_FILES": t.TempDir()}, "the database cannot be reached", comes
	}
	b := testkit.Bucket(t)
	at, comes := gone(t, "tcp", strings.TrimPrefix(b.Endpoint, "http://"))
	return flags, map[string]string{
		"KINEBASE_S3_ENDPOINT": "http://" + at, "KINEBASE_S3_REGION": b.Region, "KINEBASE_S3_BUCKET": b.Name,
		"KINEBASE_S3_ACCESS_KEY_ID": b.AccessKey, "KINEBASE_S3_SECRET_ACCESS_KEY": b.SecretKey,
	}, "the bucket cannot be reached", comes
}

// pgconnAddress is where a PostgreSQL is.
func pgconnAddress(c *pgx.ConnConfig) (network, address string) {
	if strings.HasPrefix(c.Host, "/") {
		return "unix", c.Host + "/.s.PGSQL." + strconv.Itoa(int(c.Port))
	}
	return "tcp", net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port)))
}

func TestAStartWaitsForADatabaseOrABucketSaysSoAndGoesOnWhenItComesOrGivesUp(t *testing.T) {
	testkit.Long(t)
	for _, which := range []string{"database", "bucket"} {
		for _, comesBack := range []bool{true, false} {
			t.Run(which+map[bool]string{true: " that comes", false: " that stays away"}[comesBack], func(t *testing.T) {
				flags, env, reason, comes := missing(t, which)
				env["KINEBASE_START_WAIT"] = "7m"
				c, err := app.Configure(flags, func(name string) (string, bool) { v, set := env[name]; return v, set })
				if err != nil {
					t.Fatal(err)
				}
				a, err := app.New(t.Context(), c, telemetry.NewLog(io.Discard, c.LogLevel, true), "")
				if err != nil {
					t.Fatal(err)
				}
				over, tries := make(chan time.Time), make(chan time.Time)
				app.RetryBy(a, func(d time.Duration) <-chan time.Time {
					if d == 7*time.Minute {
						return over
					}
					return tries
				})
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				ended := make(chan error, 1)
				go func() { ended <- a.Run(ctx) }()
				for range 2 {
					tries <- time.Time{} // it waits, so it has said what for
					if status, body, _ := page(t, a, "/readyz"); status != 503 || !strings.Contains(body, reason) {
						t.Errorf("/readyz says %d %s, want %s", status, body, reason)
					}
				}
				if !comesBack {
					over <- time.Time{}
					if err := testkit.Receive(t, ended, "the start is given up"); err == nil ||
						errors.Is(err, context.Canceled) {
						t.Errorf("the start ended with %v", err)
					}
					return
				}
				comes()
				for comes := false; !comes; {
					select {
					case tries <- time.Time{}:
					case <-a.Ready():
						comes = true
					case err := <-ended:
						t.Fatal("the start ended:", err)
					}
				}
				if status, body, _ := page(t, a, "/readyz"); status != 200 {
					t.Errorf("once it came /readyz says %d %s", status, body)
				}
				stop()
				if err := testkit.Receive(t, ended, "the server stops"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

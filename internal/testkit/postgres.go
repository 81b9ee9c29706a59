package testkit

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// PostgresRole is the role that tests connect as: no superuser, and row-level
// security holds for it. It owns the databases that it gets.
const PostgresRole = "kinebase"

// serving is added to the name of that role for one that owns nothing: it is for stores
// whose tables the other one owns.
const serving = "_serving"

// PostgresServer is a PostgreSQL that tests may fill as they like.
type PostgresServer struct {
	admin   *url.URL      // a superuser's way in, without a database
	role    *url.Userinfo // how tests get in
	cluster *cluster      // nil for a server that was there before us
	own     bool          // it belongs to one test, which may kill it
	prefix  string        // of database names
	made    atomic.Int64  // databases so far
}

// PostgresOption changes the server that Postgres gives.
type PostgresOption func(*postgresOptions)

type postgresOptions struct{ durable bool }

// Durable asks for a server of the test's own that flushes every commit to the
// disk and that the test may Kill and Start.
func Durable() PostgresOption { return func(o *postgresOptions) { o.durable = true } }

// shared is the one server of a test process.
var shared struct {
	sync.Mutex
	server *PostgresServer
}

// Postgres gives a running PostgreSQL 15 or later: one for the whole test
// process, begun by the first test that asks. It listens on a private socket
// only, forgets everything at the end, does not wait for the disk, and sorts text
// as English does, so that a query which relies on the order of bytes without
// saying so gives a wrong answer.
//
// Where KINEBASE_TEST_POSTGRES_URL names a superuser on a running server, that
// server is used instead. Without any PostgreSQL the test is skipped, or fails
// where CI=true.
func Postgres(t testing.TB, options ...PostgresOption) *PostgresServer {
	t.Helper()
	Long(t)
	var o postgresOptions
	for _, set := range options {
		set(&o)
	}
	if o.durable {
		c := begin(t, true)
		t.Cleanup(c.destroy)
		return c.server(t, true)
	}

	shared.Lock()
	defer shared.Unlock()
	switch {
	case shared.server != nil:
	case os.Getenv("KINEBASE_TEST_POSTGRES_URL") != "":
		shared.server = adopt(t, os.Getenv("KINEBASE_TEST_POSTGRES_URL"))
	default:
		c := begin(t, false)
		atEnd(t, c.destroy)
		shared.server = c.server(t, false)
	}
	return shared.server
}

// begin makes a new cluster and starts it.
func begin(t testing.TB, durable bool) *cluster {
	t.Helper()
	bin, err := findPostgres()
	if err != nil {
		need.Missing(t, "%v; to run this test: apt-get install postgresql", err)
	}
	c, err := newCluster(bin, durable)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.start(); err != nil {
		c.destroy()
		t.Fatal(err)
	}
	return c
}

// server wraps a running cluster and makes the tests' role in it.
func (c *cluster) server(t testing.TB, own bool) *PostgresServer {
	t.Helper()
	p := &PostgresServer{
		admin: &url.URL{Scheme: "postgres", User: url.User(superuser),
			RawQuery: url.Values{"host": {c.dir.path}}.Encode()},
		role:    url.User(PostgresRole),
		cluster: c,
		own:     own,
		prefix:  "test_",
	}
	for _, role := range []string{PostgresRole, PostgresRole + serving} {
		p.exec(t, "CREATE ROLE "+role+" LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE")
	}
	return p
}

// adopt uses a server that is there already. Others may use it too, so the role
// and the databases have names that nobody else has.
func adopt(t testing.TB, address string) *PostgresServer {
	t.Helper()
	admin, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(admin.Scheme, "postgres") {
		t.Fatal("KINEBASE_TEST_POSTGRES_URL must look like postgres://superuser:password@host/")
	}
	mark := strings.ToLower(rand.Text()[:10])
	role, password := PostgresRole+"_"+mark, rand.Text()
	p := &PostgresServer{admin: admin, role: url.UserPassword(role, password), prefix: "test_" + mark + "_"}
	for _, name := range []string{role, role + serving} {
		p.exec(t, "CREATE ROLE "+name+" LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD '"+password+"'")
		atEnd(t, func() {
			if err := p.tryExec("DROP ROLE " + name); err != nil {
				fmt.Fprintln(os.Stderr, "the role of these tests stays behind:", err)
			}
		})
	}
	return p
}

// pristine is how a database begins that is a copy of no other.
const pristine = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LC_COLLATE 'C' LC_CTYPE 'C'"

// Database makes an empty database for one test and gives its URL, for the
// ordinary role. It is dropped when the test ends, whoever is still connected.
func (p *PostgresServer) Database(t testing.TB) string {
	t.Helper()
	return p.forTest(t, pristine)
}

func (p *PostgresServer) forTest(t testing.TB, how string) (url string) {
	t.Helper()
	name := p.create(t, how)
	t.Cleanup(func() {
		if p.own {
			return // it goes with its server, which the test may have left dead
		}
		if err := p.drop(name); err != nil {
			t.Errorf("drop the database of this test: %v", err)
		}
	})
	return p.url(name)
}

func (p *PostgresServer) create(t testing.TB, how string) (name string) {
	t.Helper()
	name = fmt.Sprintf("%s%d", p.prefix, p.made.Add(1))
	p.exec(t, "CREATE DATABASE "+name+" OWNER "+p.role.Username()+" "+how)
	return name
}

func (p *PostgresServer) drop(name string) error {
	return p.tryExec("DROP DATABASE " + name + " WITH (FORCE)")
}

// url is the way into a database for the ordinary role.
func (p *PostgresServer) url(name string) string {
	u := *p.admin
	u.User, u.Path = p.role, "/"+name
	return u.String()
}

// Serving gives the URL of the same database for a role that owns nothing and was granted
// nothing.
func (p *PostgresServer) Serving(t testing.TB, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatalf("not the URL of a database: %v", err)
	}
	name := p.role.Username() + serving
	u.User = url.User(name)
	if password, set := p.role.Password(); set {
		u.User = url.UserPassword(name, password)
	}
	return u.String()
}

// Superuser gives the URL of the same database for a role that row-level security
// does not hold for.
func (p *PostgresServer) Superuser(t testing.TB, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatalf("not the URL of a database: %v", err)
	}
	u.User = p.admin.User
	return u.String()
}

// Kill ends the server and all its backends at once, as a power cut would. Only a
// Durable server can be killed.
func (p *PostgresServer) Kill(t testing.TB) {
	t.Helper()
	p.mustOwn(t)
	p.cluster.proc.kill()
}

// Start brings a killed server back on the same data and returns when it takes
// connections again.
func (p *PostgresServer) Start(t testing.TB) {
	t.Helper()
	p.mustOwn(t)
	if p.cluster.proc.running() {
		t.Fatal("the server runs already: Kill it first")
	}
	if err := p.cluster.start(); err != nil {
		t.Fatal(err)
	}
}

// Stop freezes the server and all its backends (SIGSTOP): connections stay open and new
// ones are taken by the kernel, but nothing is answered. Only a Durable server can be
// stopped.
func (p *PostgresServer) Stop(t testing.TB) {
	t.Helper()
	p.mustOwn(t)
	if err := p.cluster.proc.freeze(); err != nil {
		t.Fatalf("PostgreSQL cannot be stopped: %v", err)
	}
}

// Cont lets a frozen server go on (SIGCONT).
func (p *PostgresServer) Cont(t testing.TB) {
	t.Helper()
	p.mustOwn(t)
	if err := p.cluster.proc.thaw(); err != nil {
		t.Fatalf("PostgreSQL cannot be continued: %v", err)
	}
}

func (p *PostgresServer) mustOwn(t testing.TB) {
	t.Helper()
	if !p.own {
		t.Fatal("other tests share this server: ask for Postgres(t, Durable()) to kill one")
	}
}

func (p *PostgresServer) exec(t testing.TB, statement string) {
	t.Helper()
	if err := p.tryExec(statement); err != nil {
		t.Fatalf("prepare PostgreSQL for this test: %v", err)
	}
}

func (p *PostgresServer) tryExec(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, p.maintenance())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// maintenance is the URL of the database that others are made and dropped from.
func (p *PostgresServer) maintenance() string {
	u := *p.admin
	u.Path = "/postgres"
	return u.String()
}

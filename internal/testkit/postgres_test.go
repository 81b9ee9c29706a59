package testkit

import (
	"bufio"
	"context"
	"fmt"
	"github.com/kinebase/kinebase/internal/testkit/need"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { Main(m) }

func connect(t *testing.T, database string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func run(t *testing.T, conn *pgx.Conn, statement string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func ask[T any](t *testing.T, conn *pgx.Conn, query string) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), query).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func TestTheTestsRoleIsHeldByRowLevelSecurity(t *testing.T) {
	conn := connect(t, Postgres(t).Database(t))
	if ask[bool](t, conn, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user") {
		t.Error("the role that tests get passes by row-level security")
	}
	// It owns its database: migrations need no more than that.
	run(t, conn, "CREATE TABLE athletes (id int)")
	if n := ask[int](t, conn, "SELECT current_setting('server_version_num')::int"); n < 150000 {
		t.Errorf("the server is version %d, 15 or later is promised", n)
	}
}

func TestTheSuperuserReachesTheSameDatabase(t *testing.T) {
	p := Postgres(t)
	database := p.Database(t)
	super := connect(t, p.Superuser(t, database))
	if !ask[bool](t, super, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") {
		t.Error("the superuser is none")
	}
	if a, b := ask[string](t, super, "SELECT current_database()"),
		ask[string](t, connect(t, database), "SELECT current_database()"); a != b {
		t.Errorf("the superuser is in %s, the test in %s", a, b)
	}
}

func TestAForgottenByteOrderGivesAnotherOrder(t *testing.T) {
	conn := connect(t, Postgres(t).Database(t))
	if !ask[bool](t, conn, "SELECT 'a' < 'B'") {
		t.Error("text compares by bytes by default, so a forgotten COLLATE goes unseen")
	}
	if ask[bool](t, conn, `SELECT 'a' COLLATE "C" < 'B'`) {
		t.Error(`COLLATE "C" does not compare by bytes`)
	}
}

func TestADatabaseGoesWithItsTest(t *testing.T) {
	p := Postgres(t)
	witness := connect(t, p.Database(t))
	var name string
	t.Run("a test that leaves a connection open", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), p.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn }) // never closed
		name = ask[string](t, conn, "SELECT current_database()")
	})
	if ask[bool](t, witness, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = '"+name+"')") {
		t.Errorf("database %s outlived its test", name)
	}
}

func TestAKilledServerComesBackWithWhatWasCommitted(t *testing.T) {
	Long(t)
	p := Postgres(t, Durable())
	database := p.Database(t)
	conn := connect(t, database)
	if ask[string](t, conn, "SHOW fsync") != "on" {
		t.Error("a durable server does not wait for the disk")
	}
	run(t, conn, "CREATE TABLE captures (id int PRIMARY KEY)")
	run(t, conn, "INSERT INTO captures VALUES (1)")
	run(t, conn, "BEGIN")
	run(t, conn, "INSERT INTO captures VALUES (2)")
	backends := childrenOf(p.cluster.proc.cmd.Process.Pid)

	p.Kill(t)

	if anyAlive(backends) {
		t.Error("a backend outlived the postmaster")
	}
	if _, err := conn.Exec(t.Context(), "COMMIT"); err == nil {
		t.Error("a dead server committed")
	}
	if c, err := pgx.Connect(t.Context(), database); err == nil {
		_ = c.Close(t.Context())
		t.Error("a dead server took a connection")
	}

	p.Start(t)

	if got := ask[string](t, connect(t, database), "SELECT string_agg(id::text, ',') FROM captures"); got != "1" {
		t.Errorf("after the crash the table holds %q, want what was committed: 1", got)
	}
}

// private gives a server whose folder and processes a test may look at, in
// memory.
func private(t *testing.T) *PostgresServer {
	t.Helper()
	c := begin(t, false)
	t.Cleanup(c.destroy)
	return c.server(t, true)
}

func TestTheLogHoldsNoValues(t *testing.T) {
	p := private(t)
	conn := connect(t, p.Database(t))
	run(t, conn, "CREATE TABLE athletes (email text UNIQUE, height int)")
	run(t, conn, "INSERT INTO athletes VALUES ('ada@example.org')")
	for _, failing := range []string{
		"INSERT INTO athletes VALUES ('ada@example.org')", // the key's value would be the detail
		"SELECT 'ada@example.org' FROM nowhere",           // the statement would be logged
	} {
		if _, err := conn.Exec(t.Context(), failing); err == nil {
			t.Fatalf("%s succeeded", failing)
		}
	}
	if _, err := conn.Exec(t.Context(), "INSERT INTO athletes (email, height) VALUES ($1, 1 / ($2::int))",
		"ada@example.org", 0); err == nil {
		t.Fatal("a division by zero succeeded")
	}
	log := string(tail(p.cluster.logPath(), 100))
	if !strings.Contains(log, "division by zero") {
		t.Errorf("the log misses the failure itself:\n%s", log)
	}
	if strings.Contains(log, "ada@example.org") {
		t.Errorf("the log names a person:\n%s", log)
	}
}

// again runs one test of this binary in another process.
func again(t *testing.T, test string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

func TestTwoTestProcessesAtOnceDoNotCollide(t *testing.T) {
	Long(t)
	if os.Getenv("KINEBASE_TESTKIT_TWIN") != "" {
		conn := connect(t, Postgres(t).Database(t))
		run(t, conn, "CREATE TABLE twins (pid int)") // fails when the twin was here first
		return
	}
	var twins sync.WaitGroup
	for range 2 {
		twin := again(t, t.Name(), "KINEBASE_TESTKIT_TWIN=1")
		twins.Go(func() {
			if out, err := twin.CombinedOutput(); err != nil {
				t.Errorf("a twin failed: %v\n%s", err, out)
			}
		})
	}
	twins.Wait()
}

func TestAServerDiesWithItsTestProcess(t *testing.T) {
	if os.Getenv("KINEBASE_TESTKIT_HOLD") != "" {
		p := private(t)
		fmt.Println("holding", p.cluster.proc.cmd.Process.Pid, p.cluster.dir.path)
		select {} // until it is killed
	}
	if _, err := findPostgres(); err != nil {
		need.Missing(t, "%v; to run this test: apt-get install postgresql", err)
	}
	holder := again(t, t.Name(), "KINEBASE_TESTKIT_HOLD=1")
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var pid int
	var dir string
	for pid == 0 && lines.Scan() {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "holding" {
			pid, _ = strconv.Atoi(words[1])
			dir = words[2]
		}
	}
	if pid == 0 {
		t.Fatal("the other process started no server")
	}
	servers := append(childrenOf(pid), pid)

	_ = holder.Process.Kill()
	_ = holder.Wait()

	if !until(Patience, func() bool { return !anyAlive(servers) }) {
		t.Errorf("PostgreSQL %v outlived the test process that started it", servers)
	}
	f, err := newFolder("pg", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.remove()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the dead process's folder %s is still there after the next server's start: %v", dir, err)
	}
	if _, err := os.Stat(f.path); err != nil {
		t.Errorf("a folder in use was swept: %v", err)
	}
}

func TestAServerThatWasThereBeforeIsUsedUnderNamesOfOurOwn(t *testing.T) {
	there := Postgres(t)
	p := adopt(t, there.maintenance())
	conn := connect(t, p.Database(t))
	if who := ask[string](t, conn, "SELECT current_user"); !strings.HasPrefix(who, PostgresRole+"_") {
		t.Errorf("the role is %s, which somebody else may have", who)
	}
	if ask[bool](t, conn, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user") {
		t.Error("the role that tests get passes by row-level security")
	}
	run(t, conn, "CREATE TABLE athletes (id int)")
}

package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL of the benchmark's own, whose data is kept for the next
// run. Every commit waits for the disk; the settings below are all that differ
// from what a new PostgreSQL has.
type cluster struct {
	dir    string // data, log and socket
	cmd    *exec.Cmd
	ended  chan struct{}
	server string // what it calls itself
}

var clusterSettings = []string{
	"shared_buffers=256MB", "max_wal_size=4GB", "checkpoint_timeout=15min", "jit=off", "max_connections=150",
	"listen_addresses=", "unix_socket_permissions=0700",
}

const (
	clusterOwner = "bench"    // a superuser
	clusterRole  = "kinebase" // whom row-level security holds
)

// startCluster starts it, made where there is none.
func startCluster(ctx context.Context) (*cluster, error) {
	programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if found, err := exec.LookPath("postgres"); err == nil {
		programs = append(programs, found)
	}
	if len(programs) == 0 {
		return nil, errors.New("no PostgreSQL is installed: apt-get install postgresql")
	}
	bin := filepath.Dir(programs[len(programs)-1])
	account, err := serverAccount()
	if err != nil {
		return nil, err
	}
	c := &cluster{dir: filepath.Join(folder(), "postgres"), ended: make(chan struct{})}
	command := func(program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(bin, program), args...)
		cmd.Dir, cmd.Env = c.dir, []string{"LC_ALL=C", "TZ=UTC", "PATH=" + os.Getenv("PATH")}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account, Setpgid: true}
		return cmd
	}
	data := filepath.Join(c.dir, "data")
	if _, err := os.Stat(filepath.Join(data, "PG_VERSION")); err != nil {
		if err := errors.Join(os.RemoveAll(c.dir), os.MkdirAll(c.dir, 0o700)); err != nil {
			return nil, err
		}
		if account != nil {
			if err := os.Chown(c.dir, int(account.Uid), int(account.Gid)); err != nil {
				return nil, err
			}
		}
		if out, err := command("initdb", "--pgdata="+data, "--username="+clusterOwner, "--auth=trust",
			"--encoding=UTF8", "--locale=C").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("initdb: %w\n%s", err, out)
		}
	}
	log, err := os.OpenFile(filepath.Join(c.dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := []string{"-D", data, "-c", "unix_socket_directories=" + c.dir}
	for _, s := range clusterSettings {
		args = append(args, "-c", s)
	}
	c.cmd = command("postgres", args...)
	c.cmd.Stdout, c.cmd.Stderr = log, log
	c.cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	started := make(chan error)
	go func() {
		// The signal comes when the thread ends that began the child, so one is kept.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(c.ended)
		err := c.cmd.Start()
		started <- err
		if err == nil {
			_ = c.cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return c, c.introduce(ctx)
}

// introduce waits until the server answers and sees to the role.
func (c *cluster) introduce(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, c.address(clusterOwner, "postgres"))
		if err == nil {
			defer func() { _ = conn.Close(ctx) }()
			if err := conn.QueryRow(ctx, `SELECT split_part(version(), ' on ', 1)`).Scan(&c.server); err != nil {
				return err
			}
			var there bool
			if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)`,
				clusterRole).Scan(&there); err != nil || there {
				return err
			}
			_, err = conn.Exec(ctx, "CREATE ROLE "+clusterRole+" LOGIN NOSUPERUSER NOBYPASSRLS")
			return err
		}
		select {
		case <-c.ended:
			log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
			return fmt.Errorf("PostgreSQL did not start:\n%s", log)
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// stop ends it properly, so that it need not recover the next time.
func (c *cluster) stop() {
	_ = c.cmd.Process.Signal(syscall.SIGINT)
	<-c.ended
}

func (c *cluster) address(role, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database,
		RawQuery: url.Values{"host": {c.dir}}.Encode()}
	return u.String()
}

// url is how an ordinary role gets at a database.
func (c *cluster) url(database string) string { return c.address(clusterRole, database) }

// recreate drops every database whose name begins so and makes the named ones.
func (c *cluster) recreate(ctx context.Context, prefix string, names ...string) error {
	conn, err := pgx.Connect(ctx, c.address(clusterOwner, "postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, prefix)
	if err != nil {
		return err
	}
	old, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			return err
		}
	}
	for _, name := range names {
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+name+" OWNER "+clusterRole); err != nil {
			return err
		}
	}
	return nil
}

// serverAccount is whom the server runs as when this is root, which it refuses.
func serverAccount() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, errU := strconv.ParseUint(account.Uid, 10, 32)
	gid, errG := strconv.ParseUint(account.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(errU, errG)
}

// settled says how the cluster is set, for the table.
func (c *cluster) settled() string {
	return c.server + " on a socket, fsync on (" + strings.Join(clusterSettings[:4], ", ") + ")"
}

package testkit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// superuser owns a cluster; tests get another role.
const superuser = "testkit"

// cluster is a PostgreSQL data folder and, while it runs, its postmaster.
type cluster struct {
	bin     string // the folder of the programs
	dir     *folder
	account *syscall.Credential
	durable bool
	proc    *process
}

// findPostgres gives the folder of the newest PostgreSQL on this machine that is
// new enough: the one on PATH or one of Debian's, which keeps the server's
// programs off PATH.
func findPostgres() (string, error) {
	var folders []string
	if found, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(found); err == nil {
			folders = append(folders, filepath.Dir(real))
		}
	}
	packaged, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	folders = append(folders, packaged...)

	best, bestVersion := "", 0
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "initdb")); err != nil {
			continue
		}
		if v := majorVersion(filepath.Join(folder, "postgres")); v > bestVersion {
			best, bestVersion = folder, v
		}
	}
	switch {
	case best == "":
		return "", errors.New("no PostgreSQL server is installed")
	case bestVersion < 15:
		return "", fmt.Errorf("the PostgreSQL server here is version %d, and 15 is needed", bestVersion)
	}
	return best, nil
}

// majorVersion reads "postgres (PostgreSQL) 15.14 (Debian …)"; 0 for anything
// else.
func majorVersion(program string) int {
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		return 0
	}
	_, version, _ := strings.Cut(string(out), "(PostgreSQL) ")
	digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
	major, _ := strconv.Atoi(digits)
	return major
}

// newCluster makes the data folder of a cluster that is not started yet.
func newCluster(bin string, durable bool) (*cluster, error) {
	account, err := unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := newFolder("pg", account, !durable)
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin, dir: dir, account: account, durable: durable}
	initdb := c.command("initdb", "--pgdata="+c.data(), "--username="+superuser, "--auth=trust", "--no-sync",
		"--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US")
	if out, err := initdb.CombinedOutput(); err != nil {
		c.destroy()
		return nil, fmt.Errorf("initdb failed: %w\n%s", err, out)
	}
	return c, nil
}

func (c *cluster) data() string    { return filepath.Join(c.dir.path, "data") }
func (c *cluster) logPath() string { return filepath.Join(c.dir.path, "log") }

// command is a program of this PostgreSQL under the server's account.
func (c *cluster) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.bin, program), args...)
	cmd.Dir = c.dir.path // the account may not be allowed into the tests' folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.account}
	// Nothing of the developer's PG* settings or language may change a test.
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "PATH=" + os.Getenv("PATH")}
	return cmd
}

// settings are those of every cluster, then those that depend on durability.
func (c *cluster) settings() []string {
	s := []string{
		"listen_addresses=", // a socket only
		"unix_socket_directories=" + c.dir.path,
		"unix_socket_permissions=0700", // and no one else's
		"max_connections=200",
		"jit=off", // compiling costs more than any query of a test
		// A log must not hold what tests call personal: not the failed
		// statement, not its parameters, not the values of a violated key.
		"log_min_error_statement=panic",
		"log_parameter_max_length_on_error=0",
		"log_error_verbosity=terse",
	}
	if !c.durable {
		// Databases live for a second, and to look through hundreds of them is work for nothing.
		s = append(s, "autovacuum=off", "fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0")
	}
	return s
}

// start runs the postmaster and returns once it takes connections.
func (c *cluster) start() error {
	log, err := os.OpenFile(c.logPath(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open PostgreSQL's log: %w", err)
	}
	defer log.Close() // the child has its own descriptor

	args := []string{"-D", c.data()}
	for _, s := range c.settings() {
		args = append(args, "-c", s)
	}
	cmd := c.command("postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	// SIGQUIT is PostgreSQL's immediate shutdown: no checkpoint, but backends are
	// ended and shared memory is given back.
	if c.proc, err = spawn(cmd, syscall.SIGQUIT); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	up := until(Patience, func() bool { return !c.proc.running() || c.answers() })
	if !up || !c.proc.running() {
		c.stop()
		return fmt.Errorf("PostgreSQL did not start; the end of its log:\n%s", tail(c.logPath(), 20))
	}
	return nil
}

func (c *cluster) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, "postgres://"+superuser+"@/postgres?host="+c.dir.path)
	if err != nil {
		return false
	}
	return conn.Close(ctx) == nil
}

// stop ends the server without caring for its data, which go next.
func (c *cluster) stop() {
	if c.proc != nil {
		c.proc.stop(syscall.SIGQUIT, 10*time.Second)
	}
}

// destroy stops the server and removes everything of it.
func (c *cluster) destroy() {
	c.stop()
	c.dir.remove()
}

// tail gives the last lines of a file.
func tail(path string, lines int) []byte {
	raw, err := os.ReadFile(path)
	if err != nil {
		return []byte(err.Error())
	}
	all := slices.Collect(bytes.Lines(raw))
	return bytes.Join(all[max(0, len(all)-lines):], nil)
}

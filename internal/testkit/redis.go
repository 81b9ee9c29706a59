package testkit

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// RedisServer is a Redis of one test's own: empty, on a private unix socket in a
// folder that only its account can enter, keeping nothing on disk.
type RedisServer struct {
	// Addr is what KINEBASE_REDIS_URL would hold: unix:///…/redis.sock. It stays
	// the same over Kill and Start.
	Addr string

	t      testing.TB
	dir    string
	socket string
	server *process
}

// Redis starts a redis-server and ends it with the test. Without one on PATH the
// test is skipped (see Missing).
func Redis(t testing.TB) *RedisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		need.Missing(t, "this test needs a Redis, and there is no redis-server on PATH: install one (Debian: apt-get "+
			"install --no-install-recommends redis-server)")
	}
	// Not t.TempDir: its parent belongs to the account of the tests alone, and
	// its name is too long for a socket on some systems.
	dir, err := os.MkdirTemp("", "kb-redis-")
	if err != nil {
		t.Fatalf("no folder for Redis: %v", err)
	}
	r := &RedisServer{t: t, dir: dir, socket: filepath.Join(dir, "redis.sock")}
	r.Addr = "unix://" + r.socket
	t.Cleanup(func() {
		r.Kill()
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("the folder of Redis stays behind: %v", err)
		}
	})
	r.Start()
	return r
}

// Start starts the server, again when it was killed, and returns once it accepts
// connections. It starts empty.
func (r *RedisServer) Start() {
	r.t.Helper()
	_ = os.Remove(r.socket) // a killed server leaves its socket, and that would look like one that listens
	cmd := exec.Command("redis-server",
		"--port", "0", "--unixsocket", r.socket, "--unixsocketperm", "700",
		"--dir", r.dir, "--save", "", "--appendonly", "no", "--daemonize", "no",
		"--io-threads", "1", "--databases", "1")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output

	account, err := unprivileged()
	if err != nil {
		r.t.Fatal(err)
	}
	if account != nil {
		if err := os.Chown(r.dir, int(account.Uid), int(account.Gid)); err != nil {
			r.t.Fatalf("the folder of Redis cannot be handed over: %v", err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	}
	if r.server, err = spawn(cmd, syscall.SIGKILL); err != nil {
		r.t.Fatalf("redis-server does not start: %v", err)
	}
	up := until(Patience, func() bool { return !r.server.running() || r.listens() })
	if !up || !r.server.running() {
		r.server.kill()
		r.t.Fatalf("redis-server does not come up; it says:\n%s", output.String())
	}
}

func (r *RedisServer) listens() bool {
	conn, err := net.Dial("unix", r.socket)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// Stop freezes the server (SIGSTOP): connections stay open and new ones are
// taken by the kernel, but nothing is answered. It returns once it is frozen.
func (r *RedisServer) Stop() {
	r.t.Helper()
	if err := r.server.freeze(); err != nil {
		r.t.Fatalf("Redis cannot be stopped: %v", err)
	}
}

// Cont lets a frozen server go on (SIGCONT).
func (r *RedisServer) Cont() {
	r.t.Helper()
	if err := r.server.thaw(); err != nil {
		r.t.Fatalf("Redis cannot be continued: %v", err)
	}
}

// Kill ends the server at once (SIGKILL), frozen or not. What it held is gone.
func (r *RedisServer) Kill() {
	if r.server.running() {
		r.server.kill()
	}
}

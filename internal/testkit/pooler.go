package testkit

import (
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
)

// Pooler starts a pgbouncer in session mode, with the settings that it comes with, before a database, and gives the
// database's URL through it. It ends with the test. Without the program the test is skipped (see need.Missing).
func Pooler(t testing.TB, database string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/pgbouncer") // which only root has on PATH
	}
	if err != nil {
		need.Missing(t, "this test needs a pgbouncer: install one (Debian: apt-get install pgbouncer)")
	}
	u, err := url.Parse(database)
	if err != nil {
		t.Fatalf("not the URL of a database: %v", err)
	}
	dir, err := os.MkdirTemp("", "kb-pool-") // for the reasons that Redis has
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	const port = "6432"
	password, _ := u.User.Password()
	for name, text := range map[string]string{
		"users": fmt.Sprintf("%q %q\n", u.User.Username(), password),
		"pgbouncer.ini": "[databases]\n* = host=" + cmp.Or(u.Hostname(), u.Query().Get("host")) + " port=" +
			cmp.Or(u.Port(), "5432") + "\n[pgbouncer]\npool_mode = session\ndefault_pool_size = 60\n" +
			"listen_port = " + port + "\nunix_socket_dir = " + dir + "\nauth_type = trust\nauth_file = " +
			filepath.Join(dir, "users") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program, filepath.Join(dir, "pgbouncer.ini"))
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	account, err := unprivileged()
	if err != nil {
		t.Fatal(err)
	}
	if account != nil { // it refuses to run as root
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account}
		for _, path := range []string{"", "users", "pgbouncer.ini"} {
			if err := os.Chown(filepath.Join(dir, path), int(account.Uid), int(account.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	p, err := spawn(cmd, syscall.SIGKILL)
	if err != nil {
		t.Fatalf("pgbouncer does not start: %v", err)
	}
	t.Cleanup(p.kill)
	until(Patience, func() bool {
		conn, err := net.Dial("unix", filepath.Join(dir, ".s.PGSQL."+port))
		if err == nil {
			_ = conn.Close()
		}
		return err == nil || !p.running()
	})
	if !p.running() {
		t.Fatalf("pgbouncer does not come up; it says:\n%s", output.String())
	}
	u.Host, u.RawQuery = "", url.Values{"host": {dir}, "port": {port}}.Encode()
	return u.String()
}

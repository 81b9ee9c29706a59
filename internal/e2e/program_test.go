package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
)

// machine is a place to run the program on: one store, one environment.
type machine struct {
	t    *testing.T
	home string
	args []string // that name the store
	env  []string // beside what every program needs
	file string   // of the program; "" for the one that is tested
}

func newMachine(t *testing.T, e apptest.Engine) *machine { return machineAt(t, e.Place(t)) }

// machineAt is a machine whose store is named by flags, as Engine.Place gives
// them.
func machineAt(t *testing.T, place map[string]string) *machine {
	m := &machine{t: t, home: t.TempDir(), env: []string{"KINEBASE_RATE_LIMIT=off", "KINEBASE_RATE_LIMIT_ORG=off"}}
	for flag, value := range place {
		if flag == "files" { // there is no flag for it
			m.env = append(m.env, "KINEBASE_FILES="+value)
			continue
		}
		m.args = append(m.args, "--"+flag, value)
	}
	return m
}

// command is a process of the program that is not started yet. It does not
// outlive the tests.
func (m *machine) command(args ...string) *exec.Cmd {
	m.t.Helper()
	file, err := m.file, error(nil)
	if file == "" {
		file, err = program()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(file, args...)
	cmd.Env = append([]string{"HOME=" + m.home, "TMPDIR=" + m.home, "PATH=" + os.Getenv("PATH")}, m.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// onStore is a command on the machine's store.
func (m *machine) onStore(args ...string) *exec.Cmd {
	m.t.Helper()
	return m.command(append(args, m.args...)...)
}

// run types a command on the machine's store and decodes what it prints.
func (m *machine) run(into any, args ...string) {
	m.t.Helper()
	cmd := m.onStore(append(args, "--json")...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatalf("kinebase %s: %v\n%s", strings.Join(args, " "), err, &failure)
	}
	if err := json.Unmarshal(out, into); err != nil {
		m.t.Fatalf("kinebase %s printed %q: %v", strings.Join(args, " "), out, err)
	}
}

// fails types a command that must fail, and gives what it says. Its exit code is
// 1.
func (m *machine) fails(args ...string) string {
	m.t.Helper()
	out, err := m.onStore(args...).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		m.t.Errorf("kinebase %s ended with %v, want the exit code 1; it said:\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (m *machine) organization() string {
	m.t.Helper()
	var made struct{ ID string }
	m.run(&made, "org", "create", "A "+organization.NewUUID())
	return made.ID
}

func (m *machine) token(org string, more ...string) (id, secret string) {
	m.t.Helper()
	var made struct{ ID, Token string }
	m.run(&made, append([]string{"token", "create", "--org", org, "--name", "t", "--role", "admin"}, more...)...)
	return made.ID, made.Token
}

// server is a process that serves.
type server struct {
	t       *testing.T
	cmd     *exec.Cmd
	url     string // the base of the interface
	ready   time.Duration
	ended   chan struct{} // closed once it was waited for
	failure error         // of the process, once ended

	sync.Mutex
	log []string
}

// serve starts a server on the machine's store and returns once it is ready.
func (m *machine) serve() *server {
	m.t.Helper()
	s, ready := m.begin(m.onStore("serve", "--listen", "127.0.0.1:0"))
	if !<-ready {
		<-s.ended
		m.t.Fatalf("the server ended before it was ready: %v\n%s", s.failure, s.logs())
	}
	return s
}

// begin starts a server. The channel tells when it is ready, or false when it
// ended before.
func (m *machine) begin(cmd *exec.Cmd) (*server, <-chan bool) {
	m.t.Helper()
	out, err := cmd.StderrPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	s := &server{t: m.t, cmd: cmd, ended: make(chan struct{})}
	ready := make(chan bool, 1)
	go func() {
		defer close(s.ended)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct{ Msg, URL string }
			_ = json.Unmarshal(lines.Bytes(), &line) // the last words of a process may be no JSON
			s.Lock()
			s.log = append(s.log, lines.Text())
			if line.Msg == "listening" {
				s.url = line.URL
			}
			if line.Msg == "ready" {
				s.ready = time.Since(begun)
				ready <- true
			}
			s.Unlock()
		}
		close(ready)
		s.failure = cmd.Wait()
	}()
	m.t.Cleanup(s.kill)
	return s, ready
}

// kill ends the process as a power cut would, and waits until it is gone.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // an error means that it has ended already
	<-s.ended
}

func (s *server) logs() string {
	s.Lock()
	defer s.Unlock()
	return strings.Join(s.log, "\n")
}

// logged counts the lines of the log that hold a text.
func (s *server) logged(text string) int { return strings.Count(s.logs(), text) }

// root is what the pages beside the interface are below.
func (s *server) root() string { return strings.TrimSuffix(s.url, "/v1") }

// client talks to the server. Its connections are closed with the test.
func (s *server) client(token string, options ...client.Option) *client.Client {
	s.t.Helper()
	c, err := client.New(s.url, token, append([]client.Option{client.WithHTTPClient(s.http())}, options...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// http is a client with connections of its own.
func (s *server) http() *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 16}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: testkit.Patience}
}

// page gives the status of a page beside the interface.
func (s *server) page(path string) int {
	s.t.Helper()
	resp, err := s.http().Get(s.root() + path)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", path, err, s.logs())
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// status is what the server answered: 200 when there is no error, and 0 when
// there was no answer.
func status(err error) int {
	var refused *client.Error
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &refused):
		return refused.Status
	}
	return 0
}

func ptr[T any](v T) *T { return &v }

// unavailable checks the manners of a 503: it says when to come back, and in
// words for people, without what is nobody's business.
func unavailable(err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable {
		return fmt.Errorf("want a 503, got %w", err)
	}
	if refused.Code != "ServiceUnavailable" || refused.RetryAfter <= 0 {
		return fmt.Errorf("a 503 lacks its code or Retry-After: %+v", refused)
	}
	for _, inner := range []string{"SQL", "sql", "/", "pgx", ".go", ".db", "errno", "SELECT", "INSERT"} {
		if strings.Contains(refused.Message, inner) {
			return fmt.Errorf("a 503 tells of the inside: %q", refused.Message)
		}
	}
	return nil
}

// busy says whether a server refused a call because it is busy with those of others.
func busy(err error) bool {
	return unavailable(err) == nil && strings.Contains(err.Error(), "busy with")
}

// text is a page beside the interface.
func (s *server) text(path string) string {
	s.t.Helper()
	resp, err := s.http().Get(s.root() + path)
	if err != nil {
		s.t.Fatalf("%s: %v\n%s", path, err, s.logs())
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

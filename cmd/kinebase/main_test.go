package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// asProgram makes this test binary be the program: a real process, without
// building it a second time.
const asProgram = "KINEBASE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	testkit.Main(m)
}

// machine is a place to start programs on: one store, one environment.
type machine struct {
	t    *testing.T
	home string
	args []string // that name the store
}

func newMachine(t *testing.T, e apptest.Engine) *machine {
	m := &machine{t: t, home: t.TempDir()}
	for flag, value := range e.Place(t) {
		if flag == "files" { // there is no flag for it, and the home folder will do
			continue
		}
		m.args = append(m.args, "--"+flag, value)
	}
	return m
}

// command is a process of the program that is not started yet.
func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(m.t.Context(), os.Args[0], args...)
	cmd.Env = []string{asProgram + "=1", "HOME=" + m.home, "TMPDIR=" + m.home, "PATH=" + os.Getenv("PATH"),
		"KINEBASE_RATE_LIMIT=off"}
	return cmd
}

// run types a command on the machine's store and decodes what it prints.
func (m *machine) run(into any, args ...string) {
	m.t.Helper()
	cmd := m.command(append(append(args, "--json"), m.args...)...)
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

func (m *machine) organization() string {
	m.t.Helper()
	var made struct{ ID string }
	m.run(&made, "org", "create", "A")
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
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	client *http.Client

	sync.Mutex
	log []string
}

// serve starts a server on the machine's store and returns once it is ready.
func (m *machine) serve() *server {
	m.t.Helper()
	cmd := m.command(append([]string{"serve", "--listen", "127.0.0.1:0"}, m.args...)...)
	out, err := cmd.StderrPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	s := &server{t: m.t, cmd: cmd, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true},
		Timeout: time.Minute}}
	ready := make(chan bool, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var line struct{ Msg, URL string }
			s.Lock()
			s.log = append(s.log, lines.Text())
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
				s.url = line.URL
			}
			s.Unlock()
			if line.Msg == "ready" {
				ready <- true
			}
		}
		close(ready)
	}()
	m.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if !<-ready {
		m.t.Fatalf("the server ended before it was ready:\n%s", s.logs())
	}
	return s
}

func (s *server) logs() string {
	s.Lock()
	defer s.Unlock()
	return strings.Join(s.log, "\n")
}

// get gives the status of an answer.
func (s *server) get(path, token string) int {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := s.client.Do(request)
	if err != nil {
		s.t.Fatalf("GET %s: %v\n%s", path, err, s.logs())
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestTheToolsWorkWhileAServerRuns(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		s := m.serve()
		id, secret := m.token(m.organization())
		if status := s.get("/captures", secret); status != 200 {
			t.Fatalf("a token of a new organization is answered %d", status)
		}
		// Another process changes what the server remembers. Where both share the
		// file it counts at once; a server on PostgreSQL remembers for less than a second
		// of its clock, which the store's tests drive.
		refused := func(what, secret string) {
			t.Helper()
			is := func() bool { return s.get("/captures", secret) == 401 }
			if e == apptest.PostgreSQL {
				testkit.Until(t, what+" is refused", is)
			} else if !is() {
				t.Errorf("%s is not refused", what)
			}
		}
		var rotated struct{ ID, Token string }
		m.run(&rotated, "token", "rotate", id)
		refused("the old secret", secret)
		if status := s.get("/captures", rotated.Token); status != 200 {
			t.Errorf("the new secret is answered %d", status)
		}
		var revoked struct{ ID string }
		m.run(&revoked, "token", "revoke", id)
		refused("the revoked token", rotated.Token)
	})
}

func TestATokenEndsWithItsLife(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		s := m.serve()
		org := m.organization()
		_, lasting := m.token(org, "--expires", "never")
		// On a busy machine a life may be over before its token is used for the first time.
		var brief string
		for life := 2 * time.Second; ; life *= 2 {
			if _, brief = m.token(org, "--expires", life.String()); s.get("/captures", brief) == 200 {
				break
			}
			if life > testkit.Patience {
				t.Fatalf("a token of %v is refused from the first", life)
			}
		}
		testkit.Until(t, "the token is refused", func() bool { return s.get("/captures", brief) == 401 })
		if status := s.get("/captures", lasting); status != 200 {
			t.Errorf("the token that never ends is answered %d", status)
		}
	})
}

func TestManyProcessesMakeTheSameNewStore(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		const processes = 8
		m := newMachine(t, e)
		var all sync.WaitGroup
		for n := range processes {
			cmd := m.command(append([]string{"org", "create", fmt.Sprintf("Lab %d", n)}, m.args...)...)
			all.Go(func() {
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("one failed: %v\n%s", err, out)
				}
			})
		}
		all.Wait()
		var list []struct{ ID string }
		if m.run(&list, "org", "list"); len(list) != processes {
			t.Errorf("there are %d organizations, want %d", len(list), processes)
		}
	})
}

func TestASignalEndsAServerGracefully(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT} {
		s := newMachine(t, apptest.SQLite).serve()
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("after %v the server ended with %v:\n%s", signal, err, s.logs())
		}
	}
}

func TestASecondSignalEndsAServerAtOnce(t *testing.T) {
	m := newMachine(t, apptest.SQLite)
	s := m.serve()
	_, secret := m.token(m.organization())
	underway := apptest.Begin(t, s.url, "/athletes", secret, `{"first_name":"Ada"}`)

	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the server says that it stops", func() bool { return strings.Contains(s.logs(), `"stopping"`) })
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	// A server that waits for the request under way ends by itself.
	if status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("the server ended by itself: %v\n%s", s.cmd.ProcessState, s.logs())
	}
	if status, err := underway.Finish(); err == nil {
		t.Errorf("the request under way was answered with %d", status)
	}
}

func TestADemoPrintsCurlLinesThatWork(t *testing.T) {
	m := newMachine(t, apptest.SQLite)
	cmd := m.command("demo", "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var failure bytes.Buffer
	cmd.Stderr = &failure
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var exports, curls []string
	lines := bufio.NewScanner(out)
	for len(curls) < 2 && lines.Scan() {
		switch line := strings.TrimSpace(lines.Text()); {
		case strings.HasPrefix(line, "export "):
			exports = append(exports, line)
		case strings.HasPrefix(line, "curl "):
			curls = append(curls, line)
		}
	}
	if len(curls) < 2 {
		t.Fatalf("two curl lines should have been printed, and there is %q:\n%s", curls, &failure)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		need.Missing(t, "no curl; to run this test: apt-get install curl")
	}
	answer := func(curl string, into any) string {
		said, err := exec.CommandContext(t.Context(), "sh", "-c", strings.Join(append(exports, curl), "\n")).Output()
		if err == nil {
			err = json.Unmarshal(said, into)
		}
		if err != nil {
			t.Fatalf("%s\nprinted %.500s (%v)", curl, said, err)
		}
		return fmt.Sprintf("%s\nprinted %.500s", curl, said)
	}
	var page struct {
		Captures   []map[string]any
		TotalCount int `json:"total_count"`
	}
	if said := answer(curls[0], &page); len(page.Captures) != 3 || page.TotalCount != 4011 {
		t.Errorf("%s, want 3 of 4011 captures", said)
	}
	// Its motion has been read before the line is printed.
	var frames struct {
		Frames  int
		Columns map[string][]float64
	}
	if said := answer(curls[1], &frames); frames.Frames != 3 || len(frames.Columns["LKNE_z"]) != 3 ||
		frames.Columns["LKNE_z"][0] < 0.2 {
		t.Errorf("%s, want 3 frames with a knee above the ground", said)
	}

	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // until the other end is closed
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v\n%s", err, &failure)
	}
	left, err := filepath.Glob(filepath.Join(m.home, "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("the demo left %v behind (%v)", left, err)
	}
}

func TestADemoKeepsItsFolderWhenItIsNamedAndTakesNoOther(t *testing.T) {
	testkit.Long(t)
	m := newMachine(t, apptest.SQLite)
	folder := filepath.Join(m.home, "sample")
	cmd := m.command("demo", "--listen", "127.0.0.1:0", "--data", folder, "--json")
	// Another store in the environment is left alone.
	cmd.Env = append(cmd.Env, "KINEBASE_DATABASE_URL=postgres://nobody@127.0.0.1:1/nothing",
		"KINEBASE_DATA="+filepath.Join(m.home, "real"),
		"KINEBASE_FILES="+filepath.Join(m.home, "real-files"), "KINEBASE_S3_ENDPOINT=http://127.0.0.1:1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var failure bytes.Buffer
	cmd.Stderr = &failure
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	var made struct{ URL, Organization, Token, Capture string }
	if err := json.NewDecoder(out).Decode(&made); err != nil {
		t.Fatalf("printed nothing that can be read: %v\n%s", err, &failure)
	}
	s := &server{t: t, url: made.URL, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	if status := s.get("/athletes", made.Token); status != 200 {
		t.Errorf("its token is answered %d", status)
	}
	if status := s.get("/captures/"+made.Capture+"/motion", made.Token); status != 200 {
		t.Errorf("the motion of %s is answered %d", made.Capture, status)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the demo ended with %v\n%s", err, &failure)
	}

	var list []struct{ ID string }
	kept := &machine{t: t, home: m.home, args: []string{"--data", folder}}
	if kept.run(&list, "org", "list"); len(list) != 1 || list[0].ID != made.Organization {
		t.Errorf("the folder holds %v, want the organization %s", list, made.Organization)
	}
	if found, _ := filepath.Glob(filepath.Join(m.home, "*")); !slices.Equal(found, []string{folder}) {
		t.Errorf("there is %v, want nothing but %s", found, folder)
	}
	again := m.command("demo", "--listen", "127.0.0.1:0", "--data", folder)
	said, err := again.CombinedOutput()
	if err == nil || !strings.Contains(string(said), "not empty") {
		t.Errorf("a second demo in the same folder ended with %v and said %s", err, said)
	}
}

func TestAHealthCheckAsksTheServer(t *testing.T) {
	m := newMachine(t, apptest.SQLite)
	s := m.serve()
	address := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/v1")
	if out, err := m.command("healthcheck", "--listen", address).CombinedOutput(); err != nil ||
		string(out) != "ready\n" {
		t.Errorf("of a running server it says %q (%v)", out, err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	out, err := m.command("healthcheck", "--listen", address).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no server can be reached") {
		t.Errorf("of a stopped server it says %q (%v)", out, err)
	}
}

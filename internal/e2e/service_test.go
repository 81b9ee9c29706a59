package e2e

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// service is a program that was typed into a shell of its own and goes on.
type service struct {
	r    *reader
	at   string
	cmd  *exec.Cmd
	done chan struct{}
	out  watched
}

// service types a block into another shell and waits until it says that it is ready. A
// server other than that of make demo is stopped at once: the next one may want its place.
func (r *reader) service(b block) {
	r.Helper()
	s := &service{r: r, at: b.at, done: make(chan struct{}), out: watched{ready: make(chan struct{})}}
	s.cmd = exec.Command("bash", "-euc", b.text)
	s.cmd.Dir, s.cmd.Env = r.folder,
		append(r.env, "KINEBASE_LISTEN=127.0.0.1:0", "PATH="+filepath.Join(r.folder, "bin")+":"+r.variable("PATH"))
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		r.Fatal(err)
	}
	go func() { defer close(s.done); _ = s.cmd.Wait() }()
	r.Cleanup(func() {
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // an error means that it has ended
		<-s.done
	})
	select {
	case <-s.out.ready:
	case <-s.done:
		r.Fatalf("%s: ended:\n%s", b.at, s.out.String())
	case <-time.After(limit):
		r.Fatalf("%s: is not ready:\n%s", b.at, s.out.String())
	}
	if strings.Contains(b.text, "make demo") || strings.Contains(b.text, "--env") {
		r.services = append(r.services, s)
		r.answers(b, s.out.String())
		return
	}
	s.stop()
}

// stop types Ctrl-C and waits for a good end.
func (s *service) stop() {
	s.r.Helper()
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGINT)
	select {
	case <-s.done:
	case <-time.After(limit):
		s.r.Errorf("%s: does not stop:\n%s", s.at, s.out.String())
	}
}

// addresses are those that a program prints to be opened.
var addresses = regexp.MustCompile(`(?m)^  [a-z ]+ (http://\S+)`)

// answers opens every address that a program has printed.
func (r *reader) answers(b block, printed string) {
	r.Helper()
	all := addresses.FindAllStringSubmatch(printed, -1)
	if len(all) == 0 {
		r.Errorf("%s: prints no address:\n%s", b.at, printed)
	}
	for _, address := range all {
		out, err := exec.CommandContext(r.Context(), "curl", "-fsS", "-o", "/dev/null", address[1]).CombinedOutput()
		if err != nil {
			r.Errorf("%s: prints %s, and there: %v %s", b.at, address[1], err, out)
		}
	}
}

// watched is what a program prints, until and after it says that it is ready.
type watched struct {
	sync.Mutex
	text  bytes.Buffer
	ready chan struct{}
	found bool
}

func (w *watched) Write(b []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	n, err := w.text.Write(b)
	if text := w.text.String(); !w.found &&
		(strings.Contains(text, "Ctrl-C stops the server") || strings.Contains(text, `"msg":"ready"`)) {
		w.found = true
		close(w.ready)
	}
	return n, err
}

// String gives what has been printed so far.
func (w *watched) String() string {
	w.Lock()
	defer w.Unlock()
	return w.text.String()
}

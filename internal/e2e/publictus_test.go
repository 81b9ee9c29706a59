package e2e

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// badLine is an address that leads to one server after another. Connections break after random many bytes that were
// sent, the first ones within a piece of a file.
type badLine struct {
	url string // the base of the interface there

	sync.Mutex
	chance  *rand.Rand
	to      string // address of the server
	broken  int    // connections
	sent    int64  // bytes
	strikes []strike
}

// strike is what happens once so many bytes were sent.
type strike struct {
	at   int64
	what func()
}

// line begins to listen.
func line(t *testing.T, chance *rand.Rand) *badLine {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &badLine{url: "http://" + l.Addr().String() + "/v1", chance: chance}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() { b.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		open.Wait()
	})
	return b
}

// lead has new connections lead to a server.
func (b *badLine) lead(s *server) {
	b.Lock()
	defer b.Unlock()
	b.to = strings.TrimPrefix(s.root(), "http://")
}

// carry carries what one connection sends and what comes back, until it breaks.
func (b *badLine) carry(c net.Conn) {
	b.Lock()
	to, left := b.to, 500+b.chance.Int64N(90_000) // within a piece
	if b.broken > 0 && b.chance.IntN(2) == 0 {
		left *= 4
	}
	b.Unlock()
	s, err := (&net.Dialer{}).Dial("tcp", to)
	if err != nil {
		_ = c.Close() // the server was killed
		return
	}
	var back sync.WaitGroup
	back.Go(func() {
		_, _ = io.Copy(c, s) // it breaks on purpose
		_ = c.Close()
	})
	for piece := make([]byte, 8<<10); ; {
		n, err := c.Read(piece)
		n = int(min(int64(n), left))
		if _, failed := s.Write(piece[:n]); failed != nil || err != nil {
			break
		}
		b.passed(int64(n))
		if left -= int64(n); left == 0 {
			b.Lock()
			b.broken++
			b.Unlock()
			break
		}
	}
	_, _ = c.Close(), s.Close()
	back.Wait()
}

// passed counts, and has happen what is due.
func (b *badLine) passed(n int64) {
	b.Lock()
	defer b.Unlock()
	for b.sent += n; len(b.strikes) > 0 && b.sent >= b.strikes[0].at; b.strikes = b.strikes[1:] {
		go b.strikes[0].what() // which ends this connection
	}
}

// publicTus are the public clients of tus: programs that send a file to an address in pieces of a size.
func publicTus(t *testing.T) map[string][]string {
	t.Helper()
	root := absolute(t, "..", "..")
	readers := filepath.Join(root, ".tools", "readers")
	if _, err := os.Stat(filepath.Join(readers, "installed")); err != nil {
		need.Missing(t, "no tuspy of PyPI; to run this test: make .tools/readers/installed")
	}
	node, err := exec.Command(filepath.Join(root, "scripts", "node")).Output()
	if err != nil {
		need.Missing(t, "no Node.js to run tus-js-client: %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "web", "node_modules", "tus-js-client")); err != nil {
		need.Missing(t, "no tus-js-client of npm; to run this test: scripts/console --must ready")
	}
	return map[string][]string{
		"tuspy": {filepath.Join(readers, "bin", "python"), absolute(t, "testdata", "tus.py")},
		"tus-js-client": {filepath.Join(strings.TrimSpace(string(node)), "node"),
			filepath.Join(root, "web", "tests", "tus.mjs")},
	}
}

// TestThePublicClientsOfTusBringAFileWhateverBreaks has them send over a line that breaks at random bytes, kills the
// server in the middle and moves them to another one, and kills them, so that another uploader goes on.
func TestThePublicClientsOfTusBringAFileWhateverBreaks(t *testing.T) {
	testkit.Long(t)
	file := pieced()
	path := filepath.Join(t.TempDir(), "walk.c3d")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, program := range publicTus(t) {
		for _, where := range storages {
			t.Run(name+", "+where.name, func(t *testing.T) {
				t.Parallel()
				m, _ := where.setUp(t)
				_, secret := m.token(m.organization())
				first, second := m.serve(), m.serve()
				chance := seeded(t)
				l := line(t, chance)
				l.lead(first)
				reserving, err := client.New(l.url, secret, client.WithHTTPClient(first.http()))
				if err != nil {
					t.Fatal(err)
				}
				var r *client.Reservation
				testkit.Until(t, "a place is reserved", func() bool {
					r, err = reserving.Reserve(t.Context(),
						client.NewCapture{FileName: "walk.c3d", FileSize: int64(len(file))})
					return err == nil
				})
				if !strings.HasPrefix(r.ResumableURL, l.url) {
					t.Fatalf("the upload is at %s, and not behind %s", r.ResumableURL, l.url)
				}
				var sending *exec.Cmd
				stopped := make(chan struct{})
				third := (len(file) + 1) / 3
				l.strikes = []strike{
					{int64(1 + chance.IntN(third)), func() { first.kill(); l.lead(second) }},
					{int64(third + chance.IntN(third)), func() {
						l.Lock()
						defer l.Unlock()
						_ = sending.Process.Kill() // unless it ended by itself
						close(stopped)
					}},
				}
				uploaders := 0
				testkit.Until(t, "the file is sent", func() bool {
					uploaders++
					ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
					defer cancel()
					var said bytes.Buffer
					l.Lock()
					sending = exec.CommandContext(ctx, program[0], program[1], path, r.ResumableURL, "100000")
					sending.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
					sending.Stdout, sending.Stderr = &said, &said
					err := sending.Start()
					l.Unlock()
					if err != nil {
						t.Fatal(err)
					}
					if err = sending.Wait(); err != nil {
						t.Logf("uploader %d: %v: %s", uploaders, err, said.String()[max(0, said.Len()-200):])
					}
					return err == nil
				})
				testkit.Receive(t, stopped, "an uploader was killed")
				if uploaders < 2 || l.broken == 0 {
					t.Errorf("%d uploaders, %d connections broke: nothing was tried", uploaders, l.broken)
				}
				j := &journey{T: t, machine: m, server: second, client: second.client(secret)}
				j.readBack(j.await(r.SessionID, "completed"), file)
				t.Logf("%d bytes of %d were sent by %d uploaders, %d connections broke", l.sent, len(file), uploaders,
					l.broken)
			})
		}
	}
}

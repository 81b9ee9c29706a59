package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// slow is a request whose body is still to come.
type slow struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	body string
}

// begin sends the head of a creation, and returns once the server asks for the
// body: then the request is under way.
func begin(t *testing.T, s *server, token, body string) *slow {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.root(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "POST /v1/athletes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", token,
		len(body)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	for _, want := range []string{"100 Continue", "\r\n"} {
		if line, err := in.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("the server says %q (%v), want 100 Continue", line, err)
		}
	}
	return &slow{t, conn, in, body}
}

// send sends a part of the body.
func (s *slow) send(from, to int) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, s.body[from:to]); err != nil {
		s.t.Fatal(err)
	}
}

func (s *slow) status() int {
	s.t.Helper()
	resp, err := http.ReadResponse(s.in, nil)
	if err != nil {
		s.t.Errorf("a request under way gets no answer: %v", err)
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestATerminatedServerFinishesWhatIsUnderWayAndEndsWell(t *testing.T) {
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		_, secret := m.token(m.organization())
		s := m.serve()
		const body = `{"first_name":"Ada","last_name":"Slow"}`
		var underway []*slow
		for range 5 {
			r := begin(t, s, secret, body)
			r.send(0, 10)
			underway = append(underway, r)
		}
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		testkit.Until(t, "/readyz says that the server stops",
			func() bool { return s.page("/readyz") == http.StatusServiceUnavailable })
		if got := s.page("/healthz"); got != http.StatusOK {
			t.Errorf("a stopping server is alive, and /healthz answers %d", got)
		}
		if err := unavailable(second(s.client(secret).ListCaptures(t.Context(), client.CaptureFilter{}))); err != nil {
			t.Errorf("a new request: %v", err)
		}
		for _, r := range underway {
			r.send(10, len(body))
			if got := r.status(); got != http.StatusOK {
				t.Errorf("a request under way is answered %d", got)
			}
		}
		testkit.Receive(t, s.ended, "the server ends")
		if s.failure != nil {
			t.Errorf("it ended with %v, want the exit code 0:\n%s", s.failure, tail(s.logs()))
		}
		page, err := m.serve().client(secret).ListAthletes(t.Context(), client.AthleteFilter{})
		if err != nil || page.TotalCount != int64(len(underway)) {
			t.Errorf("after the restart there are %+v (%v), want %d athletes", page, err, len(underway))
		}
	})
}

func second[T any](_ T, err error) error { return err }

package apptest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
)

// Slow is a POST whose body is still on its way, so that the server works on it
// until Finish.
type Slow struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	body string
}

// Begin sends a POST to base+path, without its JSON body, and returns once the
// server waits for that: it says so itself, by 100 Continue.
func Begin(t testing.TB, base, path, token, body string) *Slow {
	t.Helper()
	u, err := url.Parse(base + path)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn,
		"POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		u.RequestURI(), u.Host, token, len(body))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	response, err := http.ReadResponse(in, nil)
	if err != nil || response.StatusCode != http.StatusContinue {
		t.Fatalf("the server answers %v (%v), want 100 Continue", response, err)
	}
	_ = response.Body.Close() // it has none
	return &Slow{t, conn, in, body}
}

// Finish sends the body and gives the status of the answer; an error when the
// server has hung up.
func (s *Slow) Finish() (status int, err error) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, s.body); err != nil {
		return 0, err
	}
	response, err := http.ReadResponse(s.in, nil)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

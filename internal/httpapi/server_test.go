package httpapi

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// serve runs NewServer on a free port and gives its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(h)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		_ = s.Close()
		<-served
	})
	return l.Addr().String()
}

// raw sends bytes and gives everything that comes back until the connection ends.
func raw(t *testing.T, address, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(bufio.NewReader(c))
	if err != nil {
		t.Fatalf("after %q: %v", b, err)
	}
	return string(b)
}

func TestAHeaderBlockHasRoomForThirtyTwoKiB(t *testing.T) {
	address := serve(t, New(Options{}))
	ask := func(size int) string {
		head, tail := "GET /v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ", "\r\n\r\n"
		answer := raw(t, address, head+strings.Repeat("a", size-len(head)-len(tail))+tail)
		return strings.SplitN(answer, " ", 3)[1]
	}
	if got := ask(32<<10 - 8); got != "404" {
		t.Errorf("just below 32 KiB: %s", got)
	}
	if got := ask(32<<10 + 1); got != "431" {
		t.Errorf("above 32 KiB: %s", got)
	}
}

func TestNothingIsBelievedThatFollowsAChunkedBody(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.AllPermissions...)
	address := serve(t, New(Options{Tokens: tokens, Now: func() time.Time { return start }}))
	for _, length := range []string{"", "Content-Length: 6\r\n"} {
		request := fmt.Sprintf("POST /v1/athletes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"%sTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/x HTTP/1.1\r\nHost: x\r\n\r\n", tokens.secret, length)
		answer := raw(t, address, request) // ends only when the server closes
		if strings.Count(answer, "HTTP/1.1 ") != 1 || !strings.HasPrefix(answer, "HTTP/1.1 400 ") ||
			!strings.Contains(answer, "Connection: close") {
			t.Errorf("with %q the server answers\n%s", length, answer)
		}
	}
}

func TestAServerWaitsForNobodyForever(t *testing.T) {
	s := NewServer(New(Options{}))
	if s.ReadHeaderTimeout != 5*time.Second || s.ReadTimeout == 0 || s.WriteTimeout <= longestWait ||
		s.IdleTimeout == 0 {
		t.Errorf("%v %v %v %v", s.ReadHeaderTimeout, s.ReadTimeout, s.WriteTimeout, s.IdleTimeout)
	}
}

package httpapi

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// dial sends the beginning of a request over a connection of its own.
func dial(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testkit.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestLengthsThatAreWrongOverAConnection(t *testing.T) {
	kind, body := formOf(t, append(signed(fieldsFor(session, start)), part{"file", "x", "a.c3d"})...)
	head := "POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: " + kind + "\r\n"
	half := len(body) - 10
	for what, c := range map[string]struct{ request, status string }{
		"chunked": {
			fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", head, half,
				body[:half], len(body)-half, body[half:]), "204"},
		"chunked, cut short": {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head,
			half, body[:half]), "400"},
		"a chunk that is none": {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\nzz\r\n", head, half,
			body[:half]), "400"},
		"a length that is too small": {fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, half, body[:half]), "400"},
		"no body":                    {head + "Content-Length: 0\r\n\r\n", "400"},
		"far too large a length":     {head + "Content-Length: 1000000000000\r\n\r\n" + body, "413"},
	} {
		s := newUploads(session)
		address := serve(t, New(Options{Uploads: s, Files: s, UploadKey: formKey,
			Now: func() time.Time { return start }}))
		answer := make([]byte, 12)
		if _, err := io.ReadFull(dial(t, address, c.request), answer); err != nil || string(answer) != "HTTP/1.1 "+
			c.status {
			t.Errorf("%s: %q, %v, want %s", what, answer, err, c.status)
		}
		if c.status != "204" {
			s.nothing(t, what)
		}
	}
}

func TestASenderWhoHangsUpLeavesNothingBehind(t *testing.T) {
	kind, body := formOf(t, append(signed(fieldsFor(session, start)),
		part{"file", strings.Repeat("x", 1000), "a.c3d"})...)
	s := newUploads(session)
	done := make(chan struct{})
	h := receiver(t, s, nil)
	address := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(done)
		h.ServeHTTP(w, r)
	}))
	conn := dial(t, address,
		fmt.Sprintf("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind,
			len(body), body[:len(body)-500]))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
	s.nothing(t, "a sender who hung up")
}

// deadlines notes which deadlines an answer has.
type deadlines struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error { d.read = at; return nil }

func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = at; return nil }

func TestTheDeadlinesFollowAFileThatIsComing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		p := newPatient(w, time.Hour)
		r := patientReader{strings.NewReader("abc"), p}
		if _, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if left := time.Until(w.read); left != stall {
			t.Errorf("the next byte must come within %v", left)
		}
		if !w.write.After(w.read) {
			t.Error("the answer must be written before the last byte is in")
		}
		last := newPatient(w, time.Second)
		if last.moved(); !w.read.Equal(last.until) {
			t.Errorf("beyond the end by %v", w.read.Sub(last.until))
		}
	})
}

func TestWhoTakesAnAnswerSlowlyIsNotTakenToBeGone(t *testing.T) {
	const system, slowest = 4 << 20, 15_000 // bytes that wait in the system; bytes a second
	synctest.Test(t, func(t *testing.T) {
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		if _, err := newPatientWriter(w).Write([]byte("a")); err != nil {
			t.Fatal(err)
		}
		least := system / 3 / slowest * time.Second
		if read, write := time.Until(w.read), time.Until(w.write); read < least || write < least {
			t.Errorf("who needs %v for the next third is gone after %v, or %v", least, read, write)
		}
	})
}

// slowly gives a text in pieces, with some time before each.
type slowly struct {
	text   string
	pieces int
	pause  time.Duration
}

// Read waits and gives the next piece.
func (s *slowly) Read(p []byte) (int, error) {
	if s.text == "" {
		return 0, io.EOF
	}
	<-time.After(s.pause)
	n := copy(p, s.text[:max(1, min(len(s.text), (len(s.text)+s.pieces-1)/max(1, s.pieces)))])
	s.text, s.pieces = s.text[n:], s.pieces-1
	return n, nil
}

func TestAFileIsExpectedAsLongAsItIsComingAndNotMuchLonger(t *testing.T) {
	send := func(t *testing.T, expect func(call int) error) (status int, calls int) {
		s := newUploads(session)
		probe := &probing{uploads: s, expected: func(until time.Time) error {
			calls++
			if left := time.Until(until); left <= 0 || left > expected {
				t.Errorf("call %d: the file is expected for %v", calls, left)
			}
			return expect(calls)
		}}
		begun := time.Now()
		fields := policy{Organization: organization.In(formOrg).Organization, Session: session,
			Expires: begun.UnixMilli(), Max: 1 << 20}.fields(formKey)
		kind, body := formOf(t, append(signed(fields), part{"file", strings.Repeat("x", 100_000), "a.c3d"})...)
		r := httptest.NewRequest(http.MethodPost, "/v1/uploads", &slowly{body, 20, 20 * time.Second})
		r.Header.Set("Content-Type", kind)
		r.ContentLength = int64(len(body))
		w := httptest.NewRecorder()
		New(Options{Uploads: probe, Files: s, UploadKey: formKey, Now: func() time.Time { return begun }}).ServeHTTP(w,
			r)
		return w.Code, calls
	}
	synctest.Test(t, func(t *testing.T) {
		if status, calls := send(t, func(int) error { return nil }); status != http.StatusNoContent || calls < 2 {
			t.Errorf("answered with %d after %d calls", status, calls)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		status, _ := send(t, func(call int) error {
			if call > 1 {
				return fault.New(fault.Conflict, "a file has been uploaded already")
			}
			return nil
		})
		if status != http.StatusConflict {
			t.Errorf("a file that is not awaited any more is answered with %d", status)
		}
	})
}

type probing struct {
	*uploads
	expected func(time.Time) error
}

func (p *probing) Expect(ctx context.Context, s organization.Scope, session, name string, until time.Time) error {
	if err := p.expected(until); err != nil {
		return err
	}
	return p.uploads.Expect(ctx, s, session, name, until)
}

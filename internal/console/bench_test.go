package console_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/organization"
)

// bench is a console before an interface that tells what it was asked.
type bench struct {
	http.Handler
	t     *testing.T
	now   time.Time
	asked *http.Request // what the interface was asked last
	shown caller.Shown  // and by whom
	body  string
	api   func(w http.ResponseWriter, r *http.Request)
	log   bytes.Buffer
}

// api is an interface that a function answers.
type api func(w http.ResponseWriter, r *http.Request, shown caller.Shown)

func (a api) ServeHTTP(w http.ResponseWriter, r *http.Request) { a(w, r, caller.Shown{}) }

func (a api) ServeAs(w http.ResponseWriter, r *http.Request, shown caller.Shown) { a(w, r, shown) }

const (
	good = "kb_good"
	key  = "a key that all servers share, of 32 bytes or so"
)

func setUp(t *testing.T, set ...func(*console.Options)) *bench {
	t.Helper()
	b := &bench{t: t, now: time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)}
	expires := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	o := console.Options{
		API: api(func(w http.ResponseWriter, r *http.Request, shown caller.Shown) {
			body, _ := io.ReadAll(r.Body)
			b.asked, b.shown, b.body = r, shown, string(body)
			if b.api != nil {
				b.api(w, r)
				return
			}
			w.Header().Set("Etag", `"1"`)
			_, _ = io.WriteString(w, "the interface")
		}),
		Who: func(_ context.Context, shown caller.Shown, from netip.Addr) (console.Person, error) {
			switch token := shown.Text; {
			case from.String() != "192.0.2.1":
				return console.Person{}, fmt.Errorf("the address is told as %s", from)
			case token == "kb_busy":
				return console.Person{}, fault.Busy(nil, 3*time.Second, "The store is busy.")
			case token == "kb_many":
				return console.Person{}, &fault.Error{Code: fault.TooManyRequests, Message: "Too many.",
					RetryAfter: 1500 * time.Millisecond}
			case token == "kb_broken":
				return console.Person{}, fmt.Errorf("disk on fire")
			case token != good:
				return console.Person{}, fault.New(fault.Unauthorized, "The token is not valid.")
			}
			return console.Person{
				Organization: organization.Organization{ID: organization.ID{1}, Name: `Lab "Ü" <b>`},
				Caller: caller.Caller{Token: organization.ID{2}, Name: "laptop", ExpiresAt: &expires,
					Permissions: organization.Permissions{organization.CapturesRead, organization.Admin}},
			}, nil
		},
		Key: []byte(key), Version: "v9", MaxUpload: 1 << 31, Now: func() time.Time { return b.now },
	}
	o.Log = slog.New(slog.NewTextHandler(&b.log, nil))
	for _, change := range set {
		change(&o)
	}
	var err error
	if b.Handler, err = console.New(o); err != nil {
		t.Fatal(err)
	}
	return b
}

// do sends a request of the console's own page; headers are pairs of name and value,
// "-" as a value takes one away.
func (b *bench) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	r := httptest.NewRequest(method, "http://kb.example"+path, strings.NewReader(body))
	if method != "GET" && method != "HEAD" {
		r.Header.Set("Origin", "http://kb.example")
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "-" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	wantGuarded(b.t, method+" "+path, w.Header())
	return w
}

// signIn begins a session and gives its cookie, as the browser sends it.
func (b *bench) signIn(headers ...string) string {
	b.t.Helper()
	w := b.do("POST", "/console/session", `{"token":" `+good+`\n"}`, headers...)
	if w.Code != 200 {
		b.t.Fatalf("signing in answers %d %s", w.Code, w.Body)
	}
	return sent(b.t, w)
}

// sent is the cookie of an answer as the browser sends it.
func sent(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || cookies[0].Name != "kinebase_session" {
		t.Fatalf("the answer sets %v, want one session", cookies)
	}
	return cookies[0].Name + "=" + cookies[0].Value
}

// cleared says whether an answer takes the session away.
func cleared(w *httptest.ResponseRecorder) bool {
	c := w.Result().Cookies()
	return len(c) == 1 && c[0].Name == "kinebase_session" && c[0].MaxAge < 0 && c[0].Path == "/console" &&
		c[0].Value == ""
}

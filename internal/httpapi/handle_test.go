package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

var start = time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)

// oneToken is a token store of one token. Its other methods are never reached.
type oneToken struct {
	organization.TokenStore
	token  organization.Token
	secret organization.Secret
	err    error

	lock  sync.Mutex // of the counts: calls come side by side
	asked int
	used  int
}

func newOneToken(t *testing.T, life time.Duration, ps ...organization.Permission) *oneToken {
	t.Helper()
	token, secret, err := organization.NewToken(organization.NewID(), "test", ps, life, start)
	if err != nil {
		t.Fatal(err)
	}
	return &oneToken{token: token, secret: secret}
}

func (o *oneToken) Authenticate(_ context.Context, h organization.SecretHash) (organization.Token, error) {
	o.lock.Lock()
	o.asked++
	o.lock.Unlock()
	if o.err != nil {
		return organization.Token{}, o.err
	}
	if h != o.secret.Hash() {
		return organization.Token{}, fault.New(fault.NotFound, "there is no such token")
	}
	return o.token, nil
}

func (o *oneToken) TokenUsed(organization.Scope, time.Time) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.used++
}

// captures is a capture store that answers with the same, or fails in some way. Its
// other methods are never reached.
type captures struct {
	capture.Store
	answer func() (capture.Answer, error)
}

func (c captures) Capture(context.Context, organization.Scope, string, capture.Include) (capture.Answer, error) {
	return c.answer()
}

func (c captures) Captures(context.Context, organization.Scope, capture.Query) (capture.Answer, error) {
	return c.answer()
}

func always(body string) captures {
	b := []byte(body)
	return captures{answer: func() (capture.Answer, error) { return capture.Answer{Body: b, Tag: "t1"}, nil }}
}

// ask sends a request with the store's token, which a header may replace.
func ask(h http.Handler, tokens *oneToken, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	if tokens != nil {
		r.Header.Set("Authorization", "Bearer "+string(tokens.secret))
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func want(t *testing.T, what string, w *httptest.ResponseRecorder, status int, code fault.Code) {
	t.Helper()
	var e struct{ Error, Message string }
	err := json.Unmarshal(w.Body.Bytes(), &e)
	if w.Code != status || err != nil || e.Error != string(code) || e.Message == "" {
		t.Errorf("%s: %d %s, want %d %s", what, w.Code, w.Body, status, code)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff"} {
		if got := w.Header().Get(name); got != value {
			t.Errorf("%s: %s is %q, want %q", what, name, got, value)
		}
	}
	if w.Header().Get("X-Request-Id") == "" {
		t.Errorf("%s: no request id", what)
	}
}

// gate is a caller.Gate that lets a number of requests and failures through.
type gate struct{ calls, failures int }

func (g *gate) Check(context.Context, string, string) caller.Verdict {
	g.calls--
	v := caller.Verdict{Policy: `"token";q=1;w=1`, State: `"token";r=0;t=1`}
	if g.calls < 0 {
		e := fault.New(fault.TooManyRequests, "slow down")
		e.RetryAfter = 1500 * time.Millisecond
		v.Err = e
	}
	return v
}

func (g *gate) Failed(_ context.Context, from netip.Addr) error {
	if g.failures--; g.failures < 0 {
		return fault.New(fault.TooManyRequests, "too many from %s", from)
	}
	return nil
}

func TestChecksComeInTheOrderOfWhatACallerMayLearn(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.AthletesRead)
	g := &gate{calls: 100}
	h := New(Options{Tokens: tokens, Door: &caller.Door{Tokens: tokens, Gate: g}, Captures: always("{}"),
		Now: func() time.Time { return start }})
	const wrong = "Bearer kb_wrong"

	want(t, "no route, no token", ask(h, nil, "GET", "/v1/nothing"), 404, fault.NotFound)
	w := ask(h, nil, "PUT", "/v1/captures?limit=0")
	want(t, "no method, no token", w, 405, fault.MethodNotAllowed)
	if w.Header().Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("Allow is %q", w.Header().Get("Allow"))
	}
	g.failures = 100
	want(t, "bad token, bad parameter", ask(h, nil, "GET", "/v1/captures?limit=0", "Authorization", wrong), 401,
		fault.Unauthorized)
	g.calls = 0
	want(t, "no quota, no scope", ask(h, tokens, "GET", "/v1/captures?limit=0"), 429, fault.TooManyRequests)
	g.calls = 100
	w = ask(h, tokens, "GET", "/v1/captures?limit=0")
	want(t, "no scope, bad parameter", w, 403, fault.Forbidden)
	if got := w.Header().Get("WWW-Authenticate"); got != `Bearer realm="kinebase", error="insufficient_scope"` {
		t.Errorf("challenge %q", got)
	}
	want(t, "no scope, no athlete", ask(h, tokens, "DELETE", "/v1/athletes/"+someID), 403, fault.Forbidden)
	tokens.token.Permissions = organization.AllPermissions
	want(t, "bad parameter", ask(h, tokens, "GET", "/v1/captures?limit=0"), 400, fault.BadRequest)
}

func TestABodyIsNotReadBeforeTheCallerIsKnown(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.AthletesRead)
	h := New(Options{Tokens: tokens, Now: func() time.Time { return start }})
	for auth, status := range map[string]int{"": 401, "Bearer " + string(tokens.secret): 403} {
		r := httptest.NewRequest("POST", "/v1/athletes", iotest.ErrReader(errors.New("the body must not be read")))
		r.Header.Set("Authorization", auth)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%q answers %d: %s", auth, w.Code, w.Body)
		}
	}
}

func TestWhoSendsNoGoodTokenIsToldHowToSendOne(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.AllPermissions...)
	now := start
	h := New(Options{Tokens: tokens, Captures: always("{}"), Now: func() time.Time { return now }})
	good := string(tokens.secret)
	mistyped := good[:len(good)-1] + string('a'+(good[len(good)-1]+1)%26)
	const none, invalid = `Bearer realm="kinebase"`, `Bearer realm="kinebase", error="invalid_token"`

	for auth, challenge := range map[string]string{
		"": none, "Bearer": none, "Basic dXNlcg==": none, good: none,
		"Bearer " + mistyped: invalid, "Bearer " + strings.Repeat("a", 8000): invalid, "Bearer " + good + " x": invalid,
		"Bearer kb_": invalid,
	} {
		tokens.asked = 0
		w := ask(h, nil, "GET", "/v1/captures", "Authorization", auth)
		want(t, auth, w, 401, fault.Unauthorized)
		if got := w.Header().Get("WWW-Authenticate"); got != challenge {
			t.Errorf("%.40s: challenge %q, want %q", auth, got, challenge)
		}
		if tokens.asked != 0 {
			t.Errorf("%.40s: the store was asked", auth)
		}
	}
	if w := ask(h, nil, "GET", "/v1/captures?access_token="+good); w.Code != 401 {
		t.Errorf("a token in the URL answers %d", w.Code)
	}
	if w := ask(h, nil, "GET", "/v1/captures", "Authorization", "bEARER "+good); w.Code != 200 || tokens.used != 1 {
		t.Errorf("the scheme in other casing answers %d; used %d times", w.Code, tokens.used)
	}
	r := httptest.NewRequest("GET", "/v1/captures", nil)
	r.Header["Authorization"] = []string{"Bearer " + good, "Bearer " + good}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 401 {
		t.Errorf("two fields answer %d", w.Code)
	}

	now = start.Add(time.Hour)
	want(t, "expired", ask(h, tokens, "GET", "/v1/captures"), 401, fault.Unauthorized)
	now = start
	tokens.token.RevokedAt = &start
	want(t, "revoked", ask(h, tokens, "GET", "/v1/captures"), 401, fault.Unauthorized)
	tokens.err = fault.Busy(nil, 3*time.Second, "starting")
	w = ask(h, tokens, "GET", "/v1/captures")
	want(t, "no store", w, 503, fault.Unavailable)
	if w.Header().Get("Retry-After") != "3" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
}

func TestAnswersTellOfATokenThatIsAboutToExpire(t *testing.T) {
	now := start
	tokens := newOneToken(t, 90*24*time.Hour, organization.CapturesRead)
	h := New(Options{Tokens: tokens, Captures: always("{}"), Now: func() time.Time { return now }})
	if got := ask(h, tokens, "GET", "/v1/captures").Header().Get("Kinebase-Token-Expires"); got != "" {
		t.Errorf("90 days before: %q", got)
	}
	now = start.Add(76 * 24 * time.Hour)
	if got := ask(h, tokens, "GET", "/v1/captures").Header().Get("Kinebase-Token-Expires"); got !=
		"2026-08-11T12:00:00.000Z" {
		t.Errorf("14 days before: %q", got)
	}
}

func TestRatesAreToldAndKept(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	g := &gate{calls: 1, failures: 1}
	h := New(Options{Tokens: tokens, Captures: always("{}"), Door: &caller.Door{Tokens: tokens, Gate: g},
		Now: func() time.Time { return start }})
	w := ask(h, tokens, "GET", "/v1/captures")
	if w.Code != 200 || w.Header().Get("RateLimit-Policy") == "" || w.Header().Get("RateLimit") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	w = ask(h, tokens, "GET", "/v1/captures")
	want(t, "spent", w, 429, fault.TooManyRequests)
	if w.Header().Get("Retry-After") != "2" || w.Header().Get("RateLimit") == "" {
		t.Errorf("headers %v", w.Header())
	}
	want(t, "first failure", ask(h, nil, "GET", "/v1/captures"), 401, fault.Unauthorized)
	w = ask(h, nil, "GET", "/v1/captures")
	want(t, "second failure", w, 429, fault.TooManyRequests)
	if !strings.Contains(w.Body.String(), "192.0.2.1") || w.Header().Get("Retry-After") != "1" ||
		w.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("%s %v", w.Body, w.Header())
	}
}

func TestAPanicIsAnAnswerOfFiveHundred(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	var log bytes.Buffer
	var seen []string
	h := New(Options{Tokens: tokens, Log: slog.New(slog.NewJSONHandler(&log, nil)),
		Now:      func() time.Time { return start },
		Captures: captures{answer: func() (capture.Answer, error) { panic(errors.New("secret of a person")) }},
		Observe: func(pattern, method string, status int, _ time.Duration) {
			seen = append(seen, fmt.Sprint(method, " ", pattern, " ", status))
		}})
	w := ask(h, tokens, "GET", "/v1/captures/x")
	want(t, "panic", w, 500, fault.Internal)
	if strings.Contains(w.Body.String(), "secret") || strings.Contains(log.String(), "secret of") ||
		!strings.Contains(log.String(), "stack") {
		t.Errorf("answer %s\nlog %s", w.Body, &log)
	}
	if len(seen) != 1 || seen[0] != "GET /v1/captures/{captureId} 500" {
		t.Errorf("observed %q", seen)
	}
}

func TestInnerErrorsStayInside(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	for what, err := range map[string]error{
		"a plain error":     errors.New("pgx: SELECT secret"),
		"a wrapped cause":   fault.Wrap(errors.New("pgx: SELECT secret"), fault.Internal, "Something failed."),
		"a code of no name": fault.New("Odd", "pgx: SELECT secret"),
		"a foreign cancel":  context.Canceled,
	} {
		var log bytes.Buffer
		h := New(Options{Tokens: tokens, Log: slog.New(slog.NewJSONHandler(&log, nil)),
			Captures: captures{answer: func() (capture.Answer, error) { return capture.Answer{}, err }},
			Now:      func() time.Time { return start }})
		w := ask(h, tokens, "GET", "/v1/captures")
		want(t, what, w, 500, fault.Internal)
		if strings.Contains(w.Body.String(), "pgx") || !strings.Contains(log.String(), err.Error()[:3]) {
			t.Errorf("%s: answer %s\nlog %s", what, w.Body, &log)
		}
	}
}

func TestLogLinesHoldNoSecretsAndNoPeople(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.AllPermissions...)
	var log bytes.Buffer
	h := New(Options{Tokens: tokens, Captures: always(`{"session_id":"Ada"}`),
		Log: slog.New(slog.NewJSONHandler(&log, nil)), Now: func() time.Time { return start }})
	ask(h, tokens, "GET", "/v1/captures/Ada?activity=Ada", "X-Request-Id", "mine-1")
	ask(h, tokens, "GET", "/v1/captures?status=Ada")
	ask(h, nil, "GET", "/v1/captures", "Authorization", "Bearer Ada")
	ask(h, tokens, "GET", "/Ada")
	for _, line := range []string{
		`"method":"GET","route":"/v1/captures/{captureId}","status":200,"ms":0,"request_id":"mine-1","organization":"` +
			tokens.token.Organization.String() + `","token_id":"` + tokens.token.ID.String() +
			`","address":"192.0.2.1"}`,
		`"route":"/v1/captures","status":400`, `"route":"/v1/captures","status":401`, `"route":"","status":404`,
	} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("%s is not in\n%s", line, &log)
		}
	}
	if strings.Contains(log.String(), "Ada") || strings.Contains(log.String(), string(tokens.secret)) {
		t.Errorf("the log holds what it must not:\n%s", &log)
	}
}

func TestASaneRequestIDIsKept(t *testing.T) {
	h := New(Options{})
	for id, kept := range map[string]bool{"a": true, "import-2026/17:x_y.z": true, strings.Repeat("a", 128): true,
		strings.Repeat("a", 129): false, "a b": false, "é": false, "a\x7f": false} {
		if got := ask(h, nil, "GET", "/v1/x", "X-Request-Id", id).Header().Get("X-Request-Id"); (got == id) != kept {
			t.Errorf("%q is answered with %q", id, got)
		}
	}
	if a, b := ask(h, nil, "GET", "/v1/x").Header().Get("X-Request-Id"),
		ask(h, nil, "GET", "/v1/x").Header().Get("X-Request-Id"); a == b {
		t.Errorf("two requests are %q", a)
	}
}

func TestAReadThatIsKnownAlreadyIsNotSentAgain(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	h := New(Options{Tokens: tokens, Captures: always(`{"x":1}`), Now: func() time.Time { return start }})
	for _, path := range []string{"/v1/captures", "/v1/captures/a%2Fb"} {
		w := ask(h, tokens, "GET", path)
		if w.Code != 200 || w.Body.String() != `{"x":1}` || w.Header().Get("ETag") != `"t1"` ||
			w.Header().Get("Cache-Control") != "private, no-cache" || w.Header().Get("Content-Length") != "7" {
			t.Errorf("%s: %d %s %v", path, w.Code, w.Body, w.Header())
		}
		for _, none := range []string{`"t1"`, `W/"t1"`, `"x", "t1"`, `*`} {
			w := ask(h, tokens, "GET", path, "If-None-Match", none)
			if w.Code != 304 || w.Body.Len() != 0 || w.Header().Get("ETag") != `"t1"` ||
				w.Header().Get("Content-Type") != "" || w.Header().Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s with %s: %d %s %v", path, none, w.Code, w.Body, w.Header())
			}
		}
		if w := ask(h, tokens, "GET", path, "If-None-Match", `"t2"`); w.Code != 200 {
			t.Errorf("%s with another tag: %d", path, w.Code)
		}
	}
}

func TestWhatLiesOutsideTheInterfaceIsTheOperators(t *testing.T) {
	ops := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })
	h := New(Options{Ops: ops})
	if w := ask(h, nil, "GET", "/healthz"); w.Body.String() != "fine" {
		t.Errorf("/healthz: %s", w.Body)
	}
	for _, path := range []string{"/v1", "/v1/", "/v1/x"} {
		want(t, path, ask(h, nil, "GET", path), 404, fault.NotFound)
	}
	want(t, "/v10 without ops", ask(New(Options{}), nil, "GET", "/v10"), 404, fault.NotFound)
}

func TestOnlyConfiguredOriginsMayCallFromPages(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	const lab = "https://lab.example"
	closed := New(Options{Tokens: tokens, Captures: always("{}"), Now: func() time.Time { return start }})
	h := New(Options{Tokens: tokens, Captures: always("{}"), CORSOrigins: []string{lab},
		Now: func() time.Time { return start }})
	preflight := []string{"Origin", lab, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers",
		"authorization"}

	want(t, "preflight without origins", ask(closed, nil, "OPTIONS", "/v1/captures", preflight...), 405,
		fault.MethodNotAllowed)
	for name := range ask(closed, tokens, "GET", "/v1/captures", "Origin", lab).Header() {
		if strings.HasPrefix(name, "Access-Control") {
			t.Errorf("%s without origins", name)
		}
	}
	w := ask(h, nil, "OPTIONS", "/v1/athletes", preflight...)
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != lab ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Authorization") ||
		w.Header().Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
	w = ask(h, tokens, "GET", "/v1/captures", "Origin", lab)
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != lab || w.Header().Get("Vary") != "Origin" {
		t.Errorf("call: %d %v", w.Code, w.Header())
	}
	w = ask(h, tokens, "GET", "/v1/captures", "Origin", "https://evil.example")
	if w.Header().Get("Access-Control-Allow-Origin") != "" || w.Header().Get("Vary") != "Origin" {
		t.Errorf("another origin: %v", w.Header())
	}
	want(t, "OPTIONS that is no preflight", ask(h, nil, "OPTIONS", "/v1/captures", "Origin", lab), 405,
		fault.MethodNotAllowed)
}

func TestACallerWhoHungUpIsNotAFailureOfTheServer(t *testing.T) {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	status := 0
	h := New(Options{Tokens: tokens, Now: func() time.Time { return start },
		Observe: func(_, _ string, s int, _ time.Duration) { status = s },
		Captures: captures{answer: func() (capture.Answer, error) {
			return capture.Answer{},
				fmt.Errorf("read: %w", context.Canceled)
		}}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := httptest.NewRequest("GET", "/v1/captures", nil).WithContext(ctx)
	r.Header.Set("Authorization", "Bearer "+string(tokens.secret))
	h.ServeHTTP(httptest.NewRecorder(), r)
	if status != 499 {
		t.Errorf("counted as %d", status)
	}
}

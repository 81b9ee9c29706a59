package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// hung is storage that answers after a while, or never when that is 0.
type hung struct {
	*uploads
	athlete.Store
	after time.Duration
	fails func(error) error // what it says when its context ends; nil: the error of the context
}

func (h *hung) wait(ctx context.Context) error {
	var answers <-chan time.Time
	if h.after > 0 {
		answers = time.After(h.after)
	}
	select {
	case <-answers:
		return nil
	case <-ctx.Done():
		if h.fails != nil {
			return h.fails(ctx.Err())
		}
		return ctx.Err()
	}
}

func (h *hung) Open(ctx context.Context, name string) (upload.File, error) {
	if err := h.wait(ctx); err != nil {
		return nil, err
	}
	f, err := h.uploads.Open(ctx, name)
	return hungFile{f, h, ctx}, err
}

func (h *hung) CreateAthlete(ctx context.Context, _ organization.Scope, _ athlete.Athlete,
	_ *organization.Once[athlete.Athlete]) error {
	return h.wait(ctx)
}

type hungFile struct {
	upload.File
	h   *hung
	ctx context.Context
}

func (f hungFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.h.wait(f.ctx); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p[:min(len(p), 3)], off)
}

// late is a body that comes after a while.
type late struct {
	io.Reader
	after time.Duration
}

func (l *late) Read(p []byte) (int, error) {
	<-time.After(l.after)
	l.after = 0
	return l.Reader.Read(p)
}

func TestAnAnswerThatDoesNotBeginInTimeIs503AndOneThatHasBegunTakesAsLongAsItTakes(t *testing.T) {
	const limit = 25 * time.Second
	for _, c := range []struct {
		what, method, path, body string
		after                    time.Duration
		fails                    func(error) error
		limit                    time.Duration
		status                   int
		took                     time.Duration
	}{
		{what: "a read of storage that hangs", method: "GET", path: "/v1/captures/a/file", limit: limit, status: 503,
			took: limit},
		{what: "a read of storage that says so in words of its own", method: "GET", path: "/v1/captures/a/file",
			limit: limit, status: 503, took: limit,
			fails: func(err error) error { return fault.Busy(err, time.Second, "It was given up.") }},
		{what: "a read of storage that fails as it ends", method: "GET", path: "/v1/captures/a/file", limit: limit,
			status: 500, took: limit,
			fails: func(error) error { return errors.New("something else") }},
		// The file is opened after 20 seconds, and each three of its ten bytes take 20 more.
		{what: "a read of slow storage", method: "GET", path: "/v1/captures/a/file", after: 20 * time.Second,
			limit: limit, status: 200, took: 100 * time.Second},
		{what: "a read of slow storage without a limit", method: "GET", path: "/v1/captures/a/file", after: time.Minute,
			status: 200, took: 5 * time.Minute},
		// A body takes 20 seconds, for which nobody but the caller is to blame.
		{what: "a write of storage that hangs", method: "POST", path: "/v1/athletes", body: `{"first_name":"Ada"}`,
			limit: limit, status: 503, took: 20*time.Second + limit},
		{what: "a write of slow storage", method: "POST", path: "/v1/athletes", body: `{"first_name":"Ada"}`,
			after: 24 * time.Second, limit: limit, status: 200, took: 44 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newUploads()
			s.recorded(t, "a")
			hangs := &hung{uploads: s, after: c.after, fails: c.fails}
			tokens := newOneToken(t, time.Hour, organization.CapturesRead, organization.AthletesWrite)
			h := New(Options{Tokens: tokens, Uploads: s, Files: hangs, Athletes: hangs, FirstAnswer: c.limit,
				Now: func() time.Time { return start }})
			r := httptest.NewRequest(c.method, c.path, &late{strings.NewReader(c.body), 20 * time.Second})
			if c.body == "" {
				r = httptest.NewRequest(c.method, c.path, nil)
			}
			r.Header.Set("Authorization", "Bearer "+string(tokens.secret))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			began := time.Now()
			h.ServeHTTP(w, r)
			if took := time.Since(began); w.Code != c.status || took != c.took ||
				(w.Code == 503) != (w.Header().Get("Retry-After") != "") {
				t.Errorf("%s: %d after %v, want %d after %v: %s", c.what, w.Code, took, c.status, c.took, w.Body)
			}
			if c.status == 200 && c.method == "GET" && w.Body.String() != "0123456789" {
				t.Errorf("%s: it gave %q", c.what, w.Body)
			}
		})
	}
}

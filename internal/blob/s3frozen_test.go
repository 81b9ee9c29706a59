package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/blob/blobtest"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/upload"
)

// lines is a log for a writer and a reader at the same time.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// goes runs a call beside the test.
func goes(call func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	return done
}

func unavailable(t *testing.T, what string, err error) {
	t.Helper()
	var said *fault.Error
	if !errors.As(err, &said) || said.Code != fault.Unavailable || said.RetryAfter == 0 ||
		!errors.Is(err, breaker.ErrOpen) {
		t.Errorf("%s: %v", what, err)
	}
}

// resumed waits until a bucket's breaker has closed.
func resumed(t *testing.T, s *blob.S3, clock *testkit.Timers) {
	t.Helper()
	testkit.Until(t, "the bucket is asked and answers", func() bool {
		clock.Pass(breaker.Pause)
		return !s.Breaker().Open()
	})
}

func TestEveryCallOfAFrozenBucketEndsAndTheNextOnesFailAtOnceUntilItGoesOn(t *testing.T) {
	server := testkit.S3(t)
	b := server.Bucket(t)
	var clock testkit.Timers
	var log lines
	o := options(b)
	o.After, o.Log = clock.After, slog.New(slog.NewTextHandler(&log, nil))
	s := openS3(t, o)
	put := func(name string, r io.Reader, size int64) error {
		_, err := s.Put(t.Context(), name, r, size)
		return err
	}
	for _, name := range []string{"kept", "gone", upload.LandingName(anybody.Organization.String(), "s_1"),
		upload.LandingName(anybody.Organization.String(), "s_2")} {
		if err := put(name, blobtest.Bytes(1, 1<<20), 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	landings := landed(t, s)
	if len(landings) != 2 {
		t.Fatalf("%d files have landed", len(landings))
	}
	var file upload.File
	opened := func() (err error) {
		if file, err = s.Open(t.Context(), "kept"); err != nil {
			return err
		}
		_, err = file.ReadAt(make([]byte, 1<<20), 0)
		return errors.Join(err, file.Close())
	}
	calls := []struct {
		what string
		call func() error
	}{
		{"open", func() error { _, err := s.Open(t.Context(), "kept"); return err }},
		{"read", func() error { _, err := file.ReadAt(make([]byte, 10), 5); return err }},
		{"put", func() error { return put("small", strings.NewReader("x"), 1) }},
		{"put of a size that nobody knows", func() error { return put("small", strings.NewReader("x"), -1) }},
		{"put of several parts", func() error { return put("large", blobtest.Bytes(2, 40<<20), 40<<20) }},
		{"erase", func() error { return s.Erase(t.Context(), "gone") }},
		{"list", func() error { return s.Landed(t.Context(), func(upload.Landing) error { return nil }) }},
		{"adopt", func() error { return s.Adopt(t.Context(), landings[0], "adopted") }},
		{"drop", func() error { return s.Drop(t.Context(), landings[1]) }},
	}
	var err error
	for i, first := range calls {
		if file, err = s.Open(t.Context(), "kept"); err != nil {
			t.Fatal(err)
		}
		server.Stop(t)
		waits := goes(first.call)
		clock.Await(t, breaker.AnswerTime, breaker.Patience)
		unavailable(t, first.what, testkit.Receive(t, waits, first.what+" ends"))
		for _, next := range calls {
			unavailable(t, next.what+" after it", testkit.Receive(t, goes(next.call), next.what+" fails at once"))
		}
		if _, err := s.Form(t.Context(), anybody, reservation()); err != nil {
			t.Errorf("a form needs no answer: %v", err)
		}
		server.Cont(t)
		resumed(t, s, &clock)
		if err := opened(); err != nil {
			t.Errorf("after it went on: %v", err)
		}
		text := log.String()
		if out, back := strings.Count(text, "the bucket does not answer"),
			strings.Count(text, "the bucket answers again"); out != i+1 || back != i+1 ||
			strings.Count(text, "\n") != 2*(i+1) {
			t.Fatalf("after %d outages the log says:\n%s", i+1, text)
		}
	}
	for _, again := range calls[2:] {
		if err := again.call(); err != nil {
			t.Errorf("at the end, %s: %v", again.what, err)
		}
	}
	for _, name := range []string{"kept", "large", "small", "adopted"} {
		if _, err := s.Open(t.Context(), name); err != nil {
			t.Errorf("%s is lost: %v", name, err)
		}
	}
	if _, err := s.Open(t.Context(), "gone"); !errors.Is(err, upload.ErrNoFile) {
		t.Errorf("what was erased: %v", err)
	}
}

func TestABucketThatFreezesInTheMiddleOfAFileEndsItsPutAndKeepsNothingOfIt(t *testing.T) {
	server := testkit.S3(t)
	b := server.Bucket(t)
	var clock testkit.Timers
	o := options(b)
	o.After = clock.After
	s := openS3(t, o)
	frozen := make(chan struct{})
	waits := goes(func() error {
		freeze := reading(func() {
			server.Stop(t)
			close(frozen)
		})
		_, err := s.Put(t.Context(), "half",
			io.MultiReader(blobtest.Bytes(1, 40<<20), freeze, blobtest.Bytes(2, 40<<20)), -1)
		return err
	})
	testkit.Receive(t, frozen, "the bucket freezes")
	clock.Await(t, breaker.AnswerTime, breaker.Patience)
	unavailable(t, "a put that has begun", testkit.Receive(t, waits, "the put ends"))
	server.Cont(t)
	resumed(t, s, &clock)
	if err := s.Erase(t.Context(), "half"); err != nil {
		t.Error(err)
	}
	if left := objects(t, b); len(left) > 0 {
		t.Errorf("in the bucket there is %q", left)
	}
}

// slow stands before an S3 server, and holds answers of GET back after some bytes.
type slow struct {
	*httptest.Server
	holds chan chan struct{} // one for each answer that is held back
}

func slowly(t *testing.T, b testkit.S3Bucket) *slow {
	t.Helper()
	target, err := url.Parse(b.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	s := &slow{holds: make(chan chan struct{}, 1)}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Transport: &http.Transport{DisableKeepAlives: true},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // it is signed
		}, ModifyResponse: func(r *http.Response) error {
			if r.Request.Method != http.MethodGet {
				return nil
			}
			select {
			case next := <-s.holds:
				r.Body = &pieces{r.Body, next, r.Request.Context()}
			default:
			}
			return nil
		}}
	s.Server = httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s
}

// pieces gives 10,000 bytes whenever it is told to.
type pieces struct {
	io.ReadCloser
	next chan struct{}
	ctx  context.Context
}

func (p *pieces) Read(b []byte) (int, error) {
	select {
	case <-p.next:
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
	return p.ReadCloser.Read(b[:min(len(b), 10_000)])
}

func TestAFileWhoseAnswerDoesNotGetOnIsAskedForOnceMore(t *testing.T) {
	b := testkit.Bucket(t)
	proxy := slowly(t, b)
	var clock testkit.Timers
	var log lines
	o := options(b)
	o.Endpoint, o.After, o.Log = proxy.URL, clock.After, slog.New(slog.NewTextHandler(&log, nil))
	s := openS3(t, o)
	const size = 400_000
	if _, err := s.Put(t.Context(), "file", blobtest.Bytes(1, size), size); err != nil {
		t.Fatal(err)
	}
	f, err := s.Open(t.Context(), "file")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	next := make(chan struct{})
	got := make([]byte, size)
	read := func() error { _, err := f.ReadAt(got, 0); return err }

	proxy.holds <- next
	waits := goes(read)
	next <- struct{}{}
	for done := false; !done; {
		clock.Pass(breaker.Patience)
		select {
		case err := <-waits:
			if done = true; err != nil {
				t.Errorf("an answer that does not get on: %v", err)
			}
		case <-time.After(time.Millisecond): // the next step of the clock
		}
	}
	want, err := io.ReadAll(blobtest.Bytes(1, size))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes were read (%v)", err)
	}
	if log.String() != "" || s.Breaker().Opened() > 0 {
		t.Errorf("a server that answers others is taken to be away: %s", log.String())
	}
}

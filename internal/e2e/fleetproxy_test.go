package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
)

// proxy shares requests out among servers, as load balancers do: it asks each for /readyz, gives one that says no
// nothing new, and takes away what it gave to one that says nothing. A request is given to another server where nothing
// of it was sent.
type proxy struct {
	*httptest.Server
	lock  sync.Mutex
	at    []*backend // nil: none in this place
	next  int
	stop  context.CancelFunc
	ended sync.WaitGroup
}

// backend is a server behind the proxy.
type backend struct {
	to     *url.URL
	ready  bool
	silent context.Context // ends when the server says nothing
	hush   context.CancelFunc
}

// The proxy asks a server so often, and waits so long for an answer.
const (
	lookEvery = 50 * time.Millisecond
	lookFor   = 3 * time.Second
)

func newProxy(t *testing.T, places int) *proxy {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	p := &proxy{at: make([]*backend, places), stop: stop}
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.pass(w, r, transport)
	}))
	asking := &http.Client{Transport: transport, Timeout: lookFor}
	for n := range places {
		p.ended.Go(func() {
			tick := time.NewTicker(lookEvery)
			defer tick.Stop()
			for ctx.Err() == nil {
				p.look(ctx, asking, n)
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
		})
	}
	t.Cleanup(func() {
		p.stop()
		p.ended.Wait()
		p.CloseClientConnections()
		p.Close()
		transport.CloseIdleConnections()
	})
	return p
}

// put has a server in a place, in that of the one before.
func (p *proxy) put(n int, s *server) {
	to, err := url.Parse(s.root())
	if err != nil {
		s.t.Fatal(err)
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	p.at[n] = &backend{to: to}
	p.at[n].silent, p.at[n].hush = context.WithCancel(context.Background())
}

// look asks a server whether it is ready.
func (p *proxy) look(ctx context.Context, c *http.Client, n int) {
	p.lock.Lock()
	b := p.at[n]
	p.lock.Unlock()
	if b == nil {
		return
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.to.String()+"/readyz", nil)
	if err != nil {
		return
	}
	resp, err := c.Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	switch b.ready = err == nil && resp.StatusCode == http.StatusOK; {
	case err != nil:
		b.hush()
	case b.silent.Err() != nil:
		b.silent, b.hush = context.WithCancel(context.Background())
	}
}

// ready says whether the proxy gives the server in a place something to do.
func (p *proxy) ready(n int) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.at[n] != nil && p.at[n].ready
}

func (p *proxy) await(t *testing.T, n int, is bool, what string) {
	t.Helper()
	testkit.Until(t, what, func() bool { return p.ready(n) == is })
}

// choose gives the next server that is ready, and what ends when it says nothing.
func (p *proxy) choose() (*url.URL, context.Context) {
	p.lock.Lock()
	defer p.lock.Unlock()
	for range p.at {
		p.next = (p.next + 1) % len(p.at)
		if b := p.at[p.next]; b != nil && b.ready {
			return b.to, b.silent
		}
	}
	return nil, nil
}

// pass has a server answer. The caller gets no answer where the server that had the request is gone: whether it was
// done is not known.
func (p *proxy) pass(w http.ResponseWriter, r *http.Request, transport http.RoundTripper) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for range 2 * len(p.at) {
		to, silent := p.choose()
		if to == nil {
			break
		}
		ctx, cancel := context.WithCancel(r.Context())
		unhook := context.AfterFunc(silent, cancel)
		var failed error
		again := r.Clone(ctx)
		again.Body = io.NopCloser(bytes.NewReader(body))
		(&httputil.ReverseProxy{
			Rewrite:      func(q *httputil.ProxyRequest) { q.SetURL(to); q.Out.Host = q.In.Host },
			Transport:    transport,
			ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { failed = err },
		}).ServeHTTP(w, again)
		unhook()
		cancel()
		if failed == nil {
			return
		}
		var dial *net.OpError
		if !errors.As(failed, &dial) || dial.Op != "dial" {
			break
		}
	}
	panic(http.ErrAbortHandler)
}

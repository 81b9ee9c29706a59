//go:build campaign

package e2e

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
)

// gateway stands between a server and its bucket, and fails the Nth request: with an error, or by
// doing it and giving no answer.
type gateway struct{ nthCall }

var errNoAnswer = errors.New("no answer")

// gatewayTo gives the address of a gateway to a bucket's server.
func gatewayTo(t *testing.T, endpoint string) (address string, g *gateway) {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	g = &gateway{}
	transport := &http.Transport{}
	pass := &httputil.ReverseProxy{
		// The name that the caller signed for stays.
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = u.Scheme, u.Host, r.In.Host
		},
		Transport: transport,
	}
	lose := *pass
	lose.ModifyResponse = func(*http.Response) error { return errNoAnswer }
	lose.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch fails, done := g.next(); {
		case fails && done:
			lose.ServeHTTP(w, r)
		case fails:
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte("<Error><Code>InternalError</Code><Message>This call fails.</Message></Error>"))
		default:
			pass.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		transport.CloseIdleConnections()
	})
	return server.URL, g
}

package contract

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Wrap gives a transport that holds every answer below the interface's base
// against the document. An answer that breaks it is an error of the test; the
// client gets it unchanged all the same. rt nil stands for http.DefaultTransport.
func (d *Document) Wrap(rt http.RoundTripper) http.RoundTripper {
	if rt == nil {
		rt = http.DefaultTransport
	}
	return &checked{d, rt}
}

// checked is a transport whose answers are held against the document.
type checked struct {
	*Document
	transport http.RoundTripper
}

// RoundTrip asks, and checks the answer.
func (c *checked) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.transport.RoundTrip(req)
	if err != nil || !c.covers(req) {
		return resp, err
	}
	body, cut := io.ReadAll(resp.Body)
	resp.Body.Close()
	if cut != nil {
		// Cut off on the way: there is no whole answer to judge, and the client is
		// to see the cut where it happened.
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), broken{cut}))
		return resp, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err := c.Check(req, resp, body); err != nil {
		c.t.Errorf("an answer breaks the contract: %v\n%.2000s", err, body)
	}
	return resp, nil
}

// CloseIdleConnections closes those of the transport, where it keeps some.
func (c *checked) CloseIdleConnections() {
	if keeps, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		keeps.CloseIdleConnections()
	}
}

// Handler is Wrap for tests that call a handler without a server between.
func (d *Document) Handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		recorder := httptest.NewRecorder()
		h.ServeHTTP(recorder, req)
		resp, body := recorder.Result(), recorder.Body.Bytes()
		if req.Method == http.MethodHead {
			body = nil // a server drops it; a recorder does not
		}
		if d.covers(req) {
			if err := d.Check(req, resp, body); err != nil {
				d.t.Errorf("an answer breaks the contract: %v\n%.2000s", err, body)
			}
		}
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(body)
	})
}

// covers says whether the document speaks about the request's path at all: the
// server has other pages beside the interface.
func (d *Document) covers(req *http.Request) bool {
	path := req.URL.EscapedPath()
	return path == d.base || strings.HasPrefix(path, d.base+"/")
}

// broken is a body's end that was not reached.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

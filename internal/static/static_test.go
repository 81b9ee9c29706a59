package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/kinebase/kinebase/internal/static"
)

// ask asks for a file; headers are pairs of name and value.
func ask(f *static.File, status int, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.Serve(w, r, status)
	return w
}

func TestEveryFormOfAFileUnpacksToTheSameText(t *testing.T) {
	text := strings.Repeat("<p>A page about captures.</p>\n", 400)
	f := static.Pack("text/html; charset=utf-8", static.Revalidate, []byte(text))
	readers := map[string]func(io.Reader) io.Reader{
		"":     func(r io.Reader) io.Reader { return r },
		"br":   func(r io.Reader) io.Reader { return brotli.NewReader(r) },
		"gzip": func(r io.Reader) io.Reader { z, _ := gzip.NewReader(r); return z },
	}
	tags := map[string]bool{}
	for coding, reader := range readers {
		w := ask(f, http.StatusOK, "Accept-Encoding", coding)
		if got := w.Header().Get("Content-Encoding"); got != coding {
			t.Errorf("Accept-Encoding %q is answered with %q", coding, got)
		}
		if coding != "" && w.Body.Len() > len(text)/10 {
			t.Errorf("%s takes %d of %d bytes", coding, w.Body.Len(), len(text))
		}
		tags[w.Header().Get("Etag")] = true
		if got, err := io.ReadAll(reader(w.Body)); err != nil || string(got) != text {
			t.Errorf("%q unpacks to %d bytes, %v", coding, len(got), err)
		}
	}
	if len(tags) != len(readers) {
		t.Errorf("%d forms have %d tags", len(readers), len(tags))
	}
}

func TestAFormThatIsNotSmallerIsNeverGiven(t *testing.T) {
	for _, f := range []*static.File{
		static.Pack("text/plain", static.Forever, []byte("a")),
		static.Packed("text/plain", static.Forever, []byte("a"), []byte("b"), []byte("cc")),
		static.Packed("text/plain", static.Forever, []byte("a"), nil, nil),
	} {
		w := ask(f, http.StatusOK, "Accept-Encoding", "br, gzip")
		if w.Body.String() != "a" || w.Header().Get("Content-Encoding") != "" ||
			w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("it gives %q with %v", w.Body, w.Header())
		}
	}
}

func TestWhatIsNeverKeptHasNoTagAndItsOwnStatus(t *testing.T) {
	body := bytes.Repeat([]byte("not here "), 100)
	w := ask(static.Pack("text/html", static.Never, body), http.StatusNotFound, "Accept-Encoding", "gzip",
		"If-None-Match", "*")
	if w.Code != http.StatusNotFound || w.Header().Get("Etag") != "" || w.Header().Get("Cache-Control") != "no-store" ||
		w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("it answers %d %v", w.Code, w.Header())
	}
}

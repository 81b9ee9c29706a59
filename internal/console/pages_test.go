package console_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/static"
)

// built is a small build; each file says which it is.
var built = fstest.MapFS{
	"index.html":             {Data: []byte("<!doctype html><title>Kinebase</title> the page")},
	"index.html.br":          {Data: []byte("the page in br")},
	"placeholder.html":       {Data: []byte("not built")},
	"assets/a-Xy12.js":       {Data: []byte("let a = 'the script as it is'")},
	"assets/a-Xy12.js.br":    {Data: []byte("script in br")},
	"assets/a-Xy12.js.gz":    {Data: []byte("script in gzip")},
	"assets/b-Zz.css":        {Data: []byte("a{}")},
	"assets/b-Zz.css.gz":     {Data: []byte("larger than the file itself")},
	"assets/deep/font.woff2": {Data: []byte("a font")},
}

func pages(t *testing.T, build fstest.MapFS) *console.Pages {
	t.Helper()
	p, err := console.NewPages(build)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ask asks for a path; headers are pairs of name and value.
func ask(p *console.Pages, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

func TestEveryScreenIsTheOnePage(t *testing.T) {
	p := pages(t, built)
	for _, path := range []string{"/", "/captures", "/captures/2026-05-13%2F7", "/captures/%F0%9F%8F%83", "/athletes",
		"/athletes/1", "/exports", "/exports/1", "/audit", "/tokens", "/webhooks", "/webhooks/1", "/overview",
		"/compare", "/sign-in"} {
		w := ask(p, "GET", path)
		if !p.Has(httptest.NewRequest("GET", path, nil).URL) || w.Code != 200 ||
			!strings.Contains(w.Body.String(), "the page") {
			t.Errorf("%s answers %d %q", path, w.Code, w.Body)
		}
	}
}

func TestOtherPathsAreNotTheConsoles(t *testing.T) {
	p := pages(t, built)
	for _, path := range []string{"/v1/captures", "/docs", "/captures/", "/captures/1/2", "/tokens/1", "/overview/",
		"/compare/", "/elsewhere", "/index.html", "/a-Xy12.js", "/console/session", "//"} {
		if p.Has(httptest.NewRequest("GET", "http://host"+path, nil).URL) {
			t.Errorf("%s is taken by the console", path)
		}
	}
}

func TestAFileIsGivenInTheSmallestFormThatIsTaken(t *testing.T) {
	p := pages(t, built)
	const plain, br, gz = "let a = 'the script as it is'", "script in br", "script in gzip"
	for accepted, want := range map[string][2]string{
		"":                             {plain, ""},
		"br, gzip":                     {br, "br"},
		"gzip, deflate, br;q=0.5":      {br, "br"},
		"gzip;q=1.0, br;q=0":           {gz, "gzip"},
		"GZIP":                         {gz, "gzip"},
		"br;q=0, gzip; q = 0.000":      {plain, ""},
		"identity, *":                  {plain, ""},
		"brotli, xgzip, gzip;q=nought": {plain, ""},
	} {
		w := ask(p, "GET", "/assets/a-Xy12.js", "Accept-Encoding", accepted)
		h := w.Header()
		if w.Body.String() != want[0] || h.Get("Content-Encoding") != want[1] {
			t.Errorf("Accept-Encoding %q gives %q as %q, want %q as %q", accepted, w.Body, h.Get("Content-Encoding"),
				want[0], want[1])
		}
		if h.Get("Vary") != "Accept-Encoding" || h.Get("Content-Type") != "text/javascript; charset=utf-8" ||
			h.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("the headers are %v", h)
		}
	}
	if w := ask(p, "GET", "/assets/b-Zz.css", "Accept-Encoding", "gzip"); w.Body.String() != "a{}" {
		t.Errorf("a compressed form that is larger is given: %q", w.Body)
	}
}

func TestThePageIsAskedForAnewAndGivenOnce(t *testing.T) {
	p := pages(t, built)
	first := ask(p, "GET", "/captures", "Accept-Encoding", "br")
	if first.Header().Get("Cache-Control") != "no-cache" || first.Body.String() != "the page in br" {
		t.Fatalf("the page comes as %v %q", first.Header(), first.Body)
	}
	tag := first.Header().Get("Etag")
	again := ask(p, "GET", "/athletes", "Accept-Encoding", "br", "If-None-Match", `"x", W/`+tag)
	if again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("the same page is given again: %d %q", again.Code, again.Body)
	}
	if other := ask(p, "GET", "/athletes", "If-None-Match", tag); other.Code != 200 {
		t.Errorf("the tag of the compressed page stands for the plain one")
	}
}

func TestAnUnknownAssetIsNotThePage(t *testing.T) {
	for name, p := range map[string]*console.Pages{"built": pages(t, built),
		"not built": pages(t, fstest.MapFS{"placeholder.html": {}})} {
		for _, path := range []string{"/assets/gone.js", "/assets/", "/assets/a-Xy12.js.br", "/assets/../index.html",
			"/assets/deep"} {
			w := ask(p, "GET", path)
			if w.Code != 404 || w.Header().Get("Cache-Control") != "no-store" ||
				!strings.Contains(w.Body.String(), `"NotFound"`) {
				t.Errorf("%s: %s answers %d %v %q", name, path, w.Code, w.Header(), w.Body)
			}
		}
	}
	if w := ask(pages(t, built), "GET", "/assets/deep/font.woff2"); w.Code != 200 ||
		w.Header().Get("Content-Type") != "font/woff2" {
		t.Errorf("an asset in a folder answers %d %v", w.Code, w.Header())
	}
}

func TestWithoutABuildThePagesSayHowToBuildIt(t *testing.T) {
	p := pages(t, fstest.MapFS{"placeholder.html": {Data: []byte("run make console")}})
	if p.Built() {
		t.Error("it says that it is built")
	}
	w := ask(p, "GET", "/captures/1")
	if w.Code != 404 || w.Body.String() != "run make console" ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("it answers %d %v %q", w.Code, w.Header(), w.Body)
	}
	if _, err := console.NewPages(fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "placeholder.html") {
		t.Errorf("a folder with nothing in it gives %v", err)
	}
}

func TestEveryAnswerOfAPageIsGuarded(t *testing.T) {
	p := pages(t, built)
	for _, path := range []string{"/", "/captures/1", "/assets/a-Xy12.js", "/assets/gone.js"} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			w := ask(p, method, path)
			wantGuarded(t, method+" "+path, w.Header())
			if method == "POST" && (w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD") {
				t.Errorf("POST %s answers %d", path, w.Code)
			}
		}
	}
}

// wantGuarded looks at the headers that every answer of the console has.
func wantGuarded(t *testing.T, what string, h http.Header) {
	t.Helper()
	policy := h.Get("Content-Security-Policy")
	// of data
	wants := []string{"default-src 'none'", "sandbox", "form-action 'none'", "base-uri 'none'",
		"frame-ancestors 'none'"}
	if !strings.Contains(what, " /console/") {
		wants = []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'",
			"form-action 'self'", "base-uri 'none'", "connect-src 'self'", "media-src 'self'"}
	} else if strings.Contains(policy, "'self'") {
		t.Errorf("%s: the policy %q lets data do something", what, policy)
	}
	for _, want := range wants {
		if !strings.Contains(policy, want) {
			t.Errorf("%s: the policy %q does not hold %q", what, policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("%s: the policy %q allows what is unsafe", what, policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		"Permissions-Policy": static.Permissions,
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", what, name, got, want)
		}
	}
}

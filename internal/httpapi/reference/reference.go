// Package reference shows the interface document to people and to programs: a
// plain page that asks nothing of anybody else (no scripts, no fonts, no third
// party), and the document as JSON. Both are made once, from the same bytes.
package reference

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"

	"github.com/kinebase/kinebase/internal/static"
)

//go:embed page.html
var markup string

//go:embed page.css
var style string

var layout = template.Must(template.New("page").Parse(markup))

// Pages are the two forms of one interface document.
type Pages struct {
	document, page *static.File
	policy         string
}

// New makes the pages from an OpenAPI 3.1 document in YAML.
func New(openapi []byte) (*Pages, error) {
	d, err := parse(openapi)
	if err != nil {
		return nil, fmt.Errorf("interface document: %w", err)
	}
	text, err := d.root.json()
	if err != nil {
		return nil, fmt.Errorf("interface document: %w", err)
	}
	model, err := d.page()
	if err != nil {
		return nil, fmt.Errorf("interface document: %w", err)
	}
	model.Style = template.CSS(style) // our own file
	var b bytes.Buffer
	if err := layout.Execute(&b, model); err != nil {
		return nil, fmt.Errorf("reference page: %w", err)
	}
	sum := sha256.Sum256([]byte(style))
	return &Pages{
		document: static.Pack("application/json", static.Revalidate, text),
		page:     static.Pack("text/html; charset=utf-8", static.Revalidate, b.Bytes()),
		// The page's own style sheet is the only thing that may act in it.
		policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}, nil
}

// JSON is the document in JSON, in its author's order. Nobody may change the
// bytes.
func (p *Pages) JSON() []byte { return p.document.Plain() }

// HTML is the page. Nobody may change the bytes.
func (p *Pages) HTML() []byte { return p.page.Plain() }

// Policy is the Content-Security-Policy under which the page works.
func (p *Pages) Policy() string { return p.policy }

// Document answers with the document in JSON (/openapi.json). Pages of other
// origins may read it: it is the same for everybody and holds nobody's data.
func (p *Pages) Document() http.Handler {
	return serve(p.document, func(h http.Header) { h.Set("Access-Control-Allow-Origin", "*") })
}

// Page answers with the page.
func (p *Pages) Page() http.Handler {
	return serve(p.page, func(h http.Header) {
		h.Set("Content-Security-Policy", p.policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Permissions-Policy", static.Permissions)
	})
}

func serve(f *static.File, more func(http.Header)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "This page can only be read.", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		more(w.Header())
		f.Serve(w, r, http.StatusOK)
	})
}

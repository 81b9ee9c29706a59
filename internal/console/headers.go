// Package console serves the console: its pages and assets, the session that stands
// for a token, and the interface to whoever has one. It knows nothing of what the
// interface does.
package console

import (
	"net/http"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/static"
	"github.com/kinebase/kinebase/payload"
)

// policy lets the console's pages use what this server serves, and nothing else. There
// is no inline code and no inline style in them.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"font-src 'self'; " +
	"media-src 'self'; connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

// dataPolicy is for what is no page. Files that somebody has uploaded are given out
// from where the pages are; should a browser ever show one, it may do nothing.
const dataPolicy = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

// plainPolicy is for pages of a few words, without styles or scripts.
const plainPolicy = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// guard sets what every answer of the console carries.
func guard(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", static.Permissions)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// refuse answers in the shape that errors of the interface have.
func refuse(w http.ResponseWriter, status int, code fault.Code, message string) {
	b := payload.AppendString([]byte(`{"error":`), string(code))
	b = payload.AppendString(append(b, `,"message":`...), message)
	send(w, status, append(b, '}'))
}

// send answers with JSON that nobody keeps.
func send(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller who is gone is nobody to tell
}

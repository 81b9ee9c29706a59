// Package static gives out texts and files that never change while a server runs, in
// the smallest form that a caller takes.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// File is a body in up to three forms. It is safe for use by many callers.
type File struct {
	kind    string
	tag     string // its entity tag, without quotes
	plain   []byte
	br, gz  []byte // nil: not smaller
	caching string
}

// How long a caller may keep a file: Revalidate asks each time whether it has changed,
// Forever is for a name that changes with the content, Never is for what is no answer
// to keep.
const (
	Revalidate = "no-cache"
	Forever    = "public, max-age=31536000, immutable"
	Never      = "no-store"
)

// Packed makes a file of a body and its compressed forms, which are nil where there are
// none. kind is its Content-Type, caching its Cache-Control. A form that is not smaller
// than the body is left out.
func Packed(kind, caching string, plain, br, gz []byte) *File {
	sum := sha256.Sum256(plain)
	f := &File{kind: kind, caching: caching, tag: hex.EncodeToString(sum[:12]), plain: plain}
	if br != nil && len(br) < len(plain) {
		f.br = br
	}
	if gz != nil && len(gz) < len(plain) {
		f.gz = gz
	}
	return f
}

// Permissions is the Permissions-Policy of pages: no page of Kinebase uses a sensor, a
// camera, a microphone or a device, so no script in one may, whatever it is. Full
// screen and the clipboard, which the console does use, are left as browsers have them.
const Permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), " +
	"magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"

// brotliLevel is about as small as 11, the highest, and twenty times as quick: a server
// compresses while it starts.
const brotliLevel = 6

// Pack makes a file of a body and compresses it.
func Pack(kind, caching string, plain []byte) *File {
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, brotliLevel)
	z, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression) // the level is one of gzip's own
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{b, z} {
		_, _ = w.Write(plain) // a buffer takes everything
		_ = w.Close()
	}
	return Packed(kind, caching, plain, br.Bytes(), gz.Bytes())
}

// Plain is the body as it is. Nobody may change the bytes.
func (f *File) Plain() []byte { return f.plain }

// Serve answers with the file and status: with 304 and no body instead of 200 when the
// caller has it already. Only GET and HEAD may be answered so.
func (f *File) Serve(w http.ResponseWriter, r *http.Request, status int) {
	body, coding := f.form(r)
	h := w.Header()
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", f.caching)
	if f.caching != Never {
		tag := f.tag
		if coding != "" {
			tag += "-" + coding
		}
		tag = `"` + tag + `"`
		h.Set("Etag", tag)
		if status == http.StatusOK && known(r.Header["If-None-Match"], tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", f.kind)
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // net/http leaves it out of an answer to HEAD
}

// form gives the smallest form that the caller takes, and the name of its coding.
func (f *File) form(r *http.Request) (body []byte, coding string) {
	accepted := r.Header["Accept-Encoding"]
	switch {
	case f.br != nil && takes(accepted, "br"):
		return f.br, "br"
	case f.gz != nil && takes(accepted, "gzip"):
		return f.gz, "gzip"
	default:
		return f.plain, ""
	}
}

// takes says whether a coding is named in Accept-Encoding, and not with q=0. What
// "*" would allow is not made use of.
func takes(fields []string, coding string) bool {
	for _, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
			if !strings.EqualFold(strings.TrimSpace(name), coding) {
				continue
			}
			_, q, given := strings.Cut(strings.ReplaceAll(weight, " ", ""), "=")
			v, err := strconv.ParseFloat(q, 64)
			return !given || err == nil && v > 0
		}
	}
	return false
}

// known says whether If-None-Match names a tag.
func known(fields []string, tag string) bool {
	for _, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == tag {
				return true
			}
		}
	}
	return false
}

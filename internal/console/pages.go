package console

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/fault"
)

// Pages are the console's pages and what they are made of. They need no store and
// are answered in every phase of a server.
type Pages struct {
	index  *file // the one page behind all addresses; nil when there is no build
	hint   []byte
	assets map[string]*file // by the path in the address
}

// file is one file of the build.
type file struct {
	kind     string
	tag      string // its entity tag, without quotes
	plain    []byte
	br, gz   []byte // nil: not smaller
	constant bool   // its name changes with its content
}

// NewPages takes a build: index.html and assets/, with compressed forms beside the
// files (.br, .gz). Without index.html the pages show placeholder.html.
func NewPages(build fs.FS) (*Pages, error) {
	p := &Pages{assets: map[string]*file{}}
	var err error
	if p.index, err = load(build, "index.html"); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if p.hint, err = fs.ReadFile(build, "placeholder.html"); err != nil {
			return nil, fmt.Errorf("the console is neither built nor is there placeholder.html in its place: %w", err)
		}
		return p, nil
	}
	return p, fs.WalkDir(build, "assets", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == "assets":
			return nil
		case err != nil || entry.IsDir() || strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz"):
			return err
		}
		f, err := load(build, name)
		if err == nil {
			f.constant = true
			p.assets["/"+name] = f
		}
		return err
	})
}

// Built says whether there is a build.
func (p *Pages) Built() bool { return p.index != nil }

// kinds are the types of files that a build may hold. The server's own table is not
// asked: it differs from machine to machine.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".map": "application/json",
	".woff2": "font/woff2", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
}

func load(build fs.FS, name string) (*file, error) {
	f := &file{kind: kinds[path.Ext(name)]}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	var err error
	if f.plain, err = fs.ReadFile(build, name); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(f.plain)
	f.tag = hex.EncodeToString(sum[:12])
	for ending, to := range map[string]*[]byte{".br": &f.br, ".gz": &f.gz} {
		packed, err := fs.ReadFile(build, name+ending)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case len(packed) < len(f.plain):
			*to = packed
		}
	}
	return f, nil
}

// screens are the addresses of pages; the ones that end with a slash have one more
// segment, an id.
var screens = []string{"/", "/captures", "/captures/", "/athletes", "/athletes/", "/exports", "/exports/", "/tokens", "/overview", "/sign-in"}

// Has says whether an address is one of the console's pages or below /assets/.
func (p *Pages) Has(u *url.URL) bool {
	return isScreen(u.EscapedPath()) || strings.HasPrefix(u.Path, "/assets/")
}

// isScreen takes the path as it was sent: an id may hold a slash, as %2F.
func isScreen(sent string) bool {
	if slices.Contains(screens, sent) {
		return !strings.HasSuffix(sent, "/") || sent == "/"
	}
	cut := strings.LastIndexByte(sent, '/') + 1
	return cut > 1 && slices.Contains(screens, sent[:cut])
}

// ServeHTTP answers an address that Has said yes to.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard(w.Header(), policy)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, fault.MethodNotAllowed, "This page can only be read.")
		return
	}
	switch f := p.assets[r.URL.Path]; {
	case strings.HasPrefix(r.URL.Path, "/assets/") && f == nil:
		refuse(w, http.StatusNotFound, fault.NotFound, "There is nothing at this path.")
	case f != nil:
		f.serve(w, r)
	case p.index != nil:
		p.index.serve(w, r)
	default:
		h := w.Header()
		h.Set("Content-Type", kinds[".html"])
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNotFound)
		_, _ = bytes.NewReader(p.hint).WriteTo(w)
	}
}

// serve gives the file in the smallest form that is taken.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	if f.constant {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	body, tag := f.plain, f.tag
	for _, packed := range []struct {
		name string
		body []byte
	}{{"br", f.br}, {"gzip", f.gz}} {
		if packed.body != nil && takes(r.Header["Accept-Encoding"], packed.name) {
			body, tag = packed.body, f.tag+"-"+packed.name
			h.Set("Content-Encoding", packed.name)
			break
		}
	}
	tag = `"` + tag + `"`
	h.Set("Etag", tag)
	if known(r.Header["If-None-Match"], tag) {
		h.Del("Content-Encoding")
		h.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // net/http leaves it out of an answer to HEAD
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

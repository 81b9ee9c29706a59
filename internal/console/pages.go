package console

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/static"
)

// Pages are the console's pages and what they are made of. They need no store and
// are answered in every phase of a server.
type Pages struct {
	index  *static.File            // the one page behind all addresses; nil when there is no build
	hint   *static.File            // the page that says so
	assets map[string]*static.File // by the path in the address
}

// NewPages takes a build: index.html and assets/, with compressed forms beside the
// files (.br, .gz). Without index.html the pages show placeholder.html.
func NewPages(build fs.FS) (*Pages, error) {
	p := &Pages{assets: map[string]*static.File{}}
	var err error
	if p.index, err = load(build, "index.html", static.Revalidate); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		hint, err := fs.ReadFile(build, "placeholder.html")
		p.hint = static.Pack(kinds[".html"], static.Never, hint)
		if err != nil {
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
		f, err := load(build, name, static.Forever)
		p.assets["/"+name] = f
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

// load reads a file of the build with its compressed forms, where it has some.
func load(build fs.FS, name, caching string) (*static.File, error) {
	kind := kinds[path.Ext(name)]
	if kind == "" {
		kind = "application/octet-stream"
	}
	plain, err := fs.ReadFile(build, name)
	if err != nil {
		return nil, err
	}
	packed := map[string][]byte{".br": nil, ".gz": nil}
	for ending := range packed {
		if packed[ending], err = fs.ReadFile(build, name+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return static.Packed(kind, caching, plain, packed[".br"], packed[".gz"]), nil
}

// screens are the addresses of pages; the ones that end with a slash have one more
// segment, an id.
var screens = []string{"/", "/captures", "/captures/", "/athletes", "/athletes/", "/exports", "/exports/", "/audit",
	"/tokens", "/webhooks", "/webhooks/", "/overview", "/compare", "/report", "/shared", "/sign-in"}

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
		f.Serve(w, r, http.StatusOK)
	case p.index != nil:
		p.index.Serve(w, r, http.StatusOK)
	default:
		p.hint.Serve(w, r, http.StatusNotFound)
	}
}

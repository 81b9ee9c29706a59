package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
	"github.com/kinebase/kinebase/turns"
)

// call is one request on its way to its answer.
type call struct {
	w      http.ResponseWriter
	r      *http.Request
	route  *Route       // nil until one has matched
	path   variables    // the variable segments of the path, decoded
	shown  caller.Shown // in the place of what the header shows; Nothing: that counts
	caller caller.Caller
	share  *share.Share // by whose link a visitor comes; nil for everybody else
	alias  string       // what a visitor knows the capture by; "": it has its own id
	id     string       // the request's
	start  time.Time
	status int   // of the answer; 0 while there is none
	cause  error // what the log is to know about a failure

	traced func(status int) // ends its span; nil: it has none

	late  *time.Timer // ends the call when its answer does not begin in time; nil: nothing does
	limit time.Duration
	leave context.CancelCauseFunc

	bodies *turns.Line[organization.ID] // for large bodies
	held   int64                        // what this call has of it

	values [8]string // room for header values: one allocation instead of one each
	used   int
}

// acquire waits for the call's turn in a line; see turns.Line.
func (c *call) acquire(line *turns.Line[organization.ID], n int64, message string) (leave func(), err error) {
	return line.Acquire(turns.ForCaller(c.r.Context()), c.caller.Organization, n, message)
}

// address is that of the client; the zero Addr when the connection has none.
func (c *call) address() netip.Addr {
	from, _ := netip.ParseAddrPort(c.r.RemoteAddr)
	return from.Addr().Unmap()
}

// scope is in whose name the call acts.
func (c *call) scope() organization.Scope { return c.caller.Scope() }

// Header values that never change. Nobody may write to them.
var (
	typeJSON     = []string{"application/json"}
	noSniff      = []string{"nosniff"}
	noStore      = []string{"no-store"}
	revalidate   = []string{"private, no-cache"}
	closing      = []string{"close"}
	replayedTrue = []string{"true"}
)

// set sets a header field. key is in net/http's canonical spelling.
func (c *call) set(key, value string) {
	if c.used == len(c.values) {
		c.w.Header()[key] = []string{value}
		return
	}
	i := c.used
	c.used++
	c.values[i] = value
	c.w.Header()[key] = c.values[i : i+1 : i+1]
}

// ServeHTTP answers one request. The order of the checks is the order of what a
// caller may learn: that a path and a method exist, then that the token is good,
// that it has quota, that it has the scope; then what is wrong with parameters and
// body; and last whether something exists.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.Ops != nil && !strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/v1" {
		a.Ops.ServeHTTP(w, r)
		return
	}
	a.answer(&call{w: w, r: r})
}

// ServeAs answers a request below /v1 for whoever shows what is given. What the request
// itself shows counts for nothing.
func (a *api) ServeAs(w http.ResponseWriter, r *http.Request, shown caller.Shown) {
	a.answer(&call{w: w, r: r, shown: shown})
}

func (a *api) answer(c *call) {
	w, r := c.w, c.r
	c.start, c.bodies = a.Now(), a.bodies
	defer a.finish(c)

	c.id = a.ids.of(r)
	h := w.Header()
	h["Content-Type"] = typeJSON
	h["X-Content-Type-Options"] = noSniff
	h["Cache-Control"] = noStore
	c.set("X-Request-Id", c.id)
	if len(r.TransferEncoding) > 0 {
		// net/http takes a chunked body and hides a Content-Length that came beside
		// it. Two readers of such a request may disagree on where it ends; nothing
		// that follows it on this connection may be believed (RFC 9112, section 6.1).
		h["Connection"] = closing
	}
	if a.cors(c) {
		return
	}
	if err := a.handle(c); err != nil {
		a.refuse(c, err)
	}
	a.noteRead(c)
}

func (a *api) handle(c *call) error {
	p, path := find(c.r.URL)
	if p == nil {
		return fault.New(fault.NotFound, "There is nothing at this path.")
	}
	c.path, c.r = path, p.meant(c.r)
	route := p.route(c.r.Method)
	if route == nil {
		c.w.Header()["Allow"] = p.allow
		return fault.New(fault.MethodNotAllowed, "The method is not allowed here; use %s.", p.allow[0])
	}
	c.route = route
	if a.Trace != nil {
		var ctx context.Context
		ctx, c.traced = a.Trace(c.r.Context(), c.r.Header, route.Pattern, route.Method)
		c.r = c.r.WithContext(ctx)
	}
	c.hurry(a.FirstAnswer)
	if route.Public {
		c.act()
		return route.serve(a, c)
	}
	if err := a.authenticate(c); err != nil {
		return err
	}
	v := a.Door.Count(c.r.Context(), c.caller)
	if v.Policy != "" {
		c.set("Ratelimit-Policy", v.Policy)
	}
	if v.State != "" {
		c.set("Ratelimit", v.State)
	}
	if v.Err != nil {
		return v.Err
	}
	if route.Any && !slices.ContainsFunc(route.Needs, c.caller.Permissions.Has) {
		a.noteRefused(c)
		return route.lacksAll()
	}
	for _, p := range route.Needs {
		if !route.Any && !c.caller.Permissions.Has(p) {
			a.noteRefused(c)
			return lacks(p)
		}
	}
	if query := c.r.URL.RawQuery; query != "" {
		if names := route.ignored(query); names != "" {
			c.set(ignoredHeader, names)
		}
	}
	c.act()
	return route.serve(a, c)
}

// send writes the answer: the whole of it, with its length, in one piece.
func (c *call) send(status int, body []byte) {
	c.pause()
	if status != http.StatusNoContent && status != http.StatusNotModified {
		c.set("Content-Length", strconv.Itoa(len(body)))
	}
	c.status = status
	c.w.WriteHeader(status)
	if len(body) > 0 {
		_, _ = c.w.Write(body) // a caller who is gone is nobody to tell
	}
}

// finish turns a panic into an answer, and tells log and metrics of the call.
func (a *api) finish(c *call) {
	c.freeBody()
	defer c.left()
	if v := recover(); v != nil {
		if v == http.ErrAbortHandler {
			panic(v)
		}
		a.Log.LogAttrs(c.r.Context(), slog.LevelError, "panic", slog.String("request_id", c.id),
			slog.String("panic", describe(v)), slog.String("stack", string(debug.Stack())))
		if c.status != 0 { // half an answer must not look like a whole one
			panic(http.ErrAbortHandler)
		}
		a.refuse(c, fault.New(fault.Internal, "%s", unexpected))
	}
	if c.traced != nil {
		c.traced(c.status)
	}
	took := a.Now().Sub(c.start)
	pattern := ""
	if c.route != nil {
		pattern = c.route.Pattern
	}
	if a.Observe != nil {
		a.Observe(pattern, c.r.Method, c.status, took)
	}
	level := slog.LevelInfo
	switch {
	case c.status == http.StatusServiceUnavailable: // said in time, and passing
		level = slog.LevelWarn
	case c.status >= 500:
		level = slog.LevelError
	case a.quiet:
		return
	}
	// Never the path, the query, a body or a name: they hold ids and people.
	var room [10]slog.Attr
	attrs := append(room[:0], slog.String("method", known(c.r.Method)), slog.String("route", pattern),
		slog.Int("status", c.status),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("request_id", c.id),
		slog.String("organization", c.caller.Organization.Text()),
		slog.String("token_id", c.caller.Token.Text()), slog.String("address", c.address().String()))
	if person := c.caller.Person.Text(); person != "" {
		attrs = append(attrs, slog.String("person_id", person))
	}
	if c.cause != nil {
		attrs = append(attrs, slog.String("error", c.cause.Error()))
	}
	a.Log.LogAttrs(context.WithoutCancel(c.r.Context()), level, "request", attrs...)
}

// known gives a method that HTTP knows, and "other" for any other word: a caller
// does not choose what is written into the log.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions, http.MethodTrace, http.MethodConnect:
		return method
	}
	return "other"
}

// describe tells what a panic was about. Only the runtime's own and plain strings
// are told: any other value may hold data.
func describe(v any) string {
	switch v := v.(type) {
	case runtime.Error:
		return v.Error()
	case string:
		return v
	}
	return fmt.Sprintf("%T", v)
}

// requestIDs names requests: a random part for the process and a count.
type requestIDs struct {
	process string
	count   atomic.Uint64
}

func newRequestIDs() *requestIDs {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return &requestIDs{process: hex.EncodeToString(b[:]) + "-"}
}

// of gives the id that the caller chose when it is sane (1..128 visible ASCII
// characters), else a new one.
func (ids *requestIDs) of(r *http.Request) string {
	if sent := r.Header["X-Request-Id"]; len(sent) == 1 && sane(sent[0]) {
		return sent[0]
	}
	var room [40]byte
	return string(strconv.AppendUint(append(room[:0], ids.process...), ids.count.Add(1), 36))
}

func sane(id string) bool {
	if id == "" || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		if id[i] <= ' ' || id[i] > '~' {
			return false
		}
	}
	return true
}

// Package httpapi speaks the interface over HTTP: it routes, authenticates,
// reads parameters and bodies strictly, calls the nouns and their ports, and
// writes answers. Every rule about the data is the nouns'.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/organization"
)

// Options are what the interface stands on.
type Options struct {
	Tokens   organization.TokenStore
	Athletes athlete.Store
	Captures capture.Store
	Exports  export.Store

	Gate        Gate         // rates; nil: none
	Log         *slog.Logger // nil: slog.Default
	CORSOrigins []string     // origins whose pages may call, "*" for all; none: no CORS headers
	Ops         http.Handler // what lies outside /v1; nil: 404
	Now         func() time.Time

	// Observe is told of every answer under /v1, with the pattern that matched
	// or "". It is called on the request's goroutine and must be quick.
	Observe func(pattern, method string, status int, took time.Duration)
}

// Gate keeps rates.
type Gate interface {
	// Check counts a request of a token, named by its id.
	Check(ctx context.Context, token, organization string) Verdict
	// Failed counts a request without a valid token from an address (the zero
	// Addr when the connection has none). An error is answered in place of the 401.
	Failed(ctx context.Context, from netip.Addr) error
}

// Verdict is what a Gate says about a request.
type Verdict struct {
	Err    error  // nil: it may go on; else a fault.TooManyRequests
	Policy string // the value of RateLimit-Policy; "" for none
	State  string // the value of RateLimit; "" for none
}

// New makes the handler of everything under /v1, and of the rest by Ops.
func New(o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &api{Options: o, running: newRunning(), ids: newRequestIDs(), bodies: semaphore.NewWeighted(bodiesRoom)}
	a.quiet = !o.Log.Enabled(context.Background(), slog.LevelInfo)
	return a
}

type api struct {
	Options
	running *running
	ids     *requestIDs
	bodies  *semaphore.Weighted
	quiet   bool // lines of successes are not wanted: they need not be made
}

// Limits of the server below the handler.
const (
	headerTime = 5 * time.Second
	headerRoom = 32 << 10 // of the request line and all header fields
	readTime   = 30 * time.Second
	writeTime  = 60 * time.Second
	idleTime   = 2 * time.Minute
)

// NewServer makes a server with limits on what a caller can hold open or send.
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerRoom - 4096, // net/http adds 4096 to what it is told
		// "OPTIONS *" is answered like any path that does not exist.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
}

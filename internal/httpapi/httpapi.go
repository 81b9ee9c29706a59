// Package httpapi speaks the interface over HTTP: it routes, authenticates,
// reads parameters and bodies strictly, calls the nouns and their ports, and
// writes answers. Every rule about the data is the nouns'.
package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/share"
	"github.com/kinebase/kinebase/turns"
	"github.com/kinebase/kinebase/upload"
	"github.com/kinebase/kinebase/webhook"
)

// Options are what the interface stands on.
type Options struct {
	Door      *caller.Door // nil: Tokens, without rates
	Tokens    organization.TokenStore
	Athletes  athlete.Store
	Captures  capture.Store
	Exports   export.Store
	Requests  export.Requests
	Results   export.Results
	Keeper    export.Keeper
	Downloads *export.ActiveDownloads // hears of results that are written for callers; nil: nobody does

	Feed     feed.Store
	Stopping <-chan struct{} // closed when the server is about to stop: whoever waits for a change is answered

	Webhooks        webhook.Store
	PrivateWebhooks bool // webhooks may be at addresses that are not public

	Landmarks Landmarks
	Skeletons Skeletons
	Shares    share.Store
	Uploads   upload.Store
	Pieces    upload.Pieces // nil: files come whole alone
	Files     upload.Files
	Forms     upload.Forms // nil: this server's own form, which POST /v1/uploads takes
	Convert   Converter    // nil: files are given as they came, and in no other format

	Epoch        []byte        // the name of the time since the store was restored; part of cursors
	UploadKey    []byte        // signs this server's own forms and seals cursors; all servers on a database share it
	MaxUpload    int64         // the largest file in bytes; 0: DefaultMaxUpload
	UploadWindow time.Duration // how long a reservation waits for its file; 0: upload.Window
	PublicURL    string        // what callers write before /v1; "": what they have written in the request

	FirstAnswer time.Duration // how long a request may take until its answer begins; 0: as long as it takes

	Audit       audit.Log    // nil: none
	AuditReads  bool         // what is read about people is written into it too
	Log         *slog.Logger // nil: slog.Default
	CORSOrigins []string     // origins whose pages may call, "*" for all; none: no CORS headers
	Ops         http.Handler // what lies outside /v1; nil: 404
	Now         func() time.Time

	// Trace makes a request a part of a trace, once its route is known; end is told of the answer. nil: none is.
	Trace func(ctx context.Context, h http.Header, pattern, method string) (_ context.Context, end func(status int))

	// Observe is told of every answer under /v1, with the pattern that matched
	// or "". It is called on the request's goroutine and must be quick.
	Observe func(pattern, method string, status int, took time.Duration)
}

// DefaultMaxUpload is the size of the largest file that is taken when nothing else
// is said.
const DefaultMaxUpload = 2 << 30

// Converter writes motion files in other formats.
type Converter interface {
	// Convert reads a motion file of the organization, whose name tells its kind by the ending, and writes it
	// in a format: c3d, trc or csv. A rate above 0 counts in place of the file's. An *upload.Unreadable says
	// that the file cannot be written in that format, and why. What was written before an error is worth
	// nothing. It writes only when the work is done: what it is given to write to may be slow, and then holds
	// up no other conversion.
	Convert(ctx context.Context, s organization.Scope, name string, f upload.File, format string, rate float64,
		w io.Writer) error
}

// Handler is the interface.
type Handler interface {
	http.Handler
	// ServeAs answers a request below /v1 for whoever shows what is given. What the request itself shows counts for
	// nothing.
	ServeAs(w http.ResponseWriter, r *http.Request, shown caller.Shown)
}

// New makes the handler of everything under /v1, and of the rest by Ops.
func New(o Options) Handler {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Door == nil {
		o.Door = &caller.Door{Tokens: o.Tokens}
	}
	if o.MaxUpload == 0 {
		o.MaxUpload = DefaultMaxUpload
	}
	if o.UploadWindow == 0 {
		o.UploadWindow = upload.Window
	}
	if o.Downloads == nil {
		o.Downloads = new(export.ActiveDownloads)
	}
	a := &api{
		Options: o, running: newRunning(), ids: newRequestIDs(),
		bodies:       turns.NewRoom[organization.ID](bodiesRoom, turns.ToRead),
		values:       turns.NewRoom[organization.ID](valuesRoom, turns.ToRead),
		results:      turns.NewPlaces[organization.ID](resultsRoom, turns.ToRead),
		polls:        turns.NewShares[organization.ID](pollShare, turns.ToRead),
		cursors:      feed.NewCursors(o.UploadKey, "changes", o.Epoch),
		auditCursors: feed.NewCursors(o.UploadKey, "audit log", o.Epoch),
		given:        turns.NewShares[organization.ID](resultShare, turns.ToRead),
		converted:    turns.NewShares[organization.ID](convertedShare, turns.ToRead),
		converting:   turns.NewPlaces[organization.ID](int64(runtime.GOMAXPROCS(0)), turns.ToRead),
	}
	a.quiet = !o.Log.Enabled(context.Background(), slog.LevelInfo)
	return a
}

type api struct {
	Options
	running *running
	ids     *requestIDs

	bodies     *turns.Line[organization.ID] // bytes of large bodies
	values     *turns.Line[organization.ID] // numbers of frames
	converting *turns.Line[organization.ID] // files that are being converted
	converted  *turns.Line[organization.ID] // converted files that are being sent
	results    *turns.Line[organization.ID] // bytes of memory that it takes to give results out
	given      *turns.Line[organization.ID] // results that are given out
	polls      *turns.Line[organization.ID] // pages that wait for a change
	cursors    feed.Cursors                 // of changes

	auditCursors feed.Cursors
	refused      refusals

	quiet bool // lines of successes are not wanted: they need not be made
}

// Limits of the server below the handler.
const (
	headerTime = 5 * time.Second
	headerRoom = 32 << 10 // of the request line and all header fields
	readTime   = 30 * time.Second
	writeTime  = feed.LongestWait + 30*time.Second // nothing is sent while a page of changes is held back
	idleTime   = 2 * time.Minute

	// longestAnswer bounds an answer that goes on for as long as something moves.
	longestAnswer = 12 * time.Hour
)

// NewServer makes a server with limits on what a caller can hold open or send, and on
// how long one waits for its turn: what it answers is done for callers (turns.ForCaller).
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		BaseContext:       func(net.Listener) context.Context { return turns.ForCaller(context.Background()) },
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

package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/kinebase/kinebase"
	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/httpapi/reference"
	"github.com/kinebase/kinebase/internal/limit"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/organization"
)

// described is made once for the servers of a process, when somebody first asks for it: the
// document is part of the program, and to compress it takes longer than all else of a start.
var described = sync.OnceValues(func() (*reference.Pages, error) { return reference.New(kinebase.OpenAPI) })

// description answers with one of the described pages.
func (a *App) description(of func(*reference.Pages) http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pages, err := described()
		if err != nil {
			a.log.Error("the interface document cannot be shown", "error", err)
			http.Error(w, "The interface document cannot be shown.", http.StatusInternalServerError)
			return
		}
		of(pages).ServeHTTP(w, r)
	})
}

// pages are what lies beside the interface, by exact path.
func (a *App) pages() map[string]http.Handler {
	return map[string]http.Handler{
		"/docs":         a.description((*reference.Pages).Page),
		"/openapi.json": a.description((*reference.Pages).Document),
		"/metrics":      a.metrics.Handler(),
	}
}

// httpServer makes the HTTP server around the front. What net/http itself has to say
// (a connection that sent no HTTP) goes to the log.
func (a *App) httpServer() *http.Server {
	s := httpapi.NewServer(proxies(a.config.TrustedProxies).before(a.front))
	s.ErrorLog = slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)
	return s
}

// gauges are the figures of the server that are asked for at every scrape.
func (a *App) gauges() {
	a.metrics.Gauge("kinebase_http_requests_running", "Requests of the interface that are being answered.",
		func() float64 {
			return float64(a.front.running.Load())
		})
	a.metrics.Gauge("kinebase_ready", "1 while requests of the interface are answered.", func() float64 {
		if a.front.now() == ready {
			return 1
		}
		return 0
	})
	if a.config.DatabaseURL.Set() {
		return // its size is for PostgreSQL's own figures to tell
	}
	a.metrics.Gauge("kinebase_store_bytes", "Size of the embedded store on disk, with what is not yet checkpointed.",
		func() float64 {
			size := 0.0
			for _, suffix := range []string{"", "-wal"} {
				if file, err := os.Stat(filepath.Join(a.config.Data, db.FileName+suffix)); err == nil {
					size += float64(file.Size())
				}
			}
			return size
		})
}

// compose makes the interface on an open store.
func (a *App) compose(ctx context.Context, s *store.Store) (http.Handler, error) {
	if b := s.Breaker(); b != nil { // /readyz asks it anything
		a.measure("database", "PostgreSQL", b.Open)
		a.role(s.Alone())
	}
	a.metrics.Counter("kinebase_file_storage_refusals_total",
		"Files and reservations that were refused because the files of their organization take all that they may.",
		func() float64 {
			return float64(s.NoRoom())
		})
	a.metrics.Counter("kinebase_capture_quota_refusals_total",
		"Reservations that were refused because their organization has all captures that it may have.", func() float64 {
			return float64(s.Crowded())
		})
	a.metrics.Counter("kinebase_export_storage_refusals_total",
		"Exports that were refused because results of exports of their organization take all that they may.",
		func() float64 { return float64(s.Spent()) })
	files, err := a.openFiles(ctx)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, files.Close)
	if files.Bucket != nil {
		a.watch("bucket", "the bucket", files.Bucket.Open)
	}
	files.Files = measuredFiles{files.Files, a.calls.files}
	runner, err := NewReader(a.config, a.log)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, runner.Close)
	reader := measuredReader{runner, a.calls.readers}
	a.confinement()
	o := a.options()
	o.Tokens, o.Athletes, o.Captures, o.Exports, o.Uploads = s, s, s, s, s
	o.Pieces = s
	o.Landmarks, o.Skeletons, o.Shares, o.Feed = s, s, s, s
	o.Audit, o.AuditReads = s, a.config.AuditReads
	o.Webhooks, o.PrivateWebhooks = s, a.config.WebhookPrivate
	o.Requests, o.Results, o.Keeper, o.Downloads = s, s, s, new(export.ActiveDownloads)
	o.Files, o.Forms, o.Convert = files, files.Forms, reader
	if a.config.DatabaseURL.Set() || a.config.S3.Endpoint.Set() { // else no neighbour keeps anybody waiting
		o.FirstAnswer = httpapi.FirstAnswer
	}
	o.MaxUpload, o.PublicURL = a.config.MaxUpload, a.config.PublicURL.Reveal()
	if o.UploadKey, o.Epoch, err = secrets(ctx, s); err != nil {
		return nil, err
	}
	o.Door = &caller.Door{Tokens: s}
	if o.Door.Gate, err = a.gate(ctx); err != nil {
		return nil, err
	}
	a.figures(s, o.Door)
	// A backup does not know what ended after it, so after a restore no session from before it counts.
	c := console.Options{Key: slices.Concat(o.UploadKey, o.Epoch), Who: signedIn{o.Door, s}.of}
	if c.SignIn, err = a.people(o.Door, s); err != nil {
		return nil, err
	}
	api, err := a.withConsole(httpapi.New(o), c)
	if err != nil {
		return nil, err
	}
	if err := a.work(ctx, s, files, WithHeights(WithNames(reader, s), s), o.Downloads); err != nil {
		return nil, err
	}
	a.keepBackups(ctx, s, files)
	return api, a.streamAudit(ctx, s)
}

// options are those of the interface in every phase.
func (a *App) options() httpapi.Options {
	o := httpapi.Options{Log: a.log, CORSOrigins: a.config.CORSOrigins, Observe: a.metrics.Request,
		Stopping: a.stopping}
	if a.tracer != nil {
		o.Trace = a.tracer.Request
	}
	return o
}

// closed is the interface while there is no store to ask: paths, methods and the
// form of a token are judged as ever, and all else is told to come back.
func (a *App) closed(message string) (http.Handler, error) {
	o := a.options()
	o.Tokens = noTokens{message: message}
	return a.withConsole(httpapi.New(o), console.Options{Closed: message})
}

// noTokens stands for the store's tokens while there is no store. Nothing but
// Authenticate is ever reached.
type noTokens struct {
	organization.TokenStore
	message string
}

// Authenticate says that nobody can be let in now.
func (n noTokens) Authenticate(context.Context, organization.SecretHash) (organization.Token, error) {
	return organization.Token{}, fault.Busy(nil, time.Second, n.message)
}

// gate keeps the rates that are configured; nil when none is.
func (a *App) gate(ctx context.Context) (caller.Gate, error) {
	token, err := limit.ParseRate(a.config.RateLimit)
	if err != nil {
		return nil, err
	}
	shared, err := limit.ParseRate(a.config.RateLimitOrganization)
	if err != nil {
		return nil, err
	}
	if token.Off() && shared.Off() {
		return nil, nil
	}
	failures := limit.DefaultFailures
	if token.Off() {
		failures = token
	}
	var limiter limit.Limiter = limit.NewMemory()
	if a.config.RedisURL.Set() {
		redis, err := limit.NewRedis(ctx, a.config.RedisURL.Reveal(), a.log)
		if err != nil {
			return nil, err
		}
		a.closers = append(a.closers, redis.Close)
		a.watch("redis", "Redis", redis.Out)
		limiter = redis
	}
	refused := a.metrics.Kinds("kinebase_rate_limit_refusals_total",
		"Requests that were refused because a limit was spent, by the limit.", "limit", "token", "organization",
		"address")
	return gate{limit.NewGate(limiter, token, shared), limit.NewFailures(limit.NewMemory(), failures), refused}, nil
}

// gate is the limiter as the door wants to ask it.
type gate struct {
	rates    *limit.Gate
	failures *limit.Failures
	refused  telemetry.Kinds
}

// Check counts a request of a caller.
func (g gate) Check(ctx context.Context, bucket, organization string) caller.Verdict {
	v := g.rates.Ask(ctx, bucket, organization)
	if !v.Allowed {
		g.refused.Add(v.Policy)
	}
	return caller.Verdict{Err: v.Err(), Policy: g.rates.Policy(), State: v.Field()}
}

// Failed counts a request without a valid token.
func (g gate) Failed(ctx context.Context, from netip.Addr) error {
	err := g.failures.Note(ctx, from)
	if err != nil {
		g.refused.Add("address")
	}
	return err
}

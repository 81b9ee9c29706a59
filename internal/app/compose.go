package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/kinebase/kinebase"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/internal/httpapi/reference"
	"github.com/kinebase/kinebase/internal/limit"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/organization"
)

// pages are what lies beside the interface, by exact path.
func (a *App) pages() (map[string]http.Handler, error) {
	document, err := reference.New(kinebase.OpenAPI)
	if err != nil {
		return nil, err
	}
	return map[string]http.Handler{
		"/":             http.RedirectHandler("/docs", http.StatusFound),
		"/docs":         document.Page(),
		"/openapi.json": document.Document(),
		"/metrics":      a.metrics.Handler(),
	}, nil
}

// httpServer makes the HTTP server around the front. What net/http itself has to say
// (a connection that sent no HTTP) goes to the log.
func (a *App) httpServer() *http.Server {
	s := httpapi.NewServer(a.front)
	s.ErrorLog = slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)
	return s
}

// compose makes the interface on an open store.
func (a *App) compose(ctx context.Context, s *store.Store) (http.Handler, error) {
	o := a.options()
	o.Tokens, o.Athletes, o.Captures, o.Exports = s, s, s, s
	var err error
	if o.Gate, err = a.gate(ctx); err != nil {
		return nil, err
	}
	return httpapi.New(o), nil
}

// options are those of the interface in every phase.
func (a *App) options() httpapi.Options {
	return httpapi.Options{Log: a.log, CORSOrigins: a.config.CORSOrigins, Observe: a.metrics.Request}
}

// closed is the interface while there is no store to ask: paths, methods and the
// form of a token are judged as ever, and all else is told to come back.
func (a *App) closed(message string) http.Handler {
	o := a.options()
	o.Tokens = noTokens{message: message}
	return httpapi.New(o)
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
func (a *App) gate(ctx context.Context) (httpapi.Gate, error) {
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
		redis, err := limit.NewRedis(ctx, a.config.RedisURL.Reveal(), limiter, a.log)
		if err != nil {
			return nil, err
		}
		a.closers = append(a.closers, redis.Close)
		limiter = redis
	}
	return gate{limit.NewGate(limiter, token, shared), limit.NewFailures(limit.NewMemory(), failures)}, nil
}

// gate is the limiter as the interface wants to ask it.
type gate struct {
	rates    *limit.Gate
	failures *limit.Failures
}

// Check counts a request of a token.
func (g gate) Check(ctx context.Context, token, organization string) httpapi.Verdict {
	v := g.rates.Ask(ctx, token, organization)
	return httpapi.Verdict{Err: v.Err(), Policy: g.rates.Policy(), State: v.Field()}
}

// Failed counts a request without a valid token.
func (g gate) Failed(ctx context.Context, from netip.Addr) error { return g.failures.Note(ctx, from) }

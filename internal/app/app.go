// Package app is the composition root: the one place where the machines of a
// server meet. The command line and the tests run the same one.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/telemetry"
)

// drainLimit is how long a stop waits for requests under way. What runs longer
// is cut off.
const drainLimit = 20 * time.Second

// noticeLimit is how long requests that were cut off may take to notice.
const noticeLimit = 2 * time.Second

// App is one server.
type App struct {
	config        config.Config
	log           *slog.Logger
	version       string
	metrics       *telemetry.Metrics
	calls         calls
	tracer        *telemetry.Tracer // nil: nothing is traced
	listener      net.Listener
	certificate   *certificate // nil: HTTP without TLS
	front         *front
	server        *http.Server
	store         *store.Store                         // set before ready is closed
	patience      time.Duration                        // how long a stop waits
	after         func(time.Duration) <-chan time.Time // the clock of the delay before a stop
	retry         func(time.Duration) <-chan time.Time // the clock of a start that waits
	neighbours    []neighbour                          // set before ready is closed
	databaseTimer breaker.Timer                        // nil: time.AfterFunc
	bucketTimer   breaker.Timer                        // nil: time.AfterFunc
	stopping      chan struct{}                        // closed when requests under way are to end
	ready         chan struct{}                        // closed once the store is open and requests are let through

	closing sync.Once
	closers []func() error // what has been opened, in that order
}

// New takes the address, so that a port in use is found out at once, and
// nothing else: Run opens the store. Close gives everything back.
func New(ctx context.Context, c config.Config, log *slog.Logger, version string) (*App, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the address %s is in use by another program; choose another with --listen or "+
			"KINEBASE_LISTEN", c.Listen)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this account may not listen on %s; choose a port of 1024 or above with --listen or "+
			"KINEBASE_LISTEN", c.Listen)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", c.Listen, err)
	}
	a := &App{
		config: c, log: log, listener: listener, version: version,
		metrics:  telemetry.NewMetrics(version),
		patience: drainLimit,
		after:    time.After,
		retry:    time.After,
		stopping: make(chan struct{}),
		ready:    make(chan struct{}),
	}
	if err := a.trace(ctx); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	a.calls = newCalls(a.metrics)
	a.closers = append(a.closers, func() error { return ignoreClosed(listener.Close()) })
	if err := a.certify(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.front, err = a.newFront(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.server = a.httpServer()
	a.gauges()
	return a, nil
}

// Addr is where the server listens, as HOST:PORT.
func (a *App) Addr() string { return a.listener.Addr().String() }

// Store is the server's store. It is there once Ready is closed, for as long as
// Run lasts: for tests, which fill it with what the interface cannot make.
func (a *App) Store() *store.Store { return a.store }

// SetTimers replaces time.AfterFunc, where it is not nil, where the answer of the database
// or of the bucket is waited for, before Run: for tests.
func (a *App) SetTimers(database, bucket breaker.Timer) {
	a.databaseTimer, a.bucketTimer = database, bucket
}

// HasConsole says whether the program was built with the console.
func (a *App) HasConsole() bool { return a.front.console.Built() }

// Ready is closed once requests of the interface are answered. When the start
// fails it never is, and Run says why.
func (a *App) Ready() <-chan struct{} { return a.ready }

// Run serves until ctx ends, then stops gracefully: /readyz says so, after the delay
// that is configured no further requests are taken, those under way are answered, within 20 seconds, and the
// store is closed. It answers for its health from the first moment, also while
// the store waits for a migration, or the start for a database or bucket. Run is called once.
func (a *App) Run(ctx context.Context) (err error) {
	defer func() { err = errors.Join(err, a.Close()) }()
	served := make(chan error, 1)
	go func() { served <- a.serve() }()
	defer func() {
		_ = a.server.Close() // a second time, after a graceful stop, it does nothing
		if failure := <-served; !errors.Is(failure, http.ErrServerClosed) && err == nil {
			err = fmt.Errorf("the server ended: %w", failure)
		}
	}()
	a.log.Info("listening", "url", a.scheme()+a.Addr()+"/v1", "config", a.config)

	if err := a.open(ctx); err != nil {
		if ctx.Err() != nil {
			a.log.Info("stopped before the store was open")
			return nil
		}
		return err
	}
	close(a.ready)
	a.log.Info("ready")
	if !a.front.console.Built() {
		a.log.Info("the console is not built; make console builds it, everything else works")
	}

	select {
	case <-ctx.Done():
	case failure := <-served:
		served <- failure
		return nil // told above
	}
	a.drain()
	return nil
}

// drain gives load balancers time to notice, waits for the requests under way and then
// ends the server.
func (a *App) drain() {
	a.log.Info("stopping")
	if delay := a.config.DrainDelay; delay > 0 {
		a.front.leave()
		<-a.after(delay)
	}
	patience, cancel := context.WithTimeout(context.Background(), a.patience)
	defer cancel()
	close(a.stopping) // whoever waits for changes is answered
	idle := a.front.stop()
	select {
	case <-idle:
		// Answers are written; what is left are idle connections and health checks.
		if err := a.server.Shutdown(patience); err != nil {
			a.log.Warn("connections were cut off", "error", err)
		}
	case <-patience.Done():
		a.log.Warn("requests were cut off: they took longer than a stop waits", "requests", a.front.running.Load(),
			"limit", a.patience)
		_ = a.server.Close()
		// They notice at their next word with the caller. The store closes after them.
		select {
		case <-idle:
		case <-time.After(noticeLimit):
		}
	}
	a.log.Info("stopped")
}

// Close gives the address and everything that Run has opened back. Run calls it
// itself; after a New that was not followed by Run it is the caller's.
func (a *App) Close() (err error) {
	a.closing.Do(func() {
		for i := len(a.closers) - 1; i >= 0; i-- {
			err = errors.Join(err, a.closers[i]())
		}
	})
	return err
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// open opens the store and what else the interface needs, and lets requests in.
func (a *App) open(ctx context.Context) error {
	s, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	a.store = s
	a.closers = append(a.closers, s.Close)
	api, err := a.compose(ctx, s)
	if err != nil {
		return err
	}
	a.front.open(api, s.Ready, s.Mark, a.neighbours)
	if all, err := s.Organizations(ctx); err == nil && len(all) == 0 {
		a.log.Info("there is no organization yet; create one: kinebase org create NAME")
	}
	return nil
}

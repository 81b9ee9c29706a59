package app

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/web"
)

// phase is where a server is in its life.
type phase string

const (
	migrating phase = "migrating" // the store is being opened, or waits for another process to migrate it
	ready     phase = "ready"
	stopping  phase = "stopping"
)

// front takes every request first. It answers for the server's health at all
// times, hands requests of the interface to what answers them in this phase, and
// counts those that the store works on, so that a stop can wait for them.
type front struct {
	pages   map[string]http.Handler // what lies beside the interface, by exact path
	console *console.Pages          // and the console's pages and assets
	closing http.Handler            // the interface once no further request is taken

	mu       sync.RWMutex
	phase    phase
	leaving  bool                        // ready, but about to stop: /readyz says so
	waits    string                      // what the start waits for, as /readyz says it; "" for nothing
	api      http.Handler                // the interface in this phase
	probe    func(context.Context) error // whether the store answers; set once ready
	writable *writable                   // whether it can be written; set once ready
	beside   []neighbour                 // what requests may need besides; set once ready
	underway sync.WaitGroup              // requests that began while ready; added to under mu
	running  atomic.Int64                // how many
	done     func()                      // ends one of them
}

func (a *App) newFront() (*front, error) {
	f := &front{phase: migrating, pages: a.pages()}
	var err error
	if f.console, err = console.NewPages(web.Dist()); err != nil {
		return nil, err
	}
	if f.api, err = a.closed("The server is starting. Try again in a moment."); err != nil {
		return nil, err
	}
	if f.closing, err = a.closed("The server is stopping. Try again in a moment."); err != nil {
		return nil, err
	}
	f.done = func() {
		f.running.Add(-1)
		f.underway.Done()
	}
	f.pages["/healthz"] = http.HandlerFunc(f.healthz)
	f.pages["/readyz"] = http.HandlerFunc(f.readyz)
	return f, nil
}

// open lets requests through to the interface.
func (f *front) open(api http.Handler, probe, write func(context.Context) error, beside []neighbour) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.api, f.probe, f.beside, f.phase = api, probe, beside, ready
	f.writable = &writable{write: write, now: time.Now}
}

// wait says on /readyz what the start waits for; "" for nothing.
func (f *front) wait(reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waits = reason
}

// leave says on /readyz that the server is about to stop, and still lets requests
// through.
func (f *front) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leaving = true
}

// stop lets no further request through and gives a channel that is closed when
// the last one under way has been answered.
func (f *front) stop() <-chan struct{} {
	f.mu.Lock()
	f.api, f.phase = f.closing, stopping
	f.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		f.underway.Wait()
		close(idle)
	}()
	return idle
}

// now is the phase that the server is in.
func (f *front) now() phase {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.leaving {
		return stopping
	}
	return f.phase
}

// begin gives what answers a request now, whether it is the last of its connection,
// and what to call when it has been answered, if anything.
func (f *front) begin() (api http.Handler, last bool, end func()) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.phase != ready {
		return f.api, true, nil
	}
	f.underway.Add(1)
	f.running.Add(1)
	return f.api, f.leaving, f.done
}

// ServeHTTP chooses by the exact path: http.ServeMux would clean paths and
// redirect, and the interface does neither.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if page, ok := f.pages[r.URL.Path]; ok {
		readOnly(page).ServeHTTP(w, r)
		return
	}
	if f.console.Has(r.URL) {
		f.console.ServeHTTP(w, r)
		return
	}
	api, last, end := f.begin()
	if last {
		w.Header().Set("Connection", "close") // the next request had better reach another server
	}
	if end != nil {
		defer end()
	}
	api.ServeHTTP(w, r)
}

func (f *front) healthz(w http.ResponseWriter, _ *http.Request) {
	status(w, http.StatusOK, "alive")
}

// probeLimit is how long the store may take to say that it answers.
const probeLimit = 2 * time.Second

func (f *front) readyz(w http.ResponseWriter, r *http.Request) {
	phase := f.now()
	f.mu.RLock()
	probe, writable, waits, beside := f.probe, f.writable, f.waits, f.beside
	f.mu.RUnlock()
	if phase == migrating && waits != "" {
		status(w, http.StatusServiceUnavailable, waits)
		return
	}
	if phase != ready {
		status(w, http.StatusServiceUnavailable, string(phase))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), probeLimit)
	defer cancel()
	if err := probe(ctx); err != nil {
		status(w, http.StatusServiceUnavailable, "the store does not answer")
		return
	}
	if err := writable.check(ctx); err != nil {
		status(w, http.StatusServiceUnavailable, "the store cannot be written")
		return
	}
	var silent []string
	for _, n := range beside {
		if n.silent() {
			silent = append(silent, `"`+n.name+`"`)
		}
	}
	if len(silent) > 0 { // requests that do not need them are answered
		answer(w, http.StatusOK, `{"status":"`+string(ready)+`","not_answering":[`+strings.Join(silent, ",")+`]}`)
		return
	}
	status(w, http.StatusOK, string(ready))
}

// status answers with {"status": text}.
func status(w http.ResponseWriter, code int, text string) {
	answer(w, code, `{"status":"`+text+`"}`)
}

func answer(w http.ResponseWriter, code int, object string) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(object + "\n"))
}

// readOnly refuses every method but GET and HEAD.
func readOnly(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			answer(w, http.StatusMethodNotAllowed,
				`{"error":"MethodNotAllowed","message":"This page can only be read."}`)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// Package sending brings what an import found to a server elsewhere, through the client: athletes of manifests, names
// of points, and motion files. Nothing is kept on this side. The captures of a file have its id as their group, so
// that a file that is there already is found there, by whomever and whenever it was sent.
package sending

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
)

// Server is such a server. It takes manifests as manifest.Store does, and files as intake.Elsewhere.
type Server struct {
	client *client.Client
	pause  func(context.Context, time.Duration) error
	notice func(error)
	lost   atomic.Pointer[error] // of the call that ended the patience for all
	away   atomic.Bool           // it was told that the server is not reached

	mayReserve, mayWrite answered // of a dry run
}

// answered is whether a question was answered with yes.
type answered struct {
	sync.Mutex
	yes bool
}

// Option changes how a Server works.
type Option func(*Server)

// WithPause has waits made by a function, in the place of the clock.
func WithPause(pause func(context.Context, time.Duration) error) Option {
	return func(s *Server) { s.pause = pause }
}

// WithNotice has a function told, once for each time that the server is away, why it is not reached; it is
// tried again then.
func WithNotice(notice func(error)) Option {
	return func(s *Server) { s.notice = notice }
}

// To makes one of a client.
func To(c *client.Client, options ...Option) *Server {
	s := &Server{client: c, pause: wait, notice: func(error) {}}
	for _, o := range options {
		o(s)
	}
	return s
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// The bounds of patience: a line that is down comes back within ten minutes, or the import ends.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	fruitless    = 25
	noticed      = 3 // failures in a row, after which somebody is told
)

// backoff is the wait after so many failures in a row.
func backoff(failures int) time.Duration { return min(firstPause<<min(failures, 10), longestPause) }

// passing says whether an error may be gone the next time: a line that is down, and a server or what stands before it
// that cannot answer now.
func passing(err error) bool {
	if intake.IsUnfit(err) || noInterface(err) {
		return false
	}
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.Status >= http.StatusInternalServerError || refused.Status == http.StatusTooManyRequests ||
			refused.Status == http.StatusRequestTimeout
	}
	return !isFault(err)
}

// noInterface says whether something else than the interface has answered, such as the console with a page.
func noInterface(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax)
}

func isFault(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}

// steady calls again and again while a call fails for what may pass. came tells whether the failed call brought
// something on its way; nil is no.
func (s *Server) steady(ctx context.Context, came func() bool, call func() error) error {
	for failures := 0; ; failures++ {
		if lost := s.lost.Load(); lost != nil {
			return *lost
		}
		err := call()
		switch {
		case err == nil || ctx.Err() != nil || !passing(err):
			if ctx.Err() == nil {
				s.away.Store(false)
			}
			return err
		case came != nil && came():
			failures = 0
		}
		if failures == fruitless {
			err := fmt.Errorf("the server has not been reached for ten minutes: %w", err)
			s.lost.Store(&err)
			return err
		}
		if failures >= noticed && s.away.CompareAndSwap(false, true) {
			s.notice(err)
		}
		if err := s.pause(ctx, backoff(failures)); err != nil {
			return err
		}
	}
}

// keys is how many captures or athletes may have been deleted within a day of what is sent again and again.
const keys = 50

// once makes something under a key that is the same the next time. A key whose thing was deleted is 404 for a day:
// then the next one counts.
func (s *Server) once(ctx context.Context, key string, call func(client.CallOption) error) (err error) {
	for n := range keys {
		of := client.IdempotencyKey(key + " " + strconv.Itoa(n))
		if err = s.steady(ctx, nil, func() error { return call(of) }); statusOf(err) != http.StatusNotFound {
			return err
		}
	}
	return err
}

// statusOf is the HTTP status of a refusal; 0 for any other error.
func statusOf(err error) int {
	var refused *client.Error
	if errors.As(err, &refused) {
		return refused.Status
	}
	return 0
}

// asFault says a refusal in the words of a fault, for callers who know faults; others stay as they are.
func asFault(err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) {
		return err
	}
	code, ok := map[int]fault.Code{http.StatusBadRequest: fault.BadRequest, http.StatusNotFound: fault.NotFound,
		http.StatusPreconditionFailed: fault.PreconditionFailed, http.StatusConflict: fault.Conflict,
		http.StatusUnprocessableEntity: fault.Unprocessable}[refused.Status]
	if !ok {
		return err
	}
	return fault.New(code, "%s", sentence(refused))
}

// sentence is what a server says, all of it.
func sentence(refused *client.Error) string {
	if refused.Messages != "" {
		return refused.Messages
	}
	return refused.Message
}

package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// statuses gives each code its status.
var statuses = map[fault.Code]int{
	fault.BadRequest:           http.StatusBadRequest,
	fault.Unauthorized:         http.StatusUnauthorized,
	fault.Forbidden:            http.StatusForbidden,
	fault.NotFound:             http.StatusNotFound,
	fault.MethodNotAllowed:     http.StatusMethodNotAllowed,
	fault.Conflict:             http.StatusConflict,
	fault.Gone:                 http.StatusGone,
	fault.PreconditionFailed:   http.StatusPreconditionFailed,
	fault.PayloadTooLarge:      http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.Unprocessable:        http.StatusUnprocessableEntity,
	fault.TooManyRequests:      http.StatusTooManyRequests,
	fault.ChecksumMismatch:     statusChecksum,
	fault.Internal:             http.StatusInternalServerError,
	fault.Unavailable:          http.StatusServiceUnavailable,
}

const (
	unexpected = "Something went wrong on the server; the request id finds it in the server's log."
	// callerGone is the status of a call whose caller hung up while it was worked
	// on. Hardly anybody reads it; it keeps such calls apart in log and metrics.
	callerGone = 499
)

// The challenges of RFC 6750, section 3.
var (
	challengeNone  = []string{`Bearer realm="kinebase"`}
	challengeToken = []string{`Bearer realm="kinebase", error="invalid_token"`}
	challengeScope = []string{`Bearer realm="kinebase", error="insufficient_scope"`}
)

// refuse answers with an error. What is not a fault is the server's own failure:
// the caller learns only that, the log learns what it was.
func (a *api) refuse(c *call, err error) {
	// The machines say what their errors of the operating system mean; what none of them
	// expected is still the machine's and not the program's.
	err = fault.System(err, "")
	var f *fault.Error
	if !errors.As(err, &f) {
		f = c.tooLate(err)
	}
	if f == nil {
		if errors.Is(err, context.Canceled) && c.r.Context().Err() != nil {
			c.send(callerGone, nil)
			return
		}
		f = fault.Wrap(err, fault.Internal, "%s", unexpected)
	}
	status := statuses[f.Code]
	if status == 0 {
		status, f = http.StatusInternalServerError, fault.Wrap(err, fault.Internal, "%s", unexpected)
	}
	if status >= 500 {
		c.cause = err
	}
	h := c.w.Header()
	h["Cache-Control"] = noStore
	delete(h, "Etag")
	delete(h, ignoredHeader)
	switch f.Code {
	case fault.Unauthorized:
		if h["Www-Authenticate"] == nil {
			h["Www-Authenticate"] = challengeToken
		}
	case fault.Forbidden:
		if c.route == nil || !c.route.Public { // there no token would help
			h["Www-Authenticate"] = challengeScope
		}
	case fault.TooManyRequests, fault.Unavailable:
		seconds := int64((f.RetryAfter + time.Second - 1) / time.Second)
		c.set("Retry-After", strconv.FormatInt(max(1, seconds), 10))
	}
	c.send(status, appendFault(make([]byte, 0, 256), f))
}

// appendFault appends the error object of the interface, section 2.4.
func appendFault(b []byte, f *fault.Error) []byte {
	b = payload.AppendString(append(b, `{"error":`...), string(f.Code))
	b = payload.AppendString(append(b, `,"message":`...), f.Message)
	if len(f.Problems) > 0 {
		b = payload.AppendString(append(b, `,"messages":`...), f.Messages())
	}
	return append(b, '}')
}

func lacks(p organization.Permission) error {
	return fault.New(fault.Forbidden, "The token lacks the scope %s.", p)
}

// unknown gives every way of not existing the same words: an id that cannot be
// one, one of another organization, a deleted and a made-up one.
func unknown(err error, what string) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return fault.New(fault.NotFound, "There is no such %s.", what)
}

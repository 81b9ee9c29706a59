package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Error is what the server answers when it refuses or fails.
type Error struct {
	Status     int           // the HTTP status
	Code       string        // "NotFound", "BadRequest", …; "" when something between answered in the server's place
	Message    string        // a sentence for people
	Messages   string        // every problem of a refused body, joined with "; "
	RequestID  string        // finds the request in the server's log
	RetryAfter time.Duration // how long to wait, with 429 and 503; 0 when it was not said
}

// Error gives the sentence, or all of them, and the request's id.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Code != "" {
		fmt.Fprintf(&b, "%s (%d): ", e.Code, e.Status)
	} else {
		fmt.Fprintf(&b, "%d: ", e.Status)
	}
	if e.Messages != "" {
		b.WriteString(e.Messages)
	} else {
		b.WriteString(e.Message)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request %s)", e.RequestID)
	}
	return b.String()
}

// largestError bounds what is read of an answer that nobody wants to keep.
const largestError = 1 << 20

func errorOf(resp *http.Response) *Error {
	e := &Error{
		Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id"),
		RetryAfter: retryAfter(resp.Header.Get("Retry-After"), time.Now()),
	}
	var body struct{ Error, Message, Messages string }
	text, err := io.ReadAll(io.LimitReader(resp.Body, largestError))
	if err == nil && json.Unmarshal(text, &body) == nil {
		e.Code, e.Message, e.Messages = body.Error, body.Message, body.Messages
	}
	if e.Message == "" {
		e.Message = http.StatusText(resp.StatusCode)
		if e.Status == http.StatusNotFound {
			e.Message += ": no Kinebase answers at this address; the one of a server ends in /v1"
		}
	}
	return e
}

// retryAfter reads both forms of the header: seconds, and a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// Package telemetry is how a server tells about itself: log lines, and figures
// for Prometheus. Neither holds secrets or data of people.
package telemetry

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"time"
)

// timeFormat is RFC 3339 in UTC with milliseconds.
const timeFormat = "2006-01-02T15:04:05.000Z"

// NewLog makes a log that writes lines of at least the given level to w: one
// JSON object a line with "time" (UTC, RFC 3339, milliseconds), "level" and
// "msg", or the same as text.
//
// Code that logs must not log secrets. Should one get into a line all the same, in
// an error of a driver for instance, it is struck out here: access tokens and
// the passwords of addresses wherever they stand, and the values of keys that
// are named after a secret.
func NewLog(w io.Writer, level slog.Leveler, json bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: clean}
	if json {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// hidden stands where a secret was.
const hidden = "[hidden]"

// secretKeys are keys whose values are never written, in lower case.
var secretKeys = map[string]bool{
	"authorization": true, "cookie": true, "password": true, "secret": true, "token": true, "access_token": true,
}

func clean(_ []string, a slog.Attr) slog.Attr {
	if secretKeys[strings.ToLower(a.Key)] {
		return slog.String(a.Key, hidden)
	}
	switch a.Value.Kind() {
	case slog.KindTime:
		return slog.String(a.Key, a.Value.Time().UTC().Format(timeFormat))
	case slog.KindDuration:
		// Seconds, as the figures have them; slog would write nanoseconds.
		return slog.Float64(a.Key, a.Value.Duration().Round(time.Microsecond).Seconds())
	case slog.KindString:
		return slog.String(a.Key, scrub(a.Value.String()))
	case slog.KindAny:
		switch v := a.Value.Any().(type) {
		case *slog.Source, slog.Level:
			return a
		case error:
			return slog.String(a.Key, scrub(v.Error()))
		case fmt.Stringer:
			return slog.String(a.Key, scrub(v.String()))
		default:
			return slog.String(a.Key, scrub(fmt.Sprint(v)))
		}
	}
	return a
}

var (
	// accessToken is the form of organization.Secret.
	accessToken = regexp.MustCompile(`kb_[0-9A-Za-z]{20,}`)
	// addressPassword is what stands between the user and the host of an address.
	addressPassword = regexp.MustCompile(`(://[^/\s:@]*):[^/\s@]+@`)
	// namedPassword is a password in a connection string of PostgreSQL.
	namedPassword = regexp.MustCompile(`(?i)(password=)('[^']*'|[^\s&]+)`)
)

// scrub strikes the secrets out of a text. Most texts have none and are only
// looked through.
func scrub(s string) string {
	if strings.Contains(s, "kb_") {
		s = accessToken.ReplaceAllString(s, hidden)
	}
	if strings.Contains(s, "://") {
		s = addressPassword.ReplaceAllString(s, "${1}:"+hidden+"@")
	}
	if strings.ContainsRune(s, '=') {
		s = namedPassword.ReplaceAllString(s, "${1}"+hidden)
	}
	return s
}

package config

import (
	"log/slog"
	"net/url"
	"strings"
)

// URL is an address that may hold a password. However it is printed, formatted,
// marshalled or logged, the password is not in it; only Reveal gives it away.
type URL struct{ raw string }

// NewURL keeps an address as it is. It is not checked: Load does that.
func NewURL(raw string) URL { return URL{raw} }

// Reveal gives the address with its password, for whoever connects to it.
func (u URL) Reveal() string { return u.raw }

// Set says whether there is an address.
func (u URL) Set() bool { return u.raw != "" }

// hidden stands where a secret was.
const hidden = "xxxxx"

// secretParameters are the query parameters of PostgreSQL's and Redis's
// addresses that hold secrets.
var secretParameters = []string{"password", "sslpassword", "passfile", "sslkey"}

// String gives the address without its secrets. An address that cannot be taken
// apart is not shown at all, for nobody knows where in it the password is.
func (u URL) String() string {
	if u.raw == "" {
		return ""
	}
	parsed, err := url.Parse(u.raw)
	if err != nil || parsed.Opaque != "" || parsed.Host == "" && parsed.User == nil && parsed.RawQuery == "" {
		return hidden
	}
	if _, has := parsed.User.Password(); has {
		parsed.User = url.UserPassword(parsed.User.Username(), hidden)
	}
	query, err := url.ParseQuery(parsed.RawQuery)
	if err != nil {
		parsed.RawQuery = hidden
		return parsed.String()
	}
	changed := false
	for name := range query {
		for _, secret := range secretParameters {
			if strings.EqualFold(name, secret) {
				query.Set(name, hidden)
				changed = true
			}
		}
	}
	if changed {
		parsed.RawQuery = query.Encode()
	}
	return parsed.String()
}

// GoString gives what String gives, for %#v.
func (u URL) GoString() string { return u.String() }

// MarshalText gives what String gives.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.String()), nil }

// LogValue gives what String gives.
func (u URL) LogValue() slog.Value { return slog.StringValue(u.String()) }

// Secret is a text that is never shown; only Reveal gives it away.
type Secret struct{ raw string }

// Reveal gives the secret, for whoever signs with it.
func (s Secret) Reveal() string { return s.raw }

// Set says whether there is one.
func (s Secret) Set() bool { return s.raw != "" }

// String gives nothing away.
func (s Secret) String() string {
	if s.raw == "" {
		return ""
	}
	return hidden
}

// GoString gives what String gives, for %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText gives what String gives.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue gives what String gives.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

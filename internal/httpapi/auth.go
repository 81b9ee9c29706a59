package httpapi

import (
	"net/netip"
	"strings"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

const (
	// longestToken bounds the bytes of a token that are hashed: hashing megabytes of rubbish is work that a
	// stranger could order.
	longestToken = 255
	// expiryNotice is how long before its end a token's answers tell of it.
	expiryNotice = 14 * 24 * time.Hour
)

// authenticate finds out who calls. Tokens are taken from the Authorization field
// alone, never from a URL or a cookie.
func (a *api) authenticate(c *call) error {
	sent, ok := bearer(c.r.Header["Authorization"])
	if !ok {
		c.w.Header()["Www-Authenticate"] = challengeNone
		return a.failed(c, "A bearer token is needed.")
	}
	if len(sent) > longestToken {
		return a.failed(c, wrongToken)
	}
	secret, ok := organization.ParseSecret(sent)
	if !ok {
		return a.failed(c, wrongToken)
	}
	token, err := a.Tokens.Authenticate(c.r.Context(), secret.Hash())
	if fault.Is(err, fault.NotFound) || err == nil && !token.Valid(c.start) {
		return a.failed(c, wrongToken)
	}
	if err != nil {
		return err
	}
	c.token, c.secret = token, secret
	a.Tokens.TokenUsed(token.Scope(), c.start)
	if token.ExpiresAt != nil && token.ExpiresAt.Sub(c.start) <= expiryNotice {
		c.set("Kinebase-Token-Expires", token.ExpiresAt.UTC().Format(capture.TimeFormat))
	}
	return nil
}

// wrongToken does not say what is wrong: mistyped, unknown, expired and revoked
// are one thing to a caller who has no right to know.
const wrongToken = "The bearer token is not valid."

// failed is a 401, or a 429 when too many came from this address.
func (a *api) failed(c *call, message string) error {
	if a.Gate != nil {
		from, _ := netip.ParseAddrPort(c.r.RemoteAddr)
		if err := a.Gate.Failed(c.r.Context(), from.Addr()); err != nil {
			delete(c.w.Header(), "Www-Authenticate")
			return err
		}
	}
	return fault.New(fault.Unauthorized, "%s", message)
}

// bearer gives the token of the Authorization fields; false when none came. Two
// fields are taken as one token that cannot be valid: whoever stands in between
// may have looked at the other one.
func bearer(fields []string) (token string, ok bool) {
	if len(fields) == 0 {
		return "", false
	}
	scheme, token, _ := strings.Cut(fields[0], " ")
	token = strings.Trim(token, " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", len(fields) > 1
	}
	if len(fields) > 1 {
		return "", true
	}
	return token, true
}

package httpapi

import (
	"net/netip"
	"strings"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// expiryNotice is how long before its end a token's answers tell of it.
const expiryNotice = 14 * 24 * time.Hour

// authenticate finds out who calls. Tokens are taken from the Authorization field
// alone, never from a URL or a cookie.
func (a *api) authenticate(c *call) (err error) {
	shown := c.shown
	if shown.Kind == caller.Nothing {
		if text, ok := bearer(c.r.Header["Authorization"]); ok {
			shown = caller.Shown{Kind: caller.Bearer, Text: text}
		} else {
			c.w.Header()["Www-Authenticate"] = challengeNone
		}
	}
	from, _ := netip.ParseAddrPort(c.r.RemoteAddr)
	c.caller, err = a.Door.Identify(c.r.Context(), shown, from.Addr(), c.start)
	if fault.Is(err, fault.TooManyRequests) {
		delete(c.w.Header(), "Www-Authenticate")
	}
	if err != nil {
		return err
	}
	if at := c.caller.ExpiresAt; at != nil && c.caller.Token != (organization.ID{}) && at.Sub(c.start) <= expiryNotice {
		c.set("Kinebase-Token-Expires", at.UTC().Format(payload.TimeLayout))
	}
	return nil
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

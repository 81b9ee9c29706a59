package limit

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/kinebase/kinebase/fault"
)

// Gate holds every request against two buckets: the one of its access token and
// the one of the token's organization, so that neither a runaway script nor a
// hundred tokens of one customer take the server from the others.
type Gate struct {
	limiter             Limiter
	token, organization Rate
	policy              string
}

// The names of the two policies, as callers see them.
const (
	tokenPolicy        = "token"
	organizationPolicy = "organization"
)

// NewGate makes a gate; either rate may be off, or both.
func NewGate(limiter Limiter, token, organization Rate) *Gate {
	return &Gate{
		limiter: limiter, token: token, organization: organization,
		policy: policyField(token, organization),
	}
}

// Policy is the value of the header field RateLimit-Policy, the same for every
// answer; "" when both rates are off, and then there is no such field.
func (g *Gate) Policy() string { return g.policy }

// Ask counts one request with a token, named by its id and never by its secret.
// The cost of a call of an organization that is over its limit is given back to the
// token; a request that the token's own limit refuses costs the organization
// nothing.
func (g *Gate) Ask(ctx context.Context, token, organization string) Verdict {
	tokenKey := "token:" + token
	own := Verdict{Result: Result{Allowed: true, Remaining: math.MaxInt}}
	if !g.token.Off() {
		own = Verdict{g.limiter.Allow(ctx, tokenKey, g.token), tokenPolicy, g.token}
	}
	if !own.Allowed || g.organization.Off() {
		return own
	}
	shared := Verdict{g.limiter.Allow(ctx, "organization:"+organization, g.organization), organizationPolicy,
		g.organization}
	switch {
	case !shared.Allowed && !g.token.Off():
		g.limiter.GiveBack(ctx, tokenKey, g.token)
		return shared
	case shared.Remaining < own.Remaining:
		return shared
	}
	return own
}

// Verdict is what a Gate says about one request: the tighter of its two results.
type Verdict struct {
	Result
	Policy string // the name of the policy that the result belongs to; "" when all limits are off
	rate   Rate
}

// Field is the value of the header field RateLimit; "" when all limits are off,
// and then there is no such field.
func (v Verdict) Field() string { return limitField(v) }

// Err is nil for a request that may go on, else a fault.TooManyRequests that says
// whose quota is spent, and in whole seconds when to come back.
func (v Verdict) Err() error {
	if v.Allowed {
		return nil
	}
	who := "This access token has"
	if v.Policy == organizationPolicy {
		who = "All access tokens of this organization together have"
	}
	return tooMany(v.RetryAfter, "%s spent the request limit: %d a second, %d at once.", who, v.rate.PerSecond,
		v.rate.Burst)
}

// tooMany makes the fault of a spent quota. It rounds up to whole seconds, which
// is all that Retry-After can say.
func tooMany(after time.Duration, format string, args ...any) error {
	e := fault.New(fault.TooManyRequests, format, args...)
	s := max(1, seconds(after))
	e.RetryAfter = time.Duration(s) * time.Second
	if e.Message += " Try again in " + strconv.Itoa(s) + " second"; s > 1 {
		e.Message += "s"
	}
	e.Message += "."
	return e
}

// seconds rounds up, so that nobody who waits that long comes too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

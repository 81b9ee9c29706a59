package caller

import (
	"context"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/person"
)

// Door is where callers come in.
type Door struct {
	Tokens organization.TokenStore
	Gate   Gate    // rates; nil: none
	People *People // nil: nobody comes in but by tokens of the server's own

	failures atomic.Int64
}

// Gate keeps rates.
type Gate interface {
	// Check counts a request of a caller, by the name of its bucket.
	Check(ctx context.Context, bucket, organization string) Verdict
	// Failed counts a request that shows nothing valid from an address (the zero
	// Addr when the connection has none). An error is answered in place of the 401.
	Failed(ctx context.Context, from netip.Addr) error
}

// Verdict is what a Gate says about a request.
type Verdict struct {
	Err    error  // nil: it may go on; else a fault.TooManyRequests
	Policy string // the value of RateLimit-Policy; "" for none
	State  string // the value of RateLimit; "" for none
}

// Shown is what a request shows of its caller.
type Shown struct {
	Kind    Kind
	Text    string           // the token
	Session *person.Presence // of Session
}

// Kind is a kind of what is shown.
type Kind int

// The kinds of what is shown.
const (
	Nothing Kind = iota
	Bearer       // a token
	Session      // a session of the console that a person has begun
)

// Identify finds out who calls, at a moment and from an address. It is a fault.Unauthorized for whoever shows nothing
// that counts, a fault.TooManyRequests once too many came from the address, and a fault.Forbidden, with whose token it
// is, where the organization is suspended.
func (d *Door) Identify(ctx context.Context, shown Shown, from netip.Addr, at time.Time) (Caller, error) {
	switch {
	case shown.Kind == Nothing:
		return Caller{}, d.turnedAway(ctx, from, "A bearer token is needed.")
	case shown.Kind == Session:
		return d.present(ctx, *shown.Session, shown.Session.Session, from, at)
	case d.People.takes(shown.Text):
		return d.vouched(ctx, shown.Text, from, at)
	}
	secret, ok := organization.ParseSecret(shown.Text)
	if !ok {
		return Caller{}, d.turnedAway(ctx, from, wrong)
	}
	token, err := d.Tokens.Authenticate(ctx, secret.Hash())
	suspended := fault.Is(err, fault.Forbidden)
	if fault.Is(err, fault.NotFound) || (err == nil || suspended) && !token.Valid(at) {
		return Caller{}, d.turnedAway(ctx, from, wrong)
	}
	if suspended { // who it is, and nothing that it may do
		return Caller{Organization: token.Organization, Token: token.ID}, err
	}
	if err != nil {
		return Caller{}, err
	}
	d.Tokens.TokenUsed(token.Scope(), at)
	return Caller{
		Organization: token.Organization, Permissions: token.Permissions, Token: token.ID, ExpiresAt: token.ExpiresAt,
		Secret: secret, Name: token.Name,
	}, nil
}

// vouched lets a person in by an access token.
func (d *Door) vouched(ctx context.Context, token string, from netip.Addr, at time.Time) (Caller, error) {
	claims, err := d.People.Verify(ctx, token)
	if fault.Is(err, fault.Unauthorized) {
		return Caller{}, d.turnedAway(ctx, from, wrong)
	}
	if err != nil {
		return Caller{}, err
	}
	v, err := d.People.Presence(ctx, claims)
	if fault.Is(err, fault.Forbidden) { // nobody's rate counts it
		if full := d.Failed(ctx, from); full != nil {
			err = full
		}
	}
	if err != nil {
		return Caller{}, err
	}
	return d.present(ctx, v, token, from, at)
}

// present lets a person in whose presence has not ended.
func (d *Door) present(ctx context.Context, v person.Presence, secret string, from netip.Addr, at time.Time) (Caller,
	error) {
	if d.People == nil {
		return Caller{}, d.turnedAway(ctx, from, wrong)
	}
	here, err := d.People.here(ctx, v, at)
	if err != nil {
		return Caller{}, err
	}
	if !here {
		return Caller{}, d.turnedAway(ctx, from, wrong)
	}
	until := v.Until
	return Caller{
		Organization: v.Organization, Permissions: v.Permissions, Person: v.Person, Name: v.Subject, ExpiresAt: &until,
		Secret: organization.Secret(secret),
	}, nil
}

// wrong does not say what is wrong: mistyped, unknown, expired and revoked are one thing to a caller who has
// no right to know.
const wrong = "The bearer token is not valid."

// Count counts a request of a caller whom Identify has found.
func (d *Door) Count(ctx context.Context, c Caller) Verdict {
	if d.Gate == nil {
		return Verdict{}
	}
	return d.Gate.Check(ctx, c.Bucket(), c.Organization.String())
}

// Failed counts what came from an address and was not valid. An error is answered in place of what was wrong.
func (d *Door) Failed(ctx context.Context, from netip.Addr) error {
	d.failures.Add(1)
	if d.Gate == nil {
		return nil
	}
	return d.Gate.Failed(ctx, from)
}

// Failures is how often somebody has shown nothing that counts.
func (d *Door) Failures() int64 { return d.failures.Load() }

func (d *Door) turnedAway(ctx context.Context, from netip.Addr, message string) error {
	if err := d.Failed(ctx, from); err != nil {
		return err
	}
	return fault.New(fault.Unauthorized, "%s", message)
}

package caller

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/person"
)

// People are those whom an OpenID provider vouches for.
type People struct {
	Rules person.Rules
	Store person.Store
	// Verify reads an access token: fault.Unauthorized when it does not count, fault.Unavailable while the
	// provider's keys are not known. nil: no access tokens are taken.
	Verify func(ctx context.Context, token string) (person.Claims, error)
}

// longestAccessToken bounds the bytes of an access token that are looked at.
const longestAccessToken = 16 << 10

// takes says whether a text has the form of an access token.
func (p *People) takes(text string) bool {
	if p == nil || p.Verify == nil || len(text) > longestAccessToken {
		return false
	}
	dots := 0
	for i := range len(text) {
		if text[i] == '.' {
			dots++
		}
	}
	return dots == 2
}

// Presence is where a person of verified claims belongs, and what the person may do there; a fault.Forbidden that says
// why not.
func (p *People) Presence(ctx context.Context, c person.Claims) (person.Presence, error) {
	named, err := p.Rules.Organization(c)
	if err != nil {
		return person.Presence{}, err
	}
	permissions, err := p.Rules.Permissions(c)
	if err != nil {
		return person.Presence{}, err
	}
	org, err := p.Store.Tenant(ctx, named)
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.Forbidden,
			"You are signed in, and the organization that the claim %q names is not known here.",
			p.Rules.OrganizationClaim)
	}
	return person.Presence{
		Organization: org, Permissions: permissions, Person: person.ID(c.Issuer, c.Subject), Subject: c.Subject,
		Name:  c.Name(),
		Began: c.IssuedAt, Until: c.Expires, At: person.SessionAt(c.Issuer, c.SID),
	}, err
}

// here says whether a person is still in: not signed out, and of an organization that is there.
func (p *People) here(ctx context.Context, v person.Presence, at time.Time) (bool, error) {
	if !at.Before(v.Until) {
		return false, nil
	}
	org, err := p.Store.Tenant(ctx, v.Organization.String())
	if fault.Is(err, fault.NotFound) || err == nil && org != v.Organization { // another one is called so
		return false, nil
	} else if err != nil {
		return false, err
	}
	ended, err := p.Store.Ended(ctx, v.Keys())
	return ended.Before(v.Began) || ended.IsZero(), err
}

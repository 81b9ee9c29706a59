package app

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/httpapi"
	"github.com/kinebase/kinebase/organization"
)

// withConsole puts the console's sessions before an interface.
func (a *App) withConsole(api http.Handler, o console.Options) (http.Handler, error) {
	o.API, o.Log, o.Version = api, a.log, a.version
	o.PublicURL, o.MaxUpload = a.config.PublicURL.Reveal(), a.config.MaxUpload
	if o.MaxUpload == 0 {
		o.MaxUpload = httpapi.DefaultMaxUpload
	}
	return console.New(o)
}

// person finds out for the console whose a token is, by the rules of the interface.
type person struct {
	tokens        organization.TokenStore
	organizations organization.Store
	gate          httpapi.Gate // nil: no rates
}

func (p person) of(ctx context.Context, sent string, from netip.Addr) (console.Person, error) {
	secret, ok := organization.ParseSecret(sent)
	if !ok {
		return console.Person{}, p.failed(ctx, from)
	}
	now := time.Now()
	token, err := p.tokens.Authenticate(ctx, secret.Hash())
	if fault.Is(err, fault.NotFound) || err == nil && !token.Valid(now) {
		return console.Person{}, p.failed(ctx, from)
	}
	if err != nil {
		return console.Person{}, err
	}
	p.tokens.TokenUsed(token.Scope(), now)
	if p.gate != nil {
		if v := p.gate.Check(ctx, token.ID.String(), token.Organization.String()); v.Err != nil {
			return console.Person{}, v.Err
		}
	}
	o, err := p.organizations.Organization(ctx, token.Organization)
	return console.Person{Organization: o, Token: token}, err
}

// failed is a 401, or a 429 when too many came from this address.
func (p person) failed(ctx context.Context, from netip.Addr) error {
	if p.gate != nil {
		if err := p.gate.Failed(ctx, from); err != nil {
			return err
		}
	}
	return fault.New(fault.Unauthorized, "The token is not valid: it may be mistyped, expired or revoked.")
}

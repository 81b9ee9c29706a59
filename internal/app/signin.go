package app

import (
	"context"
	"log/slog"
	"net/netip"
	"net/url"
	"time"

	"github.com/kinebase/kinebase/caller"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/console"
	"github.com/kinebase/kinebase/internal/oidc"
	"github.com/kinebase/kinebase/person"
)

// NewProvider makes the OpenID provider that is configured; nil when none is.
func NewProvider(c config.Config, log *slog.Logger) *oidc.Provider {
	o := c.OIDC
	if !o.Issuer.Set() {
		return nil
	}
	return oidc.New(oidc.Options{
		Issuer: o.Issuer.Reveal(), ClientID: o.ClientID, ClientSecret: o.ClientSecret.Reveal(), Audience: o.Audience,
		Scopes: o.Scopes, PublicURL: c.PublicURL.Reveal(), Log: log,
	})
}

// people lets those in whom the configured provider vouches for, and gives what signs them in to the console; nil when
// nobody is to be.
func (a *App) people(door *caller.Door, s person.Store) (console.SignIn, error) {
	p := NewProvider(a.config, a.log)
	if p == nil {
		return nil, nil
	}
	roles, err := person.ParseRoles(a.config.OIDC.RoleMap)
	if err != nil {
		return nil, err
	}
	o := a.config.OIDC
	door.People = &caller.People{Rules: person.Rules{OrganizationClaim: o.OrganizationClaim, RoleClaim: o.RoleClaim,
		Roles: roles}, Store: s}
	if o.Audience != "" {
		door.People.Verify = p.AccessToken
	}
	if o.ClientID == "" {
		return nil, nil
	}
	return signIn{p, door, s}, nil
}

// signIn signs people in to the console: what the provider says goes through the rules, and into the store.
type signIn struct {
	*oidc.Provider
	door  *caller.Door
	store person.Store
}

// Finish takes what the provider has sent the browser back with.
func (s signIn) Finish(ctx context.Context, flow person.Flow, sent url.Values) (v person.Presence, token string,
	err error) {
	first, err := s.store.Note(ctx, person.SignIn(flow.State), person.KeepSignIn)
	if err != nil {
		return v, "", err
	}
	if !first {
		return v, "", fault.New(fault.Unauthorized, "This sign-in has been finished before. Begin again.")
	}
	claims, token, err := s.Provider.Finish(ctx, flow, sent)
	if err != nil {
		return v, "", err
	}
	if v, err = s.door.People.Presence(ctx, claims); err != nil {
		return v, "", err
	}
	if v.At != (person.Key{}) {
		_, err = s.store.Note(ctx, v.At, person.KeepSession)
	}
	return v.NewSession(time.Now()), token, err
}

// SignOut ends a session, and gives the address at which the provider ends its own.
func (s signIn) SignOut(ctx context.Context, v person.Presence, hint string) (string, error) {
	if err := s.store.End(ctx, person.Ending{Key: v.Own(), Before: time.Now().Add(2 * person.LongestSession)}); err !=
		nil {
		return "", err
	}
	return s.Provider.SignOut(ctx, hint), nil
}

// SignedOut ends what a logout token names.
func (s signIn) SignedOut(ctx context.Context, token string) error {
	e, err := s.Provider.SignedOut(ctx, token)
	if err != nil {
		return err
	}
	return s.store.End(ctx, e)
}

// SessionEnded ends what the provider calls a session.
func (s signIn) SessionEnded(ctx context.Context, issuer, sid string) error {
	if e, ok := s.Provider.Session(issuer, sid); ok {
		return s.store.End(ctx, e)
	}
	return nil
}

// Failed counts a sign-in that did not hold against an address.
func (s signIn) Failed(ctx context.Context, from netip.Addr) error { return s.door.Failed(ctx, from) }

package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/url"
	"regexp"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/person"
)

// Begin gives the address at which the provider signs somebody in, and what the end of it is held against.
func (p *Provider) Begin(ctx context.Context) (address string, flow person.Flow, err error) {
	d, err := p.describe(ctx)
	if err != nil {
		return "", flow, err
	}
	flow = person.NewFlow()
	o := p.oauth(d)
	return o.AuthCodeURL(flow.State, oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier)), flow, nil
}

// word is the form of an error code of OAuth.
var word = regexp.MustCompile(`^[a-z_]{1,64}$`)

// Finish takes what the provider has sent a browser back with. The state is the caller's to hold against that
// of the flow. It is a fault.Forbidden when the provider has signed nobody in, and a fault.Unauthorized when
// what it says does not hold.
func (p *Provider) Finish(ctx context.Context, flow person.Flow, sent url.Values) (c person.Claims, token string,
	err error) {
	if iss := sent.Get("iss"); iss != "" && iss != p.o.Issuer { // RFC 9207
		return c, "", invalid(errors.New("another provider has answered"))
	}
	if code := sent.Get("error"); code != "" {
		if !word.MatchString(code) {
			code = "an error"
		}
		return c, "", fault.New(fault.Forbidden, "The OpenID provider has not signed you in: %s.", code)
	}
	d, err := p.describe(ctx)
	if err != nil {
		return c, "", err
	}
	o := p.oauth(d)
	given, err := o.Exchange(oidc.ClientContext(ctx, p.client), sent.Get("code"), oauth2.VerifierOption(flow.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused) && refused.Response.StatusCode < 500:
		return c, "", invalid(err)
	case err != nil:
		return c, "", away(err)
	}
	token, _ = given.Extra("id_token").(string)
	v := p.verifier(p.o.ClientID)
	t, err := v.Verify(ctx, token)
	if err != nil {
		return c, "", v.invalid(err)
	}
	if subtle.ConstantTimeCompare([]byte(t.Nonce), []byte(flow.Nonce)) != 1 {
		return c, "", invalid(errors.New("the nonce is another one"))
	}
	if t.AccessTokenHash != "" {
		if err := t.VerifyAccessToken(given.AccessToken); err != nil {
			return c, "", invalid(err)
		}
	}
	c, err = claims(t)
	if err == nil && (t.IssuedAt.Unix() <= 0 || t.IssuedAt.After(p.o.Now().Add(skew))) {
		err = errors.New("the ID token does not say when it was made, or is of the future")
	}
	if azp, ok := c.All["azp"].(string); err == nil && ok && azp != p.o.ClientID {
		err = errors.New("the ID token was made for another client")
	}
	if err != nil {
		return c, "", invalid(err)
	}
	return c, token, nil
}

// SignOut gives the address at which the provider ends its session too; "" when it has none, or does not
// answer. hint is the ID token of the sign-in, where it is known.
func (p *Provider) SignOut(ctx context.Context, hint string) string {
	d, err := p.describe(ctx)
	if err != nil || d.EndSession == "" {
		return ""
	}
	u, err := url.Parse(d.EndSession)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	q := u.Query()
	q.Set("client_id", p.o.ClientID)
	q.Set("post_logout_redirect_uri", p.o.PublicURL+"/sign-in")
	if hint != "" {
		q.Set("id_token_hint", hint)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Host names the provider to people.
func (p *Provider) Host() string {
	u, err := url.Parse(p.o.Issuer)
	if err != nil {
		return p.o.Issuer
	}
	return u.Host
}

package oidc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/person"
)

// verifier verifies one token that the provider has signed for an audience.
type verifier struct {
	*oidc.IDTokenVerifier
	away error // the keys are not known
}

func (p *Provider) verifier(audience string) *verifier {
	v := &verifier{}
	v.IDTokenVerifier = oidc.NewVerifier(p.o.Issuer, noting{p.keys, v}, &oidc.Config{
		ClientID: audience, SupportedSigningAlgs: signatures,
		Now: func() time.Time { return p.o.Now().Add(-skew) }, // an end counts that much later
	})
	return v
}

// noting notes that the keys are not known, which the library tells as text alone.
type noting struct {
	*keys
	v *verifier
}

// VerifySignature gives the payload of a token that one of the keys has signed.
func (n noting) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := n.keys.VerifySignature(ctx, token)
	if fault.Is(err, fault.Unavailable) {
		n.v.away = err
	}
	return payload, err
}

// invalid tells what the provider has not signed, or not for now and here, from a provider that could not be asked.
func (v *verifier) invalid(err error) error {
	if v.away != nil {
		return v.away
	}
	return invalid(err)
}

func invalid(err error) error { return fault.Wrap(err, fault.Unauthorized, "The token is not valid.") }

// claims reads a verified token.
func claims(t *oidc.IDToken) (person.Claims, error) {
	c := person.Claims{Issuer: t.Issuer, Subject: t.Subject, IssuedAt: t.IssuedAt, Expires: t.Expiry}
	if err := t.Claims(&c.All); err != nil {
		return c, err
	}
	if sid, ok := c.All["sid"].(string); ok {
		c.SID = sid
	}
	if n := len(t.Subject); n == 0 || n > 255 {
		return c, fmt.Errorf("the subject has %d characters, and may have 1 to 255", n)
	}
	if strings.ContainsFunc(t.Subject, unicode.IsControl) {
		// it goes into the audit log, and not every database keeps it
		return c, errors.New("the subject has control characters")
	}
	return c, nil
}

// AccessToken verifies an access token. It is a fault.Unauthorized for one that does not count, and
// fault.Unavailable while the keys of the provider are not known.
func (p *Provider) AccessToken(ctx context.Context, token string) (person.Claims, error) {
	v := p.verifier(p.o.Audience)
	t, err := v.Verify(ctx, token)
	if err != nil {
		return person.Claims{}, v.invalid(err)
	}
	c, err := claims(t)
	if err != nil {
		return c, invalid(err)
	}
	// The same keys sign other tokens. One that tells a client of a sign-in, or of its end, is no access token.
	for _, only := range []string{"nonce", "at_hash", "c_hash", "events"} {
		if _, ok := c.All[only]; ok && (only != "at_hash" || !forPeer(c, t.Audience)) {
			return c, invalid(fmt.Errorf("a token with the claim %q is no access token", only))
		}
	}
	// Keycloak says in typ what a token is, and Cognito in token_use.
	for _, kind := range []string{"typ", "token_use"} {
		switch said, _ := c.All[kind].(string); strings.ToLower(said) {
		case "id", "refresh", "offline", "logout":
			return c, invalid(fmt.Errorf("a token whose %s is %q is no access token", kind, said))
		}
	}
	if before := c.IssuedAt; before.After(p.o.Now().Add(skew)) {
		return c, invalid(errors.New("the token is of the future"))
	}
	if at, ok := c.All["nbf"].(float64); ok && at > float64(p.o.Now().Add(skew).Unix()) {
		return c, invalid(errors.New("the token does not count yet"))
	}
	c.Expires = c.Expires.Add(skew)
	return c, nil
}

// forPeer says whether a client has asked for the token for another client, which the audience names beside it. Dex
// makes an access token for another client in this way, and gives each a hash that ID tokens alone have elsewhere.
func forPeer(c person.Claims, audience []string) bool {
	asked, _ := c.All["azp"].(string)
	return len(audience) > 1 && slices.Contains(audience, asked)
}

// oldest is how old a logout token may be: it is sent when it is made.
const oldest = 10 * time.Minute

// SignedOut verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6) and says what it ends.
func (p *Provider) SignedOut(ctx context.Context, token string) (person.Ending, error) {
	v := p.verifier(p.o.ClientID)
	t, err := v.VerifyLogout(ctx, token)
	if err != nil {
		return person.Ending{}, v.invalid(err)
	}
	if now := p.o.Now(); t.IssuedAt.After(now.Add(skew)) || t.IssuedAt.Before(now.Add(-oldest)) {
		return person.Ending{}, invalid(errors.New("the logout token was not made now"))
	}
	if t.SessionID != "" {
		return person.Ending{Key: person.SessionAt(t.Issuer, t.SessionID), Before: forever(p.o.Now())}, nil
	}
	return person.Ending{Key: person.Everywhere(person.ID(t.Issuer, t.Subject)), Before: t.IssuedAt}, nil
}

// Session says what the end of a session at the provider ends, as a page that the provider has shown tells it (OpenID
// Connect Front-Channel Logout 1.0, section 3): a session is named by nobody who does not know it.
func (p *Provider) Session(issuer, sid string) (person.Ending, bool) {
	if issuer != p.o.Issuer || sid == "" || len(sid) > 255 {
		return person.Ending{}, false
	}
	return person.Ending{Key: person.SessionAt(issuer, sid), Before: forever(p.o.Now()), Known: true}, true
}

// forever is later than any session begins that a session at the provider is behind.
func forever(now time.Time) time.Time { return now.Add(2 * person.LongestSession) }

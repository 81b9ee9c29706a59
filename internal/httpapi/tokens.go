package httpapi

import (
	"slices"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

func (a *api) listTokens(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	tokens, err := a.Tokens.Tokens(c.r.Context(), c.scope())
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 64+320*len(tokens)), `{"tokens":[`...)
	for i, t := range tokens {
		if i > 0 {
			b = append(b, ',')
		}
		b = organization.AppendToken(b, t, "")
	}
	c.send(200, append(b, `]}`...))
	return nil
}

func (a *api) createToken(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	now := c.start.UTC().Truncate(time.Millisecond)
	token, secret, err := newToken(c.caller.Organization, body, now)
	if err != nil && repeat != nil {
		return a.repeated(c, repeat, err)
	}
	if err != nil {
		return err
	}
	if !c.caller.Permissions.Covers(token.Permissions) {
		return fault.New(fault.Forbidden, "A token cannot be given scopes that the caller's own token lacks.")
	}
	answer := organization.AppendToken(nil, token, secret)
	once := keep(repeat, func(organization.Token) ([]byte, error) { return c.seal(repeat, answer) })
	err = a.Tokens.CreateToken(c.r.Context(), c.scope(), token, secret.Hash(), once)
	return c.sendSecret(repeat, answer, err)
}

// repeated answers a creation whose body is not right, or no longer: expires_at
// may have come since the first request, whose answer is kept all the same. A
// token is made that the failing answer takes back with it.
func (a *api) repeated(c *call, repeat *organization.Repeat, wrong error) error {
	token, secret, err := organization.NewToken(c.caller.Organization, "-", c.caller.Permissions, time.Second, c.start)
	if err != nil {
		return err
	}
	once := keep(repeat, func(organization.Token) ([]byte, error) { return nil, wrong })
	return c.sendSecret(repeat, nil, a.Tokens.CreateToken(c.r.Context(), c.scope(), token, secret.Hash(), once))
}

func (a *api) rotateToken(c *call) error {
	return withoutFields(a, c, c.tokenID, func(id organization.ID, repeat *organization.Repeat) error {
		var secret organization.Secret // of the last attempt: a transaction may be run again
		now := c.start.UTC().Truncate(time.Millisecond)
		once := keep(repeat, func(t organization.Token) ([]byte, error) {
			return c.seal(repeat, organization.AppendToken(nil, t, secret))
		})
		token, err := a.Tokens.ChangeToken(c.r.Context(), c.scope(), id, once,
			func(old organization.Token) (organization.Token, *organization.SecretHash, error) {
				if !c.caller.Permissions.Covers(old.Permissions) {
					return old, nil, fault.New(fault.Forbidden,
						"A token with scopes that the caller's own token lacks cannot be rotated.")
				}
				rotated, s, err := old.Rotated(now)
				if err != nil {
					return old, nil, err
				}
				secret = s
				hash := s.Hash()
				return rotated, &hash, nil
			})
		if err != nil {
			return unknown(err, "token")
		}
		return c.sendSecret(repeat, organization.AppendToken(nil, token, secret), nil)
	})
}

func (a *api) revokeToken(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.tokenID()
	if err != nil {
		return err
	}
	now := c.start.UTC().Truncate(time.Millisecond)
	_, err = a.Tokens.ChangeToken(c.r.Context(), c.scope(), id, nil,
		func(t organization.Token) (organization.Token, *organization.SecretHash, error) {
			if t.RevokedAt == nil { // a repetition finds it done
				t.RevokedAt = &now
			}
			return t, nil, nil
		})
	if err != nil {
		return unknown(err, "token")
	}
	c.send(200, []byte(`{"message":"The token was revoked."}`))
	return nil
}

func (c *call) tokenID() (organization.ID, error) {
	text, err := c.uuidAt(0, "id", "token")
	id, _ := organization.ParseID(text) // the nil UUID names no token
	return id, err
}

// newToken reads the body of a creation: name, either role or scopes, and
// expires_at.
func newToken(org organization.ID, body payload.Object, now time.Time) (organization.Token, organization.Secret,
	error) {
	var p fault.Problems
	name, life := "", organization.DefaultTokenLife
	var permissions organization.Permissions
	_, byRole := body.Get("role")
	_, byScopes := body.Get("scopes")
	for _, m := range body.Members() {
		var err error
		switch m.Name {
		case "name":
			name, err = text(m)
		case "role":
			var role string
			if role, err = text(m); err == nil {
				permissions, err = organization.Role(role)
			}
		case "scopes":
			permissions, err = scopes(m.Value)
		case "expires_at":
			life, err = tokenLife(m, now)
		default:
			err = fault.New(fault.BadRequest, "%s is not a field of a token", payload.Quote(m.Name))
		}
		p.Blame(m.Name, err)
	}
	if _, ok := body.Get("name"); !ok {
		p.Add("name", "name is required")
	}
	if byRole == byScopes {
		p.Add("scopes", "either role or scopes is required, and not both")
	}
	if len(p) > 0 {
		return organization.Token{}, "", p.Err()
	}
	token, secret, err := organization.NewToken(org, name, permissions, life, now)
	p.Blame("name", err)
	return token, secret, p.Err()
}

func text(m payload.Member) (string, error) {
	if m.Value.Kind() != payload.KindString {
		return "", fault.New(fault.BadRequest, "%s must be a string, not %s", m.Name, m.Value.Kind().Article())
	}
	return m.Value.String(), nil
}

func scopes(v payload.Value) (organization.Permissions, error) {
	if v.Kind() != payload.KindArray {
		return nil, fault.New(fault.BadRequest, "scopes must be an array of strings, not %s", v.Kind().Article())
	}
	var names []string
	for _, e := range v.Elements() {
		if e.Kind() != payload.KindString {
			return nil, fault.New(fault.BadRequest, "scopes must hold strings only, not %s", e.Kind().Article())
		}
		if !slices.Contains(names, e.String()) { // each counts once, however often it comes
			names = append(names, e.String())
		}
		if len(names) > len(organization.AllPermissions) {
			break // one of them is unknown, which is reason enough
		}
	}
	return organization.ParsePermissions(names)
}

// longestLife bounds how far ahead an end can be set; beyond that it is "never".
const longestLife = 100 * 365 * 24 * time.Hour

// tokenLife reads expires_at: a time with a zone, or "never", which must be said:
// null could be meant for either.
func tokenLife(m payload.Member, now time.Time) (time.Duration, error) {
	s, err := text(m)
	if err != nil {
		return 0, err
	}
	if s == "never" {
		return 0, nil
	}
	t, ok := capture.ParseTime(s)
	if !ok {
		return 0, fault.New(fault.BadRequest, "expires_at must be a time such as 2026-05-13T12:00:00.000Z, or never")
	}
	switch life := t.Sub(now); {
	case life < time.Second:
		return 0, fault.New(fault.BadRequest, "expires_at must lie at least one second ahead")
	case life > longestLife:
		return 0, fault.New(fault.BadRequest,
			"expires_at must lie at most 100 years ahead: say never for a token without an end")
	default:
		return life, nil
	}
}

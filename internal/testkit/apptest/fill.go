package apptest

import (
	"time"

	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// Organization makes a new organization and gives its id.
func (a *App) Organization() string {
	a.t.Helper()
	id := organization.NewID()
	o := organization.Organization{ID: id, Name: a.t.Name() + " " + id.String(),
		CreatedAt: time.Now().UTC().Truncate(time.Millisecond)}
	if err := a.Store.CreateOrganization(a.t.Context(), o); err != nil {
		a.t.Fatalf("create an organization: %v", err)
	}
	return o.ID.String()
}

// Token makes a token of the organization with the given permissions, all of
// them when none is named, and gives its secret.
func (a *App) Token(org string, permissions ...organization.Permission) string {
	a.t.Helper()
	secret, _ := a.token(org, permissions, time.Now(), time.Hour, false)
	return secret
}

// TokenWithID is Token for tests that go on to name the token.
func (a *App) TokenWithID(org string, permissions ...organization.Permission) (secret, id string) {
	a.t.Helper()
	return a.token(org, permissions, time.Now(), time.Hour, false)
}

// ReadOnlyToken makes a token that may read and nothing else.
func (a *App) ReadOnlyToken(org string) string {
	a.t.Helper()
	viewer, err := organization.Role("viewer")
	if err != nil {
		a.t.Fatal(err)
	}
	return a.Token(org, viewer...)
}

// ExpiredToken makes a token whose life has ended.
func (a *App) ExpiredToken(org string) string {
	a.t.Helper()
	secret, _ := a.token(org, nil, time.Now().Add(-time.Hour), time.Minute, false)
	return secret
}

// RevokedToken makes a token that was revoked.
func (a *App) RevokedToken(org string) string {
	a.t.Helper()
	secret, _ := a.token(org, nil, time.Now(), time.Hour, true)
	return secret
}

func (a *App) token(org string, permissions organization.Permissions, created time.Time, life time.Duration,
	revoked bool) (secret, id string) {
	a.t.Helper()
	if len(permissions) == 0 {
		permissions = organization.AllPermissions
	}
	token, s, err := organization.NewToken(organization.In(org).Organization, a.t.Name(), permissions, life, created)
	if err != nil {
		a.t.Fatalf("make a token: %v", err)
	}
	if revoked {
		now := time.Now()
		token.RevokedAt = &now
	}
	if err := a.Store.CreateToken(a.t.Context(), organization.In(org), token, s.Hash(), nil); err != nil {
		a.t.Fatalf("create a token: %v", err)
	}
	return string(s), token.ID.String()
}

// Import brings records in; a refused one fails the test.
func (a *App) Import(org string, records ...manifest.Record) {
	a.t.Helper()
	outcomes, err := a.Store.Import(a.t.Context(), organization.In(org), records, false)
	if err != nil {
		a.t.Fatalf("import: %v", err)
	}
	for i, o := range outcomes {
		if o.Err != nil {
			a.t.Fatalf("record %d is refused: %v", i+1, o.Err)
		}
	}
}

// Package caller finds out who calls: it turns what a request shows, a token or what a session of the console
// stands for, into a Caller with an organization, permissions and a rate. Interface and console both ask it,
// and nothing else does this.
package caller

import (
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/organization"
)

// Caller is who calls.
type Caller struct {
	Organization organization.ID
	Permissions  organization.Permissions
	Token        organization.ID // that was shown; zero for a person
	Person       organization.ID // zero for a token
	Name         string          // that the token was given; of a person the subject, by which the issuer knows them
	ExpiresAt    *time.Time      // when what was shown counts no more; nil: never

	// Secret is what was shown, which nobody else has: answers that are kept for this caller alone are sealed with it.
	// It is never written anywhere.
	Secret organization.Secret
}

// Scope is in whose name the caller acts.
func (c Caller) Scope() organization.Scope {
	return organization.Scope{Organization: c.Organization, Token: c.Token}
}

// Actor is the caller as the audit log has it.
func (c Caller) Actor() audit.Actor {
	if c.Person != (organization.ID{}) {
		return audit.Actor{Kind: audit.Person, ID: c.Person.String(), Name: c.Name}
	}
	return audit.Actor{Kind: audit.Token, ID: c.Token.Text(), Name: c.Name}
}

// Bucket names whose requests count together for the rate of one caller.
func (c Caller) Bucket() string {
	if c.Person != (organization.ID{}) {
		return c.Person.String()
	}
	return c.Token.String()
}

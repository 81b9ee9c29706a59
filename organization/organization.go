// Package organization knows the tenants: organizations, the tokens that speak
// for them, what a token may do, and who is asking.
package organization

import (
	"context"
	"time"
)

// Organization is one tenant. Everything else belongs to exactly one.
type Organization struct {
	ID        string // a lower-case UUID of 36 characters
	Name      string
	CreatedAt time.Time
}

// Scope is who asks, in which organization. It is the first argument after ctx
// of every verb on data: a call that forgets the tenant does not compile.
type Scope struct {
	Organization string // the organization's id
	Token        string // the id of the token that asks, "" for the operator's own tools
}

// Store keeps organizations. They are the operator's, so no Scope is asked for.
type Store interface {
	// CreateOrganization keeps a new organization. An id that is taken is a
	// fault.Conflict.
	CreateOrganization(ctx context.Context, o Organization) error
	// Organization finds one by id; fault.NotFound when there is none.
	Organization(ctx context.Context, id string) (Organization, error)
	// Organizations lists all, by creation time, then id.
	Organizations(ctx context.Context) ([]Organization, error)
}

// Package organization knows the tenants: organizations, the tokens that speak
// for them, what a token may do, and who is asking.
package organization

import (
	"context"
	"time"
)

// Organization is one tenant. Everything else belongs to exactly one.
type Organization struct {
	ID        ID
	Name      string
	CreatedAt time.Time
	// SuspendedAt is when its tokens were suspended; nil while they are taken.
	SuspendedAt *time.Time
}

// Quota is what an organization may have; nil for what the server's settings say, of captures for any number.
type Quota struct {
	Captures *int64 `json:"captures"`
	// of captures' files, as they came and with what was made of them; 0: no bound
	FileBytes   *int64 `json:"file_bytes"`
	ExportBytes *int64 `json:"export_bytes"` // of the results of exports
}

// Usage is what an organization has, and may have.
type Usage struct {
	Amounts
	Quota Quota `json:"quota"`
}

// Scope is who asks, in which organization. It is the first argument after ctx
// of every verb on data: a call that forgets the tenant does not compile.
type Scope struct {
	Organization ID
	Token        ID // that asks; zero for the operator's own tools
}

// In is the scope of the operator's own tools and of jobs, in an organization that is named as text. In that of a text
// that is no ID there is nothing.
func In(org string) Scope {
	id, _ := ParseID(org)
	return Scope{Organization: id}
}

// Store keeps organizations. They are the operator's, so no Scope is asked for.
type Store interface {
	// CreateOrganization keeps a new organization. An id that is taken is a
	// fault.Conflict.
	CreateOrganization(ctx context.Context, o Organization) error
	// Organization finds one by id; fault.NotFound when there is none.
	Organization(ctx context.Context, id ID) (Organization, error)
	// Organizations lists all, by creation time, then id.
	Organizations(ctx context.Context) ([]Organization, error)
}

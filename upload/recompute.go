package upload

import (
	"context"

	"github.com/kinebase/kinebase/organization"
)

// Outdated is a recording that was measured by another version of the library of movements than
// the one that holds.
type Outdated struct {
	By        string // that version; "" where nobody knows
	SessionID string
}

// Library keeps by which version of the library of movements recordings are measured, and finds
// those that were measured by another one.
type Library interface {
	// Stored is that of Store.
	Stored(ctx context.Context, s organization.Scope, sessionID string) (Stored, error)
	// Hold says by which version recordings are to be measured from now on.
	Hold(ctx context.Context, version string) error
	// Holds gives that version; "" when nobody has said one yet.
	Holds(ctx context.Context) (string, error)
	// Outdated gives recordings that were measured by another version, in an order of its own, from
	// the one after the given; at most limit of them.
	Outdated(ctx context.Context, s organization.Scope, version string, after Outdated, limit int) ([]Outdated, error)
	// CountOutdated says how many there are.
	CountOutdated(ctx context.Context, s organization.Scope, version string) (int64, error)
	// Recompute has the recordings that were measured by another version measured by this one, by
	// whoever works for the queue; nothing when it is not this version that holds.
	Recompute(ctx context.Context, s organization.Scope, version string) error
	// Waits says whether a job waits for a worker among those that read files.
	Waits(ctx context.Context) (bool, error)
	// Recomputed keeps what was found in one of them. It is job.ErrLost when anything of the recording
	// has changed since it was read.
	Recomputed(ctx context.Context, s organization.Scope, of Stored, info []byte) error
}

package httpapi

import (
	"context"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/skeleton"
)

// Skeletons keeps how organizations join the points of their recordings.
type Skeletons interface {
	// Skeletons gives the sets of bones; nil where the organization has none.
	Skeletons(ctx context.Context, s organization.Scope) (*skeleton.Sets, error)
	// SetSkeletons puts others in their place, when allow lets it, which is given the sets before.
	SetSkeletons(ctx context.Context, s organization.Scope, sets skeleton.Sets, allow func(*skeleton.Sets) error) error
}

var skeletons = saying[skeleton.Sets]{
	name:  "skeletons",
	parse: skeleton.Read,
	told: func(sets *skeleton.Sets) any {
		if sets == nil || len(sets.Skeletons) == 0 {
			return skeleton.Sets{Skeletons: []skeleton.Set{}}
		}
		return *sets
	},
	get: func(ctx context.Context, a *api, s organization.Scope) (*skeleton.Sets, error) {
		return a.Skeletons.Skeletons(ctx, s)
	},
	set: func(ctx context.Context, a *api, s organization.Scope, sets skeleton.Sets,
		allow func(*skeleton.Sets) error) error {
		return a.Skeletons.SetSkeletons(ctx, s, sets, allow)
	},
}

package httpapi

import (
	"context"

	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
)

// Landmarks keeps how organizations call the points of their markers.
type Landmarks interface {
	// Landmarks gives the names; nil where the organization has none of its own.
	Landmarks(ctx context.Context, s organization.Scope) (*movement.MarkerSet, error)
	// SetLandmarks puts others in their place, when allow lets it, which is given the names before.
	SetLandmarks(ctx context.Context, s organization.Scope, own movement.MarkerSet,
		allow func(*movement.MarkerSet) error) error
}

// ownNames is what is told of them.
type ownNames struct {
	Version   string              `json:"version"`
	Centres   bool                `json:"centres"`
	Landmarks []movement.Landmark `json:"landmarks"`
}

var landmarks = saying[movement.MarkerSet]{
	name:  "landmarks",
	parse: movement.ReadOwn,
	told: func(own *movement.MarkerSet) any {
		if own == nil || len(own.Landmarks) == 0 {
			return ownNames{Landmarks: []movement.Landmark{}}
		}
		return ownNames{own.Version(), own.Centres, own.Landmarks}
	},
	get: func(ctx context.Context, a *api, s organization.Scope) (*movement.MarkerSet, error) {
		return a.Landmarks.Landmarks(ctx, s)
	},
	set: func(ctx context.Context, a *api, s organization.Scope, own movement.MarkerSet,
		allow func(*movement.MarkerSet) error) error {
		return a.Landmarks.SetLandmarks(ctx, s, own, allow)
	},
}

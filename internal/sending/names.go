package sending

import (
	"context"
	"encoding/json"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// Landmarks gives how the organization calls points.
func (s *Server) Landmarks(ctx context.Context, _ organization.Scope) (*movement.MarkerSet, error) {
	set, _, err := s.landmarks(ctx)
	return set, err
}

func (s *Server) landmarks(ctx context.Context) (*movement.MarkerSet, string, error) {
	var said *client.Landmarks
	var meta client.Meta
	err := s.steady(ctx, nil, func() (err error) {
		said, err = s.client.Landmarks(ctx, client.WithMeta(&meta))
		return err
	})
	if err != nil {
		return nil, "", asFault(err)
	}
	if said.Landmarks == nil {
		said.Landmarks = []client.Landmark{}
	}
	wire, err := json.Marshal(map[string]any{"centres": said.Centres, "landmarks": said.Landmarks})
	if err != nil {
		return nil, "", err
	}
	o, err := payload.Parse(wire)
	if err != nil {
		return nil, "", err
	}
	set, err := movement.ReadOwn(o)
	return &set, meta.ETag, err
}

// SetLandmarks says it otherwise, unless allow has something against it or somebody else was faster, which is
// fault.PreconditionFailed.
func (s *Server) SetLandmarks(ctx context.Context, _ organization.Scope, own movement.MarkerSet,
	allow func(*movement.MarkerSet) error) error {
	now, tag, err := s.landmarks(ctx)
	if err != nil {
		return err
	}
	if err := allow(now); err != nil {
		return err
	}
	var names []client.Landmark
	for _, l := range own.Landmarks {
		names = append(names, client.Landmark{Name: l.Name, Points: l.Points})
	}
	return asFault(s.steady(ctx, nil, func() error {
		_, err := s.client.PutLandmarks(ctx, own.Centres, names, client.IfMatch(tag))
		return err
	}))
}

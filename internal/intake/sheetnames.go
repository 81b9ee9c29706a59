package intake

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// centresName is what stands in the place of a landmark in the row that says whether the joints
// are centres.
const centresName = "centres"

// names is what tables say of how the organization calls the points of its markers.
type names struct {
	landmarks []movement.Landmark
	centres   *bool
}

// naming keeps names.
type naming interface {
	Landmarks(ctx context.Context, s organization.Scope) (*movement.MarkerSet, error)
	SetLandmarks(ctx context.Context, s organization.Scope, own movement.MarkerSet,
		allow func(*movement.MarkerSet) error) error
}

// name reads the row of a landmark: its name, and its points with + between those of which it is
// the middle and | between the ways to it.
func (n *names) name(p *fault.Problems, landmark, points string) {
	switch {
	case landmark == "":
		p.Add("landmark", "landmark is required where there are points: it says of what they are")
		return
	case points == "":
		p.Add("points", "points is required where there is a landmark: the names of points, with + between those of "+
			"which it is the middle, and | between several ways to it")
		return
	case landmark == centresName:
		yes := strings.EqualFold(points, "true")
		switch {
		case !yes && !strings.EqualFold(points, "false"):
			p.Add("points", "points must be true or false where landmark is centres")
		case n.centres != nil:
			p.Add("landmark", "landmark names centres twice")
		default:
			n.centres = &yes
		}
		return
	case slices.ContainsFunc(n.landmarks, func(l movement.Landmark) bool { return l.Name == landmark }):
		p.Add("landmark", "landmark names %s twice", landmark)
		return
	}
	var ways [][]string
	for way := range strings.SplitSeq(points, "|") {
		ways = append(ways, strings.Split(way, "+"))
	}
	own, err := ownOf(append(slices.Clone(n.landmarks), movement.Landmark{Name: landmark, Points: ways})...)
	var wrong *fault.Error
	if errors.As(err, &wrong) {
		for _, problem := range wrong.Problems {
			field := "landmark"
			if problem.Field == "landmarks.points" {
				field = "points"
			}
			p.Add(field, "%s", problem.Message)
		}
		return
	}
	n.landmarks = own.Landmarks
}

// ownOf holds landmarks to the rules for names of organizations.
func ownOf(all ...movement.Landmark) (movement.MarkerSet, error) {
	wire, err := json.Marshal(map[string]any{"landmarks": append([]movement.Landmark{}, all...)})
	if err != nil { // strings always encode
		panic(err)
	}
	o, err := payload.Parse(wire)
	if err != nil {
		return movement.MarkerSet{}, err
	}
	return movement.ReadOwn(o)
}

// keep puts the names into those that the organization has already, in the place of what they
// said of the same landmarks, and says whether these said anything else. A dry run puts none there.
func (n *names) keep(ctx context.Context, store naming, s organization.Scope, dry bool) (changed bool, err error) {
	if len(n.landmarks) == 0 && n.centres == nil {
		return false, nil
	}
	for {
		before, err := store.Landmarks(ctx, s)
		if err != nil {
			return false, err
		}
		own := n.joined(before)
		if own.Version() == before.Version() {
			return false, nil
		}
		if dry {
			return true, nil
		}
		err = store.SetLandmarks(ctx, s, own, func(now *movement.MarkerSet) error {
			if now.Version() != before.Version() {
				return fault.New(fault.PreconditionFailed, "Somebody has put other names in the meantime.")
			}
			return nil
		})
		if !fault.Is(err, fault.PreconditionFailed) {
			return err == nil, err
		}
	}
}

// joined are the names of before with these.
func (n *names) joined(before *movement.MarkerSet) movement.MarkerSet {
	own, err := ownOf()
	if err != nil {
		panic(err) // no names are a set without names
	}
	if before != nil {
		own.Centres, own.Landmarks = before.Centres, slices.Clone(before.Landmarks)
	}
	if n.centres != nil {
		own.Centres = *n.centres
	}
	for _, l := range n.landmarks {
		if at := slices.IndexFunc(own.Landmarks, func(o movement.Landmark) bool { return o.Name == l.Name }); at >= 0 {
			own.Landmarks[at] = l
		} else {
			own.Landmarks = append(own.Landmarks, l)
		}
	}
	return own
}

// Package skeleton is how organizations join the points of their recordings: sets of bones.
package skeleton

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/payload"
)

// The limits of an organization's sets.
const (
	MostSets  = 50
	MostBones = 500 // of a set
	longest   = 64  // code points of a set's name
)

// Bone joins two points by their names.
type Bone [2]string

// Set is a named set of bones.
type Set struct {
	Name  string `json:"name"`
	Bones []Bone `json:"bones"`
}

// Sets are all sets of an organization. Of several that fit a recording the one with most of its points
// counts, and of several with as many the first one.
type Sets struct {
	Skeletons []Set `json:"skeletons"`
}

// Read reads sets as they are sent. The error is a fault.BadRequest with every problem.
func Read(body payload.Object) (Sets, error) {
	var p fault.Problems
	all, given := Sets{Skeletons: []Set{}}, false
	for _, m := range body.Members() {
		if m.Name != "skeletons" {
			p.Add(m.Name, "%s is no field; there is skeletons", payload.Quote(m.Name))
			continue
		}
		given = true
		list := m.Value.Elements()
		if m.Value.Kind() != payload.KindArray || len(list) > MostSets {
			p.Add(m.Name, "skeletons must be an array of at most %d sets", MostSets)
			continue
		}
		for _, v := range list {
			s, ok := readSet(&p, v)
			switch {
			case !ok:
			case slices.ContainsFunc(all.Skeletons, func(o Set) bool { return strings.EqualFold(o.Name, s.Name) }):
				p.Add("skeletons.name", "two sets must not be called %s", payload.Quote(s.Name))
			default:
				all.Skeletons = append(all.Skeletons, s)
			}
		}
	}
	if !given {
		p.Add("skeletons", "skeletons is required; an empty array takes all sets away")
	}
	return all, p.Err()
}

// readSet reads one.
func readSet(p *fault.Problems, v payload.Value) (s Set, ok bool) {
	before := len(*p)
	if v.Kind() != payload.KindObject {
		p.Add("skeletons", "skeletons must hold objects with name and bones, not %s", v.Kind().Article())
		return s, false
	}
	for _, m := range v.Object().Members() {
		switch m.Name {
		case "name":
			if s.Name, ok = movement.ReadName(m.Value, longest); !ok {
				p.Add("skeletons.name", "the name of a set must be a string of 1 to %d characters without control "+
					"characters", longest)
			}
		case "bones":
			s.Bones = readBones(p, m.Value)
		default:
			p.Add("skeletons."+m.Name, "%s is no field of a set; there are name and bones", payload.Quote(m.Name))
		}
	}
	if len(*p) == before && (s.Name == "" || s.Bones == nil) {
		p.Add("skeletons", "a set needs name and bones")
	}
	return s, len(*p) == before
}

// readBones reads the bones of a set.
func readBones(p *fault.Problems, v payload.Value) (bones []Bone) {
	list := v.Elements()
	if v.Kind() != payload.KindArray || len(list) == 0 || len(list) > MostBones {
		p.Add("skeletons.bones", "bones must be an array of 1 to %d pairs of points", MostBones)
		return nil
	}
	for _, one := range list {
		ends := one.Elements()
		if one.Kind() != payload.KindArray || len(ends) != 2 {
			p.Add("skeletons.bones", "each element of bones must be an array of the names of two points")
			return nil
		}
		var b Bone
		for i, end := range ends {
			var ok bool
			if b[i], ok = movement.ReadName(end, movement.LongestPoint); !ok {
				p.Add("skeletons.bones",
					"the name of a point must be a string of 1 to %d characters without control characters",
					movement.LongestPoint)
				return nil
			}
		}
		switch {
		case strings.EqualFold(b[0], b[1]):
			p.Add("skeletons.bones", "a bone must not join %s with itself", payload.Quote(b[0]))
		case slices.ContainsFunc(bones, b.same):
			p.Add("skeletons.bones", "the bone of %s and %s must not be there twice", payload.Quote(b[0]),
				payload.Quote(b[1]))
		default:
			bones = append(bones, b)
		}
	}
	return bones
}

// same says whether two bones join the same points. These are told apart as those of recordings are,
// whatever the case of their letters.
func (b Bone) same(o Bone) bool {
	return strings.EqualFold(b[0], o[0]) && strings.EqualFold(b[1], o[1]) || strings.EqualFold(b[0], o[1]) &&
		strings.EqualFold(b[1], o[0])
}

package movement

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/payload"
)

// The limits of an organization's own names of points.
const (
	mostWays   = 8 // to a landmark
	mostPoints = 8 // of which a landmark is the middle
)

// LongestPoint is how many code points the name of a point may have.
const LongestPoint = 128

// ownNames is how a set is called that has only names of the organization.
const ownNames = "own names"

// LandmarkNames are the landmarks that the library knows, in the order of the sets.
func LandmarkNames() (names []string) {
	for _, set := range markerSets {
		for _, l := range set.Landmarks {
			if !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	return names
}

// ReadOwn reads the names that an organization gives to the points of its markers: landmarks, as the
// library lists those of a marker set, and centres. The error is a fault.BadRequest with every
// problem.
func ReadOwn(body payload.Object) (MarkerSet, error) {
	var p fault.Problems
	own, known, given := MarkerSet{Name: ownNames, Landmarks: []Landmark{}}, LandmarkNames(), false
	for _, m := range body.Members() {
		switch {
		case m.Name == "centres" && m.Value.Kind() == payload.KindBool:
			own.Centres = m.Value.Bool()
		case m.Name == "centres":
			p.Add(m.Name, "centres must be true or false, not %s", m.Value.Kind().Article())
		case m.Name != "landmarks":
			p.Add(m.Name, "%s is no field; there are landmarks and centres", payload.Quote(m.Name))
		case m.Value.Kind() != payload.KindArray:
			p.Add(m.Name, "landmarks must be an array, not %s", m.Value.Kind().Article())
			given = true
		default:
			given = true
			for _, v := range m.Value.Elements() {
				if l, ok := readLandmark(&p, v, known); ok && own.landmark(l.Name) != nil {
					p.Add("landmarks", "landmarks names %s twice", l.Name)
				} else if ok {
					own.Landmarks = append(own.Landmarks, l)
				}
			}
		}
	}
	if !given {
		p.Add("landmarks", "landmarks is required; an empty array takes all names away")
	}
	own.distinct(&p)
	return own, p.Err()
}

// distinct refuses a point that a way names twice, a way that is there twice, and one that both sides of
// the body have. That of the back of the pelvis may be the one on the sacrum.
func (s *MarkerSet) distinct(p *fault.Problems) {
	for _, l := range s.Landmarks {
		for i, way := range l.Points {
			for k, name := range way {
				if slices.ContainsFunc(way[:k], func(o string) bool { return strings.EqualFold(o, name) }) {
					p.Add("landmarks.points",
						"points of %s must not name %s twice where it is the middle of points: it would be nearer to "+
							"that one", l.Name, payload.Quote(name))
				}
			}
			if slices.ContainsFunc(l.Points[:i], func(o []string) bool { return samePoints(way, o) }) {
				p.Add("landmarks.points", "points of %s must not have the way %s twice", l.Name,
					payload.Quote(strings.Join(way, ", ")))
			}
		}
		part, left := strings.CutPrefix(l.Name, "left_")
		other := s.landmark("right_" + part)
		if !left || other == nil || part == "psis" {
			continue
		}
		for _, way := range l.Points {
			if slices.ContainsFunc(other.Points, func(o []string) bool { return samePoints(way, o) }) {
				p.Add("landmarks.points", "points of %s must not be those of %s: %s", l.Name, other.Name,
					strings.Join(way, ", "))
			}
		}
	}
}

// samePoints says whether two ways have the same points, in any order. Points are told apart as those
// of recordings are, whatever the case of their letters.
func samePoints(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(name string) bool {
		return !slices.ContainsFunc(b, func(o string) bool { return strings.EqualFold(name, o) })
	})
}

// readLandmark reads one.
func readLandmark(p *fault.Problems, v payload.Value, known []string) (l Landmark, ok bool) {
	before := len(*p)
	if v.Kind() != payload.KindObject {
		p.Add("landmarks", "landmarks must hold objects with name and points, not %s", v.Kind().Article())
		return l, false
	}
	for _, m := range v.Object().Members() {
		switch m.Name {
		case "name":
			if l.Name = m.Value.String(); m.Value.Kind() != payload.KindString || !slices.Contains(known, l.Name) {
				p.Add("landmarks.name", "%s is no landmark; there are %s", payload.Quote(l.Name),
					strings.Join(known, ", "))
			}
		case "points":
			l.Points = readWays(p, m.Value)
		default:
			p.Add("landmarks."+m.Name, "%s is no field of a landmark; there are name and points", payload.Quote(m.Name))
		}
	}
	if len(*p) == before && (l.Name == "" || l.Points == nil) {
		p.Add("landmarks", "a landmark needs name and points")
	}
	return l, len(*p) == before
}

// readWays reads the ways to a landmark, each a list of points.
func readWays(p *fault.Problems, v payload.Value) (ways [][]string) {
	list := v.Elements()
	if v.Kind() != payload.KindArray || len(list) == 0 || len(list) > mostWays {
		p.Add("landmarks.points",
			"points must be an array of 1 to %d lists, each with the names of the points of which the landmark is "+
				"the middle", mostWays)
		return nil
	}
	for _, way := range list {
		names := way.Elements()
		if way.Kind() != payload.KindArray || len(names) == 0 || len(names) > mostPoints {
			p.Add("landmarks.points", "each element of points must be an array of 1 to %d names", mostPoints)
			return nil
		}
		var points []string
		for _, n := range names {
			name, ok := ReadName(n, LongestPoint)
			if !ok {
				p.Add("landmarks.points",
					"the name of a point must be a string of 1 to %d characters without control characters",
					LongestPoint)
				return nil
			}
			points = append(points, name)
		}
		ways = append(ways, points)
	}
	return ways
}

// ReadName reads what something of a recording is called, without white space around it: 1 to longest code
// points, none of them a control character. It is false for anything else.
func ReadName(v payload.Value, longest int) (string, bool) {
	name := strings.TrimSpace(v.String())
	return name, v.Kind() == payload.KindString && name != "" && utf8.RuneCountInString(name) <= longest &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 })
}

// Version changes with everything that the set says; "" for one without landmarks.
func (s *MarkerSet) Version() string {
	if s == nil || len(s.Landmarks) == 0 {
		return ""
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])[:12]
}

func (s *MarkerSet) landmark(name string) *Landmark {
	at := slices.IndexFunc(s.Landmarks, func(l Landmark) bool { return l.Name == name })
	if at < 0 {
		return nil
	}
	return &s.Landmarks[at]
}

// present are those of an organization's landmarks of which a person has all points, each with the way to
// it; nil where there is none.
func (s *MarkerSet) present(points map[string]*frames.Channel) *MarkerSet {
	if s == nil {
		return nil
	}
	found := MarkerSet{Name: ownNames, Centres: s.Centres}
	for _, l := range s.Landmarks {
		if way := (&body{at: points}).way(l); way != nil {
			found.Landmarks = append(found.Landmarks, Landmark{Name: l.Name, Points: [][]string{way}})
		}
	}
	if len(found.Landmarks) == 0 {
		return nil
	}
	found.addPelvis()
	return &found
}

// addPelvis makes the pelvis the middle of its four corners where they are named and it is not.
func (s *MarkerSet) addPelvis() {
	if s.landmark("pelvis") != nil {
		return
	}
	var points []string
	for _, corner := range []string{"left_asis", "right_asis", "left_psis", "right_psis"} {
		l := s.landmark(corner)
		if l == nil || len(l.Points[0]) != 1 { // the middle of middles would be another place
			return
		}
		points = append(points, l.Points[0][0])
	}
	s.Landmarks = append(s.Landmarks, Landmark{Name: "pelvis", Points: [][]string{points}})
}

// with is a set in which an organization's names come first. Joints count as centres only where
// both say so of those that they give.
func (s *MarkerSet) with(own *MarkerSet) *MarkerSet {
	if own == nil {
		return s
	}
	joined := MarkerSet{Name: s.Name + ", " + ownNames, Centres: s.Centres, Landmarks: slices.Clone(s.Landmarks)}
	joints := 0
	for _, l := range own.Landmarks {
		if isJoint(l.Name) {
			joints++
		}
		if there := joined.landmark(l.Name); there != nil {
			there.Points = slices.Concat(l.Points, there.Points)
		} else {
			joined.Landmarks = append(joined.Landmarks, l)
		}
	}
	switch {
	case joints == 6:
		joined.Centres = own.Centres
	case joints > 0:
		joined.Centres = s.Centres && own.Centres
	}
	return &joined
}

// isJoint says whether a landmark is one of the six joints of the legs.
func isJoint(name string) bool {
	return strings.HasSuffix(name, "_hip") || strings.HasSuffix(name, "_knee") || strings.HasSuffix(name, "_ankle")
}

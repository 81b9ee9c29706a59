package movement

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
)

// body is the points of one person in the course of a recording, in m.
type body struct {
	rec  *Recording
	set  *MarkerSet
	rate float64
	up   vector
	used map[string][]string        // the points of each landmark that was asked for
	at   map[string]*frames.Channel // the channels of the person by the names of their points
	done map[string][]vector
}

// setShare is the part of the legs' or of the trunk's landmarks that a recording must have of a
// marker set.
var setShare = Parameter{"set_share", 80, "%",
	"of the landmarks of the legs, or of the trunk and the arms, that a recording must have of a marker set"}

// body finds the points of the person: the first set of which there are enough, of one subject.
// The error is a *withheld.
func (r *Recording) body() (*body, error) {
	switch {
	case !r.Info.Even:
		return nil, withhold(UnevenFrames, "The frames are not evenly spaced in time.")
	case r.Info.Rate == nil:
		return nil, withhold(RateTooLow, "The rate of the recording is not known.")
	}
	people := r.people()
	var found []*body
	for _, subject := range slices.Sorted(maps.Keys(people)) {
		if b := r.person(people[subject]); b != nil {
			found = append(found, b)
		}
		// Of videos the one without a prefix is filmed, and others pass by.
		if subject == "" && r.Info.Filmed() && len(found) == 1 {
			break
		}
	}
	switch {
	case len(found) == 0:
		return nil, withhold(LandmarkMissing, "The recording has too few points of any marker set that is known: %s.",
			setNames())
	case len(found) > 1:
		return nil, withhold(SeveralPeople, "The recording has the points of %d people.", len(found))
	case found[0].doubled():
		return nil, withhold(SeveralPeople, "The recording has most points twice, as of two people.")
	case !(r.Info.Metres > 0):
		return nil, withhold(UnitUnknown, "The unit of the points is not known.")
	}
	return found[0], nil
}

// setNames lists the sets for people.
func setNames() string {
	var names []string
	for _, s := range markerSets {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// people are the channels that have places, by subject and by the folded name of the point. The
// names of channels are distinct, so that of two subjects one has numbers behind its names.
func (r *Recording) people() map[string]map[string]*frames.Channel {
	people := map[string]map[string]*frames.Channel{}
	for i := range r.Info.Channels {
		c := &r.Info.Channels[i]
		if c.Kind != frames.KindPoint && c.Kind != frames.KindRotation || c.PerFrame > 1 {
			continue
		}
		subject := ""
		if c.Subject != nil {
			subject = *c.Subject
		}
		points := people[subject]
		if points == nil {
			points = map[string]*frames.Channel{}
			people[subject] = points
		}
		name := strings.ToLower(c.Name)
		if base := unnumbered(name); points[base] == nil && len(people) > 1 && others(people, subject, base) {
			name = base
		}
		if points[name] == nil {
			points[name] = c
		}
	}
	return people
}

// others says whether another subject has a point of that name.
func others(people map[string]map[string]*frames.Channel, subject, name string) bool {
	for other, points := range people {
		if other != subject && points[name] != nil {
			return true
		}
	}
	return false
}

// unnumbered is a name without the number by which it was made distinct.
func unnumbered(name string) string {
	at := strings.LastIndexByte(name, '_')
	if at < 1 || at == len(name)-1 || strings.Trim(name[at+1:], "0123456789") != "" {
		return name
	}
	return name[:at]
}

// person finds the marker set of a subject; nil where there are too few points of each. The names
// of the organization come before those of the sets, and are a set of their own where they are
// enough and none is there beside them.
func (r *Recording) person(points map[string]*frames.Channel) *body {
	own := r.Own.present(points)
	for i := range markerSets {
		b := &body{rec: r, set: &markerSets[i], at: points, rate: *r.Info.Rate, used: map[string][]string{},
			done: map[string][]vector{}}
		beside := slices.ContainsFunc(b.set.Landmarks, func(l Landmark) bool {
			return b.way(l) != nil && (own == nil || own.landmark(l.Name) == nil)
		})
		if b.set = b.set.with(own); beside && b.enough(&markerSets[i]) {
			return b
		}
	}
	if own == nil {
		return nil
	}
	b := &body{rec: r, set: own, at: points, rate: *r.Info.Rate, used: map[string][]string{},
		done: map[string][]vector{}}
	if !b.enough(r.Own) {
		return nil
	}
	return b
}

// ofTrunk are how the names of landmarks end that are not of the legs.
var ofTrunk = []string{"shoulder", "elbow", "wrist", "hand", "head", "neck", "sternum"}

// enough says whether the person has enough of the landmarks of a set.
func (b *body) enough(of *MarkerSet) bool {
	var have, all [2]int
	for _, l := range of.Landmarks {
		part := 0
		if slices.ContainsFunc(ofTrunk, func(end string) bool { return strings.HasSuffix(l.Name, end) }) {
			part = 1
		}
		all[part]++
		if known := b.set.landmark(l.Name); known != nil && b.way(*known) != nil {
			have[part]++
		}
	}
	part := func(i int) bool { return all[i] > 0 && float64(have[i]) >= setShare.of(float64(all[i])) }
	return part(0) || part(1)
}

// way is the first way to a landmark of which all points are there.
func (b *body) way(l Landmark) []string {
	for _, points := range l.Points {
		if !slices.ContainsFunc(points, func(p string) bool { return b.at[strings.ToLower(p)] == nil }) {
			return points
		}
	}
	return nil
}

// doubled says whether the points come twice, the second time with a number behind their names.
func (b *body) doubled() bool {
	points, twice := 0, 0
	for _, l := range b.set.Landmarks {
		for _, p := range b.way(l) {
			if points++; b.at[strings.ToLower(p)+"_2"] != nil {
				twice++
			}
		}
	}
	return 2*twice > points
}

// landmark gives where a landmark is in every frame; the error, a *withheld, says which points it
// needs.
func (b *body) landmark(name string) ([]vector, error) {
	if places, ok := b.done[name]; ok {
		return places, nil
	}
	at := slices.IndexFunc(b.set.Landmarks, func(l Landmark) bool { return l.Name == name })
	if at < 0 {
		return nil, withhold(LandmarkMissing, "The marker set %s has no %s.", b.set.Name, plain(name))
	}
	l := b.set.Landmarks[at]
	points := b.way(l)
	if points == nil {
		return nil, withhold(LandmarkMissing, "The recording has no %s: the points %s.", plain(name),
			strings.Join(l.Points[0], ", "))
	}
	places, err := b.middle(points)
	if err != nil {
		return nil, err
	}
	b.done[name], b.used[name] = places, points
	return places, nil
}

// plain is the name of a landmark for people.
func plain(name string) string { return strings.ReplaceAll(name, "_", " ") }

// middle is that of some points, missing where one of them is.
func (b *body) middle(points []string) ([]vector, error) {
	n := b.rec.Info.Frames
	if n*3*len(points) > mostNumbers {
		return nil, withhold(TooLong, "The recording has %d frames, and a movement is no longer than %d numbers.", n,
			mostNumbers)
	}
	sum := make([]vector, n)
	room, metres, part := make([][512]float64, 3), b.rec.Info.Metres, 1/float64(len(points))
	for _, point := range points {
		c := b.at[strings.ToLower(point)]
		values, err := b.rec.piecewise(placeOf(c), 1)
		if err != nil {
			return nil, err
		}
		for from := 0; from < n; from += len(room[0]) {
			piece := sum[from:min(n, from+len(room[0]))]
			for axis := range room {
				values.Read(axis, from, room[axis][:len(piece)])
			}
			for i := range piece { // written out: the functions of a vector take three times as long
				x, y, z := metres*room[0][i], metres*room[1][i], metres*room[2][i]
				if x == 0 && y == 0 && z == 0 { // what some writers put where a point was not seen
					x = math.NaN()
				}
				p := &piece[i]
				p[0], p[1], p[2] = p[0]+part*x, p[1]+part*y, p[2]+part*z
			}
		}
	}
	return sum, nil
}

// placeOf names the columns of a channel that have its place.
func placeOf(c *frames.Channel) []string {
	if c.Kind == frames.KindRotation { // it stands in the fourth column of the matrix
		return []string{c.Columns[3], c.Columns[7], c.Columns[11]}
	}
	return c.Columns
}

// height is how high places lie, along the direction upwards.
func (b *body) height(places []vector) []float64 {
	h := make([]float64, len(places))
	for i, p := range places {
		h[i] = p.dot(b.up)
	}
	return h
}

// both gives a landmark of the left and of the right side.
func (b *body) both(name string) (sides [2][]vector, err error) {
	for i, side := range []string{"left_", "right_"} {
		if sides[i], err = b.landmark(side + name); err != nil {
			return sides, err
		}
	}
	return sides, nil
}

// points lists, for the record of a result, of which points each landmark was made.
func (b *body) points() map[string][]string { return maps.Clone(b.used) }

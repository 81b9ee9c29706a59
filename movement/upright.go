package movement

import (
	"math"
	"slices"

	"github.com/kinebase/kinebase/frames"
)

// Which way is up is told by the file, else by the force platforms, else by the person: the
// parameters of the last.
var (
	uprightFrames = Parameter{"upright_frames", 95, "%",
		"of the frames in which the head is above the feet along one axis"}
	uprightShare = Parameter{"upright_share", 80, "%",
		"of the distance from the feet to the head, that lies along that axis"}
)

// stand finds which way is up. The error is a *withheld.
func (b *body) stand() error {
	if b.told() {
		return nil
	}
	return b.upright()
}

// onFeet is stand for movements that are made on the feet: where the file tells another direction than the person, and
// the person stands along one axis nearly all the time, neither is believed.
func (b *body) onFeet() error {
	if !b.told() {
		return b.upright()
	}
	told := b.up
	if err := b.upright(); err == nil && b.up != told {
		return withhold(VerticalUnknown,
			"By the file %s points upwards, and in at least %s of the frames the head is above the feet along %s.",
			told.axis(), uprightFrames, b.up.axis())
	}
	b.up = told
	return nil
}

// told takes which way is up from the file or a force platform; false where neither tells it.
func (b *body) told() bool {
	if up, ok := axisOf(b.rec.Info.Up); ok {
		b.up = up
		return true
	}
	for n := range b.rec.Info.Plates {
		if p, _, err := b.rec.Info.Platform(n); err == nil {
			if up, ok := nearest(vector(p.Up())); ok {
				b.up = up
				return true
			}
		}
	}
	return false
}

// axisOf is the unit vector of an axis such as +z; false for what names none.
func axisOf(name string) (v vector, ok bool) {
	at := slices.Index([]string{"+x", "+y", "+z", "-x", "-y", "-z"}, name)
	if at < 0 {
		return v, false
	}
	v[at%3] = 1 - 2*float64(at/3)
	return v, true
}

// axis is the name of an axis.
func (a vector) axis() string {
	for i, name := range []string{"x", "y", "z"} {
		if a[i] != 0 {
			return map[bool]string{true: "+", false: "-"}[a[i] > 0] + name
		}
	}
	return ""
}

// nearest is the axis of the laboratory along which a unit vector lies; false where it lies
// along none.
func nearest(v vector) (axis vector, ok bool) {
	for i := range v {
		if math.Abs(v[i]) >= 0.966 { // 15 degrees
			axis[i] = math.Copysign(1, v[i])
			return axis, true
		}
	}
	return axis, false
}

// upright finds it by a person who stands most of the time: by the head, the neck or the
// shoulders over the feet.
func (b *body) upright() error {
	top, err := b.first("head", "neck", "left_head", "left_shoulder", "pelvis")
	if err != nil {
		return err
	}
	bottom, err := b.first("left_ankle", "left_toe", "left_heel", "left_knee")
	if err != nil {
		return err
	}
	count, known := map[vector]int{}, 0
	for i := range top {
		d := top[i].minus(bottom[i])
		if d.missing() {
			continue
		}
		known++
		for axis := range d {
			if math.Abs(d[axis]) >= uprightShare.of(d.length()) {
				var v vector
				v[axis] = math.Copysign(1, d[axis])
				count[v]++
			}
		}
	}
	for v, n := range count {
		if float64(n) > uprightFrames.of(float64(known)) {
			b.up = v
			return nil
		}
	}
	return withhold(VerticalUnknown,
		"The file does not tell which way is up, and in fewer than %s of the frames the head is above the feet along "+
			"one axis.", uprightFrames)
}

// How far people's heads, or where there is none the next below it, are from their feet, in m: a child's pelvis when it
// squats, and more than anybody's height. A unit that is wrong by ten is outside of it.
const (
	smallestBody = 0.2
	largestBody  = 2.6
)

// sized refuses points of which a person would be no person's size: their unit is not the one that the file names. What
// is not measured in any unit, as the points of some videos, is not judged.
func (b *body) sized() error {
	if slices.Contains(b.rec.Info.Unknown, frames.UnknownScale) {
		return nil
	}
	top, noTop := b.first("head", "neck", "left_head", "left_shoulder", "pelvis")
	bottom, noBottom := b.first("left_ankle", "left_toe", "left_heel", "left_knee")
	var apart []float64
	for i := range top {
		if noTop != nil || noBottom != nil {
			break // whatever needs them says that they are missing
		}
		if d := top[i].minus(bottom[i]).length(); d == d {
			apart = append(apart, d)
		}
	}
	if size := middleOf(apart); len(apart) > 0 && !(size >= smallestBody && size <= largestBody) {
		return withhold(Implausible,
			"The uppermost landmark is %.3g m from the feet, and of people it is %g to %g m, so the unit of the "+
				"points is another than the file says.", size, smallestBody, largestBody)
	}
	return nil
}

// first gives the first landmark of a list that is there.
func (b *body) first(names ...string) (places []vector, err error) {
	for _, name := range names {
		if places, err = b.landmark(name); err == nil {
			return places, nil
		}
	}
	return nil, err
}

package body

import "math"

// vec is a place or a direction: metres, x forward, y to the left, z up.
type vec struct{ x, y, z float64 }

func (a vec) add(b vec) vec           { return vec{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec) sub(b vec) vec           { return vec{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec) times(f float64) vec     { return vec{a.x * f, a.y * f, a.z * f} }
func (a vec) dot(b vec) float64       { return a.x*b.x + a.y*b.y + a.z*b.z }
func (a vec) length() float64         { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec               { return a.times(1 / a.length()) }
func (a vec) to(b vec, f float64) vec { return a.add(b.sub(a).times(f)) }

func (a vec) cross(b vec) vec {
	return vec{a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x}
}

// across is what of a stands upright on the unit vector along.
func (a vec) across(along vec) vec { return a.sub(along.times(a.dot(along))) }

// frame is a rotation: the three axes of a body, in those of the room.
type frame [3]vec

// out takes a direction of the body out into the room.
func (f frame) out(v vec) vec { return f[0].times(v.x).add(f[1].times(v.y)).add(f[2].times(v.z)) }

// room is the rotation of what lies along the axes of the room.
var room = frame{{x: 1}, {y: 1}, {z: 1}}

// Turns of a body about one of its own axes, in degrees, by the right hand: aboutY leans
// forward, aboutZ turns to the left, aboutX tips to the right.
func (f frame) aboutX(degrees float64) frame {
	f[1], f[2] = turnedTo(f[1], f[2], degrees)
	return f
}

func (f frame) aboutY(degrees float64) frame {
	f[2], f[0] = turnedTo(f[2], f[0], degrees)
	return f
}

func (f frame) aboutZ(degrees float64) frame {
	f[0], f[1] = turnedTo(f[0], f[1], degrees)
	return f
}

// turnedTo turns two axes towards one another: the first one goes to the second.
func turnedTo(a, b vec, degrees float64) (vec, vec) {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return vec{c*a.x + s*b.x, c*a.y + s*b.y, c*a.z + s*b.z}, vec{c*b.x - s*a.x, c*b.y - s*a.y, c*b.z - s*a.z}
}

// along is the frame of a bone whose upper end lies in the direction up of its
// lower one and that bends about the axis left.
func along(up, left vec) frame {
	z := up.unit()
	y := left.across(z).unit()
	return frame{y.cross(z), y, z}
}

// between is the angle between two directions in degrees.
func between(a, b vec) float64 {
	return math.Atan2(a.cross(b).length(), a.dot(b)) * 180 / math.Pi
}

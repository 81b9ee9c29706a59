// Package plate knows force platforms: what force, moment and centre of pressure the
// channels of one mean in the laboratory, and when its numbers cannot be relied on.
//
// Sources: the C3D user guide (www.c3d.org), FORCE_PLATFORM:TYPE, CORNERS, ORIGIN and
// CAL_MATRIX, for types 1 to 4; Kistler's formulae of its multicomponent plates for type 3.
package plate

import (
	"fmt"
	"math"

	"github.com/kinebase/kinebase/motion/record"
)

// Smallest is the vertical force, in N, below which a platform has no centre of pressure:
// a quotient of two small numbers is noise.
const Smallest = 20.0

// The sides that the surface of a platform can have, in m.
const (
	shortestSide = 0.1
	longestSide  = 3.0
)

// Wrench is what a platform measures at one moment, as it acts on the body, along the
// axes of the laboratory. All of it is NaN where a channel has no number, and all but the
// force where the file does not tell where the sensors of the platform are.
type Wrench struct {
	Force  Vector // N
	Moment Vector // N·m about the middle of the surface
	COP    Vector // centre of pressure in m, NaN below Smallest
	Free   Vector // free moment in N·m about the centre of pressure, NaN below Smallest
}

// Platform is a force platform that can be computed with.
type Platform struct {
	kind   int
	axes   [3]Vector  // of the plate in the laboratory: x, y and z, which usually points down
	centre Vector     // of its surface, in m
	half   [2]float64 // of its sides along x and y, in m
	up     Vector     // the normal of its surface that points away from the ground
	origin Vector     // in m, with z as all programs take it: downwards is negative
	matrix []float64
	units  []float64 // what makes N, N·m or m of each channel
	volts  []bool    // of type 4: which channels say to be in volts
	blind  bool      // the distances of its sensors are not told, so it has forces and no moments
	moment float64   // what makes N·m of the moments that the matrix gives
}

// Unusable is why the numbers of a platform are not computed with: a sentence.
type Unusable struct{ Reason string }

func (u *Unusable) Error() string { return u.Reason }

func unusable(format string, args ...any) error {
	return &Unusable{fmt.Sprintf(format, args...)}
}

// New makes a platform of what a file says of one, metres being the length of the
// recording's unit, up the axis of the laboratory that points upwards, such as +z, or "" where
// the file does not tell, and units those of the plate's channels, as the file writes them.
// The error is an *Unusable.
func New(p record.Plate, metres float64, up string, units []string) (*Platform, error) {
	channels, known := map[int]int{1: 6, 2: 6, 3: 8, 4: 6}[p.Type]
	switch {
	case !known:
		return nil, unusable("its type is %d, and types 1 to 4 are known", p.Type)
	case len(units) != channels:
		return nil, unusable("it has %d channels, and a platform of type %d has %d", len(units), p.Type, channels)
	case !(metres > 0):
		return nil, unusable("the unit of its corners is not known")
	case p.Type == 4 && len(p.Matrix) != 36:
		return nil, unusable("its calibration matrix has %d numbers, and one of type 4 has 36", len(p.Matrix))
	}
	out := &Platform{kind: p.Type, matrix: p.Matrix}
	if err := out.place(p.Corners, metres); err != nil {
		return nil, err
	}
	out.up = upwards(out.axes[2], up)
	out.origin = Vector(p.Origin).times(metres)
	if out.origin[2] > 0 { // some writers point from the surface to the transducers
		out.origin = out.origin.times(-1)
	}
	out.blind = p.Type == 3 && (out.origin[0] == 0 || out.origin[1] == 0)
	if !finite(out.origin[:]...) || !finite(p.Matrix...) {
		return nil, unusable("its origin or its calibration has numbers that are none")
	}
	return out, out.scale(units, metres)
}

// place finds the axes and the middle of the surface by its corners.
func (p *Platform) place(corners [4][3]float64, metres float64) error {
	var c [4]Vector
	for i := range corners {
		c[i] = Vector(corners[i]).times(metres)
		if !finite(c[i][:]...) {
			return unusable("its corners have numbers that are none")
		}
		p.centre = p.centre.plus(c[i].times(0.25))
	}
	for i := range c {
		next, before := c[(i+1)%4].minus(c[i]), c[(i+3)%4].minus(c[i])
		side := next.length()
		if side < shortestSide || side > longestSide {
			return unusable("a side of its surface is %.3g m long, and platforms have %g to %g m", side, shortestSide,
				longestSide)
		}
		// The cosine of a corner of 90 degrees is 0; corners are measured by hand and with markers.
		if cos := next.dot(before) / (side * before.length()); math.Abs(cos) > 0.05 {
			return unusable("its corners are no rectangle: one of them has %.0f degrees", math.Acos(cos)*180/math.Pi)
		}
	}
	x := c[0].minus(c[1])
	z := x.cross(c[0].minus(c[3]))
	p.axes = [3]Vector{x.unit(), z.cross(x).unit(), z.unit()}
	p.half = [2]float64{x.length() / 2, c[0].minus(c[3]).length() / 2}
	return nil
}

// upwards gives the normal of a surface that points away from the ground, by the axis z of the
// plate and the axis of the laboratory that points upwards. The order of the corners alone does
// not tell: z points down in most files, and up in some. Where the file does not name the axis,
// a surface at a right angle to an axis of the laboratory faces its positive direction; of any
// other, z points down.
func upwards(z Vector, up string) Vector {
	lab, told := axis(up)
	if !told {
		for i := range z {
			if math.Abs(z[i]) > levelCosine {
				lab[i] = 1
			}
		}
	}
	if z.dot(lab) > 1-levelCosine { // a wall has neither
		return z
	}
	return z.times(-1)
}

// levelCosine is the least cosine between the normal of a surface and an axis of the
// laboratory at which the surface counts as level: 15 degrees.
const levelCosine = 0.966

// axis is the unit vector of an axis such as +z; false for what names none.
func axis(name string) (v Vector, ok bool) {
	if len(name) != 2 || name[0] != '+' && name[0] != '-' || name[1] < 'x' || name[1] > 'z' {
		return v, false
	}
	v[name[1]-'x'] = 1
	if name[0] == '-' {
		v = v.times(-1)
	}
	return v, true
}

// Up is the normal of the surface that points away from the ground, as far as the file tells.
func (p *Platform) Up() Vector { return p.up }

// Centre is where the middle of the surface lies in the laboratory, in m.
func (p *Platform) Centre() Vector { return p.centre }

// Beneath says whether a place of the laboratory, in m, is above the surface or on it: within its
// sides, at whatever height.
func (p *Platform) Beneath(place Vector) bool { return p.Near(place, 0) }

// Near is Beneath for a surface with a margin of so many m around it.
func (p *Platform) Near(place Vector, margin float64) bool {
	at := p.back(place.minus(p.centre))
	return math.Abs(at[0]) <= p.half[0]+margin && math.Abs(at[1]) <= p.half[1]+margin
}

// Wrench gives what the channels of one moment mean, in the order of the file.
func (p *Platform) Wrench(channels []float64) Wrench {
	var v [8]float64
	for i, value := range channels {
		v[i] = value * p.units[i]
	}
	f, m := p.local(v)
	if !finite(f[:]...) || !p.blind && !finite(m[:]...) {
		return Wrench{nowhere, nowhere, nowhere, nowhere}
	}
	if p.blind {
		m = nowhere
	}
	return p.wrench(f, m)
}

// wrench gives what a force and a moment about the middle of the surface are, both along the
// axes of the plate.
func (p *Platform) wrench(f, m Vector) Wrench {
	w := Wrench{Force: p.turn(f), Moment: p.turn(m), COP: nowhere, Free: nowhere}
	if !(math.Abs(f[2]) >= Smallest) || m[0] != m[0] {
		return w
	}
	cop := Vector{-m[1] / f[2], m[0] / f[2], 0}
	w.COP = p.centre.plus(p.turn(cop))
	w.Free = p.turn(Vector{0, 0, m[2] - cop[0]*f[1] + cop[1]*f[0]})
	return w
}

// local gives force and moment about the middle of the surface along the axes of the plate.
func (p *Platform) local(v [8]float64) (f, m Vector) {
	switch p.kind {
	case 1:
		f = Vector(v[:3])
		m = Vector{v[3], v[4], 0}.cross(f).plus(Vector{0, 0, v[5]}) // it has the centre of pressure
	case 3:
		a, b := p.origin[0], p.origin[1]
		f = Vector{v[0] + v[1], v[2] + v[3], v[4] + v[5] + v[6] + v[7]}
		m = Vector{
			b * (v[4] + v[5] - v[6] - v[7]),
			a * (-v[4] + v[5] + v[6] - v[7]),
			b*(-v[0]+v[1]) + a*(v[2]-v[3]),
		}
		m = m.plus(f.cross(Vector{0, 0, p.origin[2]}))
	case 4:
		var out [6]float64
		for i := range out {
			for j := range 6 {
				out[i] += p.matrix[i+6*j] * v[j]
			}
		}
		f, m = Vector(out[:3]), Vector(out[3:]).times(p.moment)
		m = m.plus(f.cross(p.origin))
	default:
		f, m = Vector(v[:3]), Vector(v[3:6])
		m = m.plus(f.cross(p.origin))
	}
	return f, m
}

// turn takes a vector from the axes of the plate to those of the laboratory.
func (p *Platform) turn(v Vector) Vector {
	return p.axes[0].times(v[0]).plus(p.axes[1].times(v[1])).plus(p.axes[2].times(v[2]))
}

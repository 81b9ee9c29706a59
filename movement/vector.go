package movement

import "math"

// vector is three numbers along the axes of the laboratory, in m where it is a place. It is
// missing where one of them is NaN.
type vector [3]float64

func (a vector) plus(b vector) vector   { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vector) minus(b vector) vector  { return vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vector) by(k float64) vector    { return vector{k * a[0], k * a[1], k * a[2]} }
func (a vector) dot(b vector) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vector) length() float64        { return math.Sqrt(a.dot(a)) }
func (a vector) unit() vector           { return a.by(1 / a.length()) }
func (a vector) missing() bool          { return a[0]+a[1]+a[2] != a[0]+a[1]+a[2] }
func (a vector) across(n vector) vector { return a.minus(n.by(a.dot(n))) } // without what lies along the unit vector n

// level gives two directions at right angles to a unit vector and to each other: the first along
// an axis of the laboratory, as far as it can be.
func (a vector) level() (first, second vector) {
	first = vector{1, 0, 0}
	if math.Abs(a[0]) > 0.9 {
		first = vector{0, 1, 0}
	}
	first = first.across(a).unit()
	return first, a.cross(first)
}

func (a vector) cross(b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// angle is that between two directions, from 0 to 180 degrees. By the tangent it is exact
// near both ends, where a cosine is not.
func (a vector) angle(b vector) float64 {
	return math.Atan2(a.cross(b).length(), a.dot(b)) * 180 / math.Pi
}

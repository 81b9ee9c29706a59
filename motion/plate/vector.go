package plate

import "math"

// Vector is three numbers along three axes at right angles.
type Vector [3]float64

// nowhere is a vector that is not known.
var nowhere = Vector{math.NaN(), math.NaN(), math.NaN()}

func (a Vector) plus(b Vector) Vector  { return Vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a Vector) minus(b Vector) Vector { return Vector{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func (a Vector) times(k float64) Vector { return Vector{a[0] * k, a[1] * k, a[2] * k} }
func (a Vector) dot(b Vector) float64   { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a Vector) cross(b Vector) Vector {
	return Vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a Vector) length() float64 { return math.Sqrt(a.dot(a)) }

func (a Vector) unit() Vector { return a.times(1 / a.length()) }

// finite says whether all numbers are finite.
func finite(numbers ...float64) bool {
	for _, n := range numbers {
		if n-n != 0 {
			return false
		}
	}
	return true
}

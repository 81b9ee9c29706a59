// Package platetest makes force platforms for tests and demonstrations: where they lie in a
// laboratory, what a file says of them, and what their channels have under a known load.
package platetest

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/record"
)

func cross(a, b plate.Vector) plate.Vector {
	return plate.Vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func add(vectors ...plate.Vector) (sum plate.Vector) {
	for _, v := range vectors {
		for i := range sum {
			sum[i] += v[i]
		}
	}
	return sum
}

func times(k float64, v plate.Vector) plate.Vector { return plate.Vector{k * v[0], k * v[1], k * v[2]} }

// Floor is a platform in a laboratory: where its middle is, its axes, and its sides, in m.
type Floor struct {
	Centre      plate.Vector
	X, Y, Z     plate.Vector
	Long, Short float64
}

// Place puts a platform on the floor of a laboratory whose axis up points upwards (0 for x,
// 1 for y, 2 for z), turned about it by an angle in radians. Its own z points down.
func Place(centre plate.Vector, up int, angle, long, short float64) Floor {
	f := Floor{Centre: centre, Long: long, Short: short}
	f.X[(up+1)%3], f.X[(up+2)%3] = math.Cos(angle), math.Sin(angle)
	f.Z[up] = -1
	f.Y = cross(f.Z, f.X)
	return f
}

// Random draws a floor of a laboratory with that axis upwards.
func Random(chance *rand.Rand, up int) Floor {
	side := func() float64 { return 0.3 + 0.9*chance.Float64() }
	centre := plate.Vector{10*chance.Float64() - 5, 10*chance.Float64() - 5, 10*chance.Float64() - 5}
	return Place(centre, up, 2*math.Pi*chance.Float64(), side(), side())
}

// Nth is a Random one of several, n counted from 0, none of which lies over another one.
func Nth(chance *rand.Rand, up, n int) Floor {
	f := Random(chance, up)
	f.Centre[(up+1)%3] += 20 * float64(n)
	return f
}

// Corners are those of the platform in the order of its quadrants, in mm.
func (f Floor) Corners() (c [4][3]float64) {
	for i, sign := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
		c[i] = times(1000, add(f.Centre, times(sign[0]*f.Long/2, f.X), times(sign[1]*f.Short/2, f.Y)))
	}
	return c
}

// Lab takes a vector of the platform to the laboratory.
func (f Floor) Lab(v plate.Vector) plate.Vector {
	return add(times(v[0], f.X), times(v[1], f.Y), times(v[2], f.Z))
}

// Channels gives what the channels of a platform of a type and origin (in mm) have when a
// force acts at a place of its surface with a free moment, all along its own axes, in N,
// mm and N·mm.
func Channels(p record.Plate, force, cop plate.Vector, free float64) []float64 {
	m := add(cross(cop, force), plate.Vector{0, 0, free})
	o := plate.Vector(p.Origin)
	if o[2] > 0 {
		o = times(-1, o)
	}
	six := func(m plate.Vector) []float64 { return append(append([]float64{}, force[:]...), m[:]...) }
	switch p.Type {
	case 1:
		return []float64{force[0], force[1], force[2], cop[0], cop[1], free}
	case 2:
		return six(add(m, times(-1, cross(force, o))))
	case 3:
		m = add(m, times(-1, cross(force, plate.Vector{0, 0, o[2]})))
		a, b, x, y, z := o[0], o[1], force[0], force[1], force[2]
		return []float64{
			x / 2, x / 2, (y + m[2]/a) / 2, (y - m[2]/a) / 2,
			(z + m[0]/b - m[1]/a) / 4, (z + m[0]/b + m[1]/a) / 4, (z - m[0]/b + m[1]/a) / 4, (z - m[0]/b - m[1]/a) / 4,
		}
	}
	return solve(p.Matrix, six(add(m, times(-1, cross(force, o)))))
}

// solve gives the numbers of which a calibration makes these.
func solve(matrix, right []float64) []float64 {
	m := make([][]float64, 6)
	for i := range m {
		for j := range 6 {
			m[i] = append(m[i], matrix[i+6*j])
		}
		m[i] = append(m[i], right[i])
	}
	for i := range m {
		for j := range m {
			if factor := m[j][i] / m[i][i]; j != i {
				for k := range m[j] {
					m[j][k] -= factor * m[i][k]
				}
			}
		}
	}
	out := make([]float64, 6)
	for i := range out {
		out[i] = m[i][6] / m[i][i]
	}
	return out
}

// Describe draws what a file says of a platform of that type, 1 to 4, with lengths in mm, and
// the units of its channels.
func (f Floor) Describe(chance *rand.Rand, kind int) (record.Plate, []string) {
	between := func(low, high float64) float64 { return low + (high-low)*chance.Float64() }
	p := record.Plate{Type: kind, Corners: f.Corners()}
	p.Origin = [3]float64{between(-50, 50), between(-50, 50), between(-50, 50)}
	units := []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"}
	switch kind {
	case 1:
		units = []string{"N", "", "newton", "mm", "mm", "Nmm"}
	case 3:
		p.Origin[0], p.Origin[1] = between(-300, -100), between(-300, -100)
		if p.Origin[2] > 0 {
			p.Origin[0], p.Origin[1] = -p.Origin[0], -p.Origin[1]
		}
		units = strings.Split("N N N N N N N N", " ")
	case 4:
		for i := range 36 {
			factor := between(-0.05, 0.05)
			if i%7 == 0 {
				factor += between(1, 2)
			}
			p.Matrix = append(p.Matrix, 1e4*factor) // so that N and Nmm come from a few volts
		}
		units = []string{"V", "V", "V", "V", "V", "V"}
	}
	return p, units
}

package record

import "math"

// Convert makes other numbers of a column, in 64 bits where it has them. Numbers beyond
// what 32 bits reach were never measured: they are missing afterwards, and counted.
func Convert(values []float32, wide []float64, f func(float64) float64) (beyond int) {
	for i, v := range values {
		number := float64(v)
		if wide != nil {
			number = wide[i]
		}
		number = f(number)
		if math.IsInf(float64(float32(number)), 0) {
			number = math.NaN()
			beyond++
		}
		values[i] = float32(number)
		if wide != nil {
			wide[i] = number
		}
	}
	return beyond
}

// Convert makes other numbers of the channel's, and counts those that are missing for it.
func (c *Channel) Convert(f func(float64) float64) (beyond int) {
	return Convert(c.Values, c.Wide, f)
}

// Convert makes other numbers of the three of the point. Where one of them is missing for
// it the place is, and is counted.
func (p *Point) Convert(f func(float64) float64) (beyond int) {
	for i, values := range [3][]float32{p.X, p.Y, p.Z} {
		var wide []float64
		if p.Wide != nil {
			wide = p.Wide[i]
		}
		beyond += Convert(values, wide, f)
	}
	if beyond > 0 {
		p.Settle()
	}
	return beyond
}

// At gives the three numbers in a frame, counted from 0, and in how many bits they are.
func (p *Point) At(frame int) (v [3]float64, bits int) {
	if w := p.Wide; w != nil {
		return [3]float64{w[0][frame], w[1][frame], w[2][frame]}, 64
	}
	return [3]float64{float64(p.X[frame]), float64(p.Y[frame]), float64(p.Z[frame])}, 32
}

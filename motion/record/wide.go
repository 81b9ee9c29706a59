package record

// Convert makes other numbers of a column, in 64 bits where it has them.
func Convert(values []float32, wide []float64, f func(float64) float64) {
	if wide == nil {
		for i, v := range values {
			values[i] = float32(f(float64(v)))
		}
		return
	}
	for i, v := range wide {
		wide[i] = f(v)
		values[i] = float32(wide[i])
	}
}

// Convert makes other numbers of the channel's.
func (c *Channel) Convert(f func(float64) float64) { Convert(c.Values, c.Wide, f) }

// Convert makes other numbers of the three of the point.
func (p *Point) Convert(f func(float64) float64) {
	for i, values := range [3][]float32{p.X, p.Y, p.Z} {
		var wide []float64
		if p.Wide != nil {
			wide = p.Wide[i]
		}
		Convert(values, wide, f)
	}
}

// At gives the three numbers in a frame, counted from 0, and in how many bits they are.
func (p *Point) At(frame int) (v [3]float64, bits int) {
	if w := p.Wide; w != nil {
		return [3]float64{w[0][frame], w[1][frame], w[2][frame]}, 64
	}
	return [3]float64{float64(p.X[frame]), float64(p.Y[frame]), float64(p.Z[frame])}, 32
}

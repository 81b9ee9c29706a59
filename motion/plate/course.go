package plate

import "math"

// Course is what a platform measured in the course of a recording, along the axes of the
// laboratory and as it acts on the body: N, and N·m about the middle of the surface.
// A sample of which a channel has no number is NaN.
type Course struct {
	Platform *Platform
	Rate     float64 // samples a second
	Force    [3][]float64
	Moment   [3][]float64
	// Reversed says that the file had the forces with the opposite sign, that of the body
	// on the plate, and that they were turned around.
	Reversed bool

	vertical []float64 // the force along the normal of the surface
}

// The rules by which the course of a platform is judged.
const (
	// stuckFor is for how many seconds a channel may have its greatest value before the
	// platform counts as saturated.
	stuckFor = 0.05
	// A platform cannot pull. A vertical force of less than pullOf of the greatest one for
	// more than pullFor of the samples is that of a wrong calibration or a wrong zero.
	pullOf  = -0.05
	pullFor = 0.1
	// mostVolts is more than any converter of a platform measures. A channel that says to be in
	// volts and has more is scaled already, and the matrix would scale it again.
	mostVolts = 20
)

// Course gives the course of a platform by the samples of its channels, in the order of
// the file. The error is an *Unusable: a platform that was saturated or whose forces are
// impossible is not computed with.
func (p *Platform) Course(channels [][]float64, rate float64) (*Course, error) {
	n := len(channels[0])
	forces := channels
	if p.kind == 1 {
		forces = channels[:3] // the others are places, at which anybody may stand still
	}
	for i, c := range forces {
		if at := stuck(c, rate); at >= 0 {
			return nil, unusable("its channel %d has its greatest value, %.5g, without a change for more than %g ms "+
				"from %.3f s on: it was saturated",
				i+1, c[at], stuckFor*1000, float64(at)/rate)
		}
	}
	if err := p.measurable(channels); err != nil {
		return nil, err
	}
	c := &Course{Platform: p, Rate: rate}
	for axis := range 3 {
		c.Force[axis], c.Moment[axis] = make([]float64, n), make([]float64, n)
	}
	if p.kind == 1 { // its moment is a product of channels
		at := make([]float64, len(channels))
		for i := range n {
			for j := range channels {
				at[j] = channels[j][i]
			}
			c.set(i, p.Wrench(at))
		}
	} else {
		c.sum(channels)
	}
	c.vertical = make([]float64, n)
	for axis, part := range p.Up() {
		addTimes(c.vertical, part, c.Force[axis])
	}
	if Downwards(c.vertical) {
		c.turnAround()
	}
	return c, possible(c.vertical)
}

// set keeps a wrench as sample i.
func (c *Course) set(i int, w Wrench) {
	for axis := range 3 {
		c.Force[axis][i], c.Moment[axis][i] = w.Force[axis], w.Moment[axis]
	}
}

// sum makes force and moment of channels of which they are sums, a channel after the other: that takes a
// tenth of the time of a wrench for each sample.
func (c *Course) sum(channels [][]float64) {
	p := c.Platform
	for j, values := range channels {
		var one [8]float64
		one[j] = p.units[j]
		f, m := p.local(one)
		parts := [2]Vector{p.turn(f), p.turn(m)}
		for k, to := range [2]*[3][]float64{&c.Force, &c.Moment} {
			for axis, part := range parts[k] {
				if part != 0 && (k == 0 || !p.blind) {
					addTimes(to[axis], part, values)
				}
			}
		}
	}
	for i := range c.Force[0] {
		sum := c.Force[0][i] + c.Force[1][i] + c.Force[2][i] + c.Moment[0][i] + c.Moment[1][i] + c.Moment[2][i]
		if sum-sum != 0 { // one of them is no number
			c.set(i, Wrench{Force: nowhere, Moment: nowhere})
		} else if p.blind {
			c.set(i, Wrench{Force: Vector{c.Force[0][i], c.Force[1][i], c.Force[2][i]}, Moment: nowhere})
		}
	}
}

// addTimes adds so many times each of some values to those of another list.
func addTimes(to []float64, times float64, values []float64) {
	values = values[:len(to)]
	for i := range to {
		to[i] += times * values[i]
	}
}

// Len is how many samples there are.
func (c *Course) Len() int { return len(c.Force[0]) }

// At gives the wrench of a sample.
func (c *Course) At(i int) Wrench {
	var force, moment Vector
	for axis := range 3 {
		force[axis], moment[axis] = c.Force[axis][i], c.Moment[axis][i]
	}
	return c.Platform.wrench(c.Platform.back(force), c.Platform.back(moment))
}

// Vertical is the force along the normal of the surface of a sample, upwards positive.
func (c *Course) Vertical(i int) float64 { return c.vertical[i] }

// Downwards says whether a vertical force, upwards positive, is on the whole that of the body
// on the ground: its loaded samples point downwards.
func Downwards(vertical []float64) bool {
	sum := 0.0
	for _, f := range vertical {
		if math.Abs(f) >= Smallest {
			sum += f
		}
	}
	return sum < 0
}

// turnAround makes the force on the body of that on the plate.
func (c *Course) turnAround() {
	c.Reversed = true
	for _, values := range append(append(c.Force[:], c.Moment[:]...), c.vertical) {
		Negate(values)
	}
}

// Negate gives all numbers the opposite sign.
func Negate(values []float64) {
	for i := range values {
		values[i] = -values[i]
	}
}

// measurable refuses channels in volts that have more than there can be.
func (p *Platform) measurable(channels [][]float64) error {
	for i, volts := range p.volts {
		if !volts {
			continue
		}
		for _, v := range channels[i] {
			if math.Abs(v) > mostVolts {
				return unusable("its channel %d has %.5g V, and platforms give no more than %d V: its unit or its "+
					"calibration is wrong", i+1, v, mostVolts)
			}
		}
	}
	return nil
}

// possible refuses the vertical force of a platform that pulls.
func possible(vertical []float64) error {
	greatest, known, pulls := 0.0, 0, 0
	for _, f := range vertical {
		if f == f {
			greatest, known = math.Max(greatest, f), known+1
		}
	}
	for _, f := range vertical {
		if f < pullOf*greatest && f < -Smallest {
			pulls++
		}
	}
	if float64(pulls) > pullFor*float64(known) {
		return unusable("its vertical force is below %.4g N, 5 %% of its greatest, downwards, in %.0f %% of the "+
			"samples, and a platform cannot pull",
			-pullOf*greatest, 100*float64(pulls)/float64(known))
	}
	return nil
}

// Idle says whether no channel of a platform ever changed: it measured nothing.
func Idle(channels [][]float64) bool {
	for _, c := range channels {
		for _, v := range c {
			if v != c[0] {
				return false
			}
		}
	}
	return true
}

// stuck gives the first sample of a run of the greatest value of a channel, in either
// direction, that is longer than any movement makes; -1 without one.
func stuck(values []float64, rate float64) int {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v < low { // which what is no number is not
			low = v
		}
		if v > high {
			high = v
		}
	}
	if !(high > low) {
		return -1 // a channel that always has one number measured nothing
	}
	extreme := high
	if -low > high {
		extreme = low
	}
	longest := int(math.Ceil(stuckFor * rate))
	run := 0
	for i, v := range values {
		if v != extreme {
			run = 0
			continue
		}
		if run++; run > longest {
			return i - run + 1
		}
	}
	return -1
}

// back takes a vector from the axes of the laboratory to those of the plate.
func (p *Platform) back(v Vector) Vector {
	return Vector{v.dot(p.axes[0]), v.dot(p.axes[1]), v.dot(p.axes[2])}
}

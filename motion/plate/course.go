package plate

import (
	"math"
	"slices"
)

// Course is what a platform measured in the course of a recording, along the axes of the
// laboratory and as it acts on the body. Of its samples it keeps the vertical force alone; the
// rest is computed of the channels when it is asked for.
type Course struct {
	Platform *Platform
	Rate     float64 // samples a second
	// Reversed says that the file had the forces with the opposite sign, that of the body
	// on the plate, and that they were turned around.
	Reversed bool

	channels Channels
	parts    [][2]Vector // of each channel: the force, and the moment about the middle, that 1 of it is
	vertical []float64   // the force along the normal of the surface
}

// Channels are the samples of the channels of a platform, in the order of the file.
type Channels interface {
	// Len is how many samples each channel has.
	Len() int
	// Read fills a list with those of a channel from one on. What is missing is NaN.
	Read(channel, from int, to []float64)
}

// Lists are channels in memory.
type Lists [][]float64

// Len is how many samples each channel has.
func (l Lists) Len() int { return len(l[0]) }

// Read fills a list with those of a channel from one on.
func (l Lists) Read(channel, from int, to []float64) { copy(to, l[channel][from:]) }

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
func (p *Platform) Course(channels Channels, rate float64) (*Course, error) {
	c := &Course{Platform: p, Rate: rate, channels: channels, vertical: make([]float64, channels.Len())}
	for j := range p.units {
		var one [8]float64
		one[j] = p.units[j]
		f, m := p.local(one)
		c.parts = append(c.parts, [2]Vector{p.turn(f), p.turn(m)})
	}
	if err := c.judge(c.sum()); err != nil {
		return nil, err
	}
	if Downwards(c.vertical) {
		c.Reversed = true
		Negate(c.vertical)
	}
	return c, possible(c.vertical)
}

// judge refuses a platform by what its channels had.
func (c *Course) judge(seen []extremes) error {
	p := c.Platform
	forces := seen
	if p.kind == 1 {
		forces = seen[:3] // the others are places, at which anybody may stand still
	}
	for i := range forces {
		if value, at := forces[i].stuck(); at >= 0 {
			return unusable("its channel %d has its greatest value, %.5g, without a change for more than %g ms "+
				"from %.3f s on: it was saturated",
				i+1, value, stuckFor*1000, float64(at)/c.Rate)
		}
	}
	for i, volts := range p.volts {
		if volts && (seen[i].low.value < -mostVolts || seen[i].high.value > mostVolts) {
			return unusable("its channel %d has %.5g V, and platforms give no more than %d V: its unit or its "+
				"calibration is wrong", i+1, c.above(i, mostVolts), mostVolts)
		}
	}
	return nil
}

// above is the first sample of a channel that is farther from 0 than that.
func (c *Course) above(channel int, most float64) float64 {
	values := make([]float64, c.channels.Len())
	c.channels.Read(channel, 0, values)
	return values[slices.IndexFunc(values, func(v float64) bool { return math.Abs(v) > most })]
}

// piece is how many samples are looked at together, so that they stay near the processor.
const piece = 1024

// sum makes the vertical force, a channel after the other: that takes a tenth of the time of a wrench for
// each sample. It gives what the channels had.
func (c *Course) sum() []extremes {
	seen, longest := make([]extremes, len(c.parts)), int(math.Ceil(stuckFor*c.Rate))
	for j := range seen {
		seen[j] = nothingSeen
	}
	room, odd := make([][piece]float64, 1+len(c.parts)), make([]bool, len(c.parts))
	for from := 0; from < len(c.vertical); from += piece {
		n := min(piece, len(c.vertical)-from)
		for j := range c.parts {
			values := room[1+j][:n]
			c.channels.Read(j, from, values)
			odd[j] = seen[j].look(from, values, longest)
		}
		if c.Platform.kind == 1 { // its moment is a product of channels
			c.products(from, n)
		} else {
			c.sums(c.vertical[from:from+n], room[0][:n], room[1:], odd)
		}
	}
	return seen
}

// products makes the vertical force of some samples by their wrenches.
func (c *Course) products(from, n int) {
	for i := from; i < from+n; i++ {
		force, _ := c.raw(i)
		for axis, part := range c.Platform.Up() {
			c.vertical[i] += part * force[axis]
		}
	}
}

// sums makes that of channels of which force and moment are sums, by the force along the axes that it has a part of.
// It is missing where a channel of which force or moment have a part has no number, as some of the odd channels have.
func (c *Course) sums(to, room []float64, channels [][piece]float64, odd []bool) {
	for axis, part := range c.Platform.Up() {
		if part == 0 {
			continue
		}
		clear(room)
		for j, parts := range c.parts {
			if parts[0][axis] != 0 {
				addTimes(room, parts[0][axis], channels[j][:])
			}
		}
		addTimes(to, part, room)
	}
	for j, parts := range c.parts {
		if odd[j] && (parts[0] != Vector{} || parts[1] != Vector{} && !c.Platform.blind) {
			for i := range to {
				to[i] += channels[j][i] - channels[j][i] // 0, or none
			}
		}
	}
}

// raw gives force and moment about the middle of the surface of a sample, with the sign of the file.
func (c *Course) raw(i int) (force, moment Vector) {
	p := c.Platform
	var at [8]float64
	for j := range c.parts {
		c.channels.Read(j, i, at[j:j+1])
	}
	if p.kind == 1 {
		w := p.Wrench(at[:len(c.parts)])
		return w.Force, w.Moment
	}
	for j, parts := range c.parts {
		for axis := range 3 {
			if part := parts[0][axis]; part != 0 {
				force[axis] += part * at[j]
			}
			if part := parts[1][axis]; part != 0 && !p.blind {
				moment[axis] += part * at[j]
			}
		}
	}
	switch sum := force[0] + force[1] + force[2] + moment[0] + moment[1] + moment[2]; {
	case sum-sum != 0: // one of the channels has no number
		return nowhere, nowhere
	case p.blind:
		return force, nowhere
	}
	return force, moment
}

// addTimes adds so many times each of some values to those of another list.
func addTimes(to []float64, times float64, values []float64) {
	values = values[:len(to)]
	for i := range to {
		to[i] += times * values[i]
	}
}

// Len is how many samples there are.
func (c *Course) Len() int { return len(c.vertical) }

// At gives the wrench of a sample.
func (c *Course) At(i int) Wrench {
	force, moment := c.raw(i)
	if c.Reversed {
		force, moment = force.times(-1), moment.times(-1)
	}
	return c.Platform.wrench(c.Platform.back(force), c.Platform.back(moment))
}

// Vertical is the force along the normal of the surface of a sample, upwards positive.
func (c *Course) Vertical(i int) float64 { return c.vertical[i] }

// Verticals are those of all samples, which nobody may change.
func (c *Course) Verticals() []float64 { return c.vertical }

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

// Negate gives all numbers the opposite sign.
func Negate(values []float64) {
	for i := range values {
		values[i] = -values[i]
	}
}

// possible refuses the vertical force of a platform that pulls.
func possible(vertical []float64) error {
	least, greatest, known, pulls := 0.0, 0.0, 0, 0
	for _, f := range vertical {
		if f > greatest {
			greatest = f
		}
		if f < least {
			least = f
		}
	}
	if least >= -Smallest {
		return nil
	}
	for _, f := range vertical {
		if f == f {
			known++
		}
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

// back takes a vector from the axes of the laboratory to those of the plate.
func (p *Platform) back(v Vector) Vector {
	return Vector{v.dot(p.axes[0]), v.dot(p.axes[1]), v.dot(p.axes[2])}
}

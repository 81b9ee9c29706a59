package movement

import (
	"math"
	"slices"
)

// quiet is the time of standing still before a jump, and what it says of the weight.
type quiet struct {
	from, to          int     // samples, half-open
	weight, deviation float64 // N
}

// still says whether the person stood still.
func (q quiet) still() bool { return q.weight > 0 && q.deviation <= quietDeviation.of(q.weight) }

// contactBefore is the first sample of the unbroken contact that a take-off ends.
func contactBefore(force []float64, takeoff int) int {
	from := takeoff
	for from > 0 && force[from-1] >= contactForce.Value {
		from--
	}
	return from
}

// weigh finds the stillest stretch of a contact before the peak of the force; false when
// the contact is too short. Force is without the offset of the platform.
func weigh(force []float64, rate float64, from, peak int) (quiet, bool) {
	length := min(weighing.samples(rate), peak-from)
	if length < leastWeighing.samples(rate) {
		return quiet{}, false
	}
	best := quiet{deviation: math.Inf(1)}
	// Sums of what is taken off a middle value lose no digits.
	about := force[from]
	var sum, squares float64
	for i := from; i < peak; i++ {
		d := force[i] - about
		sum, squares = sum+d, squares+d*d
		if i-from >= length {
			d := force[i-length] - about
			sum, squares = sum-d, squares-d*d
		}
		if i-from < length-1 {
			continue
		}
		if variance := (squares - sum*sum/float64(length)) / float64(length-1); variance < best.deviation {
			best = quiet{from: i + 1 - length, to: i + 1, deviation: variance}
		}
	}
	best.weight, best.deviation = spread(force[best.from:best.to])
	return best, true
}

// impulse is a jump from its first movement to its take-off, integrated.
type impulse struct {
	quiet
	start, slowest, bottom int       // samples: first movement, least velocity, lowest place
	takeoff                int       // sample
	velocity, height       []float64 // m/s and m of every sample from start to take-off, 0 at the start
}

// mass in kg.
func (j *impulse) mass() float64 { return j.weight / gravity }

// at is where in the slices a sample stands.
func (j *impulse) at(sample int) int { return sample - j.start }

// startDown finds the first movement of a jump that begins with a dip.
func (q quiet) startDown(force []float64, rate float64, peak int) int {
	lowest := q.to
	for i := q.to; i < peak; i++ {
		if force[i] < force[lowest] {
			lowest = i
		}
	}
	start := lowest
	for start > q.from && force[start] < q.weight-q.band() {
		start--
	}
	return max(q.from, start-onsetLead.samples(rate))
}

// startUp finds the first movement of a jump that begins upwards.
func (q quiet) startUp(force []float64, rate float64, peak int) int {
	start := peak
	for start > q.from && force[start] > q.weight+q.band() {
		start--
	}
	return max(q.from, start-onsetLead.samples(rate))
}

// band is by how much the force may differ from the weight before it has left it.
func (q quiet) band() float64 {
	return max(onsetDeviations.Value*q.deviation, onsetShare.of(q.weight))
}

// integrate follows the body from its first movement to the take-off, by the trapezoid
// rule.
func (q quiet) integrate(force []float64, rate float64, start, takeoff int) *impulse {
	j := &impulse{quiet: q, start: start, takeoff: takeoff, velocity: make([]float64, takeoff-start+1),
		height: make([]float64, takeoff-start+1)}
	acceleration := func(i int) float64 { return (force[i] - q.weight) / j.mass() }
	for i := 1; i < len(j.velocity); i++ {
		j.velocity[i] = j.velocity[i-1] + (acceleration(start+i-1)+acceleration(start+i))/(2*rate)
		j.height[i] = j.height[i-1] + (j.velocity[i-1]+j.velocity[i])/(2*rate)
	}
	slowest := 0
	for i, v := range j.velocity {
		if v < j.velocity[slowest] {
			slowest = i
		}
	}
	bottom := slowest
	for bottom < len(j.velocity)-1 && j.velocity[bottom] < 0 {
		bottom++
	}
	j.slowest, j.bottom = start+slowest, start+bottom
	return j
}

// takeoffVelocity in m/s.
func (j *impulse) takeoffVelocity() float64 { return j.velocity[len(j.velocity)-1] }

// rise is how far the body rises after the take-off, in m.
func (j *impulse) rise() float64 { return j.takeoffVelocity() * j.takeoffVelocity() / (2 * gravity) }

// depth is how far the body goes down, in m.
func (j *impulse) depth() float64 { return -slices.Min(j.height) }

// peakPower is the greatest of force times velocity from the lowest place to the take-off, in W.
func (j *impulse) peakPower(force []float64) float64 {
	peak := 0.0
	for i := j.bottom; i <= j.takeoff; i++ {
		peak = max(peak, force[i]*j.velocity[j.at(i)])
	}
	return peak
}

// area is the integral of a force from one sample to another, in N·s.
func area(force []float64, rate float64, from, to int) float64 {
	sum := 0.0
	for i := from; i < to; i++ {
		sum += (force[i] + force[i+1]) / (2 * rate)
	}
	return sum
}

package movement

import (
	"math"
	"slices"
)

// flight is a time in the air: the first sample of it, and the first sample of contact
// after it. An open one has no landing: the recording ends in the air, or the person came
// down beside the platform.
type flight struct {
	takeoff, landing int
	open             bool
	from, to         int     // samples, half-open, of its middle, in which the platform is empty
	offset, noise    float64 // mean and standard deviation of the empty platform in N
}

// roughWeight is about what the person weighs in N: the median of the loaded samples.
func roughWeight(force []float64) float64 {
	values := slices.Clone(force)
	least := loadedShare.of(nth(values, len(values)*95/100))
	loaded := values[:0]
	for _, f := range force {
		if f > least {
			loaded = append(loaded, f)
		}
	}
	return middleOf(loaded)
}

// middleOf is the median of numbers, which it moves around; 0 of none.
func middleOf(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	above := nth(values, n/2)
	if n%2 == 1 {
		return above
	}
	return (slices.Max(values[:n/2]) + above) / 2
}

// nth gives the number that would have that place if the numbers were sorted, and moves them around: those that come
// before it are then less or equal. None of them is missing. It takes a part of the time of sorting them.
func nth(values []float64, place int) float64 {
	for low, high := 0, len(values)-1; low < high; {
		if n := high - low + 1; n > manyNumbers {
			// By a few numbers around the place, it soon has one that is near to what belongs there (Floyd and
			// Rivest 1975).
			few := 0.5 * math.Exp(2*math.Log(float64(n))/3)
			share := few / float64(n)
			margin := 0.5 * math.Sqrt(math.Log(float64(n))*few*(1-share))
			from := place - int(float64(place-low)*share+margin)
			to := place + int(float64(high-place)*share+margin)
			from, to = max(low, from), min(high, to)
			nth(values[from:to+1], place-from)
		}
		pivot := values[place]
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		if j < place {
			low = i
		}
		if place < i {
			high = j
		}
	}
	return values[place]
}

// manyNumbers is from how many on it is faster to look at a few of them first.
const manyNumbers = 600

// median is that of sorted numbers; 0 of none.
func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// flights finds the times in the air, in their order, by a vertical force in N.
func flights(force []float64, rate float64) []flight {
	weight := roughWeight(force)
	least := max(contactForce.Value, contactShare.of(weight))
	var all []flight
	for from := 0; from < len(force); from++ {
		if force[from] >= least {
			continue
		}
		to := from
		for to < len(force) && force[to] < least {
			to++
		}
		f := flight{takeoff: from, landing: to}
		if f.follows(force, rate, weight) && to-from >= leastFlight.samples(rate) {
			f.open = !f.lands(force, rate, weight)
			f.settle(force, rate)
			all = append(all, f)
		}
		from = to
	}
	return all
}

// follows says whether a push-off comes before.
func (f *flight) follows(force []float64, rate, weight float64) bool {
	return f.takeoff > 0 && slices.Max(force[max(0, f.takeoff-pushWindow.samples(rate)):f.takeoff]) >=
		pushForce.Value*weight
}

// lands says whether a landing ends it.
func (f *flight) lands(force []float64, rate, weight float64) bool {
	return f.landing < len(force) && f.landing-f.takeoff <= longestFlight.samples(rate) &&
		slices.Max(force[f.landing:min(len(force), f.landing+impactWindow.samples(rate))]) >= pushForce.Value*weight
}

// settle measures the empty platform and moves take-off and landing to where, without its
// offset, contact ends and begins.
func (f *flight) settle(force []float64, rate float64) {
	length := f.landing - f.takeoff
	if f.open {
		length = min(length, openFlight.samples(rate))
	}
	f.from, f.to = f.takeoff+length/4, f.takeoff+length-length/4
	f.offset, f.noise = spread(force[f.from:f.to])
	contact := contactForce.Value + f.offset
	within := f.takeoff + length/2
	for f.takeoff < within && force[f.takeoff] >= contact {
		f.takeoff++
	}
	for f.takeoff > 0 && force[f.takeoff-1] < contact {
		f.takeoff--
	}
	for f.landing > within && force[f.landing-1] >= contact {
		f.landing--
	}
	for f.landing < len(force) && force[f.landing] < contact {
		f.landing++
	}
}

// noisy says whether the empty platform varies so much that contact is not told from it.
func (f *flight) noisy() bool { return onsetDeviations.Value*f.noise > contactForce.Value }

// spread gives mean and standard deviation (n-1) of some numbers.
func spread(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(deviation / max(1, n-1))
}

// chosen is the flight that is the jump: the longest one with a landing, or else the last
// one; false without any.
func chosen(all []flight) (flight, bool) {
	var best flight
	for _, f := range all {
		if !f.open && f.landing-f.takeoff > best.landing-best.takeoff {
			best = f
		}
	}
	if best.landing == 0 && len(all) > 0 {
		best = all[len(all)-1]
	}
	return best, len(all) > 0
}

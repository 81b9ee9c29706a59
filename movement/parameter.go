package movement

import "strconv"

// String is the number with its unit, as people write it.
func (p Parameter) String() string {
	number := strconv.FormatFloat(p.Value, 'f', -1, 64)
	switch p.Unit {
	case "":
		return number
	case "%", "°":
		return number + " " + p.Unit
	}
	return number + " " + p.Unit
}

// samples is how many samples of that rate a time of so many seconds has, at least one.
func (p Parameter) samples(rate float64) int { return max(1, int(p.Value*rate+0.5)) }

// of is that share of a number, of a parameter in per cent.
func (p Parameter) of(whole float64) float64 { return p.Value / 100 * whole }

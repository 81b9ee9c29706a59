package movement

import (
	"errors"
	"math"
	"slices"
)

// facing gives where the person faces in every frame: level, at a right angle to the line from
// the left to the right hip, or of markers of the skin to that of the front of the pelvis. The
// error is a *withheld, also where by that line the toes point backwards, for then left and right
// are exchanged.
func (b *body) facing() ([]vector, error) {
	line, err := b.both("hip")
	if err != nil {
		if line, err = b.both("asis"); err != nil {
			return nil, err
		}
	}
	toes, err := b.both("toe")
	if err != nil {
		return nil, err
	}
	heels, err := b.both("heel")
	if err != nil {
		if heels, err = b.both("ankle"); err != nil {
			return nil, err
		}
	}
	heading := make([]vector, len(line[0]))
	along := make([]float64, 0, len(heading))
	for i := range heading {
		heading[i] = b.up.cross(line[1][i].minus(line[0][i])).across(b.up).unit()
		feet := toes[0][i].minus(heels[0][i]).plus(toes[1][i].minus(heels[1][i]))
		if d := feet.dot(heading[i]); d == d {
			along = append(along, d)
		}
	}
	switch toesAhead := middleOf(along); {
	case len(along) == 0:
		return nil, withhold(GapAtEvent, "In no frame are the pelvis and the feet all there.")
	case toesAhead <= 0:
		return nil, withhold(SidesSwapped,
			"By the pelvis the toes point backwards, %.2f m behind the heels, so left and right are exchanged.",
			math.Abs(toesAhead)/2)
	}
	return heading, nil
}

// exchanged gives the error of facing where left and right are exchanged, and nil else.
func (b *body) exchanged() error {
	var w *withheld
	if _, err := b.facing(); errors.As(err, &w) && w.code == SidesSwapped {
		return err
	}
	return nil
}

// smooth gives places through a low-pass, each stretch between gaps for itself.
func (b *body) smooth(places []vector, cutoff Parameter) []vector {
	return alongAxes(places, func(values []float64) []float64 { return smoothed(values, cutoff.Value, b.rate) })
}

// alongAxes changes the numbers of places along each axis. What is missing along one is missing
// along all.
func alongAxes(places []vector, change func([]float64) []float64) []vector {
	out := slices.Clone(places)
	for axis := range 3 {
		values := make([]float64, len(places))
		for i, p := range places {
			values[i] = p[axis]
			if p.missing() {
				values[i] = math.NaN()
			}
		}
		for i, v := range change(values) {
			out[i][axis] = v
		}
	}
	return out
}

// lines are the ways from places to others.
func lines(from, to []vector) []vector {
	all := make([]vector, len(from))
	for i := range all {
		all[i] = to[i].minus(from[i])
	}
	return all
}

// across is the way from the left to the right one of a landmark. The error is a *withheld.
func (b *body) across(landmark string) ([]vector, error) {
	sides, err := b.both(landmark)
	if err != nil {
		return nil, err
	}
	return lines(sides[0], sides[1]), nil
}

// about is how far directions are turned about the vertical, in degrees, to the left positive,
// without jumps of a whole turn.
func (b *body) about(line []vector) []float64 {
	east, north := b.up.level()
	angle := make([]float64, len(line))
	for i, v := range line {
		angle[i] = math.Atan2(v.dot(north), v.dot(east)) * 180 / math.Pi
	}
	return unwrapped(angle)
}

// second is the time of a frame on the clock of the recording.
func (b *body) second(i int) float64 { return b.rec.Info.Start + float64(i)/b.rate }

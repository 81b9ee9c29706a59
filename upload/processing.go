package upload

import (
	"math"
	"time"
)

// Processing is how far a worker is with the file of a capture.
type Processing struct {
	Begun time.Time // when the worker took the file; zero while none has it
	Told  time.Time // when it last said how far it is; zero where it has not
	Done  float64   // the part that was done then, from 0 to 1
}

// leastDone and leastTime are what must have passed before anything is expected of the rest: a
// program that starts says little of how fast it will be.
const (
	leastDone = 0.01
	leastTime = time.Second
)

// Left is how long the rest is expected to take from now on, when it goes on as fast as what is done;
// ok is false where that is not known.
func (p Processing) Left(now time.Time) (left time.Duration, ok bool) {
	took := p.Told.Sub(p.Begun)
	if p.Begun.IsZero() || p.Told.IsZero() || p.Done < leastDone || took < leastTime {
		return 0, false
	}
	rest := took.Seconds() * (1 - p.Done) / p.Done
	return max(0, time.Duration(math.Round(rest*float64(time.Second)))-now.Sub(p.Told)), true
}

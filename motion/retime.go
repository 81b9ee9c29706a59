package motion

import "github.com/kinebase/kinebase/motion/c3d"

// Clock is by what the frames of a recording are timed.
type Clock struct {
	Kind       Kind
	Rate       float64 // in frames a second; 0: the file tells none
	Uneven     bool    // its frames have times of their own
	FirstFrame int     // the number of the first frame
	Start      float64 // the time of the first frame, in seconds
}

// Retimed is a clock by another rate.
type Retimed struct {
	Rate   float64
	Start  float64
	factor float64 // of times by the rate of before; 0: there was none
}

// By gives the clock as if the file stated this rate, which is above 0. What the file times by
// its own rate (where it begins, its events) is stretched along. Without a rate of its own, or
// where its frames have times of their own, only the frames are known. But a C3D file without a
// rate has the numbers of its frames, which then say when it begins.
func (c Clock) By(rate float64) Retimed {
	r := Retimed{Rate: rate, Start: c.Start}
	switch {
	case c.Uneven:
	case c.Rate > 0:
		r.factor = c.Rate / rate
		r.Start *= r.factor
	case c.Kind == C3D:
		r.Start = c3d.Start(c.FirstFrame, rate)
	}
	return r
}

// Event gives the time of an event that was at a time, and lay at a frame, counted from 0, or at
// none (nil). One that lay at none of frames without an even pace keeps its time.
func (r Retimed) Event(at float64, frame *int) float64 {
	switch {
	case r.factor > 0:
		return at * r.factor
	case frame != nil:
		return r.Start + float64(*frame)/r.Rate
	}
	return at
}

package frames

import (
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
)

// Corrected gives the info as it is once somebody has said by which rate, in
// frames a second, the movement was really recorded; a rate of 0 changes nothing.
//
// What the file times by its own rate (where it begins, its events) is stretched
// along. Without a rate of its own, or where its frames have times of their own,
// only the frames are known: the events keep to those that they lie at. But a C3D file
// without a rate has the numbers of its frames, which say when it begins, and times of
// its events, which are now seen to lie at frames. A video's own duration stays: it is
// what the pictures say.
func (i Info) Corrected(rate float64) Info {
	if !(rate > 0) {
		return i
	}
	factor := 0.0
	var lay *clock // of events that lay at no frame for want of a rate
	if i.Rate == nil && i.Format == string(motion.C3D) {
		i.Start = c3d.Start(i.FirstFrame, rate)
		lay = &clock{start: i.Start, rate: rate, frames: i.Frames}
	}
	if i.Rate != nil && *i.Rate > 0 && i.Even {
		factor = *i.Rate / rate
		i.Start *= factor
	}
	events := make([]Event, len(i.Events))
	for n, e := range i.Events {
		switch {
		case lay != nil:
			e.Frame = lay.row(e.Time)
		case factor > 0:
			e.Time *= factor
		case e.Frame != nil:
			e.Time = i.Start + float64(*e.Frame)/rate
		}
		events[n] = e
	}
	channels := make([]Channel, len(i.Channels))
	for n, c := range i.Channels {
		samples := rate * float64(max(1, c.PerFrame))
		c.Rate = &samples
		channels[n] = c
	}
	i.Rate, i.Even, i.Duration = &rate, true, float64(i.Frames)/rate
	i.Events, i.Channels = events, channels
	return i
}

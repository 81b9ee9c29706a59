package frames

import "github.com/kinebase/kinebase/motion"

// Corrected gives the info as it is once somebody has said by which rate, in frames a
// second, the movement was really recorded; a rate of 0 changes nothing. motion.Clock says what
// becomes of its times. Events of a C3D file without a rate, which has their times, are now seen
// to lie at frames. A video's own duration stays: it is what the pictures say.
func (i Info) Corrected(rate float64) Info {
	if !(rate > 0) {
		return i
	}
	clocked := motion.Clock{Kind: motion.Kind(i.Format), Uneven: i.Rate != nil && !i.Even, FirstFrame: i.FirstFrame,
		Start: i.Start}
	if i.Rate != nil {
		clocked.Rate = *i.Rate
	}
	retimed := clocked.By(rate)
	var lay *clock // of events that lay at no frame for want of a rate
	if i.Rate == nil && clocked.Kind == motion.C3D {
		lay = &clock{start: retimed.Start, rate: rate, frames: i.Frames}
	}
	i.Start = retimed.Start
	events := make([]Event, len(i.Events))
	for n, e := range i.Events {
		if e.Time = retimed.Event(e.Time, e.Frame); lay != nil {
			e.Frame = lay.row(e.Time)
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

package motion

import (
	"slices"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// Correct has every stretch from now on given as if the file stated this rate, in
// frames a second. What the file times by its own rate (where it begins, its events)
// is stretched along. Without a rate of its own, or where its frames have times of
// their own, events keep to the frames that they lie at, those before and after the
// recording to their times. Only a C3D file has both without a rate: the numbers of its
// frames, which then say when it begins, and times of events. A rate of 0 changes nothing.
func (f *File) Correct(rate float64) {
	if !(rate > 0) {
		return
	}
	whole := f.head
	if f.all != nil {
		whole = f.all
	}
	f.corrected = &correction{rate: rate, start: whole.Start, events: slices.Clone(whole.Events)}
	switch {
	case whole.Times != nil:
	case whole.Rate > 0:
		f.corrected.start *= whole.Rate / rate
	case f.Kind == C3D:
		f.corrected.start = c3d.Start(whole.FirstFrame, rate)
	}
	for i := range f.corrected.events {
		e := &f.corrected.events[i]
		switch {
		case whole.Times != nil:
			if frame, ok := record.Within(whole.Times, e.Time); ok {
				e.Time = f.corrected.start + float64(frame)/rate
			}
		case whole.Rate > 0:
			e.Time *= whole.Rate / rate
		}
	}
}

// correction is what a rate makes of the times of a file.
type correction struct {
	rate   float64
	start  float64 // of the first frame of all
	events []record.Event
}

// apply gives a stretch that begins at a frame, counted from 0, by the rate. The
// stretch itself stays as it is.
func (c *correction) apply(rec *Recording, from int) *Recording {
	out := *rec
	out.Rate, out.Times, out.Events = c.rate, nil, c.events
	out.Start = c.start + float64(from)/c.rate
	out.Angles, out.Analogs, out.Rotations = slices.Clone(rec.Angles), slices.Clone(rec.Analogs), slices.Clone(rec.Rotations)
	for _, channels := range [][]record.Channel{out.Angles, out.Analogs} {
		for i := range channels {
			channels[i].Rate = c.rate * float64(max(1, channels[i].PerFrame))
		}
	}
	for i := range out.Rotations {
		out.Rotations[i].Rate = c.rate * float64(max(1, out.Rotations[i].PerFrame))
	}
	return &out
}

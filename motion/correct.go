package motion

import (
	"slices"

	"github.com/kinebase/kinebase/motion/record"
)

// Correct has every stretch from now on given as if the file stated this rate, in frames a
// second; a rate of 0 changes nothing. Clock.By says what becomes of its times. Of frames that
// have times of their own, events keep to those that they lie at.
func (f *File) Correct(rate float64) {
	if !(rate > 0) {
		return
	}
	whole := f.head
	if f.all != nil {
		whole = f.all
	}
	clock := Clock{Kind: f.Kind, Rate: whole.Rate, Uneven: whole.Times != nil, FirstFrame: whole.FirstFrame,
		Start: whole.Start}
	f.corrected = &correction{Retimed: clock.By(rate), events: slices.Clone(whole.Events)}
	for i := range f.corrected.events {
		e := &f.corrected.events[i]
		var frame *int
		if at, ok := record.Within(whole.Times, e.Time); ok {
			frame = &at
		}
		e.Time = f.corrected.Event(e.Time, frame)
	}
}

// correction is what a rate makes of the times of a file.
type correction struct {
	Retimed
	events []record.Event
}

// apply gives a stretch that begins at a frame, counted from 0, by the rate. The
// stretch itself stays as it is.
func (c *correction) apply(rec *Recording, from int) *Recording {
	out := *rec
	out.Rate, out.Times, out.Events = c.Rate, nil, c.events
	out.Start = c.Start + float64(from)/c.Rate
	out.Angles, out.Analogs, out.Rotations = slices.Clone(rec.Angles), slices.Clone(rec.Analogs),
		slices.Clone(rec.Rotations)
	for _, channels := range [][]record.Channel{out.Angles, out.Analogs} {
		for i := range channels {
			channels[i].Rate = c.Rate * float64(max(1, channels[i].PerFrame))
		}
	}
	for i := range out.Rotations {
		out.Rotations[i].Rate = c.Rate * float64(max(1, out.Rotations[i].PerFrame))
	}
	return &out
}

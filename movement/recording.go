package movement

import (
	"fmt"

	"github.com/kinebase/kinebase/frames"
)

// Recording is a recording that was read: what is known of it by the rate that holds, and
// its tables. Samples is nil where no channel has several samples a frame. Handedness is that of
// the capture, "left" or "right", and empty where it has none.
type Recording struct {
	Info           frames.Info
	Table, Samples *frames.Table
	Handedness     string
	Own            *MarkerSet // how the organization calls points; nil where it has no names of its own
}

// mostNumbers is how many numbers of a recording are looked at: an hour of a platform's
// six channels at 1,000 Hz. No movement of the library lasts as long.
const mostNumbers = 24_000_000

// courses gives all samples of some channels of one column each, in 64 bits, and how many
// of them there are a second. The error is a *withheld.
func (r *Recording) courses(names []string) (values [][]float64, rate float64, err error) {
	perFrame, columns := 0, []string{}
	for _, name := range names {
		c := r.Info.Channel(name)
		if c == nil || len(c.Columns) != 1 {
			return nil, 0, withhold(Failed, "The recording has no channel %q.", name)
		}
		if perFrame != 0 && c.PerFrame != perFrame {
			return nil, 0, withhold(RateTooLow, "The channels %q and %q have different rates.", names[0], name)
		}
		perFrame, columns = max(1, c.PerFrame), append(columns, c.Columns[0])
	}
	switch {
	case !r.Info.Even:
		return nil, 0, withhold(UnevenFrames, "The frames are not evenly spaced in time.")
	case r.Info.Rate == nil:
		return nil, 0, withhold(RateTooLow, "The rate of the recording is not known.")
	case r.Info.Frames*perFrame > mostNumbers/len(names):
		return nil, 0, withhold(TooLong,
			"The recording has %d samples of %d channels, and a movement of at most %d numbers is computed with.",
			r.Info.Frames*perFrame, len(names), mostNumbers)
	}
	table := r.Table
	if perFrame > 1 {
		table = r.Samples
	}
	if values, err = table.ReadSamples(columns, perFrame); err != nil {
		return nil, 0, fmt.Errorf("reading what is computed with: %w", err)
	}
	return values, *r.Info.Rate * float64(perFrame), nil
}

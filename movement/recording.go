package movement

import (
	"fmt"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/plate"
)

// Recording is a recording that was read: what is known of it by the rate that holds, and
// its tables, which Open gives where they are opened only once they are needed. Samples is nil where no channel has
// several samples a frame, and Kept where nothing is still in memory of the tables. Handedness is that of
// the capture, "left" or "right", and empty where it has none.
type Recording struct {
	Info           frames.Info
	Table, Samples *frames.Table
	Open           func() (table, samples *frames.Table, err error) // nil: Table and Samples
	Kept           *frames.Kept
	Handedness     string
	Own            *MarkerSet // how the organization calls points; nil where it has no names of its own
}

// mostNumbers is how many numbers of a recording are looked at: an hour of a platform's
// six channels at 1,000 Hz. No movement of the library lasts as long.
const mostNumbers = 24_000_000

// courses gives all samples of some channels of one column each, in 64 bits, and how many
// of them there are a second. The error is a *withheld.
func (r *Recording) courses(names []string) (values [][]float64, rate float64, err error) {
	columns, perFrame, err := r.columns(names)
	if err != nil {
		return nil, 0, err
	}
	if values, err = r.read(columns, perFrame); err != nil {
		return nil, 0, err
	}
	return values, *r.Info.Rate * float64(perFrame), nil
}

// samples is courses where they are looked at a piece at a time.
func (r *Recording) samples(names []string) (channels plate.Channels, rate float64, err error) {
	columns, perFrame, err := r.columns(names)
	if err != nil {
		return nil, 0, err
	}
	channels, err = r.piecewise(columns, perFrame)
	return channels, *r.Info.Rate * float64(perFrame), err
}

// piecewise is read where the numbers are looked at a piece at a time.
func (r *Recording) piecewise(columns []string, perFrame int) (plate.Channels, error) {
	if kept, ok := r.Kept.Samples(columns, perFrame); ok {
		return kept, nil
	}
	values, err := r.read(columns, perFrame)
	return plate.Lists(values), err
}

// columns names the columns of some channels of one column each, and says how many samples a frame they have. The
// error is a *withheld where they are not computed with.
func (r *Recording) columns(names []string) (columns []string, perFrame int, err error) {
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
	return columns, perFrame, nil
}

// read gives all numbers of some columns that have so many a frame, in 64 bits.
func (r *Recording) read(columns []string, perFrame int) ([][]float64, error) {
	values, ok := r.Kept.Read(columns, perFrame)
	if ok {
		return values, nil
	}
	table, samples, err := r.Table, r.Samples, error(nil)
	if r.Open != nil {
		table, samples, err = r.Open()
	}
	if perFrame > 1 {
		table = samples
	}
	if err == nil {
		values, err = table.ReadSamples(columns, perFrame)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what is computed with: %w", err)
	}
	return values, nil
}

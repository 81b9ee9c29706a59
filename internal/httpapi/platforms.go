package httpapi

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// platformsOf says which of the columns are those of force platforms, and for how many values
// there must be room to compute them.
func platformsOf(info frames.Info, columns []string) (chosen []frames.PlatformChannel, room int64, err error) {
	chosen, read := info.Platforms(columns)
	room = 2 * int64(read) // of 64 bits each
	if room > valuesRoom {
		err = fault.New(fault.BadRequest,
			"The channels of a force platform are computed of all of its samples, and this recording has too many "+
				"for that.")
	}
	return chosen, room, err
}

// without gives the columns that none of the channels has.
func without(columns []string, platforms []frames.PlatformChannel) []string {
	return slices.DeleteFunc(slices.Clone(columns), func(name string) bool {
		return slices.ContainsFunc(platforms,
			func(c frames.PlatformChannel) bool { return slices.Contains(c.Columns, name) })
	})
}

// measurePlatforms adds the columns of force platforms to a part. They are computed of the
// table with all samples: that of samples, or else the motion table.
func (a *api) measurePlatforms(c *call, s upload.Stored, part *frames.Part, info frames.Info, table *frames.Table,
	platforms []frames.PlatformChannel, columns []string) error {
	if s.Samples == "" || table.PerFrame() > 1 {
		return damaged(part.Measure(info, table, platforms, columns), cmp.Or(s.Samples, s.Table))
	}
	file, err := a.Files.Open(c.r.Context(), s.Samples)
	if errors.Is(err, upload.ErrNoFile) {
		return fault.Busy(err, time.Second, "The tables of the capture are just being replaced.")
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	samples, err := frames.Open(file, file.Size())
	if err == nil {
		err = part.Measure(info, samples, platforms, columns)
	}
	return damaged(err, s.Samples)
}

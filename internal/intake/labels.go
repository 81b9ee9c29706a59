package intake

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// Labels makes the labels of a capture of texts by name: activity, movement,
// capture_time, and the movement dimensions by theirs. A text is trimmed, and an
// empty one is absent. The rules are those of a manifest's line; the error is a
// fault.BadRequest with every problem of the texts by its name.
func Labels(texts map[string]string) (capture.Capture, error) {
	line, dimensions := map[string]any{"status": capture.Completed}, map[string]string{}
	for name, text := range texts {
		text = strings.TrimSpace(text)
		switch {
		case text == "":
		case name == "activity" || name == "movement" || name == "capture_time":
			line[name] = text
		default:
			dimensions[name] = text
		}
	}
	line["dimensions"] = dimensions
	wire, err := json.Marshal(line)
	if err != nil { // strings always encode
		panic(err)
	}
	o, err := payload.Parse(wire)
	if err != nil {
		return capture.Capture{}, err
	}
	c, err := capture.FromImport(o)
	if err != nil {
		return capture.Capture{}, unprefixed(err)
	}
	return capture.Capture{Activity: c.Activity, Movement: c.Movement, Dimensions: c.Dimensions,
		CaptureTime: c.CaptureTime}, nil
}

// unprefixed calls dimensions by their own names: there is no object around them
// here.
func unprefixed(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	var p fault.Problems
	for _, problem := range f.Problems {
		p.Add(strings.TrimPrefix(problem.Field, "dimensions."), "%s",
			strings.TrimPrefix(problem.Message, "dimensions."))
	}
	return p.Err()
}

// relabel is a capture with the labels and athletes that are given. A time is
// taken where there is none: the file's own counts before anybody else's.
func relabel(c, given capture.Capture) capture.Capture {
	if given.Activity != nil {
		c.Activity = given.Activity
	}
	if given.Movement != nil {
		c.Movement = given.Movement
	}
	if len(given.Dimensions) > 0 {
		all := maps.Clone(c.Dimensions)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, given.Dimensions)
		c.Dimensions = all
	}
	if len(given.AthleteIDs) > 0 {
		c.AthleteIDs = given.AthleteIDs
	}
	if c.CaptureTime == nil {
		c.CaptureTime = given.CaptureTime
	}
	return c
}

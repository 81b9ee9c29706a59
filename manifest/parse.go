package manifest

import (
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// MaxLine is the longest line of a manifest in bytes, without its end.
const MaxLine = 1 << 20

// Parse reads one line: a JSON object whose "type" says what it is and whose
// other fields are those of the read shape. A record without an id keeps an
// empty one for Identity to fill. now decides which dates of birth lie ahead.
// The error is a fault with every problem of the line.
func Parse(line []byte, now time.Time) (Record, error) {
	if len(line) > MaxLine {
		return Record{}, tooLong()
	}
	o, err := payload.Parse(line)
	if err != nil {
		return Record{}, err
	}
	kind, given := o.Get("type")
	switch kind.String() {
	case "athlete":
		a, err := athlete.FromImport(o, now)
		return Record{Athlete: &a}, err
	case "capture":
		c, err := capture.FromImport(o)
		return Record{Capture: &c}, err
	case "export_job":
		j, err := export.FromImport(o)
		return Record{Job: &j}, err
	}
	var p fault.Problems
	if !given || kind.Null() {
		p.Add("type", "type is required: athlete, capture or export_job")
	} else {
		p.Add("type", "type must be one of athlete, capture, export_job")
	}
	return Record{}, p.Err()
}

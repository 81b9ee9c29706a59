package share

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// The limits of what a share of progress names.
const (
	longestLabel  = 128 // code points
	longestMetric = 256
)

// Course is one metric of one athlete over time: what a share of the kind progress shows. The captures are those that
// the athlete has when somebody looks.
type Course struct {
	Athlete  organization.ID
	Activity string // as it was written; compared without regard to case
	Movement string
	Metric   string
}

// TheAthlete is the number by which visitors know the athlete of a share of progress.
const TheAthlete = "1"

func readCourse(p *fault.Problems, v payload.Value) *Course {
	if v.Kind() != payload.KindObject {
		p.Add("progress", "progress must be an object, not %s", v.Kind().Article())
		return nil
	}
	var c Course
	texts := []struct {
		name    string
		longest int
		into    *string
	}{{"activity", longestLabel, &c.Activity}, {"movement", longestLabel, &c.Movement},
		{"metric", longestMetric, &c.Metric}}
	athlete, known := v.Object().Get("athlete_id")
	if id, ok := organization.ParseID(athlete.String()); !known || athlete.Kind() != payload.KindString || !ok {
		p.Add("progress", "progress.athlete_id must be the id of an athlete")
	} else {
		c.Athlete = id
	}
	for _, t := range texts {
		given, _ := v.Object().Get(t.name)
		var ok bool
		if *t.into, ok = movement.ReadName(given, t.longest); !ok {
			p.Add("progress", "progress.%s must be a string of 1 to %d characters without control characters", t.name,
				t.longest)
		}
	}
	for _, m := range v.Object().Members() {
		switch m.Name {
		case "athlete_id", "activity", "movement", "metric":
		default:
			p.Add("progress", "%s is not a field of progress", payload.Quote(m.Name))
		}
	}
	return &c
}

// fits tells of what a kind of share must have and must not have.
func (s *Share) fits(p *fault.Problems, captures, progress bool) {
	switch {
	case s.Kind == Progress && captures:
		p.Add("captures", "a share of the kind progress names no captures: it has those of its athlete")
	case s.Kind == Progress && !progress:
		p.Add("progress", "a share of the kind progress needs progress")
	case s.Kind != Progress && progress:
		p.Add("progress", "progress belongs to the kind progress")
	case s.Kind != Progress && !captures:
		p.Add("captures", "captures is required")
	}
}

// AppendCourse appends the course of a share, or null, with an id for the athlete. more is appended before its end.
func AppendCourse(b []byte, c *Course, athlete string, more []byte) []byte {
	if c == nil {
		return append(b, "null"...)
	}
	b = payload.AppendString(append(b, `{"athlete_id":`...), athlete)
	b = payload.AppendString(append(b, `,"activity":`...), c.Activity)
	b = payload.AppendString(append(b, `,"movement":`...), c.Movement)
	b = payload.AppendString(append(b, `,"metric":`...), c.Metric)
	return append(append(b, more...), '}')
}

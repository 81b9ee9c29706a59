package capture

import (
	"maps"
	"slices"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// MaxAhead is how far a capture time of a request may lie in the future: clocks of
// cameras are not always right.
const MaxAhead = 5 * time.Minute

// Change reads a correction from the body of a request: activity, movement, the
// movement dimensions by their names, capture_time and fps. null clears, but for
// fps. What is wrong with the body alone is told at once, every problem of it, as
// a fault.BadRequest; what depends on the movement that the capture has by the
// function that is returned. That function changes nothing of what it is given,
// and may be called again.
func Change(body payload.Object, now time.Time) (func(old Capture) (Capture, error), error) {
	var p fault.Problems
	var sets []func(*Capture)
	given, cleared := map[string]string{}, map[string]bool{}
	var movement *string
	for _, m := range body.Members() {
		switch {
		case m.Name == "activity":
			label := ReadLabel(&p, m.Name, m.Value)
			sets = append(sets, func(c *Capture) { c.Activity = label })
		case m.Name == "movement":
			movement = ReadLabel(&p, m.Name, m.Value)
			sets = append(sets, func(c *Capture) { c.Movement = movement })
		case m.Name == "capture_time":
			at := readTime(&p, m.Value, now)
			sets = append(sets, func(c *Capture) { c.CaptureTime = at })
		case m.Name == "fps":
			rate := readRate(&p, m.Value)
			sets = append(sets, func(c *Capture) { c.FPSDetected = &rate })
		case !IsDimension(m.Name):
			p.Add(m.Name, "%s cannot be corrected; there are activity, movement, the movement dimensions, "+
				"capture_time and fps", payload.Quote(m.Name))
		default:
			if value := ReadDimension(&p, m.Name, m.Value); value != "" {
				given[m.Name] = value
			} else {
				cleared[m.Name] = true
			}
		}
	}
	SettleDimensions(&p, "", movement, given)
	if err := p.Err(); err != nil {
		return nil, err
	}
	return func(old Capture) (Capture, error) {
		next := old
		for _, set := range sets {
			set(&next)
		}
		var p fault.Problems
		settled := maps.Clone(given)
		SettleDimensions(&p, "", next.Movement, settled)
		next.Dimensions = maps.Clone(old.Dimensions)
		if next.Dimensions == nil {
			next.Dimensions = map[string]string{}
		}
		maps.Copy(next.Dimensions, settled)
		maps.DeleteFunc(next.Dimensions, func(name, _ string) bool { return cleared[name] })
		return next, p.Err()
	}, nil
}

func readTime(p *fault.Problems, v payload.Value, now time.Time) *time.Time {
	if v.Null() {
		return nil
	}
	t, ok := ParseTime(v.String())
	switch {
	case !ok:
		p.Add("capture_time", "capture_time must be an ISO 8601 date and time such as 2026-05-13T12:00:00.000Z")
	case t.After(now.Add(MaxAhead)):
		p.Add("capture_time", "capture_time must not be more than 5 minutes ahead")
	}
	return &t
}

func readRate(p *fault.Problems, v payload.Value) float64 {
	rate, ok := v.Float()
	switch {
	case v.Null():
		p.Add("fps", "fps must not be null: a rate can be corrected, but not be taken away")
	case !ok || !FPS(rate):
		p.Add("fps", "fps must be a number from 0.001 to 1000000")
	}
	return rate
}

// ReadLinks reads the body of a request to link athletes: athlete_id, or
// athlete_ids with at least one of them. Whether there are such athletes is for
// the store to say.
func ReadLinks(body payload.Object) ([]string, error) {
	var p fault.Problems
	var ids []string
	for _, m := range body.Members() {
		switch m.Name {
		case "athlete_id":
			id, ok := organization.ParseUUID(m.Value.String())
			if !ok {
				p.Add(m.Name, "athlete_id must be a UUID of 36 characters")
			}
			ids = []string{id}
		case "athlete_ids":
			before := len(p)
			if ids = ReadAthletes(&p, m.Value); len(ids) == 0 && len(p) == before {
				p.Add(m.Name, "athlete_ids must hold at least one id")
			}
		default:
			p.Add(m.Name, "%s is not a field here; there are athlete_id and athlete_ids", payload.Quote(m.Name))
		}
	}
	_, one := body.Get("athlete_id")
	_, several := body.Get("athlete_ids")
	if one == several {
		p.Add("athlete_id", "either athlete_id or athlete_ids is required")
	}
	return ids, p.Err()
}

// Link links athletes behind those that the capture has; one that is linked
// already stays where it is.
func Link(ids []string) func(old Capture) (Capture, error) {
	return func(old Capture) (Capture, error) {
		next := old
		next.AthleteIDs = slices.Clone(old.AthleteIDs)
		for _, id := range ids {
			if !slices.Contains(next.AthleteIDs, id) {
				next.AthleteIDs = append(next.AthleteIDs, id)
			}
		}
		if len(next.AthleteIDs) > MaxAthletes {
			return Capture{}, fault.New(fault.BadRequest, "A capture can be linked to at most %d athletes.",
				MaxAthletes)
		}
		return next, nil
	}
}

// Unlink is the reverse of Link for one athlete; false when it was not linked.
func Unlink(old Capture, id string) (Capture, bool) {
	next := old
	next.AthleteIDs = slices.DeleteFunc(slices.Clone(old.AthleteIDs), func(a string) bool { return a == id })
	return next, len(next.AthleteIDs) < len(old.AthleteIDs)
}

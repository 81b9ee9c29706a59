package httpapi

import (
	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
)

// mergeAthletes makes the athlete of the path of two who are one person.
func (a *api) mergeAthletes(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.athleteID()
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	missing := err // existence is judged after the body
	once, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	from, err := athlete.ReadMerge(body)
	switch {
	case err != nil:
		return err
	case missing != nil:
		return missing
	case from == id:
		return fault.New(fault.BadRequest, "from must be another athlete than the one of the path.")
	}
	if once != nil {
		once.Render = func(written any) ([]byte, error) {
			one, ok := written.(athlete.Athlete)
			if !ok {
				return nil, fault.New(fault.Internal, "%s", unexpected)
			}
			return keptAnswer(one.Tag(), "", athlete.AppendRead(nil, one)), nil
		}
	}
	merged, err := a.Athletes.MergeAthletes(c.r.Context(), c.scope(), id, from, once, func(into, other athlete.Athlete) (athlete.Athlete, error) {
		if err := c.unchanged(into); err != nil {
			return athlete.Athlete{}, err
		}
		return athlete.Merge(into, other, c.start)
	})
	switch {
	case err != nil:
		return unknown(err, "athlete")
	case once.Replayed():
		return c.replay(once.Replay)
	}
	c.sendWritten(merged.Tag(), "", athlete.AppendRead(make([]byte, 0, 1024), merged))
	return nil
}

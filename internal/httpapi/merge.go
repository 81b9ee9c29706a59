package httpapi

import (
	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// mergeAthletes makes the athlete of the path of two who are one person.
func (a *api) mergeAthletes(c *call) error {
	return a.writeAthlete(c, athlete.AppendRead, func(id string, body payload.Object) (writing, error) {
		from, err := athlete.ReadMerge(body)
		if err == nil && from == id {
			err = fault.New(fault.BadRequest, "from must be another athlete than the one of the path.")
		}
		return func(once *organization.Once[athlete.Athlete]) (athlete.Athlete, error) {
			return a.Athletes.MergeAthletes(c.r.Context(), c.scope(), id, from, once,
				func(into, other athlete.Athlete) (athlete.Athlete, error) {
					if err := c.unchanged(into); err != nil {
						return athlete.Athlete{}, err
					}
					return athlete.Merge(into, other, c.start)
				})
		}, err
	})
}

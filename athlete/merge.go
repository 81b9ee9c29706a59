package athlete

import (
	"maps"
	"slices"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

// ReadMerge reads the body of a merge: the id of the athlete who becomes another one.
func ReadMerge(body payload.Object) (from string, err error) {
	var p fault.Problems
	for _, m := range body.Members() {
		id, ok := "", false
		if m.Value.Kind() == payload.KindString {
			id, ok = organization.ParseUUID(m.Value.String())
		}
		switch {
		case m.Name != "from":
			p.Add(m.Name, "%s is not a field of a merge", payload.Quote(m.Name))
		case !ok:
			p.Add("from", "from must be a UUID of 36 characters")
		default:
			from = id
		}
	}
	if from == "" && p.Err() == nil {
		p.Add("from", "from is required: the athlete who becomes this one")
	}
	return from, p.Err()
}

// Merge gives an athlete the fields and attributes of another one that are unset. Positions are taken only as
// far as all of them are positions of the activity. An athlete who has everything stays of the same Version.
func Merge(into, from Athlete, now time.Time) (Athlete, error) {
	a := into
	for i := range rows {
		r := &rows[i]
		switch {
		case r.imported:
		case r.Text != nil && *r.Text(&a) == "":
			*r.Text(&a) = *r.Text(&from)
		case r.Number != nil && *r.Number(&a) == 0:
			*r.Number(&a) = *r.Number(&from)
		case r.Day != nil && *r.Day(&a) == nil:
			*r.Day(&a) = *r.Day(&from)
		case r.Map != nil:
			all := maps.Clone(*r.Map(&from))
			if all == nil {
				all = map[string]string{}
			}
			maps.Copy(all, *r.Map(&a))
			*r.Map(&a) = all
		}
	}
	played := func(position string) bool { return slices.Contains(positions[a.Activity], position) }
	if len(a.Positions) == 0 && !slices.ContainsFunc(from.Positions, func(p string) bool { return !played(p) }) {
		a.Positions = slices.Clone(from.Positions)
	}
	if len(a.CustomAttributes) > maxAttributes {
		return Athlete{}, fault.New(fault.Conflict, "Together the two athletes have more than %d custom attributes.",
			maxAttributes)
	}
	if Equal(a, into) {
		return into, nil
	}
	a.Version++
	if at := now.UTC().Truncate(time.Millisecond); at.After(a.UpdatedAt) {
		a.UpdatedAt = at
	}
	return a, nil
}

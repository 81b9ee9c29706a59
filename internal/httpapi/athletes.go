package httpapi

import (
	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
)

func (c *call) athleteID() (string, error) { return c.uuidAt(0, "athleteId", "athlete") }

func (a *api) getAthlete(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.athleteID()
	if err != nil {
		return err
	}
	one, err := a.Athletes.Athlete(c.r.Context(), c.scope(), id)
	if err != nil {
		return unknown(err, "athlete")
	}
	c.sendTagged(one.Tag(), athlete.AppendRead(make([]byte, 0, 1024), one))
	return nil
}

func (a *api) listAthletes(c *call) error {
	q, err := athleteQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, err := a.Athletes.Athletes(c.r.Context(), c.scope(), q)
	if err != nil {
		return err
	}
	c.send(200, athlete.AppendPage(make([]byte, 0, 128+512*len(page.Athletes)), page, q))
	return nil
}

// listLinkedAthletes names the athletes of a capture.
func (a *api) listLinkedAthletes(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	linked, err := a.Athletes.LinkedAthletes(c.r.Context(), c.scope(), id)
	if err != nil {
		return unknown(err, "capture")
	}
	body := athlete.AppendLinked(make([]byte, 0, 16+128*len(linked)), linked)
	c.sendTagged(tagOf(string(body)), body)
	return nil
}

// mostAttributes is how many attributes a list can be narrowed by: as many as an
// athlete can have.
const mostAttributes = 100

// athleteQuery reads the parameters of the list. What is not one of the four
// defined ones is a custom attribute that must match exactly.
func athleteQuery(query string) (athlete.Query, error) {
	q := athlete.Query{Limit: defaultLimit}
	const (
		sortedBy seen = 1 << iota
		search
		limit
		offset
	)
	var s seen
	err := eachParam(query, func(name, value string) (err error) {
		switch name {
		case "sorted_by":
			if err = s.once(sortedBy, name); err == nil {
				q.Sort, err = parseSort(value)
			}
		case "q":
			if err = s.once(search, name); err == nil {
				q.Search, err = parseSearch(value)
			}
		case "limit":
			if err = s.once(limit, name); err == nil {
				q.Limit, err = parseLimit(value, maxLimit)
			}
		case "offset":
			if err = s.once(offset, name); err == nil {
				q.Offset, err = parseOffset(value)
			}
		default:
			if _, twice := q.Attributes[name]; twice {
				return fault.New(fault.BadRequest, "%s is given twice.", payload.Quote(name))
			}
			if len(q.Attributes) == mostAttributes {
				return fault.New(fault.BadRequest, "A list can be narrowed by at most %d custom attributes.",
					mostAttributes)
			}
			if q.Attributes == nil {
				q.Attributes = map[string]string{}
			}
			q.Attributes[name] = athlete.AttributeText(value)
		}
		return err
	})
	return q, err
}

func parseSort(s string) (athlete.Sort, error) {
	switch by := athlete.Sort(s); by {
	case athlete.ByFirstName, athlete.ByLastName, athlete.ByDateOfBirth, athlete.ByCreatedAt:
		return by, nil
	}
	return "", fault.New(fault.BadRequest, "sorted_by must be one of first_name, last_name, date_of_birth, created_at.")
}

func (a *api) createAthlete(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	made, err := athlete.New(body, c.start)
	if err != nil {
		return err
	}
	location := "/v1/athletes/" + made.ID
	err = a.Athletes.CreateAthlete(c.r.Context(), c.scope(), made, keepAthlete(repeat, location, athlete.AppendWritten))
	switch {
	case err != nil:
		return err
	case repeat.Replayed():
		return c.replay(repeat.Replay)
	}
	c.sendWritten(made.Tag(), location, athlete.AppendWritten(make([]byte, 0, 512), made))
	return nil
}

func (a *api) updateAthlete(c *call) error {
	return a.writeAthlete(c, athlete.AppendWritten, func(id string, body payload.Object) (writing, error) {
		change, err := athlete.Change(body, c.start)
		return func(once *organization.Once[athlete.Athlete]) (athlete.Athlete, error) {
			return a.Athletes.ChangeAthlete(c.r.Context(), c.scope(), id, once,
				func(old athlete.Athlete) (athlete.Athlete, error) {
					if err := c.unchanged(old); err != nil {
						return athlete.Athlete{}, err
					}
					return change(old)
				})
		}, err
	})
}

// writing writes an athlete as a body says, and gives it as it is then.
type writing func(once *organization.Once[athlete.Athlete]) (athlete.Athlete, error)

// writeAthlete writes the athlete of the path as the body says, which read understands, and answers it in a shape.
func (a *api) writeAthlete(c *call, shape athleteShape,
	read func(id string, body payload.Object) (writing, error)) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.athleteID()
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	missing := err // existence is judged after the body
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	write, err := read(id, body)
	if err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	written, err := write(keepAthlete(repeat, "", shape))
	switch {
	case err != nil:
		return unknown(err, "athlete")
	case repeat.Replayed():
		return c.replay(repeat.Replay)
	}
	c.sendWritten(written.Tag(), "", shape(make([]byte, 0, 1024), written))
	return nil
}

func (a *api) deleteAthlete(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.athleteID()
	if err != nil {
		return err
	}
	if err := a.Athletes.DeleteAthlete(c.r.Context(), c.scope(), id, c.unchanged); err != nil {
		return unknown(err, "athlete")
	}
	c.send(200, []byte(`{"message":"The athlete and all associated data were deleted."}`))
	return nil
}

// unchanged holds an athlete against If-Match.
func (c *call) unchanged(old athlete.Athlete) error {
	if c.precondition(old.Tag()) {
		return nil
	}
	return fault.New(fault.PreconditionFailed, "The athlete has changed since it was read; read it again.")
}

// athleteShape appends an athlete as an answer has it.
type athleteShape = func([]byte, athlete.Athlete) []byte

// keepAthlete has the answer about a written athlete kept for a repetition.
func keepAthlete(repeat *organization.Repeat, location string, shape athleteShape) *organization.Once[athlete.Athlete] {
	return keep(repeat, func(w athlete.Athlete) ([]byte, error) {
		return keptAnswer(w.Tag(), location, shape(nil, w)), nil
	})
}

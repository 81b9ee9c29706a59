package httpapi

import (
	"slices"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
)

func (a *api) getCapture(c *call) error {
	include, err := captureInclude(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	id, err := c.captureID()
	if err != nil {
		return err
	}
	answer, err := a.Captures.Capture(c.r.Context(), c.scope(), id, include)
	if err != nil {
		return unknown(err, "capture")
	}
	c.sendTagged(answer.Tag, answer.Body)
	return nil
}

// captureInclude reads the one parameter that reading a capture has.
func captureInclude(query string) (i capture.Include, err error) {
	const include seen = 1
	var s seen
	err = eachParam(query, func(name, value string) (err error) {
		if name != "include" {
			return nil
		}
		if err = s.once(include, name); err == nil {
			i, err = capture.ParseInclude(value)
		}
		return err
	})
	return i, err
}

// captureID reads the id of the path.
func (c *call) captureID() (string, error) {
	id, err := organization.ParseName("captureId", c.path[0])
	if err == nil {
		c.path[0] = id
	}
	return id, err
}

func (a *api) listCaptures(c *call) error {
	q, err := captureQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	answer, err := a.Captures.Captures(c.r.Context(), c.scope(), q)
	if err != nil {
		return err
	}
	c.sendTagged(answer.Tag, answer.Body)
	return nil
}

// captureQuery reads the parameters of the list (interface, section 4.1).
func captureQuery(query string) (capture.Query, error) {
	q := capture.Query{Limit: defaultLimit}
	if query == "" {
		return q, nil
	}
	const (
		athleteID seen = 1 << iota
		source
		status
		activity
		movement
		limit
		offset
		include
		search
		capturedFrom
		capturedTo
		order
	)
	var s seen
	var from, to *time.Time
	err := eachParam(query, func(name, value string) (err error) {
		switch name {
		case "athlete_id":
			if err = s.once(athleteID, name); err != nil {
				return err
			}
			id, ok := organization.ParseUUID(value)
			if !ok {
				return fault.New(fault.BadRequest, "athlete_id must be a UUID of 36 characters.")
			}
			q.AthleteID = id
		case "source":
			if err = s.once(source, name); err != nil {
				return err
			}
			if value != capture.SourceAPI {
				return fault.New(fault.BadRequest, "source must be api.")
			}
			q.Filter.Source = value
		case "status":
			if err = s.once(status, name); err != nil {
				return err
			}
			if !slices.Contains(capture.Statuses, capture.Status(value)) {
				return fault.New(fault.BadRequest,
					"status must be one of awaiting_upload, processing, completed, error.")
			}
			q.Filter.Status = capture.Status(value)
		case "activity":
			err = s.label(activity, name, value, &q.Filter.Activity)
		case "movement":
			err = s.label(movement, name, value, &q.Filter.Movement)
		case "captured_from":
			err = s.bound(capturedFrom, name, value, &from)
		case "captured_to":
			err = s.bound(capturedTo, name, value, &to)
		case "limit":
			if err = s.once(limit, name); err == nil {
				q.Limit, err = parseLimit(value, maxLimit)
			}
		case "offset":
			if err = s.once(offset, name); err == nil {
				q.Offset, err = parseOffset(value)
			}
		case "q":
			if err = s.once(search, name); err == nil {
				q.Search, err = parseSearch(value)
			}
		case "include":
			if err = s.once(include, name); err == nil {
				q.Include, err = capture.ParseInclude(value)
			}
		case "order":
			if err = s.once(order, name); err == nil {
				q.Oldest, err = parseOrder(value)
			}
		}
		return err
	})
	if err == nil && (from != nil || to != nil) {
		q.Captured, err = capturedRange("captured_from", from, "captured_to", to)
	}
	return q, err
}

// parseOrder reads which end of the list comes first.
func parseOrder(value string) (oldest bool, err error) {
	if value != "newest" && value != "oldest" {
		return false, fault.New(fault.BadRequest, "order must be newest or oldest.")
	}
	return value == "oldest", nil
}

// capturedRange makes a range of the bounds that came, under their names.
func capturedRange(first string, from *time.Time, last string, to *time.Time) (capture.Range, error) {
	if from != nil && to != nil && !from.Before(*to) {
		return capture.Range{}, fault.New(fault.BadRequest, "%s must be after %s.", last, first)
	}
	return capture.RangeOf(from, to), nil
}

package httpapi

import (
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
)

// listMetrics gives the metrics of an athlete's captures in the order of time.
func (a *api) listMetrics(c *call) error {
	q, err := progressQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	if q.AthleteID, err = c.athleteID(); err != nil {
		return err
	}
	body, err := a.Captures.Progress(c.r.Context(), c.scope(), q)
	if err != nil {
		return unknown(err, "athlete")
	}
	c.sendTagged(tagOf("progress", string(body)), body)
	return nil
}

// progressQuery reads the parameters of the list.
func progressQuery(query string) (capture.ProgressQuery, error) {
	q := capture.ProgressQuery{Limit: defaultLimit}
	const (
		activity seen = 1 << iota
		movement
		metric
		since
		until
		limit
		offset
	)
	var s seen
	var from, to *time.Time
	err := eachParam(query, func(name, value string) (err error) {
		switch name {
		case "activity":
			if err = s.once(activity, name); err == nil {
				value, err = parseLabel(name, value)
				q.Activity = capture.Fold(value)
			}
		case "movement":
			if err = s.once(movement, name); err == nil {
				value, err = parseLabel(name, value)
				q.Movement = capture.Fold(value)
			}
		case "metric":
			if err = s.once(metric, name); err == nil {
				q.Metrics, err = capture.ParseMetrics(value)
			}
		case "from":
			if err = s.once(since, name); err == nil {
				from, err = parseBound(name, value)
			}
		case "to":
			if err = s.once(until, name); err == nil {
				to, err = parseBound(name, value)
			}
		case "limit":
			if err = s.once(limit, name); err == nil {
				q.Limit, err = parseLimit(value)
			}
		case "offset":
			if err = s.once(offset, name); err == nil {
				q.Offset, err = parseOffset(value)
			}
		}
		return err
	})
	if err == nil && from != nil && to != nil && !from.Before(*to) {
		err = fault.New(fault.BadRequest, "to must be after from.")
	}
	if from != nil || to != nil {
		q.Captured = capture.RangeOf(from, to)
	}
	return q, err
}

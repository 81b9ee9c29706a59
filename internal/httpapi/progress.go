package httpapi

import (
	"time"

	"github.com/kinebase/kinebase/capture"
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
func progressQuery(query string) (q capture.ProgressQuery, err error) {
	const (
		activity seen = 1 << iota
		movement
		metric
		since
		until
	)
	var s seen
	var from, to *time.Time
	page, err := readPage(query, defaultLimit, func(name, value string) (err error) {
		switch name {
		case "activity":
			err = s.label(activity, name, value, &q.Activity)
		case "movement":
			err = s.label(movement, name, value, &q.Movement)
		case "metric":
			if err = s.once(metric, name); err == nil {
				q.Metrics, err = capture.ParseMetrics(value)
			}
		case "from":
			err = s.bound(since, name, value, &from)
		case "to":
			err = s.bound(until, name, value, &to)
		}
		return err
	})
	q.Limit, q.Offset = page.limit, page.offset
	if err == nil && (from != nil || to != nil) {
		q.Captured, err = capturedRange("from", from, "to", to)
	}
	return q, err
}

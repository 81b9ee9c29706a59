package httpapi

import (
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
)

func (a *api) getOverview(c *call) error {
	days, err := daysParam(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	o, err := a.Captures.Overview(c.r.Context(), c.scope(), days)
	if err != nil {
		return err
	}
	c.send(200, o.AppendJSON(nil))
	return nil
}

// daysParam reads days.
func daysParam(query string) (int, error) {
	days := int64(capture.DefaultDays)
	var s seen
	err := eachParam(query, func(name, value string) error {
		if name != "days" {
			return nil
		}
		if err := s.once(1, name); err != nil {
			return err
		}
		var ok bool
		if days, ok = decimal(value, capture.MaxDays); !ok || days < 1 {
			return fault.New(fault.BadRequest, "days must be a whole number from 1 to %d.", capture.MaxDays)
		}
		return nil
	})
	return int(days), err
}

package httpapi

import (
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
)

func (a *api) getOverview(c *call) error {
	days, include, err := overviewParams(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	o, err := a.Captures.Overview(c.r.Context(), c.scope(), days, include)
	if err != nil {
		return err
	}
	c.send(200, o.AppendJSON(nil))
	return nil
}

// overviewParams reads days and include.
func overviewParams(query string) (int, capture.Include, error) {
	const daysSeen, includeSeen seen = 1, 2
	days := int64(capture.DefaultDays)
	var include capture.Include
	var s seen
	err := eachParam(query, func(name, value string) error {
		switch name {
		case "days":
			if err := s.once(daysSeen, name); err != nil {
				return err
			}
			var ok bool
			if days, ok = decimal(value, capture.MaxDays); !ok || days < 1 {
				return fault.New(fault.BadRequest, "days must be a whole number from 1 to %d.", capture.MaxDays)
			}
		case "include":
			err := s.once(includeSeen, name)
			if err == nil {
				include, err = capture.ParseInclude(value)
			}
			return err
		}
		return nil
	})
	return int(days), include, err
}

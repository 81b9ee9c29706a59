package httpapi

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
)

// listColumns gives the columns that recordings have, and how many captures have each.
func (a *api) listColumns(c *call) error {
	q, err := columnQuery(c.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, err := a.Captures.Columns(c.r.Context(), c.scope(), q)
	if err != nil {
		return err
	}
	c.send(200, page.AppendJSON(nil, q))
	return nil
}

// columnQuery reads the parameters of the list.
func columnQuery(query string) (q capture.ColumnQuery, err error) {
	const (
		activity seen = 1 << iota
		movement
		kind
		search
	)
	var s seen
	page, err := readPage(query, defaultLimit, func(name, value string) (err error) {
		switch name {
		case "activity":
			err = s.label(activity, name, value, &q.Activity)
		case "movement":
			err = s.label(movement, name, value, &q.Movement)
		case "kind":
			if err = s.once(kind, name); err == nil && !slices.Contains(frames.ColumnKinds, value) {
				err = fault.New(fault.BadRequest, "kind must be one of %s.", strings.Join(frames.ColumnKinds, ", "))
			}
			q.Kind = value
		case "q":
			if err = s.once(search, name); err == nil {
				q.Search, err = parseSearch(value)
			}
		}
		return err
	})
	q.Limit, q.Offset = page.limit, page.offset
	return q, err
}

package httpapi

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/payload"
)

// listAudit gives a page of the audit log.
func (a *api) listAudit(c *call) error {
	q, err := a.auditQuery(c)
	if err != nil {
		return err
	}
	page, err := a.Audit.Audit(c.r.Context(), c.scope(), q)
	if err != nil {
		return err
	}
	cursor, err := a.auditCursors.Format(c.caller.Organization.String(),
		feed.Mark{Position: page.Next, Began: page.Next})
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 128+400*len(page.Entries)), `{"entries":[`...)
	for i := range page.Entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = audit.AppendJSON(b, &page.Entries[i])
	}
	b = payload.AppendString(append(b, `],"cursor":`...), cursor)
	b = strconv.AppendBool(append(b, `,"more":`...), page.More)
	c.send(200, append(b, '}'))
	return nil
}

// auditQuery reads the parameters of the audit log.
func (a *api) auditQuery(c *call) (audit.Query, error) {
	q := audit.Query{Limit: feed.DefaultLimit}
	const (
		after seen = 1 << iota
		limit
		order
		actor
		object
		action
		from
		to
	)
	var s seen
	name := func(as seen, param, value string, to *string) error {
		if err := s.once(as, param); err != nil {
			return err
		}
		if n := utf8.RuneCountInString(value); n < 1 || n > longestObject {
			return fault.New(fault.BadRequest, "%s must have 1 to %d characters.", param, longestObject)
		}
		*to = value
		return nil
	}
	moment := func(as seen, param, value string, to **time.Time) error {
		if err := s.once(as, param); err != nil {
			return err
		}
		at, ok := capture.ParseTime(value)
		if !ok {
			return fault.New(fault.BadRequest, "%s must be an ISO 8601 date and time such as 2026-05-13T12:00:00Z.",
				param)
		}
		*to = &at
		return nil
	}
	err := eachParam(c.r.URL.RawQuery, func(param, value string) (err error) {
		switch param {
		case "after":
			if err = s.once(after, param); err == nil {
				var m feed.Mark
				m, err = a.auditCursors.Parse(c.caller.Organization.String(), value)
				q.After = m.Position
			}
		case "limit":
			if err = s.once(limit, param); err == nil {
				q.Limit, err = parseLimit(value, feed.MaxLimit)
			}
		case "order":
			if err = s.once(order, param); err == nil {
				if q.Newest = value == "newest"; !q.Newest && value != "oldest" {
					err = fault.New(fault.BadRequest, "order must be oldest or newest.")
				}
			}
		case "actor":
			err = name(actor, param, value, &q.Actor)
		case "object":
			err = name(object, param, value, &q.Object)
		case "action":
			err = name(action, param, value, &q.Action)
		case "from":
			err = moment(from, param, value, &q.From)
		case "to":
			err = moment(to, param, value, &q.To)
		}
		return err
	})
	return q, err
}

package httpapi

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/payload"
)

// pollShare is how many pages of an organization may wait at a time.
const pollShare = 64

// changesQuery is what is asked of the feed.
type changesQuery struct {
	feed.Query
	wait time.Duration
}

func (a *api) listChanges(c *call) error {
	q, err := a.changesQuery(c)
	if err != nil {
		return err
	}
	if q.wait == 0 {
		page, err := a.Feed.Changes(c.r.Context(), c.scope(), q.Query)
		if err != nil {
			return err
		}
		return a.sendChanges(c, page, q.Query)
	}
	leave, err := c.acquire(a.polls, 1, "Many callers of the organization wait for changes already.")
	if err != nil {
		return err
	}
	defer leave()
	enough := time.NewTimer(q.wait)
	defer enough.Stop()
	for waiting := true; ; {
		changed := a.Feed.Changed(c.scope()) // before the page is read, so that no change falls in between
		page, err := a.Feed.Changes(c.r.Context(), c.scope(), q.Query)
		if err != nil {
			return err
		}
		if !waiting || page.More || len(page.Changes) > 0 {
			return a.sendChanges(c, page, q.Query)
		}
		q.After = &page.Next
		c.pause() // nobody keeps it waiting but itself
		select {
		case <-changed:
		case <-enough.C:
			waiting = false
		case <-a.Stopping:
			waiting = false
		case <-c.r.Context().Done():
			return c.r.Context().Err()
		}
		c.resume()
	}
}

// changesQuery reads the parameters of the feed.
func (a *api) changesQuery(c *call) (changesQuery, error) {
	q := changesQuery{Query: feed.Query{Limit: feed.DefaultLimit}}
	const (
		after seen = 1 << iota
		limit
		kind
		wait
		include
	)
	var s seen
	err := eachParam(c.r.URL.RawQuery, func(name, value string) (err error) {
		switch name {
		case "after":
			if err = s.once(after, name); err == nil {
				var m feed.Mark
				m, err = a.cursors.Parse(c.caller.Organization.String(), value)
				q.After = &m
			}
		case "limit":
			if err = s.once(limit, name); err == nil {
				q.Limit, err = parseLimit(value, feed.MaxLimit)
			}
		case "kind":
			if err = s.once(kind, name); err == nil {
				q.Kinds, err = feed.ParseKinds(value)
			}
		case "wait":
			if err = s.once(wait, name); err == nil {
				longest := int64(feed.LongestWait / time.Second)
				n, ok := decimal(value, longest)
				if q.wait = time.Duration(n) * time.Second; !ok {
					err = fault.New(fault.BadRequest, "wait must be a whole number of seconds from 0 to %d.", longest)
				}
			}
		case "include":
			if err = s.once(include, name); err == nil {
				if q.Objects = value == "object"; !q.Objects {
					err = fault.New(fault.BadRequest, "include must be object.")
				}
			}
		}
		return err
	})
	if err != nil {
		return q, err
	}
	if q.Kinds == nil {
		q.Kinds = slices.DeleteFunc(slices.Clone(feed.Kinds),
			func(k feed.Kind) bool { return !c.caller.Permissions.Has(k.Needs()) })
	}
	for _, k := range q.Kinds {
		if !c.caller.Permissions.Has(k.Needs()) {
			return q, lacks(k.Needs())
		}
	}
	// Pages of some kinds pass over the changes of others.
	if q.After != nil && !q.After.Told.Holds(feed.SetOf(q.Kinds...)) {
		return q, fault.New(fault.Gone,
			"The cursor comes from pages with fewer kinds: changes of the others have been passed over. Ask for all "+
				"changes again, without after, or for the same kinds.")
	}
	return q, nil
}

func (a *api) sendChanges(c *call, page feed.Page, q feed.Query) error {
	page.Next.Told = feed.SetOf(q.Kinds...)
	cursor, err := a.cursors.Format(c.caller.Organization.String(), page.Next)
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 128+160*len(page.Changes)), `{"changes":[`...)
	for i := range page.Changes {
		if i > 0 {
			b = append(b, ',')
		}
		b = feed.AppendJSON(b, &page.Changes[i], q.Objects)
	}
	b = payload.AppendString(append(b, `],"cursor":`...), cursor)
	b = strconv.AppendBool(append(b, `,"more":`...), page.More)
	c.send(200, append(b, '}'))
	return nil
}

// lacksAll refuses a token that has none of the scopes of which one is enough.
func (r *Route) lacksAll() error {
	return fault.New(fault.Forbidden, "The token needs one of the scopes %s.", strings.Join(r.Needs.Strings(), ", "))
}

package webhook

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// Change is what an owner wants of a webhook; nil leaves a field as it is.
type Change struct {
	URL, Description *string
	Events           Events
	Enabled          *bool
}

// longestDescription bounds what people note about a webhook, in characters.
const longestDescription = 255

// ReadChange reads a body: url, events, description and enabled. With whole it is that of a new webhook,
// which needs a url; without, null is refused, for it could mean to leave or to clear. private allows
// receivers at addresses that are not public.
func ReadChange(o payload.Object, whole, private bool) (c Change, err error) {
	var p fault.Problems
	for _, m := range o.Members() {
		if m.Value.Null() && whole && m.Name != "url" {
			continue
		}
		var err error
		switch m.Name {
		case "url":
			c.URL, err = text(m)
			if err == nil {
				_, err = ParseURL(*c.URL, private)
			}
		case "description":
			if c.Description, err = text(m); err == nil {
				*c.Description, err = ParseDescription(*c.Description)
			}
		case "events":
			c.Events, err = events(m)
		case "enabled":
			if m.Value.Kind() != payload.KindBool {
				err = fault.New(fault.BadRequest, "enabled must be true or false, not %s", m.Value.Kind().Article())
			} else {
				on := m.Value.Bool()
				c.Enabled = &on
			}
		default:
			err = fault.New(fault.BadRequest, "%s is not a field of a webhook", payload.Quote(m.Name))
		}
		p.Blame(m.Name, err)
	}
	if _, ok := o.Get("url"); !ok && whole {
		p.Add("url", "url is required")
	}
	return c, p.Err()
}

func text(m payload.Member) (*string, error) {
	if m.Value.Kind() != payload.KindString {
		return nil, fault.New(fault.BadRequest, "%s must be a string, not %s", m.Name, m.Value.Kind().Article())
	}
	s := m.Value.String()
	return &s, nil
}

func events(m payload.Member) (Events, error) {
	if m.Value.Kind() != payload.KindArray {
		return nil, fault.New(fault.BadRequest, "events must be an array of strings, not %s", m.Value.Kind().Article())
	}
	var names []string
	for _, e := range m.Value.Elements() {
		if e.Kind() != payload.KindString {
			return nil, fault.New(fault.BadRequest, "events must hold strings only, not %s", e.Kind().Article())
		}
		names = append(names, e.String())
	}
	return ParseEvents(names)
}

// ParseDescription trims a note about a webhook and checks it.
func ParseDescription(s string) (string, error) {
	s = strings.TrimSpace(s)
	switch {
	case utf8.RuneCountInString(s) > longestDescription:
		return "", fault.New(fault.BadRequest, "description must be at most %d characters long", longestDescription)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return "", fault.New(fault.BadRequest, "description must be UTF-8 text without control characters")
	}
	return s, nil
}

// Apply gives the webhook after a change; the moment of it is kept where something is another.
func (c Change) Apply(w Webhook, now time.Time) Webhook {
	next := c.apply(w)
	if next.URL != w.URL || next.Description != w.Description || next.State != w.State ||
		!slices.Equal(next.Events, w.Events) {
		next.UpdatedAt = now.UTC().Truncate(time.Millisecond)
	}
	return next
}

// apply enables a paused webhook as one that never failed.
func (c Change) apply(w Webhook) Webhook {
	if c.URL != nil {
		if w.URL != *c.URL {
			w.RestUntil, w.FailingSince = nil, nil // another receiver, which has not failed
		}
		w.URL = *c.URL
	}
	if c.Description != nil {
		w.Description = *c.Description
	}
	if c.Events != nil {
		w.Events = slices.Clone(c.Events)
	}
	switch {
	case c.Enabled == nil:
	case *c.Enabled && w.State != Enabled:
		w.State, w.Reason, w.FailingSince, w.RestUntil = Enabled, "", nil, nil
	case !*c.Enabled:
		w.State, w.Reason = Disabled, ""
	}
	return w
}

package c3d

import (
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// events collects the events of the group EVENT, which some writers call EVENTS.
// Only where there are none, those of the header count: they are the same ones in
// an older form, with room for 18 of them with four letters each.
func (h *Header) events() []record.Event {
	for _, group := range []string{"EVENT", "EVENTS"} {
		if events := h.groupEvents(group); len(events) > 0 {
			if group != "EVENT" {
				h.Warnings.Add(quality.EventsMisnamed,
					"The events are in a group named %s instead of EVENT; all %d were read.", group, len(events))
			}
			return events
		}
	}
	return h.raw.events
}

// groupEvents reads a group of events: TIMES has minutes and seconds of each.
func (h *Header) groupEvents(group string) []record.Event {
	times := h.numbers(group, "TIMES", false)
	n := len(times) / 2
	used, ok := h.Parameter(group, "USED").Count()
	if !h.paired(group, len(times), used) {
		h.Warnings.Add(quality.EventsDisagree,
			"%s:TIMES does not have two numbers, minutes and seconds, for each event; its events were left out.", group)
		return nil
	}
	if ok && used != int64(n) {
		h.Warnings.Add(quality.EventsDisagree, "%s:USED counts %d events, but there are times of %d.", group, used, n)
		n = int(min(int64(n), used))
	}
	labels, contexts := h.texts(group, "LABELS"), h.texts(group, "CONTEXTS")
	subjects, descriptions := h.texts(group, "SUBJECTS"), h.texts(group, "DESCRIPTIONS")
	var events []record.Event
	for i := range n {
		time := times[2*i]*60 + decimal(times[2*i+1])
		if !finite(time) {
			h.Warnings.Add(quality.EventsDisagree, "Event %d has no time and was left out.", i+1)
			continue
		}
		events = append(events, record.Event{
			Label: nth(labels, i), Context: record.ContextOf(nth(contexts, i)), Time: time,
			Subject: nth(subjects, i), Description: nth(descriptions, i),
		})
	}
	return events
}

// paired says whether the times of events can be pairs of minutes and seconds: the first
// dimension says so, or, where the numbers stand in one row, the count of the events does
// not say that each has one number.
func (h *Header) paired(group string, times int, used int64) bool {
	p := h.Parameter(group, "TIMES")
	switch {
	case p.Len() == 0 || len(p.Dimensions) > 0 && p.Dimensions[0] == 2:
		return true
	case len(p.Dimensions) > 1:
		return false
	}
	return int64(times) != used
}

// The words of the header that are about events, numbered from 1.
const (
	eventsMost   = 18
	eventsCount  = 151
	eventsTimes  = 153
	eventsLabels = 199
	eventsKey    = 150
	eventsKeyed  = 12345 // labels have four letters; without it they may not be there
)

// headerEvents reads the events of the header block.
func headerEvents(b []byte, p Processor) []record.Event {
	word := func(n int) []byte { return b[2*(n-1):] }
	n := int(p.Word(word(eventsCount)))
	if n > eventsMost || p.Word(word(eventsKey)) != eventsKeyed {
		return nil
	}
	var events []record.Event
	for i := range n {
		time := p.Float(word(eventsTimes + 2*i))
		if !finite(time) {
			continue
		}
		events = append(events, record.Event{
			Label: label.Clean(word(eventsLabels + 2*i)[:4]), Time: decimal(time),
		})
	}
	return events
}

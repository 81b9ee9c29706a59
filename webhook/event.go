package webhook

import (
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
)

// Event is the name of what happened to an object.
type Event string

// The events.
const (
	CaptureCreated   Event = "capture.created"
	CaptureUpdated   Event = "capture.updated"
	CaptureCompleted Event = "capture.completed"
	CaptureError     Event = "capture.error"
	CaptureDeleted   Event = "capture.deleted"
	AthleteCreated   Event = "athlete.created"
	AthleteUpdated   Event = "athlete.updated"
	AthleteDeleted   Event = "athlete.deleted"
	AthleteMerged    Event = "athlete.merged"
	ExportCompleted  Event = "export.completed"
	ExportFailed     Event = "export.failed"
	ExportCanceled   Event = "export.canceled"

	// Test is what an owner sends to try a receiver. No webhook asks for it.
	Test Event = "webhook.test"
)

// AllEvents are those that a webhook can ask for.
var AllEvents = []Event{CaptureCreated, CaptureUpdated, CaptureCompleted, CaptureError, CaptureDeleted,
	AthleteCreated, AthleteUpdated, AthleteDeleted, AthleteMerged, ExportCompleted, ExportFailed, ExportCanceled}

// everything stands for all events, those of later versions included.
const everything = "*"

// Events are what a webhook asks for: names in the order of AllEvents, or "*" alone.
type Events []Event

// ParseEvents reads names of events, or "*" alone. A name that comes twice counts once.
func ParseEvents(names []string) (Events, error) {
	if len(names) == 0 {
		return nil, fault.New(fault.BadRequest, `events must name at least one event, or be ["*"]`)
	}
	if slices.Contains(names, everything) {
		if len(names) > 1 {
			return nil, fault.New(fault.BadRequest, `events must be either ["*"] or names of events, not both`)
		}
		return Events{everything}, nil
	}
	var events Events
	for _, name := range names {
		if !slices.Contains(AllEvents, Event(name)) {
			return nil, fault.New(fault.BadRequest, "events: %q is not one of %s", name,
				fault.Listed(Events(AllEvents).Strings()))
		}
	}
	for _, e := range AllEvents {
		if slices.Contains(names, string(e)) {
			events = append(events, e)
		}
	}
	return events, nil
}

// Has says whether an event was asked for.
func (es Events) Has(e Event) bool {
	return slices.Contains(es, everything) || slices.Contains(es, e)
}

// Strings gives the names.
func (es Events) Strings() []string {
	names := make([]string, len(es))
	for i, e := range es {
		names[i] = string(e)
	}
	return names
}

// OfCapture gives the events of a capture that was written, by its state before, "" for a new one, and after.
// A change of the state to completed or to error is told by its own event and not as an update.
func OfCapture(before, after capture.Status) []Event {
	var events []Event
	if before == "" {
		events = append(events, CaptureCreated)
	}
	switch {
	case before != after && after == capture.Completed:
		return append(events, CaptureCompleted)
	case before != after && after == capture.Error:
		return append(events, CaptureError)
	case before != "":
		return append(events, CaptureUpdated)
	}
	return events
}

// OfExport gives the event of an export job that was written, by its state before, "" for a new one, and
// after. ok is false where it has not ended.
func OfExport(before, after export.Status) (e Event, ok bool) {
	if before == after {
		return "", false
	}
	switch after {
	case export.Completed:
		return ExportCompleted, true
	case export.Failed:
		return ExportFailed, true
	case export.Canceled:
		return ExportCanceled, true
	}
	return "", false
}

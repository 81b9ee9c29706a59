package webhook

import (
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/payload"
)

// DeliveryState is how far a delivery has come.
type DeliveryState int

// The states of a delivery. Their numbers are stored.
const (
	Pending DeliveryState = iota
	Delivered
	Failed
)

var deliveryStates = [...]string{"pending", "delivered", "failed"}

// String gives the state's name in the interface.
func (s DeliveryState) String() string { return deliveryStates[s] }

// ParseDeliveryState reads a name.
func ParseDeliveryState(name string) (DeliveryState, error) {
	for s, n := range deliveryStates {
		if n == name {
			return DeliveryState(s), nil
		}
	}
	return 0, fault.New(fault.BadRequest, "state must be pending, delivered or failed.")
}

// Problem is why an attempt has delivered nothing.
type Problem string

// The problems.
const (
	None        Problem = ""
	Status      Problem = "status"      // the receiver answered with another status than 2xx
	Redirect    Problem = "redirect"    // it answered with a redirect, which is not followed
	Timeout     Problem = "timeout"     // no status came in time
	Address     Problem = "address"     // it is at an address that may not be connected to
	Certificate Problem = "certificate" // its certificate is not to be trusted
	Connection  Problem = "connection"  // it cannot be found or reached, or broke off
	Off         Problem = "disabled"    // the webhook was disabled or paused before it was tried again
)

// Outcome is what came of one attempt.
type Outcome struct {
	At      time.Time
	Status  int // of HTTP; 0 without an answer
	Problem Problem
}

// waits are the times between attempts.
var waits = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour}

// AnswerTime is how long a receiver may take for an answer.
const AnswerTime = 15 * time.Second

// Data is what is told of an object: ids and states, and nothing by which people are known.
type Data struct {
	Event  Event
	ID     string // of the object; "" for a test
	Status string // of a capture or an export job; "" for none
	From   string // the athlete that became a part of this one; "" for none
}

// Delivery is one event on its way to one webhook.
type Delivery struct {
	ID string // a lower-case UUID, the webhook-id of all its attempts
	Data
	At       time.Time // of the event
	State    DeliveryState
	Attempts int        // that have ended
	DueAt    *time.Time // of the next attempt; nil where there is none
	LastAt   *time.Time // of the last attempt; nil without one
	LastCode int        // the HTTP status of its answer; 0 without one
	Problem  Problem    // of the last attempt
}

// Body is what is sent: the same bytes in each attempt.
func (d Delivery) Body() []byte {
	b := payload.AppendString([]byte(`{"type":`), string(d.Event))
	b = payload.AppendTime(append(b, `,"timestamp":`...), &d.At)
	b = d.AppendData(append(b, `,"data":`...))
	return append(b, '}')
}

// AppendData appends what is told of the object as JSON.
func (d Data) AppendData(b []byte) []byte {
	b = payload.AppendString(append(b, `{"id":`...), d.ID)
	if d.Status != "" {
		b = payload.AppendString(append(b, `,"status":`...), d.Status)
	}
	if d.From != "" {
		b = payload.AppendString(append(b, `,"from":`...), d.From)
	}
	return append(b, '}')
}

// After gives the delivery after an attempt. A test is not repeated: whoever sent it looks at it now.
func (d Delivery) After(o Outcome) Delivery {
	d.Attempts++
	d.LastAt, d.LastCode, d.Problem, d.DueAt = &o.At, o.Status, o.Problem, nil
	switch {
	case o.Problem == None:
		d.State = Delivered
	case d.Event == Test || d.Attempts > len(waits):
		d.State = Failed
	default:
		due := o.At.Add(waits[d.Attempts-1])
		d.DueAt = &due
	}
	return d
}

// Again makes a delivery that has ended pending, under the same id. It is a fault.Conflict while it has not ended.
func (d Delivery) Again(w Webhook, now time.Time) (Delivery, error) {
	if d.State == Pending {
		return d, fault.New(fault.Conflict, "The delivery has not ended; it is made by itself.")
	}
	if w.State != Enabled && d.Event != Test {
		return d, fault.New(fault.Conflict, "The webhook is %s. Enable it before something is delivered again.",
			w.State)
	}
	d.State, d.Attempts, d.DueAt = Pending, 0, &now
	return d, nil
}

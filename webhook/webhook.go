// Package webhook has the rules by which receivers of other programs are told what changed in an
// organization: the events, what is sent and how it is signed, when it is sent again, and when a receiver is
// given up.
package webhook

import (
	"time"

	"github.com/kinebase/kinebase/organization"
)

// State says whether a webhook is told what changes.
type State int

// The states. Their numbers are stored.
const (
	Enabled  State = iota
	Disabled       // by its owner
	Paused         // by the server, for a Reason
)

// String gives the state's name in the interface.
func (s State) String() string { return [...]string{"enabled", "disabled", "paused"}[s] }

// Reason is why the server has paused a webhook; "" where it has not.
type Reason string

// The reasons.
const (
	Gone    Reason = "gone"    // the receiver answered 410
	Failing Reason = "failing" // for Patience nothing was delivered
)

// Patience is how long a receiver may fail at everything before it is paused.
const Patience = 5 * 24 * time.Hour

// Most is how many webhooks an organization may have.
const Most = 20

// Webhook is a receiver that is told what changes.
type Webhook struct {
	ID          string // a lower-case UUID
	URL         string // see ParseURL
	Events      Events
	Description string // for people
	State       State
	Reason      Reason

	Secret        Secret
	Previous      Secret     // signs beside Secret until PreviousUntil; "" for none
	PreviousUntil *time.Time // nil where there is no Previous

	CreatedAt, UpdatedAt time.Time
	FailingSince         *time.Time // the first failure after the last success; nil for none
	DeliveredAt          *time.Time // the last success; nil for none
	RestUntil            *time.Time // nothing but tests is sent before; nil: it is sent at once
}

// overlap is how long the secret before the newest one signs too.
const overlap = 24 * time.Hour

// Rotated gives the webhook a new secret. The one that it had signs beside it for a day; one before that does
// not any more.
func (w Webhook) Rotated(now time.Time) Webhook {
	until := now.Add(overlap)
	w.Previous, w.PreviousUntil = w.Secret, &until
	w.Secret, w.UpdatedAt = NewSecret(), now
	return w
}

// Secrets are those that sign at a moment, the newest first.
func (w Webhook) Secrets(now time.Time) []Secret {
	if w.PreviousUntil == nil || !now.Before(*w.PreviousUntil) {
		return []Secret{w.Secret}
	}
	return []Secret{w.Secret, w.Previous}
}

// The rest of a failing receiver is a tenth of the time for which it has failed, within these bounds: what
// waits for it is not all tried, again and again.
const (
	shortRest = 5 * time.Second
	longRest  = 5 * time.Minute
)

// After gives the webhook after some attempts, in the order in which they ended.
func (w Webhook) After(outcomes []Outcome) Webhook {
	failed := len(outcomes) > 0
	for i := range outcomes {
		o := outcomes[i]
		if o.Problem == None {
			w.FailingSince, w.DeliveredAt, w.RestUntil = nil, &o.At, nil
			failed = false
			continue
		}
		if w.FailingSince == nil {
			w.FailingSince = &o.At
		}
		switch {
		case w.State != Enabled:
		case o.Status == gone:
			w.State, w.Reason = Paused, Gone
		case o.At.Sub(*w.FailingSince) >= Patience:
			w.State, w.Reason = Paused, Failing
		}
	}
	if failed {
		last := outcomes[len(outcomes)-1].At
		until := last.Add(min(max(last.Sub(*w.FailingSince)/10, shortRest), longRest))
		w.RestUntil = &until
	}
	return w
}

// gone is the status by which a receiver says that it wants nothing any more.
const gone = 410

// New makes a webhook that is enabled unless the change says otherwise. Its change has a URL.
func New(c Change, now time.Time) Webhook {
	now = now.UTC().Truncate(time.Millisecond)
	w := Webhook{ID: organization.NewUUID(), Events: Events{everything}, Secret: NewSecret(), CreatedAt: now,
		UpdatedAt: now}
	return c.apply(w)
}

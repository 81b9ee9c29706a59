package webhook

import (
	"context"

	"github.com/kinebase/kinebase/organization"
)

// Store keeps webhooks and their deliveries. An id that is not of the scope's organization is a fault.NotFound.
type Store interface {
	// Webhooks lists those of the organization, oldest first.
	Webhooks(ctx context.Context, s organization.Scope) ([]Webhook, error)
	// Webhook finds one.
	Webhook(ctx context.Context, s organization.Scope, id string) (Webhook, error)
	// CreateWebhook keeps a new one; fault.Conflict where the organization has Most already. It is told of
	// all changes of transactions that begin afterwards.
	CreateWebhook(ctx context.Context, s organization.Scope, w Webhook, once *organization.Once[Webhook]) error
	// ChangeWebhook reads one, lets change decide and writes what it returns. The deliveries that wait for
	// one that is not enabled any more have failed.
	ChangeWebhook(ctx context.Context, s organization.Scope, id string, once *organization.Once[Webhook],
		change func(Webhook) (Webhook, error)) (Webhook, error)
	// DeleteWebhook removes one with its deliveries.
	DeleteWebhook(ctx context.Context, s organization.Scope, id string) error
	// Deliveries lists those of a webhook, latest event first.
	Deliveries(ctx context.Context, s organization.Scope, id string, q Query) (Page, error)
	// Ping makes a delivery of Test, whatever the webhook's state.
	Ping(ctx context.Context, s organization.Scope, id string, once *organization.Once[Delivery]) (Delivery, error)
	// Replay has a delivery made again, see Delivery.Again.
	Replay(ctx context.Context, s organization.Scope, id, deliveryID string,
		once *organization.Once[Delivery]) (Delivery, error)
}

// Query asks for deliveries.
type Query struct {
	State  *DeliveryState // nil: any
	Limit  int            // 1 to 500
	Offset int64
}

// Page is a part of a webhook's deliveries.
type Page struct {
	Deliveries []Delivery
	Total      int64
}

// The bounds of deliveries that have ended: none is kept that is older than KeepDays, and of each webhook the
// latest KeepMost are.
const (
	KeepDays = 30
	KeepMost = 10_000
)

// Batch is how many deliveries of a webhook are made side by side.
const Batch = 16

// Turn is a batch of a webhook's deliveries that one worker makes. Of two events of an object the later one
// is in no batch before the first attempt of the earlier one has ended.
type Turn struct {
	Webhook    Webhook
	Deliveries []Delivery
	Attempt    int64     // fences: what an earlier worker says is not taken
	Outcomes   []Outcome // of the deliveries, in their order; the zero Outcome of one that was not tried
	Last       bool      // the worker takes no other
}

// Deliverer gives batches out.
type Deliverer interface {
	// Turn takes what came of the batch before, nil for none, and gives the next one; nil when there is none
	// now. A job comes by itself when there is one, also when a worker dies with its batch: that is then
	// given out again.
	Turn(ctx context.Context, s organization.Scope, id string, before *Turn) (*Turn, error)
}

// Sender makes one attempt of a delivery.
type Sender interface {
	Send(ctx context.Context, w Webhook, d Delivery) Outcome
}

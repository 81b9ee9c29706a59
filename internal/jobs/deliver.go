package jobs

import (
	"context"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/kinebase/kinebase/webhook"
)

// deliverers are webhooks that this server delivers to at the same time. A worker does nothing but wait for answers.
const deliverers = 32

// deliverTime is how long a worker takes one batch of a webhook after another, before it lets another webhook
// have its place.
const deliverTime = 30 * time.Second

// deliverer makes the deliveries of webhooks.
type deliverer struct {
	river.WorkerDefaults[delivering]
	hooks  webhook.Deliverer
	sender webhook.Sender
}

// Timeout is longer than the last batch takes.
func (d *deliverer) Timeout(*river.Job[delivering]) time.Duration {
	return deliverTime + 2*webhook.AnswerTime
}

// Work makes what is due for a webhook, batch by batch.
func (d *deliverer) Work(ctx context.Context, j *river.Job[delivering]) error {
	enough := time.Now().Add(deliverTime)
	turn, err := d.hooks.Turn(ctx, scope(j.Args.Job), j.Args.Subject, nil)
	for err == nil && turn != nil {
		d.make(ctx, turn)
		turn.Last = ctx.Err() != nil || time.Now().After(enough)
		// Deliveries that have arrived are kept as such, also when the server stops.
		keep, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime/2)
		turn, err = d.hooks.Turn(keep, scope(j.Args.Job), j.Args.Subject, turn)
		cancel()
	}
	return err
}

// make tries all deliveries of a batch at once.
func (d *deliverer) make(ctx context.Context, turn *webhook.Turn) {
	var sending sync.WaitGroup
	for i := range turn.Deliveries {
		sending.Go(func() {
			o := d.sender.Send(ctx, turn.Webhook, turn.Deliveries[i])
			if o.Problem == webhook.None || ctx.Err() == nil { // one that was cut off by the server's end was not tried
				turn.Outcomes[i] = o
			}
		})
	}
	sending.Wait()
}

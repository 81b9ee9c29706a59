package store

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

// turning is a webhook whose deliveries a worker asks for.
type turning struct {
	webhook.Webhook
	key db.ID
	lease
	wake int64 // micros: when a job looks for deliveries, as far as one was asked for
}

// Turn takes what came of a batch and gives the next one.
func (s *Store) Turn(ctx context.Context, sc organization.Scope, name string, before *webhook.Turn) (next *webhook.Turn,
	err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok { // the job names none any more
		return nil, nil
	}
	err = s.write(ctx, org, func(w *writeTx) (err error) {
		next, err = s.turn(w, key, before)
		return ignoreMissing(err)
	})
	return next, db.ToFault(err)
}

func (s *Store) turn(w *writeTx, key db.ID, before *webhook.Turn) (*webhook.Turn, error) {
	t := turning{key: key}
	if err := w.Do(findWebhook(w.Org, key, &t.Webhook, " FOR UPDATE"),
		db.One(db.Into(&t.attempt, &t.until, &t.wake),
			`SELECT attempt, lease, wake FROM webhook WHERE organization = $1 AND id = $2`, w.Org, key)); err != nil {
		return nil, err
	}
	j := job.Job{Work: job.Deliver, Organization: w.Org.String(), Subject: t.ID}
	switch now := w.now(); {
	case before != nil && !t.heldBy(job.Held{Job: j, Attempt: before.Attempt}):
		return nil, nil // another worker makes them once more
	case before != nil:
		if err := t.take(w, before); err != nil {
			return nil, err
		}
		t.giveBack()
	case t.left(now) > 0:
		return nil, t.lookAgain(w, j, t.until)
	}
	if t.State != webhook.Enabled { // of a change that was made while it was disabled
		if err := w.giveUp(key); err != nil {
			return nil, err
		}
	}
	return t.next(w, j, before != nil && before.Last)
}

// take keeps what came of a batch.
func (t *turning) take(w *writeTx, before *webhook.Turn) error {
	var ended []webhook.Outcome
	var statements []db.Statement
	for i, o := range before.Outcomes {
		if o.At.IsZero() {
			continue // not tried
		}
		ended = append(ended, o)
		d := before.Deliveries[i].After(o)
		// One that was given up in the meantime stays so, unless it has arrived.
		statements = append(statements,
			db.Exec(deliveries.Update+` AND (state = 0 OR $8 = 1)`, deliveries.Args(&d, w.Org)...))
	}
	if before.Webhook.URL != t.URL {
		ended = nil // of a receiver that was, which says nothing of the one that is
	}
	after := t.Webhook.After(ended)
	if len(ended) > 0 {
		w.unheard()
		statements = append(statements, webhooks.Updated(&after, w.Org))
	}
	if err := w.Do(statements...); err != nil {
		return err
	}
	t.Webhook = after
	return nil
}

// next finds the next batch, and has a job look when there may be another.
func (t *turning) next(w *writeTx, j job.Job, last bool) (*webhook.Turn, error) {
	now := w.now()
	rests := t.RestUntil != nil && now.Before(*t.RestUntil)
	var batch []webhook.Delivery
	switch {
	case last:
	case rests:
		// Nothing but tests, which are about the webhook itself: all that waits for it is not looked through
		// for them.
		if err := w.Do(eachDelivery(&batch,
			`/*+ INDEXED BY webhook_delivery_first */ WHERE organization = $1 AND webhook = $2 AND object = $3 AND state = 0 AND attempts = 0
AND event = 'webhook.test' AND due <= $4 ORDER BY changed LIMIT $5`, w.Org, t.key, t.ID, db.Micros(now), int64(webhook.Batch))); err != nil {
			return nil, err
		}
	default:
		// One event of an object at a time, until the first attempt has ended.
		if err := w.Do(eachDelivery(&batch,
			`/*+ INDEXED BY webhook_delivery_due */ WHERE organization = $1 AND webhook = $2 AND state = 0 AND due <= $3
AND NOT EXISTS (SELECT 1 FROM webhook_delivery e /*+ INDEXED BY webhook_delivery_first */
WHERE e.organization = $1 AND e.webhook = $2 AND e.state = 0 AND e.attempts = 0 AND e.object = d.object AND e.changed < d.changed)
ORDER BY due, changed LIMIT $4`, w.Org, t.key, db.Micros(now), int64(webhook.Batch))); err != nil {
			return nil, err
		}
	}
	if len(batch) > 0 {
		held, _, _ := t.lease.take(j, now)
		if err := w.Do(db.Exec(`UPDATE webhook SET attempt = $3, lease = $4 WHERE organization = $1 AND id = $2`, w.Org,
			t.key, t.attempt, t.until)); err != nil {
			return nil, err
		}
		return &webhook.Turn{Webhook: t.Webhook, Deliveries: batch, Attempt: held.Attempt,
			Outcomes: make([]webhook.Outcome, len(batch))}, t.lookAgain(w, j, t.until)
	}
	if err := w.Do(db.Exec(`UPDATE webhook SET lease = 0 WHERE organization = $1 AND id = $2 AND lease <> 0`, w.Org,
		t.key)); err != nil {
		return nil, err
	}
	var due int64
	err := w.Do(db.One(db.Into(&due), `SELECT due FROM webhook_delivery /*+ INDEXED BY webhook_delivery_due */
WHERE organization = $1 AND webhook = $2 AND state = 0 ORDER BY due LIMIT 1`, w.Org, t.key))
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if rests {
		due = max(due, db.Micros(*t.RestUntil))
	}
	return nil, t.lookAgain(w, j, due)
}

// early is how long before its moment a job may look: clocks of servers differ, and the queue rounds times. A
// job that is due within it may be the very one that asks.
const early = 2 * time.Second

// lookAgain has a job look at a moment, unless one does by then.
func (t *turning) lookAgain(w *writeTx, j job.Job, at int64) error {
	now := db.Micros(w.now())
	if at = max(at, now); t.wake > now+early.Microseconds() && t.wake <= at {
		return nil
	}
	t.wake = at
	j.At = db.FromMicros(at)
	w.Enqueue(j)
	return w.Do(db.Exec(`UPDATE webhook SET wake = $3 WHERE organization = $1 AND id = $2`, w.Org, t.key, at))
}

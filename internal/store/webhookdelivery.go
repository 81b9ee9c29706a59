package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

var deliveries = db.NewTable("webhook_delivery", []string{"organization"},
	db.Keyed(db.UUID("id", func(d *webhook.Delivery) *string { return &d.ID })),
	word("event", func(d *webhook.Delivery) *webhook.Event { return &d.Event }),
	db.AsIs("object", func(d *webhook.Delivery) *string { return &d.Data.ID }),
	db.AsIs("status", func(d *webhook.Delivery) *string { return &d.Status }),
	db.AsIs("other", func(d *webhook.Delivery) *string { return &d.From }),
	db.Moment("at", func(d *webhook.Delivery) *time.Time { return &d.At }),
	db.AsNumber("state", func(d *webhook.Delivery) *webhook.DeliveryState { return &d.State },
		func(n int64) webhook.DeliveryState { return webhook.DeliveryState(n) },
		func(s webhook.DeliveryState) int64 { return int64(s) }),
	db.AsNumber("attempts", func(d *webhook.Delivery) *int { return &d.Attempts }, func(n int64) int { return int(n) },
		func(n int) int64 { return int64(n) }),
	db.MaybeMoment("due", func(d *webhook.Delivery) **time.Time { return &d.DueAt }),
	db.MaybeMoment("last_at", func(d *webhook.Delivery) **time.Time { return &d.LastAt }),
	db.AsNumber("last_code", func(d *webhook.Delivery) *int { return &d.LastCode }, func(n int64) int { return int(n) },
		func(n int) int64 { return int64(n) }),
	word("problem", func(d *webhook.Delivery) *webhook.Problem { return &d.Problem }))

// eachDelivery makes a statement of rows of deliveries.
func eachDelivery(list *[]webhook.Delivery, sql string, args ...any) db.Statement {
	return db.Each(func(r db.Rows) error {
		var d webhook.Delivery
		err := deliveries.Scan(r, &d)
		*list = append(*list, d)
		return err
	}, `SELECT `+deliveries.List+` FROM webhook_delivery d `+sql, args...)
}

// Deliveries lists those of a webhook, latest event first.
func (s *Store) Deliveries(ctx context.Context, sc organization.Scope, name string, q webhook.Query) (p webhook.Page,
	err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return p, noWebhook()
	}
	state := int64(-1)
	if q.State != nil {
		state = int64(*q.State)
	}
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		p = webhook.Page{}
		var h webhook.Webhook
		return t.Do(findWebhook(org, key, &h, ""),
			db.One(db.Into(&p.Total),
				`SELECT count(*) FROM webhook_delivery WHERE organization = $1 AND webhook = $2 AND ($3 < 0 OR state = $3)`, org, key, state),
			eachDelivery(&p.Deliveries,
				`/*+ INDEXED BY webhook_delivery_position */ WHERE organization = $1 AND webhook = $2 AND ($3 < 0 OR state = $3)
ORDER BY changed DESC LIMIT $4 OFFSET $5`, org, key, state, q.Limit, q.Offset))
	})
	return p, db.ToFault(err)
}

// Ping makes a delivery of webhook.Test.
func (s *Store) Ping(ctx context.Context, sc organization.Scope, name string,
	once *organization.Once[webhook.Delivery]) (d webhook.Delivery, err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return d, noWebhook()
	}
	err = writeOnce(ctx, s, org, once, &d, func(w *writeTx) (db.ID, error) {
		var h webhook.Webhook
		if err := w.Do(findWebhook(org, key, &h, " FOR UPDATE")); err != nil {
			return db.ID{}, err
		}
		at, err := w.stamped()
		if err != nil {
			return db.ID{}, err
		}
		now := db.FromMicros(at.now)
		fresh := organization.NewID()
		d = webhook.Delivery{ID: fresh.String(), Data: webhook.Data{Event: webhook.Test, ID: key.String()}, At: now,
			DueAt: &now}
		w.Enqueue(job.Job{Work: job.Deliver, Organization: org.String(), Subject: name})
		return key, w.Do(db.Exec(deliveryHead+`(`+parameters(1, 14)+`)`, org, fresh, key, at.position,
			string(d.Event), d.Data.ID, "", "", at.now, int64(webhook.Pending), int64(0), at.now, int64(0), ""))
	})
	return d, err
}

// Replay has a delivery made again.
func (s *Store) Replay(ctx context.Context, sc organization.Scope, name, deliveryName string,
	once *organization.Once[webhook.Delivery]) (d webhook.Delivery, err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return d, noWebhook()
	}
	wanted, ok := organization.ParseID(deliveryName)
	if !ok {
		return d, noDelivery()
	}
	err = writeOnce(ctx, s, org, once, &d, func(w *writeTx) (db.ID, error) {
		var h webhook.Webhook
		if err := w.Do(findWebhook(org, key, &h, " FOR UPDATE")); err != nil {
			return db.ID{}, err
		}
		var found []webhook.Delivery
		if err := w.Do(eachDelivery(&found, `WHERE organization = $1 AND id = $2 AND webhook = $3`, org, wanted,
			key)); err != nil {
			return db.ID{}, err
		}
		if len(found) == 0 {
			return db.ID{}, noDelivery()
		}
		if d, err = found[0].Again(h, db.FromMicros(db.Micros(w.now()))); err != nil {
			return db.ID{}, err
		}
		w.Enqueue(job.Job{Work: job.Deliver, Organization: org.String(), Subject: name})
		return key, w.Do(deliveries.Updated(&d, org))
	})
	return d, err
}

func noDelivery() error { return fault.New(fault.NotFound, "there is no such delivery") }

// droppedAtOnce is how many deliveries one transaction forgets.
const droppedAtOnce = 1000

// forgetDeliveries forgets deliveries that have ended and are old, or more than are kept of a webhook.
func (s *Store) forgetDeliveries(ctx context.Context) error {
	before := db.Micros(s.now().AddDate(0, 0, -webhook.KeepDays))
	return s.eachOrganization(ctx, func(org db.ID) error {
		var keys []db.ID
		if err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
			var key db.ID
			err := r.Scan(&key)
			keys = append(keys, key)
			return err
		}, `SELECT id FROM webhook WHERE organization = $1 ORDER BY id`, org)); err != nil {
			return err
		}
		// A change that was committed while its webhook was deleted has left some.
		in, args := parameterList(org, append(keys, db.ID{}), func(key db.ID) any { return key })
		var lost bool
		if err := s.engine.Once(ctx, org,
			db.One(db.Into(&lost), `SELECT EXISTS (SELECT 1 FROM webhook_delivery WHERE organization = $1 AND webhook NOT IN (`+in+`))`, args...)); err != nil {
			return err
		}
		if lost {
			if err := s.write(ctx, org, func(w *writeTx) error {
				w.Erased = true
				return w.Do(db.Exec(`DELETE FROM webhook_delivery WHERE organization = $1 AND NOT EXISTS (SELECT 1 FROM webhook h WHERE h.organization = $1 AND h.id = webhook_delivery.webhook)`, org))
			}); err != nil {
				return err
			}
		}
		for _, key := range keys {
			for more := true; more; {
				if err := s.write(ctx, org, func(w *writeTx) (err error) {
					more, err = w.forgetDeliveries(key, before)
					return err
				}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (w *writeTx) forgetDeliveries(key db.ID, before int64) (more bool, err error) {
	var newest *int64 // of those that are more than are kept
	if err := w.Do(db.Each(func(r db.Rows) error { return r.Scan(&newest) },
		`SELECT changed FROM webhook_delivery /*+ INDEXED BY webhook_delivery_position */
WHERE organization = $1 AND webhook = $2 AND state <> 0 ORDER BY changed DESC LIMIT 1 OFFSET $3`, w.Org, key, int64(webhook.KeepMost))); err != nil {
		return false, err
	}
	last := int64(-1)
	if newest != nil {
		last = *newest
	}
	var gone int64
	forget := db.Exec(`DELETE FROM webhook_delivery WHERE organization = $1 AND id IN (SELECT d.id FROM webhook_delivery d /*+ INDEXED BY webhook_delivery_position */
WHERE d.organization = $1 AND d.webhook = $2 AND d.state <> 0 AND (d.changed <= $3 OR d.at < $4) ORDER BY d.changed LIMIT $5)`, w.Org, key, last, before, int64(droppedAtOnce))
	forget.Affected = &gone
	if err := w.Do(forget); err != nil {
		return false, err
	}
	w.Erased = gone > 0 // an id may hold what a person wrote
	return gone == droppedAtOnce, nil
}

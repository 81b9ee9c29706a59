package store

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

var (
	_ webhook.Store     = (*Store)(nil)
	_ webhook.Deliverer = (*Store)(nil)
)

var webhooks = db.NewTable("webhook", []string{"organization"},
	db.Keyed(db.UUID("id", func(w *webhook.Webhook) *string { return &w.ID })),
	db.AsIs("url", func(w *webhook.Webhook) *string { return &w.URL }),
	db.Column[webhook.Webhook]{Name: "events",
		Into: func(_ *webhook.Webhook, c *db.Cell) any { return &c.Text },
		Settle: func(w *webhook.Webhook, c *db.Cell) error {
			for e := range strings.SplitSeq(c.Text, ",") {
				w.Events = append(w.Events, webhook.Event(e))
			}
			return nil
		},
		Value: func(w *webhook.Webhook) any { return strings.Join(w.Events.Strings(), ",") }},
	db.AsIs("description", func(w *webhook.Webhook) *string { return &w.Description }),
	db.AsNumber("state", func(w *webhook.Webhook) *webhook.State { return &w.State },
		func(n int64) webhook.State { return webhook.State(n) }, func(s webhook.State) int64 { return int64(s) }),
	word("reason", func(w *webhook.Webhook) *webhook.Reason { return &w.Reason }),
	word("secret", func(w *webhook.Webhook) *webhook.Secret { return &w.Secret }),
	word("previous", func(w *webhook.Webhook) *webhook.Secret { return &w.Previous }),
	db.MaybeMoment("previous_until", func(w *webhook.Webhook) **time.Time { return &w.PreviousUntil }),
	db.Moment("created_at", func(w *webhook.Webhook) *time.Time { return &w.CreatedAt }),
	db.Moment("updated_at", func(w *webhook.Webhook) *time.Time { return &w.UpdatedAt }),
	db.MaybeMoment("failing_since", func(w *webhook.Webhook) **time.Time { return &w.FailingSince }),
	db.MaybeMoment("delivered_at", func(w *webhook.Webhook) **time.Time { return &w.DeliveredAt }),
	db.MaybeMoment("rest_until", func(w *webhook.Webhook) **time.Time { return &w.RestUntil }))

// word is a column of a text that is a type of its own.
func word[T any, V ~string](name string, at func(*T) *V) db.Column[T] {
	return db.Column[T]{Name: name,
		Into:   func(_ *T, c *db.Cell) any { return &c.Text },
		Settle: func(v *T, c *db.Cell) error { *at(v) = V(c.Text); return nil },
		Value:  func(v *T) any { return string(*at(v)) }}
}

func noWebhook() error { return fault.New(fault.NotFound, "there is no such webhook") }

// Webhooks lists those of the organization, oldest first.
func (s *Store) Webhooks(ctx context.Context, sc organization.Scope) ([]webhook.Webhook, error) {
	org := sc.Organization
	var list []webhook.Webhook
	err := s.engine.Once(ctx, org, db.Each(func(r db.Rows) error {
		var h webhook.Webhook
		err := webhooks.Scan(r, &h)
		list = append(list, h)
		return err
	}, `SELECT `+webhooks.List+` FROM webhook WHERE organization = $1 ORDER BY id`, org))
	return list, db.ToFault(err)
}

// Webhook finds one.
func (s *Store) Webhook(ctx context.Context, sc organization.Scope, name string) (h webhook.Webhook, err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return h, noWebhook()
	}
	err = s.engine.Once(ctx, org, findWebhook(org, key, &h, ""))
	return h, db.ToFault(err)
}

func findWebhook(org, key db.ID, h *webhook.Webhook, lock string) db.Statement {
	return db.Statement{SQL: `SELECT ` + webhooks.List + ` FROM webhook WHERE organization = $1 AND id = $2` + lock,
		Args: []any{org, key}, Read: func(r db.Rows) error {
			if !r.Next() {
				if err := r.Err(); err != nil {
					return err
				}
				return noWebhook()
			}
			*h = webhook.Webhook{}
			return webhooks.Scan(r, h)
		}}
}

// CreateWebhook keeps a new one.
func (s *Store) CreateWebhook(ctx context.Context, sc organization.Scope, h webhook.Webhook,
	once *organization.Once[webhook.Webhook]) error {
	org := sc.Organization
	key, ok := organization.ParseID(h.ID)
	if !ok {
		return fault.New(fault.BadRequest, "the webhook's id must be a UUID of 36 characters")
	}
	return writeOnce(ctx, s, org, once, &h, func(w *writeTx) (db.ID, error) {
		var there int64
		// Two that are made at the same time are counted one after the other.
		if err := w.Do(db.Each(func(db.Rows) error { return nil },
			`SELECT id FROM organization WHERE id = $1 FOR UPDATE`, org),
			db.One(db.Into(&there), `SELECT count(*) FROM webhook WHERE organization = $1`, org)); err != nil {
			return db.ID{}, err
		}
		if there >= webhook.Most {
			return db.ID{}, fault.New(fault.Conflict,
				"The organization has %d webhooks, which is as many as it may have. Delete one first.", there)
		}
		w.about("webhook", h.ID)
		w.unheard()
		return key, w.Do(webhooks.Inserted(&h, org))
	})
}

// ChangeWebhook reads one, lets change decide and writes what it returns.
func (s *Store) ChangeWebhook(ctx context.Context, sc organization.Scope, name string,
	once *organization.Once[webhook.Webhook],
	change func(webhook.Webhook) (webhook.Webhook, error)) (changed webhook.Webhook, err error) {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return changed, noWebhook()
	}
	err = writeOnce(ctx, s, org, once, &changed, func(w *writeTx) (db.ID, error) {
		var h webhook.Webhook
		if err := w.Do(findWebhook(org, key, &h, " FOR UPDATE")); err != nil {
			return db.ID{}, err
		}
		var err error
		if changed, err = change(h); err != nil {
			return db.ID{}, err
		}
		if reflect.DeepEqual(changed, h) {
			return key, nil
		}
		w.unheard()
		if err := w.Do(webhooks.Updated(&changed, org)); err != nil {
			return db.ID{}, err
		}
		if changed.State != webhook.Enabled {
			return key, w.giveUp(key)
		}
		// Rest may have ended with the change.
		w.Enqueue(job.Job{Work: job.Deliver, Organization: org.String(), Subject: name})
		return key, nil
	})
	return changed, err
}

// giveUp ends the deliveries that wait for a webhook that is not enabled any more. Tests are made all the same.
func (w *writeTx) giveUp(key db.ID) error {
	return w.Do(db.Exec(`UPDATE webhook_delivery SET state = 2, due = NULL, problem = $3 WHERE organization = $1 AND webhook = $2 AND state = 0 AND event <> 'webhook.test'`,
		w.Org, key, string(webhook.Off)))
}

// DeleteWebhook removes one with its deliveries.
func (s *Store) DeleteWebhook(ctx context.Context, sc organization.Scope, name string) error {
	org := sc.Organization
	key, ok := organization.ParseID(name)
	if !ok {
		return noWebhook()
	}
	return db.ToFault(s.write(ctx, org, func(w *writeTx) error {
		var found db.ID
		if err := w.Do(db.One(db.Into(&found), `SELECT id FROM webhook WHERE organization = $1 AND id = $2 FOR UPDATE`,
			org, key)); errors.Is(err, db.ErrNoRow) {
			return noWebhook()
		} else if err != nil {
			return err
		}
		w.Erased = true // of its secret
		w.unheard()
		return w.Do(db.Exec(`DELETE FROM webhook WHERE organization = $1 AND id = $2`, org, key),
			db.Exec(`DELETE FROM webhook_delivery WHERE organization = $1 AND webhook = $2`, org, key),
			eraseAnswers(org, key))
	}))
}

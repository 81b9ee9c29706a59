package httpapi

import (
	"strconv"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/payload"
	"github.com/kinebase/kinebase/webhook"
)

func (a *api) listWebhooks(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	list, err := a.Webhooks.Webhooks(c.r.Context(), c.scope())
	if err != nil {
		return err
	}
	b := append(make([]byte, 0, 64+640*len(list)), `{"webhooks":[`...)
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendWebhook(b, &list[i], false)
	}
	c.send(200, append(b, `]}`...))
	return nil
}

func (a *api) createWebhook(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	repeat, body, done, err := a.posted(c)
	if err != nil {
		return err
	}
	defer done()
	change, err := webhook.ReadChange(body, true, a.PrivateWebhooks)
	if err != nil {
		return err
	}
	w := webhook.New(change, c.start)
	answer := appendWebhook(nil, &w, true)
	once := keep(repeat, func(webhook.Webhook) ([]byte, error) { return c.seal(repeat, answer) })
	return c.sendSecret(repeat, answer, a.Webhooks.CreateWebhook(c.r.Context(), c.scope(), w, once))
}

func (a *api) getWebhook(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.webhookID()
	if err != nil {
		return err
	}
	w, err := a.Webhooks.Webhook(c.r.Context(), c.scope(), id)
	if err != nil {
		return unknown(err, "webhook")
	}
	c.send(200, appendWebhook(nil, &w, false))
	return nil
}

func (a *api) changeWebhook(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, missing := c.webhookID()
	if missing != nil && !fault.Is(missing, fault.NotFound) {
		return missing
	}
	body, err := c.object(nil)
	if err != nil {
		return err
	}
	change, err := webhook.ReadChange(body, false, a.PrivateWebhooks)
	if err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	w, err := a.Webhooks.ChangeWebhook(c.r.Context(), c.scope(), id, nil,
		func(old webhook.Webhook) (webhook.Webhook, error) {
			return change.Apply(old, c.start), nil
		})
	if err != nil {
		return unknown(err, "webhook")
	}
	c.send(200, appendWebhook(nil, &w, false))
	return nil
}

func (a *api) deleteWebhook(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	id, err := c.webhookID()
	if err != nil {
		return err
	}
	if err := a.Webhooks.DeleteWebhook(c.r.Context(), c.scope(), id); err != nil {
		return unknown(err, "webhook")
	}
	c.send(200, []byte(`{"message":"The webhook and its deliveries were deleted."}`))
	return nil
}

func (a *api) rotateWebhook(c *call) error {
	return withoutFields(a, c, c.webhookID, func(id string, repeat *organization.Repeat) error {
		var rotated webhook.Webhook // of the last attempt: a transaction may be run again
		once := keep(repeat, func(w webhook.Webhook) ([]byte, error) {
			return c.seal(repeat, appendWebhook(nil, &w, true))
		})
		_, err := a.Webhooks.ChangeWebhook(c.r.Context(), c.scope(), id, once,
			func(old webhook.Webhook) (webhook.Webhook, error) {
				rotated = old.Rotated(c.start)
				return rotated, nil
			})
		if err != nil {
			return unknown(err, "webhook")
		}
		return c.sendSecret(repeat, appendWebhook(nil, &rotated, true), nil)
	})
}

func (c *call) webhookID() (string, error) { return c.uuidAt(0, "id", "webhook") }

// appendWebhook appends a webhook, with its secret where it is to be shown.
func appendWebhook(b []byte, w *webhook.Webhook, secret bool) []byte {
	b = payload.AppendString(append(b, `{"id":`...), w.ID)
	b = payload.AppendString(append(b, `,"url":`...), w.URL)
	b = append(b, `,"events":[`...)
	for i, e := range w.Events {
		if i > 0 {
			b = append(b, ',')
		}
		b = payload.AppendString(b, string(e))
	}
	b = payload.AppendString(append(b, `],"description":`...), w.Description)
	b = strconv.AppendBool(append(b, `,"enabled":`...), w.State == webhook.Enabled)
	b = payload.AppendString(append(b, `,"state":`...), w.State.String())
	b = appendOr(append(b, `,"reason":`...), string(w.Reason))
	b = payload.AppendTime(append(b, `,"created_at":`...), &w.CreatedAt)
	b = payload.AppendTime(append(b, `,"updated_at":`...), &w.UpdatedAt)
	b = payload.AppendTime(append(b, `,"last_delivered_at":`...), w.DeliveredAt)
	b = payload.AppendTime(append(b, `,"failing_since":`...), w.FailingSince)
	b = payload.AppendTime(append(b, `,"previous_secret_until":`...), w.PreviousUntil)
	if secret {
		b = payload.AppendString(append(b, `,"secret":`...), string(w.Secret))
	}
	return append(b, '}')
}

// appendOr appends a text, or null for an empty one.
func appendOr(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return payload.AppendString(b, s)
}

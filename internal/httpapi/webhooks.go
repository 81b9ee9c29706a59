package httpapi

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
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
		b = webhook.AppendJSON(b, &list[i], false)
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
	answer := webhook.AppendJSON(nil, &w, true)
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
	c.send(200, webhook.AppendJSON(nil, &w, false))
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
	c.send(200, webhook.AppendJSON(nil, &w, false))
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
			return c.seal(repeat, webhook.AppendJSON(nil, &w, true))
		})
		_, err := a.Webhooks.ChangeWebhook(c.r.Context(), c.scope(), id, once,
			func(old webhook.Webhook) (webhook.Webhook, error) {
				rotated = old.Rotated(c.start)
				return rotated, nil
			})
		if err != nil {
			return unknown(err, "webhook")
		}
		return c.sendSecret(repeat, webhook.AppendJSON(nil, &rotated, true), nil)
	})
}

func (c *call) webhookID() (string, error) { return c.uuidAt(0, "id", "webhook") }

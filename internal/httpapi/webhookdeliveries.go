package httpapi

import (
	"strconv"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/webhook"
)

func (a *api) listDeliveries(c *call) error {
	var q webhook.Query
	var s seen
	page, err := readPage(c.r.URL.RawQuery, defaultLimit, func(name, value string) error {
		if name != "state" {
			return nil
		}
		if err := s.once(1, name); err != nil {
			return err
		}
		state, err := webhook.ParseDeliveryState(value)
		q.State = &state
		return err
	})
	if err != nil {
		return err
	}
	id, err := c.webhookID()
	if err != nil {
		return err
	}
	q.Limit, q.Offset = page.limit, page.offset
	found, err := a.Webhooks.Deliveries(c.r.Context(), c.scope(), id, q)
	if err != nil {
		return unknown(err, "webhook")
	}
	b := append(make([]byte, 0, 128+400*len(found.Deliveries)), `{"deliveries":[`...)
	for i := range found.Deliveries {
		if i > 0 {
			b = append(b, ',')
		}
		b = webhook.AppendDelivery(b, &found.Deliveries[i])
	}
	b = strconv.AppendInt(append(b, `],"total_count":`...), found.Total, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), q.Offset, 10)
	b = strconv.AppendInt(append(b, `,"limit":`...), int64(q.Limit), 10)
	c.send(200, append(organization.AppendNextOffset(b, q.Offset, int64(len(found.Deliveries)), found.Total), '}'))
	return nil
}

func (a *api) testWebhook(c *call) error {
	return withoutFields(a, c, c.webhookID, func(id string, repeat *organization.Repeat) error {
		d, err := a.Webhooks.Ping(c.r.Context(), c.scope(), id, keepDelivery(repeat))
		return c.sendDelivery(&d, repeat, err, "webhook")
	})
}

func (a *api) replayDelivery(c *call) error {
	return withoutFields(a, c, c.webhookID, func(id string, repeat *organization.Repeat) error {
		delivery, err := c.uuidAt(1, "deliveryId", "delivery")
		if err != nil {
			return err
		}
		if _, err := a.Webhooks.Webhook(c.r.Context(), c.scope(), id); err != nil {
			return unknown(err, "webhook")
		}
		d, err := a.Webhooks.Replay(c.r.Context(), c.scope(), id, delivery, keepDelivery(repeat))
		return c.sendDelivery(&d, repeat, err, "delivery")
	})
}

// keepDelivery has the answer about a delivery kept for a repetition.
func keepDelivery(repeat *organization.Repeat) *organization.Once[webhook.Delivery] {
	return keep(repeat, func(d webhook.Delivery) ([]byte, error) {
		return keptAnswer("", "", webhook.AppendDelivery(nil, &d)),
			nil
	})
}

func (c *call) sendDelivery(d *webhook.Delivery, repeat *organization.Repeat, err error, kind string) error {
	if err != nil {
		return unknown(err, kind)
	}
	if repeat.Replayed() {
		return c.replay(repeat.Replay)
	}
	c.send(200, webhook.AppendDelivery(nil, d))
	return nil
}

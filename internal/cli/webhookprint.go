package cli

import (
	"encoding/json"

	"github.com/kinebase/kinebase/webhook"
)

// signing shows a webhook's secret.
func (w *World) signing(h *webhook.Webhook, as quietFlag) error {
	switch {
	case as.Quiet:
		return w.say("%s", h.Secret)
	case as.JSON:
		return w.json(struct {
			ID     string         `json:"id"`
			Secret webhook.Secret `json:"secret"`
		}{h.ID, h.Secret})
	}
	return w.say("%s\n\nThis is the secret of the webhook %s, by which its receiver verifies deliveries.\nIt is "+
		"shown this once: keep it now.", h.Secret, h.ID)
}

// webhookItem is a webhook as the interface's own list shows it.
type webhookItem struct {
	ID                  string         `json:"id"`
	URL                 string         `json:"url"`
	Events              webhook.Events `json:"events"`
	Description         string         `json:"description"`
	Enabled             bool           `json:"enabled"`
	State               string         `json:"state"`
	Reason              *string        `json:"reason"`
	CreatedAt           *string        `json:"created_at"`
	UpdatedAt           *string        `json:"updated_at"`
	LastDeliveredAt     *string        `json:"last_delivered_at"`
	FailingSince        *string        `json:"failing_since"`
	PreviousSecretUntil *string        `json:"previous_secret_until"`
}

func itemOf(h *webhook.Webhook) webhookItem {
	return webhookItem{h.ID, h.URL, h.Events, h.Description, h.State == webhook.Enabled, h.State.String(),
		unlessEmpty(string(h.Reason)),
		stamp(&h.CreatedAt), stamp(&h.UpdatedAt), stamp(h.DeliveredAt), stamp(h.FailingSince), stamp(h.PreviousUntil)}
}

// deliveryItem is a delivery as the interface's own list shows it.
type deliveryItem struct {
	ID            string          `json:"id"`
	Type          webhook.Event   `json:"type"`
	Timestamp     *string         `json:"timestamp"`
	Data          json.RawMessage `json:"data"`
	State         string          `json:"state"`
	Attempts      int             `json:"attempts"`
	NextAttemptAt *string         `json:"next_attempt_at"`
	LastAttemptAt *string         `json:"last_attempt_at"`
	LastStatus    *int            `json:"last_status"`
	Problem       *string         `json:"problem"`
}

func deliveryOf(d *webhook.Delivery) deliveryItem {
	item := deliveryItem{ID: d.ID, Type: d.Event, Timestamp: stamp(&d.At), Data: d.AppendData(nil),
		State: d.State.String(), Attempts: d.Attempts,
		NextAttemptAt: stamp(d.DueAt), LastAttemptAt: stamp(d.LastAt), Problem: unlessEmpty(string(d.Problem))}
	if d.LastCode != 0 {
		item.LastStatus = &d.LastCode
	}
	return item
}

// unlessEmpty is null in JSON for an empty text.
func unlessEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

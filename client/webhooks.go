package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Webhook is a program that is told what changes, without the secret that signs deliveries.
type Webhook struct {
	ID                  string     `json:"id"`
	URL                 string     `json:"url"`
	Events              []string   `json:"events"` // names, or "*" alone
	Description         string     `json:"description"`
	Enabled             bool       `json:"enabled"`
	State               string     `json:"state"`  // enabled, disabled by its owner, or paused by the server
	Reason              *string    `json:"reason"` // why it is paused: gone or failing
	CreatedAt           time.Time  `json:"created_at"`
	UpdatedAt           time.Time  `json:"updated_at"`
	LastDeliveredAt     *time.Time `json:"last_delivered_at"`
	FailingSince        *time.Time `json:"failing_since"`
	PreviousSecretUntil *time.Time `json:"previous_secret_until"` // until then two secrets sign
}

// IssuedWebhook is a webhook with its secret, which the server shows this once.
type IssuedWebhook struct {
	Webhook
	Secret string `json:"secret"`
}

// NewWebhook says where a webhook is and what it is told.
type NewWebhook struct {
	URL         string   `json:"url"`
	Events      []string `json:"events,omitempty"` // none: everything
	Description string   `json:"description,omitempty"`
	Enabled     *bool    `json:"enabled,omitempty"` // nil: true
}

// WebhookChange says what of a webhook is to be otherwise; what is nil stays as it is.
type WebhookChange struct {
	URL         *string  `json:"url,omitempty"`
	Events      []string `json:"events,omitempty"`
	Description *string  `json:"description,omitempty"`
	Enabled     *bool    `json:"enabled,omitempty"`
}

// WebhookDelivery is one event on its way to one webhook.
type WebhookDelivery struct {
	ID            string      `json:"id"` // the webhook-id of all its attempts
	Type          string      `json:"type"`
	Timestamp     time.Time   `json:"timestamp"` // of the event
	Data          WebhookData `json:"data"`
	State         string      `json:"state"` // pending, delivered or failed
	Attempts      int         `json:"attempts"`
	NextAttemptAt *time.Time  `json:"next_attempt_at"`
	LastAttemptAt *time.Time  `json:"last_attempt_at"`
	LastStatus    *int        `json:"last_status"` // of HTTP; nil without an answer
	Problem       *string     `json:"problem"`     // why the last attempt delivered nothing
}

// WebhookData is what is told of an object.
type WebhookData struct {
	ID     string `json:"id"`
	Status string `json:"status,omitempty"`
	From   string `json:"from,omitempty"` // the athlete that was merged into it
}

// DeliveryPage is a page of deliveries, latest event first.
type DeliveryPage struct {
	Deliveries []WebhookDelivery `json:"deliveries"`
	TotalCount int64             `json:"total_count"`
	Offset     int64             `json:"offset"`
	Limit      int               `json:"limit"`
	NextOffset *int64            `json:"next_offset"` // nil at the end
}

// Webhooks lists the organization's webhooks, oldest first.
func (c *Client) Webhooks(ctx context.Context, options ...CallOption) ([]Webhook, error) {
	var answer struct{ Webhooks []Webhook }
	err := c.do(ctx, &call{method: http.MethodGet, path: "/webhooks"}, &answer, options...)
	return answer.Webhooks, err
}

// CreateWebhook makes a webhook.
func (c *Client) CreateWebhook(ctx context.Context, webhook NewWebhook, options ...CallOption) (*IssuedWebhook, error) {
	return called[IssuedWebhook](ctx, c, http.MethodPost, "/webhooks", encode(webhook), options)
}

// Webhook reads one.
func (c *Client) Webhook(ctx context.Context, id string, options ...CallOption) (*Webhook, error) {
	return called[Webhook](ctx, c, http.MethodGet, "/webhooks/"+segment(id), nil, options)
}

// ChangeWebhook changes what is given.
func (c *Client) ChangeWebhook(ctx context.Context, id string, change WebhookChange, options ...CallOption) (*Webhook,
	error) {
	return called[Webhook](ctx, c, http.MethodPatch, "/webhooks/"+segment(id), encode(change), options)
}

// DeleteWebhook deletes a webhook with its deliveries, and gives the server's confirmation.
func (c *Client) DeleteWebhook(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/webhooks/"+segment(id), options)
}

// TestWebhook has the server send webhook.test to a receiver, and gives the delivery before it is made.
func (c *Client) TestWebhook(ctx context.Context, id string, options ...CallOption) (*WebhookDelivery, error) {
	return called[WebhookDelivery](ctx, c, http.MethodPost, "/webhooks/"+segment(id)+"/test", nil, options)
}

// RotateWebhook gives a webhook a new secret; for a day the one before it signs too.
func (c *Client) RotateWebhook(ctx context.Context, id string, options ...CallOption) (*IssuedWebhook, error) {
	return called[IssuedWebhook](ctx, c, http.MethodPost, "/webhooks/"+segment(id)+"/rotate", nil, options)
}

// DeliveryFilter says which deliveries are wanted.
type DeliveryFilter struct {
	State  string // pending, delivered or failed; "" for all
	Limit  int    // 1 to 500; 0 leaves the server's default
	Offset int64
}

// ListDeliveries gives one page of what was and is to be delivered to a webhook.
func (c *Client) ListDeliveries(ctx context.Context, id string, f DeliveryFilter, options ...CallOption) (*DeliveryPage,
	error) {
	q := url.Values{}
	set(q, "state", f.State)
	paging(q, f.Limit, f.Offset)
	var page DeliveryPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/webhooks/" + segment(id) + "/deliveries", query: q},
		&page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// ReplayDelivery has a delivery that has ended made again, under the same id.
func (c *Client) ReplayDelivery(ctx context.Context, id, delivery string, options ...CallOption) (*WebhookDelivery,
	error) {
	return called[WebhookDelivery](ctx, c, http.MethodPost, "/webhooks/"+segment(id)+"/deliveries/"+segment(delivery)+
		"/replay", nil, options)
}

// called makes a call that is answered with one value.
func called[T any](ctx context.Context, c *Client, method, path string, body []byte, options []CallOption) (*T, error) {
	answer := new(T)
	if err := c.do(ctx, &call{method: method, path: path, body: body}, answer, options...); err != nil {
		return nil, err
	}
	return answer, nil
}

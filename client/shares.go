package client

import (
	"context"
	"net/http"
	"time"
)

// Course is one metric of the captures that an athlete has of a movement.
type Course struct {
	AthleteID string `json:"athlete_id"`
	Activity  string `json:"activity"`
	Movement  string `json:"movement"`
	Metric    string `json:"metric"`
}

// Share is a link that shows captures, or the progress of an athlete, to people without an account.
type Share struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"` // for those who share; "" for none
	Kind       string     `json:"kind"` // capture, comparison, report or progress
	Captures   []string   `json:"captures"`
	Progress   *Course    `json:"progress"` // of the kind progress alone
	View       string     `json:"view"`     // how the page shows them
	Names      bool       `json:"names"`    // what names people is shown too
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  time.Time  `json:"expires_at"`
	Uses       int64      `json:"uses"`
	LastUsedAt *time.Time `json:"last_used_at"`     // to the minute; nil: never
	Secret     string     `json:"secret,omitempty"` // of a new one alone: the link is /shared# and this
}

// NewShare is what is to be shared; the zero value of a field leaves it to the server.
type NewShare struct {
	Kind      string     `json:"kind,omitempty"`
	Name      string     `json:"name,omitempty"`
	Captures  []string   `json:"captures,omitempty"` // of every kind but progress
	Progress  *Course    `json:"progress,omitempty"` // of the kind progress
	View      string     `json:"view,omitempty"`
	Names     bool       `json:"names,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// Shares lists the organization's shares, newest first.
func (c *Client) Shares(ctx context.Context, options ...CallOption) ([]Share, error) {
	var list struct{ Shares []Share }
	err := c.do(ctx, &call{method: http.MethodGet, path: "/shares"}, &list, options...)
	return list.Shares, err
}

// CreateShare makes a link. Its secret is in this answer alone.
func (c *Client) CreateShare(ctx context.Context, n NewShare, options ...CallOption) (*Share, error) {
	return called[Share](ctx, c, http.MethodPost, "/shares", encode(n), options)
}

// DeleteShare takes a link back, and gives the server's confirmation.
func (c *Client) DeleteShare(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/shares/"+segment(id), options)
}

// Shared is what a link shows.
type Shared struct {
	Kind      string    `json:"kind"`
	View      string    `json:"view"`
	Names     bool      `json:"names"`
	ExpiresAt time.Time `json:"expires_at"`
	Captures  []Capture `json:"captures"` // their ids are "1", "2" …
	Progress  *struct {
		Course
		AthleteName string `json:"athlete_name,omitempty"` // of a link with names
	} `json:"progress"` // nil but for the kind progress; its athlete is "1"
}

// Visit is a client for the holder of a link's secret. It answers Shared, and Capture, Motion, Frames, FramesAs and
// Skeletons of what the link shows; of a link of the kind progress Metrics and ListMetrics, of the athlete "1"; and
// Movements. Skeletons gives the sets by which its recordings are drawn, with the points that
// these recordings have. Every other call is answered as not found.
func (c *Client) Visit(secret string) *Client {
	visitor := *c
	visitor.base, visitor.token, visitor.link = c.base+"/shared", "", secret
	return &visitor
}

// Shared reads what the link of a visitor shows, and counts as a use of it.
func (c *Client) Shared(ctx context.Context, options ...CallOption) (*Shared, error) {
	return called[Shared](ctx, c, http.MethodGet, "", nil, options)
}

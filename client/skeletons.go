package client

import (
	"context"
	"encoding/json"
	"net/http"
)

// Skeleton is a named set of bones: pairs of names of points. A recording is drawn by it that has at least
// 80 % of its points.
type Skeleton struct {
	Name  string      `json:"name"`
	Bones [][2]string `json:"bones"`
}

// Skeletons are the sets of bones of an organization.
type Skeletons struct {
	Skeletons []Skeleton `json:"skeletons"`
}

// Skeletons gives the sets of the organization.
func (c *Client) Skeletons(ctx context.Context, options ...CallOption) (*Skeletons, error) {
	var s Skeletons
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/skeletons"}, &s, options...); err != nil {
		return nil, err
	}
	return &s, nil
}

// PutSkeletons puts others in their place; none take all away.
func (c *Client) PutSkeletons(ctx context.Context, sets []Skeleton, options ...CallOption) (*Skeletons, error) {
	if sets == nil {
		sets = []Skeleton{}
	}
	return put[Skeletons](ctx, c, "/skeletons", map[string]any{"skeletons": sets}, options)
}

// put sends a value, and gives what there is then.
func put[T any](ctx context.Context, c *Client, path string, value any, options []CallOption) (*T, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var there T
	if err := c.do(ctx, &call{method: http.MethodPut, path: path, body: body}, &there, options...); err != nil {
		return nil, err
	}
	return &there, nil
}

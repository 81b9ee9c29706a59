package client

import (
	"context"
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
	return called[Skeletons](ctx, c, http.MethodGet, "/skeletons", nil, options)
}

// PutSkeletons puts others in their place; none take all away.
func (c *Client) PutSkeletons(ctx context.Context, sets []Skeleton, options ...CallOption) (*Skeletons, error) {
	if sets == nil {
		sets = []Skeleton{}
	}
	return called[Skeletons](ctx, c, http.MethodPut, "/skeletons", encode(map[string]any{"skeletons": sets}), options)
}

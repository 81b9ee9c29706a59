package client

import (
	"context"
	"net/http"
	"time"
)

// Token is an access token without its secret.
type Token struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Scopes     []string   `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  *time.Time `json:"expires_at"`   // nil: never
	LastUsedAt *time.Time `json:"last_used_at"` // to the minute
	RevokedAt  *time.Time `json:"revoked_at"`
}

// IssuedToken is a token with its secret, which the server shows this once.
type IssuedToken struct {
	Token
	Secret string `json:"token"`
}

// NewToken says what a token is to be; give either Role or Scopes.
type NewToken struct {
	Name      string   `json:"name"`
	Role      string   `json:"role,omitempty"` // viewer, editor or admin
	Scopes    []string `json:"scopes,omitempty"`
	ExpiresAt string   `json:"expires_at,omitempty"` // a time as in RFC 3339, or "never"; "" for 90 days
}

// Tokens lists the organization's tokens, also the expired and revoked ones.
func (c *Client) Tokens(ctx context.Context, options ...CallOption) ([]Token, error) {
	var answer struct{ Tokens []Token }
	err := c.do(ctx, &call{method: http.MethodGet, path: "/tokens"}, &answer, options...)
	return answer.Tokens, err
}

// CreateToken makes a token.
func (c *Client) CreateToken(ctx context.Context, token NewToken, options ...CallOption) (*IssuedToken, error) {
	return c.issue(ctx, "/tokens", encode(token), options)
}

// RotateToken gives a token a new secret; the old one is refused from then on.
func (c *Client) RotateToken(ctx context.Context, id string, options ...CallOption) (*IssuedToken, error) {
	return c.issue(ctx, "/tokens/"+segment(id)+"/rotate", nil, options)
}

func (c *Client) issue(ctx context.Context, path string, body []byte, options []CallOption) (*IssuedToken, error) {
	var token IssuedToken
	if err := c.do(ctx, &call{method: http.MethodPost, path: path, body: body}, &token, options...); err != nil {
		return nil, err
	}
	return &token, nil
}

// RevokeToken makes the server refuse a token from now on, and gives its
// confirmation.
func (c *Client) RevokeToken(ctx context.Context, id string, options ...CallOption) (string, error) {
	return c.delete(ctx, "/tokens/"+segment(id), options)
}

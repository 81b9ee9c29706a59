package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// AuditEntry is what was done to an object, and by whom. It names ids, and of people nothing else.
type AuditEntry struct {
	ID        string      `json:"id"`
	At        time.Time   `json:"at"` // UTC
	Actor     AuditActor  `json:"actor"`
	Action    string      `json:"action"` // the operation's id in openapi.yaml, or the command
	Object    AuditObject `json:"object"`
	Status    int         `json:"status"`     // the HTTP status
	RequestID string      `json:"request_id"` // finds the request in the server's log
	Address   string      `json:"address"`    // the client's
}

// AuditActor is who did it.
type AuditActor struct {
	Kind string `json:"kind"` // token, command or system
	ID   string `json:"id"`
	Name string `json:"name"`
}

// AuditObject is what it was done to; its parts are "" where nothing can be named.
type AuditObject struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// AuditPage is a page of the audit log.
type AuditPage struct {
	Entries []AuditEntry `json:"entries"`
	Cursor  string       `json:"cursor"` // for After, to have what follows
	More    bool         `json:"more"`   // more entries are there already
}

// AuditFilter says which entries are wanted; empty fields do not filter.
type AuditFilter struct {
	After                 string // the Cursor of the page before
	Actor, Object, Action string // ids, and an action
	From, To              *time.Time
	Newest                bool // entries come newest first, not oldest
	Limit                 int  // 1 to 1000; 0 leaves the server's default
}

// ListAudit gives one page of the audit log; it takes a token with the scope admin.
func (c *Client) ListAudit(ctx context.Context, f AuditFilter, options ...CallOption) (*AuditPage, error) {
	q := url.Values{}
	for name, value := range map[string]string{"after": f.After, "actor": f.Actor, "object": f.Object,
		"action": f.Action} {
		set(q, name, value)
	}
	if f.Newest {
		q.Set("order", "newest")
	}
	setTime(q, "from", f.From)
	setTime(q, "to", f.To)
	paging(q, f.Limit, 0)
	var page AuditPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/audit", query: q}, &page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

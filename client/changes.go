package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Change is an object at its latest change.
type Change struct {
	Kind      string          `json:"kind"`       // capture, athlete or export
	ID        string          `json:"id"`         // of the object
	Change    string          `json:"change"`     // changed or deleted
	ChangedAt time.Time       `json:"changed_at"` // UTC
	Object    json.RawMessage `json:"object,omitempty"`
}

// ChangePage is a page of changes, oldest first.
type ChangePage struct {
	Changes []Change `json:"changes"`
	Cursor  string   `json:"cursor"` // for After, to have what follows
	More    bool     `json:"more"`   // more changes are there already
}

// ChangeFilter says which changes are wanted. The zero value begins with all that there is.
type ChangeFilter struct {
	After  string        // the Cursor of the page before
	Kinds  []string      // capture, athlete, export; none for all that the token may read
	Wait   time.Duration // how long an empty page is held back until something changes, in whole seconds, at most 30
	Object bool          // each change has its object as it is read
	Limit  int           // 1 to 1000; 0 leaves the server's default
}

// ListChanges gives one page. The error of a cursor that is too old has the status 410: drop the copy and begin again.
func (c *Client) ListChanges(ctx context.Context, f ChangeFilter, options ...CallOption) (*ChangePage, error) {
	q := url.Values{}
	set(q, "after", f.After)
	set(q, "kind", strings.Join(f.Kinds, ","))
	if f.Wait > 0 {
		q.Set("wait", strconv.FormatInt(int64(f.Wait/time.Second), 10))
	}
	if f.Object {
		q.Set("include", "object")
	}
	paging(q, f.Limit, 0)
	var page ChangePage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/changes", query: q}, &page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// Changes goes through what changed since f.After, page by page, and ends when there is no more; with f.Wait
// when nothing has changed for that long. A page is to be kept together with its Cursor. An error is the last
// thing given.
func (c *Client) Changes(ctx context.Context, f ChangeFilter) iter.Seq2[*ChangePage, error] {
	return func(yield func(*ChangePage, error) bool) {
		for {
			page, err := c.ListChanges(ctx, f)
			if err != nil {
				yield(nil, err)
				return
			}
			f.After = page.Cursor
			if !yield(page, nil) || !page.More && (f.Wait == 0 || len(page.Changes) == 0) {
				return
			}
		}
	}
}

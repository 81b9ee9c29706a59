package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// ColumnFilter says which columns to list; empty fields do not filter.
type ColumnFilter struct {
	Activity string // of the captures
	Movement string
	Kind     string // that of a channel, or event, metric or text
	Search   string // part of the name
	Limit    int    // rows a page, 1..500; 0 for the default
	Offset   int64
}

// ColumnUse is a column of recordings, and how many completed captures of an activity and a movement have it.
type ColumnUse struct {
	Activity *string `json:"activity"` // in lower case; nil for captures without one
	Movement *string `json:"movement"` // the same
	Name     string  `json:"name"`     // as rows of frames have it
	Kind     string  `json:"kind"`
	Unit     string  `json:"unit"` // of the numbers as they are given out; "" where there is none or none is known
	Captures int64   `json:"captures"`
}

// ColumnPage is one page of columns, in the order of activity, movement and name.
type ColumnPage struct {
	Columns    []ColumnUse `json:"columns"`
	TotalCount int64       `json:"total_count"` // over all pages
	Offset     int64       `json:"offset"`
	Limit      int         `json:"limit"`
	NextOffset *int64      `json:"next_offset"` // where the next page begins; nil at the end
}

// ListColumns gives one page of the columns that the organization's recordings have.
func (c *Client) ListColumns(ctx context.Context, f ColumnFilter, options ...CallOption) (*ColumnPage, error) {
	q := url.Values{}
	set(q, "activity", f.Activity)
	set(q, "movement", f.Movement)
	set(q, "kind", f.Kind)
	set(q, "q", f.Search)
	paging(q, f.Limit, f.Offset)
	var page ColumnPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/columns", query: q}, &page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// Columns goes through the columns from f.Offset on, f.Limit at a time (500 when it is 0). An error ends it.
func (c *Client) Columns(ctx context.Context, f ColumnFilter, options ...CallOption) iter.Seq2[ColumnUse, error] {
	return pages(f.Limit, f.Offset, func(limit int, offset int64) ([]ColumnUse, *int64, error) {
		f.Limit, f.Offset = limit, offset
		page, err := c.ListColumns(ctx, f, options...)
		if err != nil {
			return nil, nil, err
		}
		return page.Columns, page.NextOffset, nil
	})
}

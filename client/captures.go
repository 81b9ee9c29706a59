package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// The states of a capture.
const (
	AwaitingUpload = "awaiting_upload"
	Processing     = "processing"
	Completed      = "completed"
	Failed         = "error"
)

// Capture is a recorded movement session.
type Capture struct {
	SessionID   string     `json:"session_id"`
	AthleteID   *string    `json:"athlete_id"` // nil when it is linked to nobody
	Activity    *string    `json:"activity"`
	Movement    *string    `json:"movement"`
	Status      string     `json:"status"`
	Error       *string    `json:"error"`
	CaptureTime *time.Time `json:"capture_time"`
	FPSDetected *float64   `json:"fps_detected"` // frames a second

	// What CaptureFilter.Include asked for; nil when it did not, or when there is none.
	FileName     *string    `json:"file_name,omitempty"`
	AthleteName  *string    `json:"athlete_name,omitempty"` // of AthleteID: first and last name
	WarningCount *int64     `json:"warning_count,omitempty"`
	UpdatedAt    *time.Time `json:"updated_at,omitempty"`
	TimeFrom     *string    `json:"capture_time_from,omitempty"` // where CaptureTime comes from: given, file or upload

	// Dimensions are the movement's own fields, such as handedness; on the wire they
	// stand beside the others.
	Dimensions map[string]string `json:"-"`
}

// CaptureFilter says which captures to list; empty fields do not filter.
type CaptureFilter struct {
	AthleteID string // a UUID
	Source    string // "api" is the only one that can be asked for
	Status    string
	Activity  string // without regard to case
	Movement  string // without regard to case
	// part of the file's name, the session id, a label or a linked athlete's name, without regard to case
	Search string
	// Captured from one time on and before another one; nil is no bound. With either of them, captures
	// without a time are left out.
	CapturedFrom *time.Time
	CapturedTo   *time.Time

	Oldest bool // the list backwards: captures without a time first, then the oldest

	Limit   int // rows a page, 1..500; 0 for the default
	Offset  int64
	Include []string // what rows have beside their own fields: file, athlete, warnings, updated, time; and next
}

// CapturePage is one page of captures.
type CapturePage struct {
	Captures   []Capture `json:"captures"`
	TotalCount int64     `json:"total_count"` // captures, over all pages; a capture of two athletes has two rows
	Offset     int64     `json:"offset"`
	Limit      int       `json:"limit"`
	// with next in Include: where the next page begins; nil at the end
	NextOffset *int64 `json:"next_offset,omitempty"`
}

// ListCaptures gives one page, newest first where the filter says nothing else.
func (c *Client) ListCaptures(ctx context.Context, f CaptureFilter, options ...CallOption) (*CapturePage, error) {
	q := url.Values{}
	set(q, "athlete_id", f.AthleteID)
	set(q, "source", f.Source)
	set(q, "status", f.Status)
	set(q, "activity", f.Activity)
	set(q, "movement", f.Movement)
	set(q, "q", f.Search)
	setTime(q, "captured_from", f.CapturedFrom)
	setTime(q, "captured_to", f.CapturedTo)
	set(q, "include", strings.Join(f.Include, ","))
	if f.Oldest {
		q.Set("order", "oldest")
	}
	paging(q, f.Limit, f.Offset)
	var page CapturePage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures", query: q}, &page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// Captures goes through all captures from f.Offset on, f.Limit at a time (500
// when it is 0). An error ends it. Captures that come or go meanwhile shift the
// pages: a row may then be given twice or not at all.
func (c *Client) Captures(ctx context.Context, f CaptureFilter) iter.Seq2[Capture, error] {
	if !slices.Contains(f.Include, "next") {
		f.Include = append(slices.Clone(f.Include), "next")
	}
	return pages(f.Limit, f.Offset, func(limit int, offset int64) ([]Capture, *int64, error) {
		f.Limit, f.Offset = limit, offset
		page, err := c.ListCaptures(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		return page.Captures, page.NextOffset, nil
	})
}

// Capture reads one capture by its session id.
func (c *Client) Capture(ctx context.Context, id string, options ...CallOption) (*Capture, error) {
	var capture Capture
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/captures/" + segment(id)}, &capture, options...); err !=
		nil {
		return nil, err
	}
	return &capture, nil
}

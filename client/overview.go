package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Overview is what the organization has, and what became of it lately, at one moment.
type Overview struct {
	From           string           `json:"from"` // the first day, 2026-05-13
	To             string           `json:"to"`   // the last day
	CapturesPerDay []DayCount       `json:"captures_per_day"`
	TotalCaptures  int64            `json:"total_captures"`
	TotalAthletes  int64            `json:"total_athletes"`
	ByStatus       map[string]int64 `json:"by_status"`
	Failed         []CaptureBrief   `json:"failed"` // at most 20, the one that was changed last first
	Recent         []CaptureBrief   `json:"recent"` // of any status, the one that was changed last first
	Storage        Storage          `json:"storage"`
}

// DayCount is how many captures there are of a UTC day and a movement.
type DayCount struct {
	Day      string  `json:"day"`      // 2026-05-13
	Movement *string `json:"movement"` // in lower case; nil for none, and for the others
	Others   bool    `json:"others"`   // all movements that are not told apart
	Count    int64   `json:"count"`
}

// CaptureBrief is a capture in short.
type CaptureBrief struct {
	SessionID    string     `json:"session_id"`
	Status       string     `json:"status"`
	Activity     *string    `json:"activity"`
	Movement     *string    `json:"movement"`
	CaptureTime  *time.Time `json:"capture_time"`
	LastModified time.Time  `json:"last_modified"`
	Error        *string    `json:"error"`
}

// Storage is what files take, in bytes.
type Storage struct {
	Originals int64 `json:"original_bytes"`
	Exports   int64 `json:"export_bytes"`
	Files     int64 `json:"file_bytes"` // of captures, with what was made of them

	// Allowed is what Files may be before reservations and files are refused; nil: there is no bound.
	Allowed *int64 `json:"file_bytes_allowed"`
}

// Overview reads what the organization has, and counts the captures of so many days, the
// last one being today; 0 is what the server takes for usual.
func (c *Client) Overview(ctx context.Context, days int, options ...CallOption) (*Overview, error) {
	q := url.Values{}
	if days != 0 {
		q.Set("days", strconv.Itoa(days))
	}
	var o Overview
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/overview", query: q}, &o, options...); err != nil {
		return nil, err
	}
	return &o, nil
}

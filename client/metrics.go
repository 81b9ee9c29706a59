package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// MetricsFilter says which captures of an athlete to list, and which metrics they have in the
// list; empty fields do not filter.
type MetricsFilter struct {
	Activity string
	Movement string
	Metrics  []string   // names; nil for all
	From     *time.Time // captures of this time or later
	To       *time.Time // captures before this time
	Limit    int        // captures a page, 1..500; 0 for the default
	Offset   int64
}

// MeasuredCapture is a capture with the metrics of its recording.
type MeasuredCapture struct {
	Capture
	Library string                     // version of the library by which it was measured; "" when it was not
	Metrics map[string]MetricOfCapture // by name
}

// measured are the fields of a MeasuredCapture beside those of a capture.
type measured struct {
	Library *string                    `json:"library"`
	Metrics map[string]MetricOfCapture `json:"metrics"`
}

// UnmarshalJSON reads a capture, and what was measured beside it.
func (m *MeasuredCapture) UnmarshalJSON(b []byte) error {
	var own measured
	if err := json.Unmarshal(b, &own); err != nil {
		return err
	}
	if err := json.Unmarshal(b, &m.Capture); err != nil {
		return err
	}
	delete(m.Dimensions, "library")
	if m.Library = ""; own.Library != nil {
		m.Library = *own.Library
	}
	m.Metrics = own.Metrics
	return nil
}

// MarshalJSON writes it as the server does.
func (m MeasuredCapture) MarshalJSON() ([]byte, error) {
	own := measured{Metrics: m.Metrics}
	if m.Library != "" {
		own.Library = &m.Library
	}
	b, err := json.Marshal(m.Capture)
	if err != nil {
		return nil, err
	}
	more, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	return append(append(b[:len(b)-1], ','), more[1:]...), nil
}

// MetricOfCapture is a number or a text, or the reason why there is neither.
type MetricOfCapture struct {
	Value    *float64 `json:"value"`
	Text     *string  `json:"text"`
	Unit     string   `json:"unit"`
	Source   string   `json:"source"`   // computed, or file: the file's own
	Method   *string  `json:"method"`   // nil unless it was computed
	Version  *int     `json:"version"`  // of the method
	Withheld *string  `json:"withheld"` // the code of the reason; nil when there is a value
	Message  *string  `json:"message"`  // the reason as a sentence
}

// MetricsPage is one page of an athlete's captures, the oldest first.
type MetricsPage struct {
	Captures   []MeasuredCapture `json:"captures"`
	TotalCount int64             `json:"total_count"` // over all pages
	Offset     int64             `json:"offset"`
	Limit      int               `json:"limit"`
	NextOffset *int64            `json:"next_offset"` // where the next page begins; nil at the end
}

// ListMetrics gives one page of an athlete's metrics over time.
func (c *Client) ListMetrics(ctx context.Context, athleteID string, f MetricsFilter,
	options ...CallOption) (*MetricsPage, error) {
	q := url.Values{}
	set(q, "activity", f.Activity)
	set(q, "movement", f.Movement)
	set(q, "metric", strings.Join(f.Metrics, ","))
	setTime(q, "from", f.From)
	setTime(q, "to", f.To)
	paging(q, f.Limit, f.Offset)
	var page MetricsPage
	if err := c.do(ctx, &call{method: http.MethodGet, path: "/athletes/" + segment(athleteID) + "/metrics", query: q},
		&page, options...); err != nil {
		return nil, err
	}
	return &page, nil
}

// Metrics goes through an athlete's completed captures from f.Offset on, the oldest first,
// f.Limit at a time (500 when it is 0). An error ends it. Captures that come or go meanwhile
// shift the pages: one may then be given twice or not at all.
func (c *Client) Metrics(ctx context.Context, athleteID string, f MetricsFilter) iter.Seq2[MeasuredCapture, error] {
	return pages(f.Limit, f.Offset, func(limit int, offset int64) ([]MeasuredCapture, *int64, error) {
		f.Limit, f.Offset = limit, offset
		page, err := c.ListMetrics(ctx, athleteID, f)
		if err != nil {
			return nil, nil, err
		}
		return page.Captures, page.NextOffset, nil
	})
}

package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"github.com/kinebase/kinebase/client"
)

// row is what is compared of a row of a list. Hundreds of thousands are read, so nothing
// else of them is decoded, as the client would.
type row struct {
	Session  string `json:"session_id"`
	Athlete  string `json:"athlete_id"`
	Movement string `json:"movement"`
	Status   string `json:"status"`
}

// lists are those of captures that a server shows.
type lists struct {
	t           *testing.T
	url, secret string
	http        *http.Client
}

// same holds the list of a filter against the rows that it must have, in order.
func (l *lists) same(ctx context.Context, f client.CaptureFilter, want []row) {
	l.t.Helper()
	if got := l.whole(ctx, f); !slices.Equal(got, want) {
		l.t.Errorf("with %+v there are %d captures, and the whole list has %d of them, or their order differs",
			f, len(got), len(want))
	}
}

// whole reads all pages of a list and holds total_count against them. Every capture
// here has one athlete, so rows are captures.
func (l *lists) whole(ctx context.Context, f client.CaptureFilter) []row {
	l.t.Helper()
	const most = 500
	var rows []row
	for {
		q := url.Values{"limit": {strconv.Itoa(most)}, "offset": {strconv.Itoa(len(rows))}}
		for name, value := range map[string]string{"athlete_id": f.AthleteID, "source": f.Source, "status": f.Status,
			"activity": f.Activity, "movement": f.Movement} {
			if value != "" {
				q.Set(name, value)
			}
		}
		page := l.page(ctx, q)
		rows = append(rows, page.Captures...)
		switch {
		case len(page.Captures) == most:
			continue
		case page.TotalCount != int64(len(rows)):
			l.t.Errorf("with %+v total_count is %d, and the pages have %d captures", f, page.TotalCount, len(rows))
		}
		return rows
	}
}

// captured is a page of a list.
type captured struct {
	Captures   []row
	TotalCount int64 `json:"total_count"`
}

func (l *lists) page(ctx context.Context, q url.Values) (page captured) {
	l.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"/captures?"+q.Encode(), nil)
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+l.secret)
	resp, err := l.http.Do(req)
	if err != nil {
		l.t.Fatalf("list the captures with %v: %v", q, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil || resp.StatusCode != http.StatusOK {
		l.t.Fatalf("list the captures with %v: %d, %v", q, resp.StatusCode, err)
	}
	return page
}

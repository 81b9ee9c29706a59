package client

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// listing is a server with so many captures (of two rows each) or athletes. A silent
// one does not say where the next page of captures begins.
func listing(t *testing.T, rows, failAt int, silent bool) (*Client, *int) {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		limit := 100
		if s := r.FormValue("limit"); s != "" {
			limit, _ = strconv.Atoi(s)
		}
		offset, _ := strconv.Atoi(r.FormValue("offset"))
		if failAt >= 0 && offset >= failAt {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		var b bytes.Buffer
		for i := offset; i < min(rows, offset+limit); i++ {
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"session_id":"%d","id":"%d"}`, i, i)
		}
		name := strings.TrimPrefix(r.URL.Path, "/v1/")
		next := ""
		if name == "athletes" || r.FormValue("include") == "next" && !silent {
			next = `,"next_offset":null`
			if offset+limit < rows {
				next = fmt.Sprintf(`,"next_offset":%d`, offset+limit)
			}
		}
		fmt.Fprintf(w, `{%q:[%s],"total_count":%d,"offset":%d,"limit":%d%s}`, name, b.Bytes(), rows/2, offset, limit,
			next)
	}))
	t.Cleanup(server.Close)
	c, err := New(server.URL+"/v1", token)
	if err != nil {
		t.Fatal(err)
	}
	return c, &asked
}

func TestIterationGivesEveryRowOnce(t *testing.T) {
	for _, rows := range []int{0, 1, 6, 7, 8, 14, 1001} {
		for _, limit := range []int{0, 7} {
			c, _ := listing(t, rows, -1, limit == 7)
			var ids []string
			for capture, err := range c.Captures(t.Context(), CaptureFilter{Limit: limit}) {
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, capture.SessionID)
			}
			n := 0
			for athlete, err := range c.Athletes(t.Context(), AthleteFilter{Limit: limit}) {
				if err != nil || athlete.ID != strconv.Itoa(n) {
					t.Fatalf("athlete %d is %s: %v", n, athlete.ID, err)
				}
				n++
			}
			for i, id := range ids {
				if id != strconv.Itoa(i) {
					t.Fatalf("row %d is %s", i, id)
				}
			}
			if len(ids) != rows || n != rows {
				t.Errorf("%d captures and %d athletes of %d, %d a page", len(ids), n, rows, limit)
			}
		}
	}
}

func TestIterationStopsWhenTheCallerDoes(t *testing.T) {
	c, asked := listing(t, 100, -1, false)
	n := 0
	for range c.Captures(t.Context(), CaptureFilter{Limit: 10, Offset: 5}) {
		if n++; n == 15 {
			break
		}
	}
	if *asked != 2 {
		t.Errorf("it asked %d times", *asked)
	}
}

func TestIterationEndsWithTheErrorThatStoppedIt(t *testing.T) {
	c, _ := listing(t, 100, 20, false)
	n, errs := 0, 0
	for _, err := range c.Captures(t.Context(), CaptureFilter{Limit: 10}) {
		var e *Error
		switch {
		case err == nil && errs == 0:
			n++
		case errors.As(err, &e) && e.Status == 500:
			errs++
		default:
			t.Errorf("it gave %v", err)
		}
	}
	if n != 20 || errs != 1 {
		t.Errorf("%d rows, %d errors", n, errs)
	}
}

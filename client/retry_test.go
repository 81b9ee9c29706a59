package client

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/contract"
)

// patiently makes waits take no time and notes them.
func patiently(waits *[]time.Duration) Option {
	return func(c *Client) {
		c.retry.sleep = func(_ context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return nil
		}
	}
}

func TestABusyServerIsAskedAgainWhenItSaysSo(t *testing.T) {
	d := contract.Of(t)
	spent, busy, created := d.Example("createAthlete", 429, ""), d.Example("createAthlete", 503, ""),
		d.Example("createAthlete", 200, "")
	busy.Response.Header.Set("Retry-After", "3")
	var waits []time.Duration
	c, requests := answering(t, []Option{WithRetry(2, 5*time.Second), patiently(&waits)}, spent, busy, created)
	if _, err := c.CreateAthlete(t.Context(), AthleteFields{FirstName: new("Jo")}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(waits, []time.Duration{time.Second, 3 * time.Second}) {
		t.Errorf("it waited %v", waits)
	}
	keys := map[string]bool{}
	for _, r := range *requests {
		keys[r.header.Get("Idempotency-Key")] = true
		if r.body != `{"first_name":"Jo"}` {
			t.Errorf("it sent %s", r.body)
		}
	}
	if len(*requests) != 3 || len(keys) != 1 || keys[""] {
		t.Errorf("%d requests with the keys %v", len(*requests), keys)
	}
}

func TestPatienceHasAnEnd(t *testing.T) {
	d := contract.Of(t)
	busy := d.Example("getAthlete", 503, "")
	for _, c := range []struct {
		what       string
		options    []Option
		retryAfter string
		requests   int
	}{
		{"no retry is asked for", nil, "1", 1},
		{"it is still busy after all repetitions", []Option{WithRetry(3, time.Second)}, "1", 4},
		{"the wait is too long", []Option{WithRetry(3, time.Second)}, "2", 1},
	} {
		t.Run(c.what, func(t *testing.T) {
			busy.Response.Header.Set("Retry-After", c.retryAfter)
			var waits []time.Duration
			client, requests := answering(t, append(c.options, patiently(&waits)), busy)
			_, err := client.Athlete(t.Context(), "x")
			var e *Error
			if !errors.As(err, &e) || e.Status != 503 || len(*requests) != c.requests {
				t.Errorf("%d requests, %v", len(*requests), err)
			}
		})
	}
}

func TestOtherErrorsAreNotRepeated(t *testing.T) {
	d := contract.Of(t)
	for _, status := range []int{400, 401, 403, 404, 500} {
		var waits []time.Duration
		c, requests := answering(t, []Option{WithRetry(3, time.Minute), patiently(&waits)},
			d.Example("getAthlete", status, ""))
		if _, err := c.Athlete(t.Context(), "x"); err == nil || len(*requests) != 1 {
			t.Errorf("%d: %d requests, %v", status, len(*requests), err)
		}
	}
}

func TestACancelledWaitEnds(t *testing.T) {
	busy := contract.Of(t).Example("getAthlete", 503, "")
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := answering(t, []Option{WithRetry(1, time.Hour)}, busy)
	real := c.retry.sleep
	c.retry.sleep = func(ctx context.Context, _ time.Duration) error {
		cancel()
		return real(ctx, time.Hour)
	}
	if _, err := c.Athlete(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
}

func TestRetryAfterIsReadInBothForms(t *testing.T) {
	now := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "soon": 0,
		"Wed, 13 May 2026 12:00:30 GMT": 30 * time.Second, "Wed, 13 May 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v instead of %v", header, got, want)
		}
	}
}

package blob

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/testkit"
)

// exchanges answers with a body, once that of the request was read.
type exchanges struct{ answer io.ReadCloser }

func (e exchanges) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Body: cut{e.answer, r.Context()}}, r.Context().Err()
}

// cut is a body whose reading ends with its context, as that of a connection does.
type cut struct {
	io.ReadCloser
	ctx context.Context
}

func (c cut) Read(p []byte) (n int, err error) {
	defer context.AfterFunc(c.ctx, func() { _ = c.Close() })()
	return c.ReadCloser.Read(p)
}

// exchanged makes a watched exchange whose answer is a body, and says how it ended.
func exchanged(b *breaker.Breaker, r *http.Request, body io.ReadCloser) <-chan error {
	ended := make(chan error, 1)
	go func() {
		answer, err := watched{exchanges{body}, b}.RoundTrip(r)
		if err == nil {
			_, err = io.Copy(io.Discard, answer.Body)
			err = errors.Join(err, answer.Body.Close())
		}
		ended <- err
	}()
	return ended
}

func TestAnExchangeMayTakeLongAsLongAsBytesMoveInEitherDirection(t *testing.T) {
	const steps = 3 * int(silentWrite/breaker.Patience)
	for _, method := range []string{http.MethodGet, http.MethodPut} {
		var clock testkit.Timers
		b := breaker.New(breaker.Options{Name: "the bucket", Ask: func(context.Context) error { return nil },
			After: clock.After})
		sending, send := io.Pipe()
		receiving, receive := io.Pipe()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://bucket.example", sending)
		if err != nil {
			t.Fatal(err)
		}
		ended := exchanged(b, r, receiving)
		for _, way := range []*io.PipeWriter{send, receive} {
			for range steps {
				for range 2 { // the second one is taken when the first was noted
					if _, err := io.WriteString(way, "x"); err != nil {
						t.Fatal(err)
					}
				}
				clock.Await(t, breaker.Patience)
			}
			if way == send {
				_ = way.Close() // never fails
			}
		}
		for done := false; !done; {
			select {
			case err := <-ended:
				if done = true; !errors.Is(err, errSilent) {
					t.Errorf("%s: an exchange in which nothing moves any more ends with %v", method, err)
				}
			default:
				clock.Pass(breaker.Patience)
			}
		}
		if b.Opened() > 0 || clock.Pass(breaker.Patience) {
			t.Errorf("%s: the breaker opened %d times, or an exchange that has ended is watched", method, b.Opened())
		}
		b.Close()
	}
}

func TestAnExchangeThatEndedIsNotWatched(t *testing.T) {
	var clock testkit.Timers
	b := breaker.New(breaker.Options{Ask: func(context.Context) error { return nil }, After: clock.After})
	defer b.Close()
	for _, fails := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		if fails {
			cancel()
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://bucket.example", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := watched{exchanges{io.NopCloser(strings.NewReader("x"))}, b}.RoundTrip(r)
		if (err != nil) != fails {
			t.Errorf("it ended with %v", err)
		}
		if err == nil {
			_ = answer.Body.Close() // there is nothing to fail
		}
		if clock.Pass(breaker.Patience) {
			t.Error("it is still watched")
		}
		cancel()
	}
}

func TestNoExchangeGoesOnOrBeginsWhileTheBreakerIsOpenWhoeverEndsIt(t *testing.T) {
	var clock testkit.Timers
	b := breaker.New(breaker.Options{After: clock.After, Ask: func(ctx context.Context) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}})
	defer b.Close()
	// Nothing else ends these: minio-go cleans up in the background of a call that failed.
	cleanUp := func() <-chan error {
		receiving, _ := io.Pipe()
		r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodDelete,
			"http://bucket.example", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		return exchanged(b, r, receiving)
	}
	underWay := cleanUp()
	clock.Await(t, breaker.AnswerTime, breaker.Patience)
	if err := testkit.Receive(t, underWay, "the exchange under way ends"); err == nil {
		t.Error("the exchange under way ended well")
	}
	if err := testkit.Receive(t, cleanUp(), "the next one ends"); !breaker.Silent(err) {
		t.Errorf("an exchange that begins while the breaker is open ends with %v", err)
	}
}

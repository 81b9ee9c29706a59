package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// taker is a server that takes a file in pieces, as far as hinder lets it.
func taker(t *testing.T, size int64, hinder func(r *http.Request, call int64) bool) (c *Client, place string,
	into *strings.Builder) {
	t.Helper()
	var came strings.Builder
	var calls atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, `{"offset":`+strconv.Itoa(came.Len())+`,"size":`+strconv.FormatInt(size, 10)+`}`)
			return
		}
		if hinder(r, calls.Add(1)) {
			return
		}
		_, _ = io.Copy(&came, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(web.Close)
	var err error
	c, err = New(web.URL+"/v1", "kb_token")
	if err != nil {
		t.Fatal(err)
	}
	c.retry.sleep = func(context.Context, time.Duration) error { return nil }
	return c, web.URL + "/v1/uploads/x", &came
}

func TestAConnectionThatStandsStillCountsAsBroken(t *testing.T) {
	var again atomic.Bool // the first try may be given up before the server hears of it
	c, place, came := taker(t, 5, func(r *http.Request, _ int64) bool {
		if again.Load() {
			return false
		}
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // never answers: the other end is told when the client has hung up
		return true
	})
	c.stalled = time.Millisecond
	c.retry.sleep = func(context.Context, time.Duration) error {
		c.stalled = time.Hour
		again.Store(true)
		return nil
	}
	if err := c.SendResumable(t.Context(), place, strings.NewReader("12345"), nil); err != nil ||
		came.String() != "12345" {
		t.Errorf("%q came, %v", came, err)
	}
}

// spoilt cannot be read.
type spoilt struct{}

var errSpoilt = errors.New("the disk is broken")

func (spoilt) ReadAt([]byte, int64) (int, error) { return 0, errSpoilt }

func TestAFileThatCannotBeReadIsNotSentAgain(t *testing.T) {
	c, place, _ := taker(t, 5, func(*http.Request, int64) bool { return false })
	waits := 0
	c.retry.sleep = func(context.Context, time.Duration) error { waits++; return nil }
	if err := c.SendResumable(t.Context(), place, spoilt{}, nil); !errors.Is(err, errSpoilt) || waits > 0 {
		t.Errorf("it ends with %v after %d waits", err, waits)
	}
}

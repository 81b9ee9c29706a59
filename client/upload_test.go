package client

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAFileThatStandsStillOnItsWayEndsHoweverItIsSent(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done() // never answers: the other end is told when the client has hung up
	}))
	t.Cleanup(web.Close)
	c, err := New(web.URL+"/v1", "kb_token")
	if err != nil {
		t.Fatal(err)
	}
	c.stalled = time.Millisecond
	r := &Reservation{UploadURL: web.URL, UploadFields: map[string]string{"key": "k"}}
	for how, send := range map[string]func(io.ReadSeeker) error{
		"by its form":  func(f io.ReadSeeker) error { return c.Upload(t.Context(), r, f) },
		"as the body":  func(f io.ReadSeeker) error { return c.PutFile(t.Context(), "c", f) },
		"with nothing": func(io.ReadSeeker) error { return c.PutFile(t.Context(), "c", strings.NewReader("")) },
	} {
		if err := send(strings.NewReader("12345")); !errors.Is(err, errStalled) {
			t.Errorf("%s it ends with %v", how, err)
		}
	}
}

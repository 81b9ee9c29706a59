package client

import (
	"context"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/contract"
)

func TestAReservationHoldsWhatWasGivenAndNothingElse(t *testing.T) {
	d := contract.Of(t)
	at := time.Date(2026, 5, 13, 14, 0, 0, 999, time.FixedZone("", 7200))
	for want, n := range map[string]NewCapture{
		`{"file_name":"a.c3d"}`: {FileName: "a.c3d"},
		`{"athlete_ids":["a","b"],"camera_configuration":{"camera_orientation":"portrait"},"capture_time":"2026-05-13T12:00:00.000Z","file_name":"a.mp4","movement_attributes":{"activity":"golf","handedness":"left","movement":"swing"},"session_group_id":"g"}`: {
			AthleteIDs: []string{"a", "b"}, GroupID: "g", Activity: "golf", Movement: "swing",
			Dimensions: map[string]string{"handedness": "left"},
			Camera:     map[string]any{"camera_orientation": "portrait"}, FileName: "a.mp4", CaptureTime: &at,
		},
	} {
		c, requests := answering(t, nil, d.Example("reserveCapture", 200, ""))
		if _, err := c.Reserve(t.Context(), n); err != nil {
			t.Error(err)
		}
		if got := (*requests)[0].body; got != want {
			t.Errorf("it sent %s instead of %s", got, want)
		}
	}
}

func TestACorrectionClearsByName(t *testing.T) {
	d := contract.Of(t)
	at := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	for want, n := range map[string]Correction{
		`{}`: {},
		`{"activity":"golf","capture_time":"2026-05-13T12:00:00.000Z","fps":59.94,"handedness":"left","movement":null}`: {
			Activity: new("golf"), Movement: new("x"), CaptureTime: &at, FPS: new(59.94),
			Dimensions: map[string]string{"handedness": "left"}, Clear: []string{"movement"},
		},
	} {
		c, requests := answering(t, nil, d.Example("correctCapture", 200, ""))
		if _, err := c.Correct(t.Context(), "x", n); err != nil {
			t.Error(err)
		}
		if r := (*requests)[0]; r.body != want || r.method != http.MethodPatch {
			t.Errorf("it sent %s %s instead of %s", r.method, r.body, want)
		}
	}
}

// A form is sent with its length, its fields first and the file last, from where
// the file stands; and again from there when the server was busy.
func TestAFileIsSentByItsForm(t *testing.T) {
	d := contract.Of(t)
	busy, taken := d.Example("sendFile", 503, ""), d.Example("sendFile", 204, "")
	c, requests := answering(t, []Option{WithRetry(1, time.Minute)}, busy, taken)
	c.retry.sleep = func(context.Context, time.Duration) error { return nil }
	file := strings.NewReader("not this: the file")
	if _, err := io.CopyN(io.Discard, file, 10); err != nil {
		t.Fatal(err)
	}
	r := &Reservation{UploadURL: c.base + "/uploads", UploadFields: map[string]string{"policy": "p", "key": "k"}}
	if err := c.Upload(t.Context(), r, file); err != nil {
		t.Fatal(err)
	}
	if len(*requests) != 2 || (*requests)[0].body != (*requests)[1].body {
		t.Fatalf("it sent %d forms", len(*requests))
	}
	sent := (*requests)[1]
	if sent.header.Get("Idempotency-Key") != "" || sent.header.Get("Authorization") != "" {
		t.Errorf("the headers are %v", sent.header)
	}
	_, params, err := mime.ParseMediaType(sent.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(strings.NewReader(sent.body), params["boundary"])
	got := ""
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		value, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		got += p.FormName() + "=" + string(value) + ";"
	}
	if got != "key=k;policy=p;file=the file;" {
		t.Errorf("the form is %s", got)
	}
}

func TestAFormHasALengthAndNoToken(t *testing.T) {
	var length int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		length = r.ContentLength
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusCreated) // as some buckets do
	}))
	defer server.Close()
	c, err := New("http://127.0.0.1:1/v1", token)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Upload(t.Context(), &Reservation{UploadURL: server.URL}, strings.NewReader("12345")); err != nil ||
		length < 100 {
		t.Errorf("%v, a length of %d", err, length)
	}
}

func TestAPartOfAFileIsAskedForByItsBytes(t *testing.T) {
	d := contract.Of(t)
	for want, q := range map[string]FileQuery{"": {}, "bytes=5-": {Offset: 5}, "bytes=0-9": {Length: 10},
		"bytes=5-14": {Offset: 5, Length: 10}} {
		c, requests := answering(t, nil, d.Example("getFile", 206, ""))
		f, err := c.File(t.Context(), "x", q, IfRange(`"t"`))
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if r := (*requests)[0]; r.header.Get("Range") != want || r.header.Get("If-Range") != `"t"` ||
			r.header.Get("Accept") != "*/*" {
			t.Errorf("%+v asks for %v", q, r.header)
		}
	}
	c, requests := answering(t, nil, d.Example("getFile", 200, ""))
	if f, err := c.File(t.Context(), "x", FileQuery{Format: "csv"}); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if got := (*requests)[0].uri; got != "/v1/captures/x/file?format=csv" {
		t.Errorf("it asked %s", got)
	}
	var e *Error
	c, _ = answering(t, nil, d.Example("getFile", 416, ""))
	if _, err := c.File(t.Context(), "x", FileQuery{Offset: 1 << 40}); !errors.As(err, &e) || e.Status != 416 {
		t.Errorf("%v", err)
	}
}

func TestFramesAreAskedForByRowAndColumn(t *testing.T) {
	d := contract.Of(t)
	c, requests := answering(t, nil, d.Example("getFrames", 200, "rows"))
	f, err := c.Frames(t.Context(), "x", FrameQuery{Channels: "LASI,R*", From: 100, To: new(104), Every: 2,
		Samples: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := (*requests)[0].uri; got !=
		"/v1/captures/x/frames?channels=LASI%2CR%2A&every=2&from=100&rows=samples&to=104" {
		t.Errorf("it asked %s", got)
	}
	if x := f.Columns["LASI_x"]; len(x) != 2 || x[0] != 0.25 || !math.IsNaN(x[1]) {
		t.Errorf("LASI_x is %v", x)
	}
}

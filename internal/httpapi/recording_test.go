package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/testkit/contract"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// walk is a recording of ten frames in millimetres: a marker, which is missing in
// row 3, and a force of two samples a frame.
func walk() *record.Recording {
	r := &record.Recording{Rate: 100, Frames: 10, FirstFrame: 5, Start: 0.04, Unit: "mm", Metres: 0.001}
	p := record.Point{Name: "LASI"}
	f := record.Channel{Name: "Fz1", Unit: "N", PerFrame: 2}
	for i := range 10 {
		x := float32(100 * i)
		if i == 3 {
			x = float32(math.NaN())
		}
		p.X, p.Y, p.Z = append(p.X, x), append(p.Y, x), append(p.Z, x)
		f.Values = append(f.Values, float32(i), float32(i)+0.5)
	}
	r.Points, r.Analogs = []record.Point{p}, []record.Channel{f}
	return r
}

// stretches gives a recording out as frames.Write wants it.
type stretches struct{ *record.Recording }

func (s stretches) Stretch(from, n int) (*motion.Recording, error) {
	r := *s.Recording
	r.Frames, r.FirstFrame = n, r.FirstFrame+from
	r.Points = append([]record.Point{}, r.Points...)
	for i := range r.Points {
		p := &r.Points[i]
		p.X, p.Y, p.Z = p.X[from:from+n], p.Y[from:from+n], p.Z[from:from+n]
	}
	r.Analogs = append([]record.Channel{}, r.Analogs...)
	for i := range r.Analogs {
		a := &r.Analogs[i]
		a.Values = a.Values[from*a.PerFrame : (from+n)*a.PerFrame]
	}
	return &r, nil
}

// recorded puts a completed capture of the walk in memory, as the workers would.
func (s *uploads) recorded(t *testing.T, id string) {
	t.Helper()
	var table, samples bytes.Buffer
	info, fast, err := frames.Write(&table, &samples, motion.C3D, 10, stretches{walk()})
	if err != nil || !fast {
		t.Fatal(err, fast)
	}
	text, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	s.files["original"], s.files["table"], s.files["samples"] = []byte("0123456789"), table.Bytes(), samples.Bytes()
	s.stored[id] = upload.Stored{
		Capture: capture.Capture{SessionID: id, Status: capture.Completed}, FileName: `Gang "Ä".c3d`,
		Original: "original", Size: 10, SHA256: sumOfDigits, Table: "table", Samples: "samples", Info: text, Version: 7,
	}
}

// reader is a handler that gives recordings back, held to the contract, and a
// function that asks it.
func reader(t *testing.T, s *uploads, c Converter) func(method, path string, headers ...string) *answer {
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	h := contract.Of(t).Handler(
		New(Options{Tokens: tokens, Uploads: s, Files: s, Convert: c, Now: func() time.Time { return start }}))
	return func(method, path string, headers ...string) *answer {
		w := ask(h, tokens, method, "/v1/captures/"+path, headers...)
		return &answer{w.Code, w.Header(), w.Body.String()}
	}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func TestAFileIsGivenWholeOrInPart(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	get := reader(t, s, nil)
	whole := get("GET", "a/file")
	tag := whole.header.Get("Etag")
	if whole.status != 200 || whole.body != "0123456789" || tag != `"`+sumOfDigits+`"` ||
		whole.header.Get("Accept-Ranges") != "bytes" || whole.header.Get("Content-Length") != "10" {
		t.Fatalf("%+v", whole)
	}
	if got := whole.header.Get("Content-Disposition"); got !=
		`attachment; filename="Gang ___.c3d"; filename*=UTF-8''Gang%20%22%C3%84%22.c3d` {
		t.Errorf("it is to be saved as %s", got)
	}
	if whole.header.Get("Content-Type") != "application/octet-stream" || whole.header.Get("Last-Modified") != "" {
		t.Errorf("%v", whole.header)
	}
	for _, c := range []struct {
		headers []string
		status  int
		body    string
		part    string
	}{
		{[]string{"Range", "bytes=2-4"}, 206, "234", "bytes 2-4/10"},
		{[]string{"Range", "bytes=7-"}, 206, "789", "bytes 7-9/10"},
		{[]string{"Range", "bytes=-3"}, 206, "789", "bytes 7-9/10"},
		{[]string{"Range", "bytes=2-400"}, 206, "23456789", "bytes 2-9/10"},
		{[]string{"Range", "bytes=2-99999999999999999999999"}, 206, "23456789", "bytes 2-9/10"},
		{[]string{"Range", "bytes=-99999999999999999999999"}, 206, "0123456789", "bytes 0-9/10"},
		{[]string{"Range", "bytes=002-00000000000000000000000004"}, 206, "234", "bytes 2-4/10"},
		{[]string{"Range", "bytes=2-4", "If-Range", tag}, 206, "234", "bytes 2-4/10"},
		{[]string{"Range", "bytes=2-4", "If-Range", `"other"`}, 200, "0123456789", ""},
		{[]string{"Range", "bytes=2-4", "If-Range", "Wed, 13 May 2026 12:00:00 GMT"}, 200, "0123456789", ""},
		{[]string{"Range", "bytes=0-1,4-5"}, 200, "0123456789", ""},
		{[]string{"Range", "Bytes=2-4"}, 206, "234", "bytes 2-4/10"},
		{[]string{"Range", "chars=1-2"}, 200, "0123456789", ""},
		{[]string{"Range", "bytes=-0", "If-Range", `"other"`}, 200, "0123456789", ""},
		{[]string{"If-None-Match", tag}, 304, "", ""},
		{[]string{"If-None-Match", "*", "Range", "bytes=2-4"}, 304, "", ""},
		{[]string{"If-Match", `"other"`}, 200, "0123456789", ""},
		{[]string{"If-Unmodified-Since", "Wed, 13 May 2020 12:00:00 GMT"}, 200, "0123456789", ""},
	} {
		got := get("GET", "a/file", c.headers...)
		if got.status != c.status || got.body != c.body || got.header.Get("Content-Range") != c.part {
			t.Errorf("%v: %d %q %v", c.headers, got.status, got.body, got.header)
		}
	}
	for _, bad := range []string{"bytes=10-", "bytes=5-2", "bytes=-", "bytes=-0", "bytes=-000", "bytes=",
		"bytes=99999999999999999999999-", "bytes=+1-5", "bytes=1-+5", "bytes=--5", "bytes=1 - 5", "bytes=x",
		"bytes=٣-٥"} {
		got := get("GET", "a/file", "Range", bad)
		if got.status != 416 || !strings.Contains(got.body, "10 bytes") ||
			got.header.Get("Content-Range") != "bytes */10" || got.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: %+v", bad, got)
		}
	}
	if got := get("HEAD", "a/file"); got.status != 200 || got.body != "" || got.header.Get("Content-Length") != "10" {
		t.Errorf("HEAD: %+v", got)
	}
	s.files["original"] = nil
	if got := get("GET", "a/file", "Range", "bytes=0-"); got.status != 200 || got.body != "" {
		t.Errorf("an empty file: %+v", got)
	}
}

func TestAVideoIsGivenAsOne(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	for name, kind := range map[string]string{"x.MOV": "video/quicktime", "x.mp4": "video/mp4",
		"x.csv": "application/octet-stream", "x": "application/octet-stream"} {
		one := s.stored["a"]
		one.FileName, one.SHA256 = name, ""
		s.stored["a"] = one
		got := reader(t, s, nil)("GET", "a/file")
		if got.header.Get("Content-Type") != kind || got.header.Get("Content-Disposition") != `attachment; filename="`+
			name+`"` || len(got.header.Get("Etag")) < 20 {
			t.Errorf("%s: %v", name, got.header)
		}
	}
}

// broken is a converter that fails, after some bytes or before.
type converter func(ctx context.Context, name string, f upload.File, format string, rate float64, w io.Writer) error

func (c converter) Convert(ctx context.Context, _ organization.Scope, name string, f upload.File, format string,
	rate float64, w io.Writer) error {
	return c(ctx, name, f, format, rate, w)
}

func TestAFileIsConverted(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	get := reader(t, s, converter(func(_ context.Context, name string, f upload.File, format string, rate float64,
		w io.Writer) error {
		b := make([]byte, f.Size())
		if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
			return err
		}
		_, err := fmt.Fprintf(w, "%s,%s,%s\n", strings.ReplaceAll(name, `"`, ""), format, b)
		if rate != 0 {
			_, err = fmt.Fprintf(w, "at,%v,frames\n", rate)
		}
		return err
	}))
	got := get("GET", "a/file?format=csv")
	if got.status != 200 || got.body != "Gang Ä.c3d,csv,0123456789\n" {
		t.Errorf("%+v", got)
	}
	if got.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasSuffix(got.header.Get("Content-Disposition"), "%22.csv") || got.header.Get("Accept-Ranges") != "" {
		t.Errorf("%v", got.header)
	}
	if again := get("GET", "a/file?format=csv", "If-None-Match", got.header.Get("Etag")); again.status != 304 ||
		again.body != "" {
		t.Errorf("%+v", again)
	}
	if trc := get("GET", "a/file?format=trc"); trc.header.Get("Etag") == got.header.Get("Etag") ||
		trc.header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("%v", trc.header)
	}
	if head := get("HEAD", "a/file?format=csv"); head.status != 200 || head.body != "" ||
		head.header.Get("Etag") != got.header.Get("Etag") {
		t.Errorf("%+v", head)
	}
	german := get("GET", "a/file?format=csv&locale=de")
	if german.status != 200 || german.body != strings.ReplaceAll(got.body, ",", ";") || german.body == got.body ||
		german.header.Get("Etag") == got.header.Get("Etag") {
		t.Errorf("in German it is %+v", german)
	}
	if english := get("GET", "a/file?format=csv&locale=en", "If-None-Match", got.header.Get("Etag")); english.status !=
		304 {
		t.Errorf("in English it is %+v", english)
	}
	for _, bad := range []string{"format=c3d&locale=de", "locale=de", "format=csv&locale=german",
		"format=csv&locale=de&locale=de"} {
		if got := get("GET", "a/file?"+bad); got.status != 400 || !strings.Contains(got.body, "locale") {
			t.Errorf("%q: %+v", bad, got)
		}
	}
	for _, bad := range []string{"", "C3D", "bvh", "csv&format=csv"} {
		if got := get("GET", "a/file?format="+bad); got.status != 400 {
			t.Errorf("format=%s: %+v", bad, got)
		}
	}

	corrected := s.stored["a"]
	corrected.Rate = 240
	s.stored["a"] = corrected
	if at := get("GET", "a/file?format=csv", "If-None-Match", got.header.Get("Etag")); at.status != 200 ||
		!strings.Contains(at.body, "at,240") {
		t.Errorf("by a corrected rate: %+v", at)
	}
	corrected.Rate = 0

	derived := corrected
	derived.FileName, derived.Derived = "swing.mp4", "derived/org=x/y.trc"
	s.stored["a"], s.files[derived.Derived] = derived, []byte("made")
	if got := get("GET", "a/file?format=csv"); got.body != "y.trc,csv,made\nat,100,frames\n" ||
		got.header.Get("Content-Disposition") != `attachment; filename="swing.csv"` {
		t.Errorf("of a video: %+v", got)
	}
	derived.Rate = 50
	s.stored["a"] = derived
	if got := get("GET", "a/file?format=csv"); got.body != "y.trc,csv,made\nat,50,frames\n" {
		t.Errorf("of a video, by a corrected rate: %+v", got)
	}
	derived.Rate, derived.Info = 0, bytes.Replace(derived.Info, []byte(`"even":true`), []byte(`"even":false`), 1)
	s.stored["a"] = derived
	if got := get("GET", "a/file?format=csv"); got.body != "y.trc,csv,made\n" {
		t.Errorf("of a video, with times of its own: %+v", got)
	}
	derived.Derived = ""
	s.stored["a"] = derived
	if got := get("GET", "a/file?format=csv"); got.status != 409 || !strings.Contains(got.body, "video") {
		t.Errorf("a video without motion: %+v", got)
	}
}

func TestAConversionThatFailsIsNoWholeAnswer(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{&upload.Unreadable{Reason: "TRC holds points only, and this file has none."}, 409, "TRC holds points only"},
		{&upload.Died{Reason: "The file needs too much memory."}, 409, "too much memory"},
		{context.DeadlineExceeded, 503, "too long"},
		{errors.New("a secret path"), 500, "Something went wrong"},
	} {
		ask := reader(t, s, converter(func(context.Context, string, upload.File, string, float64,
			io.Writer) error {
			return c.err
		}))
		if head := ask("HEAD", "a/file?format=trc"); head.status != c.status {
			t.Errorf("HEAD: %v: %+v", c.err, head)
		}
		got := ask("GET", "a/file?format=trc")
		if got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%v: %+v", c.err, got)
		}
	}
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	cut := New(Options{Tokens: tokens, Uploads: s, Files: s, Now: func() time.Time { return start },
		Convert: converter(func(_ context.Context, _ string, _ upload.File, _ string, _ float64, w io.Writer) error {
			_, _ = io.WriteString(w, strings.Repeat("half\n", 1000))
			return errors.New("broken off")
		})})
	resp, err := http.DefaultClient.Do(
		must(http.NewRequest("GET", "http://"+serve(t, withToken(cut, tokens))+"/v1/captures/a/file?format=csv", nil)))
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
	}
	if err == nil {
		t.Error("an answer that broke off looks whole")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func withToken(h http.Handler, tokens *oneToken) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+string(tokens.secret))
		h.ServeHTTP(w, r)
	})
}

func TestWhatIsNotThereYetIsToldApartFromWhatNeverWas(t *testing.T) {
	s := newUploads()
	get := reader(t, s, converter(nil))
	why := "The file ends at byte 5120; export it again."
	for _, c := range []struct {
		what         string
		stored       upload.Stored
		motion, file int
		says         string
	}{
		{"imported", upload.Stored{Capture: capture.Capture{Status: capture.Completed}}, 404, 404, "never had a file"},
		{"awaiting", upload.Stored{FileName: "a.c3d", Capture: capture.Capture{Status: capture.AwaitingUpload}}, 409,
			409, "awaiting_upload"},
		{"processing", upload.Stored{FileName: "a.c3d", Original: "original",
			Capture: capture.Capture{Status: capture.Processing}}, 409, 200, "processing"},
		{"expired", upload.Stored{FileName: "a.c3d", Capture: capture.Capture{Status: capture.Error, Error: &why}},
			409, 409, why},
		{"unreadable", upload.Stored{FileName: "a.c3d", Original: "original",
			Capture: capture.Capture{Status: capture.Error, Error: &why}}, 409, 200, why},
	} {
		c.stored.Capture.SessionID = c.what
		s.stored[c.what] = c.stored
		s.files["original"] = []byte("x")
		for _, path := range []string{"/motion", "/frames", "/file?format=csv"} {
			if got := get("GET", c.what+path); got.status != c.motion || !strings.Contains(got.body, c.says) {
				t.Errorf("%s%s: %+v", c.what, path, got)
			}
		}
		if got := get("GET", c.what+"/file"); got.status != c.file {
			t.Errorf("%s/file: %+v", c.what, got)
		}
	}
	for _, path := range []string{"/motion", "/frames", "/file", "/file?format=csv"} {
		if got := get("GET", "unknown"+path); got.status != 404 ||
			!strings.Contains(got.body, "There is no such capture.") {
			t.Errorf("unknown%s: %+v", path, got)
		}
	}
}

// sumOfDigits is the SHA-256 of the files of these tests.
const sumOfDigits = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"

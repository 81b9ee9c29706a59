package httpapi

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

func TestMotionIsToldByTheRateThatCounts(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	get := reader(t, s, nil)
	var m struct {
		SessionID string `json:"session_id"`
		Rate      float64
		Frames    int
		Duration  float64
		Size      int
		Channels  []frames.Channel
		Warnings  []frames.Warning
	}
	got := get("GET", "a/motion")
	if err := json.Unmarshal([]byte(got.body), &m); err != nil || m.SessionID != "a" || m.Rate != 100 ||
		m.Frames != 10 || m.Duration != 0.1 || m.Size != 10 || len(m.Channels) != 2 || m.Warnings == nil {
		t.Errorf("%v %s", err, got.body)
	}
	if !strings.HasPrefix(got.body, `{"session_id":"a",`) {
		t.Errorf("the id is not first: %s", got.body)
	}
	older := s.stored["a"]
	for _, later := range []string{`,"bones":[],"up":"","unknown":[]`,
		`,"force_plates":[],"force_plate_zero":null,"computed":null`} {
		older.Info = []byte(strings.Replace(string(older.Info), later, "", 1))
		s.stored["older"] = older
		// What is not measured yet says so.
		told := strings.Replace(later, `"computed":null`, `"computed":{"library":"`+movement.Read().Version+
			`","reason":{"code":"pending",`, 1)
		if old := get("GET", "older/motion"); len(older.Info) == len(s.stored["a"].Info) ||
			!strings.Contains(old.body, told) {
			t.Errorf("what was stored before there was %s is told as %s", later, old.body)
		}
		older = s.stored["a"]
	}
	if again := get("GET", "a/motion", "If-None-Match", got.header.Get("Etag")); again.status != 304 {
		t.Errorf("%+v", again)
	}
	one := s.stored["a"]
	one.Rate = 50
	s.stored["a"] = one
	after := get("GET", "a/motion", "If-None-Match", got.header.Get("Etag"))
	if err := json.Unmarshal([]byte(after.body), &m); err != nil || m.Rate != 50 || m.Duration != 0.2 {
		t.Errorf("%v %+v", err, after)
	}
}

func TestFramesAreChosenByRowAndColumn(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	get := reader(t, s, nil)
	type part struct {
		Rate            float64
		From, To, Every int
		Frames          int
		Columns         map[string][]*float64
	}
	read := func(query string, headers ...string) (p part) {
		t.Helper()
		got := get("GET", "a/frames"+query, headers...)
		if err := json.Unmarshal([]byte(got.body), &p); err != nil || got.status != 200 {
			t.Fatalf("%s: %+v", query, got)
		}
		return p
	}
	if p := read(""); p.Frames != 10 || p.From != 0 || p.To != 10 || p.Every != 1 || p.Rate != 100 ||
		len(p.Columns) != 6 || *p.Columns["LASI_x"][4] != 0.4 || p.Columns["LASI_z"][3] != nil ||
		*p.Columns["Fz1"][4] != 4 || *p.Columns["time"][1] != 0.05 {
		t.Errorf("%+v", p)
	}
	if p := read("?channels=LASI_x,Fz*&from=2&to=9&every=3"); p.Frames != 3 || len(p.Columns) != 4 ||
		*p.Columns["frame"][2] != 8 || *p.Columns["Fz1"][1] != 5 {
		t.Errorf("%+v", p)
	}
	if p := read("?from=10"); p.Frames != 0 || p.To != 10 || p.Columns["time"] == nil {
		t.Errorf("%+v", p)
	}
	if p := read("?rows=samples"); p.Frames != 20 || len(p.Columns) != 3 || *p.Columns["Fz1"][9] != 4.5 ||
		*p.Columns["frame"][9] != 4 || math.Abs(*p.Columns["time"][9]-0.085) > 1e-12 {
		t.Errorf("%+v", p)
	}
	if p := read("?every=2147483647&x=y"); p.Frames != 1 {
		t.Errorf("%+v", p)
	}
	one := s.stored["a"]
	one.Rate = 50
	s.stored["a"] = one
	if p := read("?to=2"); p.Rate != 50 || math.Abs(*p.Columns["time"][1]-*p.Columns["time"][0]-0.02) > 1e-12 {
		t.Errorf("by the corrected rate: %+v", p)
	}
	if p := read("?rows=samples&from=8"); math.Abs(*p.Columns["time"][1]-*p.Columns["time"][0]-0.01) > 1e-12 ||
		*p.Columns["frame"][1] != 4 {
		t.Errorf("samples by the corrected rate: %+v", p)
	}
	for query, says := range map[string]string{
		"?channels=LASI,RASI": `RASI`, "?rows=samples&channels=LASI": "LASI", "?from=11": "10 rows",
		"?to=11": "10 rows", "?from=3&to=2": "below from",
		"?from=-1": "from must be", "?to=+1": "to must be", "?every=0": "every must be", "?every=1.5": "every must be",
		"?every=": "every must be", "?from=99999999999": "from must be",
		"?rows=": "rows must be", "?rows=Frames": "rows must be", "?from=1&from=1": "twice",
		"?channels=a&channels=a": "twice", "?rows=frames&rows=frames": "twice", "?x=%zz": "escape",
	} {
		if got := get("GET", "a/frames"+query); got.status != 400 ||
			!strings.Contains(strings.ReplaceAll(got.body, `\"`, `"`), says) {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

func TestFramesComeInTheTypeThatIsAskedFor(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	get := reader(t, s, nil)
	tags := map[string]bool{}
	for accept, kind := range map[string]string{"": "application/json", "text/csv": "text/csv; charset=utf-8",
		"application/vnd.apache.parquet":  "application/vnd.apache.parquet",
		"application/vnd.kinebase.frames": "application/vnd.kinebase.frames", "image/png": "application/json"} {
		got := get("GET", "a/frames?channels=LASI", "Accept", accept)
		if got.status != 200 || got.header.Get("Content-Type") != kind || got.header.Get("Vary") != "Accept" ||
			got.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
			t.Errorf("%q: %d %v", accept, got.status, got.header)
		}
		tags[got.header.Get("Etag")] = true
		if again := get("GET", "a/frames?channels=LASI", "Accept", accept, "If-None-Match",
			got.header.Get("Etag")); again.status != 304 || again.body != "" {
			t.Errorf("%q again: %+v", accept, again)
		}
		if head := get("HEAD", "a/frames?channels=LASI", "Accept", accept); head.status != 200 ||
			head.header.Get("Etag") != got.header.Get("Etag") {
			t.Errorf("%q, HEAD: %+v", accept, head)
		}
		switch kind {
		case "text/csv; charset=utf-8":
			rows, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
			if err != nil || len(rows) != 11 || strings.Join(rows[0], " ") != "frame time LASI_x LASI_y LASI_z" ||
				strings.Join(rows[4], " ") != "3 0.07   " {
				t.Errorf("%v %q", err, rows)
			}
			german, english := get("GET", "a/frames?channels=LASI&locale=de", "Accept", accept),
				get("GET", "a/frames?channels=LASI&locale=en", "Accept", accept)
			if want := strings.NewReplacer(",", ";", ".", ",").Replace(got.body); german.body != want ||
				german.header.Get("Etag") == got.header.Get("Etag") {
				t.Errorf("in German: %+v, want %q", german, want)
			}
			if english.body != got.body || english.header.Get("Etag") != got.header.Get("Etag") {
				t.Errorf("in English: %+v", english)
			}
			if bad := get("GET", "a/frames?locale=german", "Accept", accept); bad.status != 400 ||
				!strings.Contains(bad.body, "locale must be a language tag") {
				t.Errorf("of no language: %+v", bad)
			}
			continue
		case "application/vnd.apache.parquet":
			table, err := frames.Open(strings.NewReader(got.body), int64(len(got.body)))
			if err != nil || table.Rows() != 10 || strings.Join(table.Columns(), " ") != "LASI_x LASI_y LASI_z" {
				t.Errorf("%v %v", err, table)
			}
		}
		if refused := get("GET", "a/frames?locale=de", "Accept", accept); refused.status != 400 ||
			!strings.Contains(refused.body, "locale is for CSV alone") {
			t.Errorf("%q with a locale: %+v", accept, refused)
		}
	}
	if len(tags) != 4 {
		t.Errorf("the tags are %v", tags)
	}
	one := s.stored["a"]
	one.Rate = 50
	s.stored["a"] = one
	if got := get("GET", "a/frames?channels=LASI"); tags[got.header.Get("Etag")] {
		t.Error("after a correction the tag is the old one")
	}
}

func TestAVideoWithoutMotionHasNoRows(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	one := s.stored["a"]
	one.FileName, one.Table, one.Samples, one.Info = "swing.mp4", "", "",
		[]byte(`{"format":"mp4","rate":30,"frames":0,"channels":[]}`)
	s.stored["a"] = one
	get := reader(t, s, nil)
	for _, query := range []string{"", "?rows=samples", "?to=0", "?every=7"} {
		if got := get("GET", "a/frames"+query); got.status != 200 ||
			!strings.Contains(got.body, `"frames":0,"columns":{"frame":[],"time":[]}`) {
			t.Errorf("%s: %+v", query, got)
		}
	}
	if got := get("GET", "a/frames?to=1"); got.status != 400 {
		t.Errorf("%+v", got)
	}
	if got := get("GET", "a/frames", "Accept", "text/csv"); got.body != "frame,time\n" {
		t.Errorf("%+v", got)
	}
}

func TestATableThatIsReplacedMeanwhileIsLookedUpAgain(t *testing.T) {
	s := newUploads()
	s.recorded(t, "a")
	moving := &movingUploads{uploads: s}
	tokens := newOneToken(t, time.Hour, organization.CapturesRead)
	h := New(Options{Tokens: tokens, Uploads: moving, Files: s, Now: func() time.Time { return start }})
	if w := ask(h, tokens, "GET", "/v1/captures/a/frames"); w.Code != 200 || moving.asked != 2 {
		t.Errorf("%d %s after %d looks", w.Code, w.Body, moving.asked)
	}
	delete(s.files, "table")
	want(t, "a table that is nowhere", ask(h, tokens, "GET", "/v1/captures/a/frames"), 500, fault.Internal)
}

// movingUploads gives the name of a table that has just been replaced, once.
type movingUploads struct {
	*uploads
	asked int
}

func (m *movingUploads) Stored(ctx context.Context, s organization.Scope, session string) (upload.Stored, error) {
	one, err := m.uploads.Stored(ctx, s, session)
	if m.asked++; m.asked == 1 {
		one.Table = "the old table"
	}
	return one, err
}

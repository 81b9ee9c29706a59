package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/internal/testkit/need"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// expected is what a program that reads an export should find. A number is the shortest
// decimal of its 32 bits where its column has 32.
type expected struct {
	Columns      []string          `json:"columns"`
	Kinds        []string          `json:"kinds"` // text, int, double, float, instant
	Rows         [][]any           `json:"rows"`
	Units        map[string]string `json:"units"`
	Descriptions map[string]string `json:"descriptions"`
}

// python runs a script to its end and gives what it prints.
func python(t *testing.T, interpreter, folder string, env []string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, interpreter, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
	var failure strings.Builder
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s ended with %v: %s%s", args[0], err, out, &failure)
	}
	return strings.TrimSpace(string(out))
}

func absolute(t testing.TB, parts ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAnExportReadsAlikeInPythonDuckDBAndPandas exports with docs/export.py, over a
// connection that breaks off, and has every cell held against what was recorded: CSV
// and pages by Python's standard library, Parquet by readers that are not ours.
func TestAnExportReadsAlikeInPythonDuckDBAndPandas(t *testing.T) {
	testkit.Long(t)
	if _, err := exec.LookPath("python3"); err != nil {
		need.Missing(t, "no python3 to read exports with; to run this test: apt-get install python3")
	}
	m := machineAt(t, apptest.SQLite.Place(t))
	org := m.organization()
	_, secret := m.token(org)
	s := m.serve()
	want := recorded(t, s.client(secret), org)
	folder := t.TempDir()
	text, err := json.Marshal(want)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "want.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	link := newFrayed(t, s.url)
	env := []string{"KINEBASE_URL=" + link.url, "KINEBASE_TOKEN=" + secret}
	script := absolute(t, "..", "..", "docs", "export.py")
	job := python(t, "python3", folder, env, script, "export.csv", `{"endTime": "2030-01-01"}`)
	python(t, "python3", folder, env, script, "pages.json", "--job", job)
	python(t, "python3", folder, env, script, "export.parquet", "--job", job)
	if link.torn < 2 || link.parts < 2 {
		t.Errorf("the downloads broke off %d times, and went on in the middle %d times", link.torn, link.parts)
	}
	t.Log(python(t, "python3", folder, nil, absolute(t, "testdata", "cells.py"), "want.json", "export.csv",
		"pages.json"))
	readers := absolute(t, "..", "..", ".tools", "readers")
	if _, err := os.Stat(filepath.Join(readers, "installed")); err != nil {
		need.Missing(t, "no DuckDB and pandas to read Parquet with; to run this test: make .tools/readers/installed")
	}
	t.Log(python(t, filepath.Join(readers, "bin", "python"), folder, nil, absolute(t, "testdata", "readers.py"),
		"want.json", "export.parquet"))
	framesInPython(t, s.client(secret), readers, folder)

	trials := wholeCaptures(t, s.client(secret), want)
	text, err = json.Marshal(trials)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "trials.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	body := map[string]any{"shape": "captures", "metrics": trials.Columns[15:]}
	if text, err = json.Marshal(body); err != nil {
		t.Fatal(err)
	}
	job = python(t, "python3", folder, env, script, "trials.csv", string(text))
	python(t, "python3", folder, env, script, "pages.json", "--job", job)
	python(t, "python3", folder, env, script, "trials.parquet", "--job", job)
	t.Log(python(t, "python3", folder, nil, absolute(t, "testdata", "cells.py"), "trials.json", "trials.csv",
		"pages.json"))
	t.Log(python(t, filepath.Join(readers, "bin", "python"), folder, nil, absolute(t, "testdata", "readers.py"),
		"trials.json", "trials.parquet"))
}

// wholeCaptures brings a jump in and says what an export has with a row for each capture, the
// others being those whose frames are given.
func wholeCaptures(t *testing.T, c *client.Client, frames expected) expected {
	t.Helper()
	file, _ := leap(1000)
	n := client.NewCapture{FileName: "jump.csv", Activity: "jump", Movement: "countermovement",
		CaptureTime: ptr(instant(t, "2026-05-11T12:00:00Z"))}
	session := sentFile(t, c, n, file)
	motion, err := c.Motion(t.Context(), session)
	if err != nil || motion.Computed == nil {
		t.Fatalf("the jump has %+v: %v", motion, err)
	}
	event := motion.Computed.Events[slices.IndexFunc(motion.Computed.Events,
		func(e client.ComputedEvent) bool { return e.Column == "takeoff_frame" })]
	method := motion.Computed.Metrics[slices.IndexFunc(motion.Computed.Metrics,
		func(m client.ComputedMetric) bool { return m.Column == "jump_height_method" })]
	own := strings.Fields("left_foot_strike left_foot_strike_time left_walking_speed takeoff_frame " +
		"takeoff_frame_time jump_height jump_height_method")
	e := expected{
		Columns: slices.Concat(frames.Columns[:13], []string{"frame_count", "recording_duration"}, own),
		Kinds: slices.Concat(frames.Kinds[:13],
			strings.Fields("int double int double double int double double text")),
		Units: map[string]string{"frame_count": "", "recording_duration": "s", "left_foot_strike": "",
			"left_foot_strike_time": "s", "left_walking_speed": "m/s", "jump_height": "m", "jump_height_method": ""},
		Descriptions: map[string]string{
			"left_foot_strike":   "number of the frame at which the event lies, from 0",
			"takeoff_frame_time": "time of the event takeoff_frame, on the clock of the recording",
			"left_walking_speed": "mean of all strides",
		},
	}
	counts := map[[2]any]int{}
	for _, row := range frames.Rows {
		counts[[2]any{row[0], row[3]}]++
	}
	for _, row := range frames.Rows {
		if row[11] != 0 {
			continue
		}
		n, rate := counts[[2]any{row[0], row[3]}], row[10].(float64)
		trial := append(slices.Clone(row[:13]), n, float64(n)/rate)
		if row[20] != nil { // the foot strike at frame 31
			walked, err := c.Motion(t.Context(), row[0].(string))
			if err != nil || len(walked.Events) != 1 || math.Abs(walked.Events[0].Time-41/rate) > 1e-6 {
				t.Fatalf("the walk has %+v: %v", walked, err)
			}
			trial = append(trial, 31, walked.Events[0].Time, json.Number("1.158785"), nil, nil, nil, nil)
		} else {
			trial = append(trial, nil, nil, nil, nil, nil, nil, nil)
		}
		e.Rows = append(e.Rows, trial)
	}
	group, seq, _ := strings.Cut(session, "_")
	e.Rows = append(e.Rows, []any{
		session, group, json.Number(seq), nil, nil, frames.Rows[0][5], "jump", "countermovement",
		nil, "2026-05-11T12:00:00.000Z", 1000, 0, 0,
		motion.Frames, motion.Duration, nil, nil, nil, event.Frame, event.Time, found(motion, "jump_height"),
		*method.Text,
	})
	return e
}

// framesInPython has the frames of each capture, as Parquet, read by readers that are
// not ours, with the units that the motion tells.
func framesInPython(t *testing.T, c *client.Client, readers, folder string) {
	t.Helper()
	page, err := c.ListCaptures(t.Context(), client.CaptureFilter{})
	if err != nil || len(page.Captures) == 0 {
		t.Fatalf("%d captures: %v", len(page.Captures), err)
	}
	for _, capture := range page.Captures {
		motion, err := c.Motion(t.Context(), capture.SessionID)
		if err != nil {
			t.Fatal(err)
		}
		units := map[string]string{"frame": "", "time": "s"}
		for _, channel := range motion.Channels {
			for _, name := range channel.Columns {
				units[name] = channel.Unit
			}
		}
		file, err := c.FramesAs(t.Context(), capture.SessionID, client.Parquet, client.FrameQuery{})
		if err != nil {
			t.Fatal(err)
		}
		bytes, err := io.ReadAll(file)
		_ = file.Close() // it was only read
		text, failed := json.Marshal(units)
		for _, err := range []error{err, failed, os.WriteFile(filepath.Join(folder, "frames.parquet"), bytes, 0o600),
			os.WriteFile(filepath.Join(folder, "units.json"), text, 0o600)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Log(python(t, filepath.Join(readers, "bin", "python"), folder, nil, absolute(t, "testdata", "units.py"),
			"units.json", "frames.parquet"))
	}
}

// recorded brings captures in and says what an export of them has.
func recorded(t *testing.T, c *client.Client, org string) expected {
	t.Helper()
	people := make([]string, 2)
	names := []string{`=Ann, "A" 🏃`, "Bo"}
	for i, name := range names {
		a, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: ptr(name)})
		if err != nil {
			t.Fatal(err)
		}
		people[i] = a.ID
	}
	want := expected{
		Columns: strings.Fields("sessionid session_uuid session_seq athleteid athlete_name orgid activity movement " +
			"handedness capture_datetime fps frame time LASI_x LASI_y LASI_z RKneeMoment_x RKneeMoment_y " +
			"RKneeMoment_z Fz_1 left_foot_strike left_walking_speed mass"),
		Kinds: strings.Fields("text text int text text text text text text instant double int double float float " +
			"float float float float float int double double"),
		Units: map[string]string{
			"sessionid": "", "fps": "1/s", "time": "s", "LASI_x": "m", "LASI_z": "m", "Fz_1": "V",
			"RKneeMoment_y": "Nmm", "left_foot_strike": "frames", "left_walking_speed": "m/s", "mass": "kg",
		},
		Descriptions: map[string]string{"left_foot_strike": "frames since the event",
			"left_walking_speed": "mean of all strides", "mass": "of the whole recording, the same in every row",
			"frame": "number of the frame, from 0", "athlete_name": ""},
	}
	type take struct {
		rec        *record.Recording
		who        []string
		activity   string
		handedness string
		captured   string
	}
	takes := []take{
		{walk(700, 119.88012), people, "golf", "left", "2026-05-13T12:00:00.125Z"},
		{walk(350, 50), nil, "", "", "2026-05-12T23:59:59.999Z"},
	}
	takes[1].rec.Points, takes[1].rec.Analogs, takes[1].rec.Events, takes[1].rec.Metrics = takes[1].rec.Points[:1],
		nil, nil, nil
	for _, k := range takes {
		n := client.NewCapture{FileName: "walk.c3d", AthleteIDs: k.who, CaptureTime: ptr(instant(t, k.captured))}
		if k.activity != "" {
			n.Activity, n.Movement, n.Dimensions = k.activity, "swing", map[string]string{"handedness": k.handedness}
		}
		session := sent(t, c, n, k.rec)
		who := slices.Clone(k.who)
		if slices.Sort(who); len(who) == 0 {
			who = []string{""}
		}
		for _, id := range who {
			name := ""
			if i := slices.Index(people, id); i >= 0 {
				name = names[i]
			}
			want.rows(org, session, id, name, k.activity, k.handedness, k.captured, k.rec)
		}
	}
	return want
}

func instant(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// walk makes a recording up: a marker in millimetres that is hidden now and then, a
// force plate twice a frame, a computed moment, an event and two metrics.
func walk(frames int, rate float64) *record.Recording {
	rec := &record.Recording{Frames: frames, Rate: rate, FirstFrame: 11, Unit: "mm", Start: 10 / rate}
	wave := func(n int, size float64) []float32 {
		v := make([]float32, n)
		for i := range v {
			if v[i] = float32(size * math.Sin(float64(i)/7)); i%13 == 5 {
				v[i] = record.NaN32
			}
		}
		return v
	}
	rec.Points = []record.Point{
		{Name: "LASI", Quantity: record.Position, X: wave(frames, 1000), Y: wave(frames, 0.001), Z: wave(frames, -1e6)},
		{Name: "RKneeMoment", Quantity: record.Moment, Unit: "Nmm", X: wave(frames, 3), Y: wave(frames, 4e-9),
			Z: wave(frames, 5)},
	}
	rec.Analogs = []record.Channel{{Name: "Fz_1", Unit: "V", PerFrame: 2, Rate: 2 * rate, Values: wave(2*frames, 5)}}
	rec.Events = []record.Event{{Label: "Foot Strike", Context: record.Left, Time: rec.Start + 31/rate}}
	rec.Metrics = []record.Metric{
		{Name: "Walking Speed", Context: record.Left, Subject: "Ann", Unit: "m/s", Description: "mean of all strides",
			Value: 1.158785},
		{Name: "Mass", Context: record.General, Unit: "kg", Value: 70.5},
	}
	return rec
}

// rows adds the rows of a recording for one athlete.
func (e *expected) rows(org, session, id, name, activity, handedness, captured string, rec *record.Recording) {
	group, seq, _ := strings.Cut(session, "_")
	known := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	float := func(v float32) any {
		if v-v != 0 {
			return nil
		}
		return json.Number(strconv.FormatFloat(float64(v), 'g', -1, 32))
	}
	movement := ""
	if activity != "" {
		movement = "swing"
	}
	for f := range rec.Frames {
		row := []any{session, group, json.Number(seq), known(id), known(name), org, known(activity), known(movement),
			known(handedness), captured, rec.Rate, f, rec.Start + float64(f)/rec.Rate}
		p := rec.Points[0]
		for _, v := range []float32{p.X[f], p.Y[f], p.Z[f]} {
			row = append(row, float(float32(float64(v)*0.001)))
		}
		if len(rec.Analogs) > 0 {
			q := rec.Points[1]
			row = append(row, float(q.X[f]), float(q.Y[f]), float(q.Z[f]), float(rec.Analogs[0].Values[2*f]), f-31,
				float(1.158785), float(70.5))
		} else {
			row = append(row, nil, nil, nil, nil, nil, nil, nil)
		}
		e.Rows = append(e.Rows, row)
	}
}

// sent uploads a recording and waits until it was read.
func sent(t *testing.T, c *client.Client, n client.NewCapture, rec *record.Recording) string {
	t.Helper()
	var file bytes.Buffer
	if err := c3d.Write(&file, rec); err != nil {
		t.Fatal(err)
	}
	return sentFile(t, c, n, file.Bytes())
}

// sentFile sends a file, has it read, and gives the capture's id.
func sentFile(t *testing.T, c *client.Client, n client.NewCapture, file []byte) string {
	t.Helper()
	r, err := c.Reserve(t.Context(), n)
	if err == nil {
		err = c.Upload(t.Context(), r, bytes.NewReader(file))
	}
	if err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the file was read", func() bool {
		got, err := c.Capture(t.Context(), r.SessionID)
		if err != nil || got.Status == "error" {
			t.Fatalf("%+v, %v", got, err)
		}
		return got.Status == "completed"
	})
	return r.SessionID
}

// frayed is a way to a server that breaks off in the middle of files, of each answer
// that is all of one.
type frayed struct {
	url string

	sync.Mutex
	torn, parts int
}

func newFrayed(t *testing.T, to string) *frayed {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	f := &frayed{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	proxy.ModifyResponse = func(r *http.Response) error {
		f.Lock()
		defer f.Unlock()
		switch file := r.Header.Get("Content-Disposition") != ""; {
		case file && r.StatusCode == http.StatusPartialContent:
			f.parts++
		case file && r.StatusCode == http.StatusOK: // as it is written, until it is kept
			f.torn++
			r.Body = &cutOff{r.Body, 10_000}
		}
		return nil
	}
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of what is broken off on purpose
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	f.url = server.URL + target.Path
	return f
}

// cutOff is a body that breaks off.
type cutOff struct {
	io.ReadCloser
	left int
}

func (c *cutOff) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("the wire broke")
	}
	n, err := c.ReadCloser.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

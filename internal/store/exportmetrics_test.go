package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/organization"
)

// metricsExported gives the rows of a finished export of metrics as a page, as CSV and as NDJSON, held to each other.
func metricsExported(t *testing.T, s *Store, sc organization.Scope, r export.Result) (lines []string) {
	t.Helper()
	f := inEveryForm(t, s, sc, r)
	rows := strings.Split(strings.TrimSuffix(f.ndjson.String(), "\n"), "\n")
	if f.ndjson.Len() == 0 {
		rows = nil
	}
	if int64(len(rows)) != r.Rows || len(f.page) != len(rows) || strings.Count(f.csv.String(), "\n") != len(rows)+
		1 {
		t.Fatalf("%d rows are counted, NDJSON has %d, the page %d and CSV\n%s", r.Rows, len(rows), len(f.page),
			f.csv.String())
	}
	typed, err := parquet.Read[struct {
		Session string   `parquet:"sessionid,optional"`
		Metric  string   `parquet:"metric,optional"`
		Value   *float64 `parquet:"value,optional"`
		Text    *string  `parquet:"text,optional"`
	}](bytes.NewReader(f.parquet.Bytes()), int64(f.parquet.Len()))
	must(t, err)
	if len(typed) != len(rows) {
		t.Fatalf("Parquet has %d of %d rows", len(typed), len(rows))
	}
	for i, row := range rows {
		if string(f.page[i]) != row {
			t.Errorf("row %d is %s on a page and %s in NDJSON", i, f.page[i], row)
		}
		var v struct {
			Session  string   `json:"sessionid"`
			Athlete  *string  `json:"athleteid"`
			Frame    int      `json:"frame"`
			Metric   string   `json:"metric"`
			Value    *float64 `json:"value"`
			Text     *string  `json:"text"`
			Unit     *string  `json:"unit"`
			Source   string   `json:"source"`
			Method   *string  `json:"method"`
			Version  *float64 `json:"method_version"`
			Describe *string  `json:"description"`
		}
		must(t, json.Unmarshal([]byte(row), &v))
		text := func(s *string) string {
			if s == nil {
				return "-"
			}
			return *s
		}
		if of := typed[i]; of.Session != v.Session || of.Metric != v.Metric || (of.Value == nil) != (v.Value == nil) ||
			of.Value != nil && *of.Value != *v.Value || text(of.Text) != text(v.Text) {
			t.Errorf("row %d is %s, and %+v in Parquet", i, row, of)
		}
		value := text(v.Text)
		if v.Value != nil {
			value = fmt.Sprint(*v.Value)
		}
		if v.Frame != 0 {
			t.Errorf("%s stands at frame %d", row, v.Frame)
		}
		lines = append(lines, strings.Join([]string{v.Session, fmt.Sprint(v.Athlete != nil), v.Metric, value,
			text(v.Unit), v.Source, text(v.Method)}, " "))
	}
	return lines
}

func TestRowsOfMetricsHaveEachMetricOfEachCaptureAndAthlete(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		people := create(t, s, sc, person("Ann"), person("Bo"))
		film(t, s, sc, session("jump", ptr(noon.Add(2*time.Hour)), people...),
			computed(walked(10, "A", 4), []string{"takeoff_frame"},
				map[string]any{"jump_height": 0.31, "method": "impulse"}))
		film(t, s, sc, session("own", ptr(noon.Add(time.Hour))), own(walked(20, "A", -1)))
		film(t, s, sc, session("bare", &noon), walked(30, "A", -1))

		all := exported(t, s, sc, export.Request{Shape: export.RowPerMetric})
		same(t, "left out", []string{all.Job.Skipped[0].SessionID, fmt.Sprint(len(all.Job.Skipped))},
			[]string{"bare", "1"})
		want := []string{
			"jump true jump_height 0.31 - computed jump.force", "jump true method impulse - computed jump.force",
			"jump true jump_height 0.31 - computed jump.force", "jump true method impulse - computed jump.force",
			"own false left_cadence 101 1/min file -",
		}
		same(t, "rows", metricsExported(t, s, sc, all), want)
		some := exported(t, s, sc,
			export.Request{Shape: export.RowPerMetric, Metrics: []string{"method", "left_cadence"}})
		same(t, "some rows", metricsExported(t, s, sc, some), []string{want[1], want[3], want[4]})
		for _, name := range []string{"takeoff_frame", "A_x", "value"} {
			// an event, a column of a channel, and a column of every row
			_, err := s.CreateJob(t.Context(), sc, export.Request{Shape: export.RowPerMetric, Metrics: []string{name}},
				nil)
			refused(t, err, fault.BadRequest, name)
		}
		e, err := s.Estimate(t.Context(), sc, export.Request{Shape: export.RowPerMetric})
		must(t, err)
		if e.Rows != 5 {
			t.Errorf("%d rows are expected", e.Rows)
		}
		must(t, s.DeleteAthlete(t.Context(), sc, people[0], anybody))
		left, err := s.Result(t.Context(), sc, all.Job.ID)
		must(t, err)
		same(t, "without Ann", metricsExported(t, s, sc, left), slices.Concat(want[:2], want[4:]))
		must(t, s.DeleteCapture(t.Context(), sc, "jump", func(string) error { return nil }))
		left, err = s.Result(t.Context(), sc, all.Job.ID)
		must(t, err)
		same(t, "without the jump", metricsExported(t, s, sc, left), want[4:])
	})
}

// own adds a metric of the file to what is known of a recording.
func own(info []byte) []byte {
	var i frames.Info
	if err := json.Unmarshal(info, &i); err != nil {
		panic(err)
	}
	i.Metrics = []frames.Metric{{Name: "Cadence", Context: "left", Unit: "1/min", Value: 101}}
	b, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	return b
}

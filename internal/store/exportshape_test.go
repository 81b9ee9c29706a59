package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// computed adds what was computed to what is known of a recording: events at frame 1, and metrics
// whose value is a number or a text.
func computed(info []byte, events []string, metrics map[string]any) []byte {
	var i frames.Info
	if err := json.Unmarshal(info, &i); err != nil {
		panic(err)
	}
	i.Computed = &frames.Computed{}
	for _, name := range events {
		i.Computed.Events = append(i.Computed.Events, frames.ComputedEvent{Column: name, Frame: 1, Time: 0.01})
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		m, value := frames.ComputedMetric{Column: name, Method: "jump.force", Version: 2}, metrics[name]
		switch v := value.(type) {
		case float64:
			m.Value = &v
		case string:
			m.Text = &v
		}
		i.Computed.Metrics = append(i.Computed.Metrics, m)
	}
	b, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	return b
}

// kindsOf says what each column of the captures is: its name in the rows, what it is in the
// captures, and for numbers whether they have 64 bits and are metrics alone.
func kindsOf(r export.Result) (list []string) {
	for _, c := range r.Columns.Own {
		text := c.Name + " " + string(c.From.Kind) + " " + c.From.Name
		if c.Wide {
			text += " wide"
		}
		if c.Metric {
			text += " metric"
		}
		list = append(list, text)
	}
	return list
}

func TestATextAndANumberOfOneNameAreTwoColumns(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("text", ptr(noon.Add(3*time.Hour))),
			computed(walked(3, "A", -1), nil, map[string]any{"method": "impulse"}))
		film(t, s, sc, session("number", ptr(noon.Add(2*time.Hour))),
			computed(walked(3, "A", -1), nil, map[string]any{"method": 1.5}))
		film(t, s, sc, session("event", ptr(noon.Add(time.Hour))),
			computed(walked(3, "A", -1), []string{"method"}, nil))
		film(t, s, sc, session("channel", &noon), with(walked(3, "A", -1), "method", "method_2"))

		all := exported(t, s, sc, export.Request{Metrics: []string{"method", "method_2", "method_3", "method_4"}})
		same(t, "columns", kindsOf(all),
			[]string{"method event method", "method_2 number method_2", "method_3 number method wide",
				"method_4 text method"})
		text := exported(t, s, sc, export.Request{Metrics: []string{"method_4"}})
		same(t, "the text alone", kindsOf(text), []string{"method_4 text method"})
		_, err := s.CreateJob(t.Context(), sc, export.Request{Metrics: []string{"method_5"}}, nil)
		refused(t, err, fault.BadRequest, "method_5")

		// Each keeps its name when the others go, and goes with the last capture that has it.
		for _, gone := range []struct {
			session string
			want    []string
		}{
			{"event", []string{"method_2 number method_2", "method_3 number method wide", "method_4 text method"}},
			{"channel", []string{"method_3 number method wide metric", "method_4 text method"}},
			{"text", []string{"method_3 number method wide metric"}},
			{"number", nil},
		} {
			must(t, s.DeleteCapture(t.Context(), sc, gone.session, func(string) error { return nil }))
			rest, err := s.Result(t.Context(), sc, all.Job.ID)
			must(t, err)
			same(t, "columns without "+gone.session, kindsOf(rest), gone.want)
		}
	})
}

func TestRowsOfCapturesHaveEventsAndMetricsAndNoTables(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ann := create(t, s, sc, person("Ann"))[0]
		film(t, s, sc, session("jump", ptr(noon.Add(2*time.Hour)), ann),
			computed(walked(10, "A", 4), []string{"takeoff_frame"}, map[string]any{"jump_height": 0.31}))
		film(t, s, sc, session("clash", ptr(noon.Add(time.Hour))),
			computed(walked(20, "A", -1), nil, map[string]any{"takeoff_frame_time": 7.0, "frame_count": 8.0}))
		film(t, s, sc, session("bare", &noon), with(walked(30, "A", -1), "jump_height"))
		put(t, s, sc, session("unread", &noon))

		r := export.Request{Shape: export.RowPerCapture}
		all := exported(t, s, sc, r)
		if all.Rows != 3 || all.Columns.Shape != export.RowPerCapture || len(all.Job.Skipped) != 1 ||
			all.Job.Skipped[0].SessionID != "unread" {
			t.Errorf("there are %d rows of the shape %q, and %+v left out", all.Rows, all.Columns.Shape,
				all.Job.Skipped)
		}
		same(t, "columns", kindsOf(all), []string{
			"left_foot_strike event left_foot_strike", "left_foot_strike_time event_time left_foot_strike",
			"takeoff_frame event takeoff_frame", "takeoff_frame_time event_time takeoff_frame",
			"jump_height number jump_height wide metric", "frame_count_2 number frame_count wide metric",
			"takeoff_frame_time_2 number takeoff_frame_time wide metric",
		})
		parts, err := s.Parts(t.Context(), sc, all.Job.ID, all.Version, 0, 10)
		must(t, err)
		for _, part := range parts {
			if part.Table != "" || part.Rows != 1 {
				t.Errorf("%s has the table %q and %d rows", part.SessionID, part.Table, part.Rows)
			}
		}
		e, err := s.Estimate(t.Context(), sc, r)
		must(t, err)
		if e != (export.Estimate{Captures: 3, Rows: 3, Exact: true}) {
			t.Errorf("the estimate is %+v", e)
		}
		r.Metrics = []string{"takeoff_frame_time", "takeoff_frame_time_2"}
		same(t, "metrics", kindsOf(exported(t, s, sc, r)),
			[]string{"takeoff_frame_time event_time takeoff_frame",
				"takeoff_frame_time_2 number takeoff_frame_time wide metric"})
		for name, why := range map[string]string{"A_x": "numbers of each frame", "A": "numbers of each frame",
			"frame_count": "leave", "nobody": "none of the captures has"} {
			r.Metrics = []string{name}
			_, err := s.CreateJob(t.Context(), sc, r, nil)
			refused(t, err, fault.BadRequest, why)
		}

		// A channel that is called like a metric elsewhere takes nothing along with it, and a person
		// takes the columns of the own captures.
		must(t, s.DeleteCapture(t.Context(), sc, "bare", func(string) error { return nil }))
		must(t, s.DeleteAthlete(t.Context(), sc, ann, func(athlete.Athlete) error { return nil }))
		rest, err := s.Result(t.Context(), sc, all.Job.ID)
		must(t, err)
		same(t, "columns that are left", kindsOf(rest),
			[]string{"frame_count_2 number frame_count wide metric",
				"takeoff_frame_time_2 number takeoff_frame_time wide metric"})
		if rest.Rows != 1 {
			t.Errorf("%d rows are left", rest.Rows)
		}
	})
}

// TestAResultThatIsOlderThanTextsAndWideMetricsIsReadAsItWasMade takes what is counted of them
// off a result, as it is where an older version has made it, and deletes captures.
func TestAResultThatIsOlderThanTextsAndWideMetricsIsReadAsItWasMade(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		film(t, s, sc, session("a", ptr(noon.Add(2*time.Hour))),
			computed(walked(3, "A", -1), nil, map[string]any{"height": 0.1, "method": "impulse", "both": "text"}))
		film(t, s, sc, session("b", ptr(noon.Add(time.Hour))),
			computed(walked(3, "A", -1), nil, map[string]any{"height": 0.2, "method": "flight"}))
		film(t, s, sc, session("c", &noon), computed(walked(3, "A", -1), nil, map[string]any{"both": 3.0}))
		r := exported(t, s, sc, export.Request{})
		org := idOf(t, sc)
		must(t, s.write(t.Context(), org, func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE export_column SET metrics = 0, texts = 0, aside = '' WHERE organization = $1 AND job = $2`, org, r.Job.ID),
				db.Exec(`DELETE FROM export_column WHERE organization = $1 AND job = $2 AND uses = 0`, org, r.Job.ID))
		}))
		want := strings.Fields("A_x A_y A_z both height")
		for _, gone := range []string{"", "a"} {
			if gone != "" {
				must(t, s.DeleteCapture(t.Context(), sc, gone, func(string) error { return nil }))
			}
			old, err := s.Result(t.Context(), sc, r.Job.ID)
			must(t, err)
			same(t, "columns", ownOf(old), want)
			for _, c := range old.Columns.Own {
				if c.Wide || c.Metric || c.From.Kind != export.Number {
					t.Errorf("after %q: %+v", gone, c)
				}
			}
		}
	})
}

func TestTheResultsOfAnOlderStoreAreReadAsTheyWereAfterTheMigration(t *testing.T) {
	unmigrated(t, func(t *testing.T, p place) {
		older(t, p, 13)
		bytes := "convert_to('%s', 'UTF8')"
		if p.options.Data != "" {
			bytes = "CAST('%s' AS BLOB)"
		}
		orgs := []organization.Scope{{Organization: organization.NewID()}, {Organization: organization.NewID()}}
		metrics := []map[string]any{{"height": 0.1, "method": "impulse"}, {"height": 0.2}}
		for o, sc := range orgs {
			inOlder(t, p, sc, fmt.Sprintf(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'org %d', 1)`,
				o))
			inOlder(t, p, sc, fmt.Sprintf(
				`INSERT INTO export_job (organization, id, status, error_message, created_at, completed_at) VALUES ($1, 'job', 'COMPLETED', '', %d, %d)`, db.Micros(noon), db.Micros(noon)))
			inOlder(t, p, sc, `INSERT INTO export_build (organization, job, request, erased, parts, skipped, row_count, progress, chosen, looked, line, turn, watched, failures, attempt, deaths, lease, version)
VALUES ($1, 'job', '{"DateMode":"capture_time"}', 0, 2, 0, 6, 10000, 2, 2, 0, 0, 0, 0, 1, 0, 0, 1)`)
			inOlder(t, p, sc, `INSERT INTO export_block (organization, job, block, row_count) VALUES ($1, 'job', 0, 6)`)
			for n := range 2 {
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO export_part (organization, job, n, session_id, athlete, facts, motion_table, info, rate, frame, row_count) VALUES ($1, 'job', %d, 's%d', $1, '{}', 'table', `+bytes+`, 0, 0, 3)`,
					n, n, computed(walked(3, "A", -1), nil, metrics[n])))
			}
			for place, name := range []string{"A_x", "A_y", "A_z", "height"} {
				inOlder(t, p, sc, fmt.Sprintf(
					`INSERT INTO export_column (organization, job, name, dimension, place, uses, events) VALUES ($1, 'job', '%s', 0, %d, 2, 0)`, name, place))
			}
		}
		s := p.open(still)
		for _, sc := range orgs {
			for _, rows := range []int64{6, 3} {
				r, err := s.Result(t.Context(), sc, "job")
				must(t, err)
				same(t, "columns", kindsOf(r), []string{"A_x number A_x", "A_y number A_y", "A_z number A_z",
					"height number height"})
				parts, err := s.Parts(t.Context(), sc, "job", r.Version, 0, 10)
				must(t, err)
				if r.Rows != rows || int64(len(parts)) != rows/3 || r.Columns.Shape.Whole() {
					t.Errorf("there are %d rows in %d parts, of the shape %q", r.Rows, len(parts), r.Columns.Shape)
				}
				must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error { return w.withdraw([]string{"s0"}) }))
			}
		}
	})
}

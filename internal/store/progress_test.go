package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

// progressPage is a page as a client reads it.
type progressPage struct {
	Captures []struct {
		SessionID   string  `json:"session_id"`
		AthleteID   string  `json:"athlete_id"`
		CaptureTime *string `json:"capture_time"`
		Library     *string
		Metrics     map[string]struct {
			Value          *float64
			Text, Withheld *string
			Unit, Source   string
		}
	}
	Total int64  `json:"total_count"`
	Next  *int64 `json:"next_offset"`
}

func progressed(t *testing.T, s *Store, sc organization.Scope, q capture.ProgressQuery) (p progressPage) {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 500
	}
	body, err := s.Progress(t.Context(), sc, q)
	must(t, err)
	must(t, json.Unmarshal(body, &p))
	return p
}

// jumped is what is known of a recording of a jump: its file has a metric that was computed too.
func jumped(height float64) []byte {
	raw, err := json.Marshal(frames.Info{
		Channels: []frames.Channel{{Name: "jump_height", Columns: []string{"jump_height"}}},
		Metrics: []frames.Metric{{Name: "Flight Time", Value: 0.5, Unit: "s"},
			{Name: "jump_flight_time", Value: 0.25, Unit: "ms"}},
		Computed: &frames.Computed{
			Library: "1", Events: []frames.ComputedEvent{{Column: "takeoff"}},
			Metrics: []frames.ComputedMetric{{Column: "jump_height", Value: &height, Unit: "m", Method: "m",
				Version: 1}, {Column: "jump_flight_time", Value: ptr(9.0), Unit: "s", Method: "m", Version: 1},
				{Column: "jump_height_method", Text: ptr("impulse"), Method: "m", Version: 1}},
			Withheld: []frames.Withheld{{Column: "jump_height_impulse", Code: "no-quiet-standing", Message: "Nobody."},
				{Column: "takeoff_frame", Code: "no-flight"}},
		},
	})
	if err != nil {
		panic(err)
	}
	return raw
}

func TestAnAthletesProgressIsTheCompletedCapturesInTheOrderOfTime(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		ids := create(t, s, sc, person("Ann"), person("Bob"), person("nobody's"))
		create(t, s, other, person("foreign"))
		seed := rand.Uint64()
		t.Log("seed", seed)
		chance := rand.New(rand.NewPCG(seed, 0))
		var all []capture.Capture
		heights := map[string]float64{}
		for n := range 150 {
			c := session(fmt.Sprintf("%03d", chance.IntN(1000)*1000+n),
				ptr(noon.Add(time.Duration(chance.IntN(40))*time.Hour)),
				[][]string{ids[:1], ids[:2], ids[1:2], nil}[chance.IntN(4)]...)
			if chance.IntN(4) == 0 {
				c.CaptureTime = nil
			}
			c.Activity, c.Movement = ptr([]string{"Jump", "jump", "squat"}[chance.IntN(3)]), ptr("Countermovement")
			if chance.IntN(5) == 0 {
				c.Status = []capture.Status{capture.Error, capture.Processing, capture.AwaitingUpload}[chance.IntN(3)]
			}
			all = append(all, c)
			if c.Status == capture.Completed && chance.IntN(3) > 0 {
				heights[c.SessionID] = chance.Float64()
				film(t, s, sc, c, jumped(heights[c.SessionID]))
			} else {
				put(t, s, sc, c)
			}
		}
		// What was written before there was a column for what was measured is read out of the rest.
		must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE recording SET measured = NULL WHERE organization = $1 AND session_id < '5'`,
				w.Org))
		}))
		for range 60 {
			q := capture.ProgressQuery{AthleteID: ids[chance.IntN(2)], Limit: 1 + chance.IntN(40),
				Offset: int64(chance.IntN(70))}
			if chance.IntN(2) == 0 {
				q.Activity = "jump"
			}
			var from, to *time.Time
			if chance.IntN(3) == 0 {
				from = ptr(noon.Add(time.Duration(chance.IntN(40)) * time.Hour))
			}
			if chance.IntN(3) == 0 {
				to = ptr(noon.Add(time.Duration(20+chance.IntN(40)) * time.Hour))
			}
			if from != nil || to != nil {
				q.Captured = capture.RangeOf(from, to)
			}
			var want []capture.Capture
			for _, c := range all {
				if c.Status == capture.Completed && slices.Contains(c.AthleteIDs, q.AthleteID) &&
					(q.Activity == "" || *c.Activity != "squat") &&
					(!q.Captured.Given() || c.CaptureTime != nil) && (from == nil || !c.CaptureTime.Before(*from)) &&
					(to == nil || c.CaptureTime.Before(*to)) {
					want = append(want, c)
				}
			}
			slices.SortFunc(want, func(a, b capture.Capture) int {
				switch {
				case a.CaptureTime == nil && b.CaptureTime == nil || a.CaptureTime != nil && b.CaptureTime != nil &&
					a.CaptureTime.Equal(*b.CaptureTime):
					return strings.Compare(a.SessionID, b.SessionID)
				case a.CaptureTime == nil:
					return 1
				case b.CaptureTime == nil:
					return -1
				}
				return a.CaptureTime.Compare(*b.CaptureTime)
			})
			got := progressed(t, s, sc, q)
			rows := want[min(len(want), int(q.Offset)):min(len(want), int(q.Offset)+q.Limit)]
			if got.Total != int64(len(want)) || len(got.Captures) != len(rows) {
				t.Fatalf("%+v: %d rows of %d, want %d of %d", q, len(got.Captures), got.Total, len(rows), len(want))
			}
			if more := q.Offset+int64(len(rows)) < int64(len(want)) && len(rows) > 0; more != (got.Next != nil) ||
				more && *got.Next != q.Offset+int64(q.Limit) {
				t.Errorf("%+v: the next page begins at %v", q, got.Next)
			}
			for i, c := range got.Captures {
				h, filmed := heights[c.SessionID]
				if c.SessionID != rows[i].SessionID || c.AthleteID != q.AthleteID || filmed != (c.Library != nil) {
					t.Errorf("%+v: row %d is %+v, want %s", q, i, c, rows[i].SessionID)
				}
				if filmed && *rows[i].Activity != "squat" &&
					(*c.Metrics["jump_height"].Value != h || len(c.Metrics) != 5) || !filmed && len(c.Metrics) != 0 {
					t.Errorf("%s has %+v, want %v", c.SessionID, c.Metrics, h)
				}
			}
		}
		if got := progressed(t, s, sc, capture.ProgressQuery{AthleteID: ids[2]}); got.Total != 0 ||
			len(got.Captures) != 0 || got.Next != nil {
			t.Errorf("who has no captures has %+v", got)
		}
		for _, id := range []string{organization.NewUUID(), "x", ""} {
			_, err := s.Progress(t.Context(), sc, capture.ProgressQuery{AthleteID: id, Limit: 1})
			refused(t, err, fault.NotFound, "no such athlete")
		}
		_, err := s.Progress(t.Context(), other, capture.ProgressQuery{AthleteID: ids[0], Limit: 1})
		refused(t, err, fault.NotFound, "no such athlete")
	})
}

func TestAMetricIsANumberATextOrAReasonAndTheFilesOwnStandsBeforeAComputedOne(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"))
		c := session("jump", &noon, ids...)
		c.Activity, c.Movement = ptr("jump"), ptr("countermovement")
		film(t, s, sc, c, jumped(0.1+0.2))
		got := progressed(t, s, sc, capture.ProgressQuery{AthleteID: ids[0]}).Captures[0].Metrics
		if m := got["jump_height"]; *m.Value != 0.1+0.2 || m.Unit != "m" || m.Source != "computed" {
			t.Errorf("the height is %+v", m)
		}
		if m := got["flight_time"]; *m.Value != 0.5 || m.Source != "file" {
			t.Errorf("the file's metric is %+v", m)
		}
		if m := got["jump_flight_time"]; *m.Value != 0.25 || m.Unit != "ms" || m.Source != "file" {
			t.Errorf("what the file and the library have is %+v", m)
		}
		if m := got["jump_height_method"]; m.Value != nil || *m.Text != "impulse" {
			t.Errorf("a text is %+v", m)
		}
		if m := got["jump_height_impulse"]; m.Value != nil || m.Text != nil || *m.Withheld != "no-quiet-standing" ||
			m.Unit != "m" {
			t.Errorf("what is withheld is %+v", m)
		}
		if _, ok := got["takeoff_frame"]; ok || len(got) != 5 {
			t.Errorf("the metrics are %v", got)
		}
		if got := progressed(t, s, sc,
			capture.ProgressQuery{AthleteID: ids[0], Metrics: []string{"jump_height", "unknown"}}).Captures[0].
			Metrics; len(got) != 1 || got["jump_height"].Value == nil {
			t.Errorf("of the metrics that are asked for there are %v", got)
		}
		// A correction takes away what was found by the old labels, in the same transaction.
		_, err := s.ChangeCapture(t.Context(), sc, c.SessionID, nil,
			func(old capture.Capture, _ string) (capture.Capture, error) {
				old.Movement = ptr("squat")
				return old, nil
			})
		must(t, err)
		row := progressed(t, s, sc, capture.ProgressQuery{AthleteID: ids[0]}).Captures[0]
		if row.Library != nil || len(row.Metrics) != 2 || row.Metrics["jump_flight_time"].Source != "file" {
			t.Errorf("while it is measured once more it has %+v", row)
		}
	})
}

func TestAPageOfProgressCostsTheSameWhateverElseTheOrganizationHas(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		s := p.open(still)
		sc := tenant(t, s, "A")
		ids := create(t, s, sc, person("Ann"), person("Bob"))
		const n, every = 12_000, 40
		for part := range slices.Chunk(many("a", n, func(i int, c *capture.Capture) {
			c.AthleteIDs = ids[1:]
			if i%every == 0 {
				c.AthleteIDs = ids[:1]
			}
			if i%(8*every) == 0 {
				c.CaptureTime = nil
			}
			c.Activity = ptr(fmt.Sprintf("activity %d", i%7))
		}), 2000) {
			put(t, s, sc, part...)
		}
		if p.options.Data == "" {
			_, err := connect(t, p.options.DatabaseURL).Exec(t.Context(), "ANALYZE")
			must(t, err)
		}
		for _, q := range []capture.ProgressQuery{{}, {Offset: n / every / 2}, {Offset: n/every - 20},
			{Activity: "activity 0"}, {Captured: capture.RangeOf(&noon, nil)}} {
			q.AthleteID, q.Limit = ids[0], 20
			must(t, s.engine.Read(t.Context(), idOf(t, sc), func(tx db.Tx) error {
				e := &explainer{Tx: tx, t: t}
				page := progress{t: e, org: idOf(t, sc), athlete: mustID(t, ids[0]), q: &q}
				must(t, page.choose(s))
				must(t, page.readSessions())
				rows, err := page.readRows()
				if len(rows) == 0 || len(e.seen) < 3 {
					t.Errorf("%+v: %d rows by %d statements", q, len(rows), len(e.seen))
				}
				for _, got := range e.seen {
					if strings.Contains(got.sql, " FROM athlete ") { // one row, by its id
						continue
					}
					for _, index := range got.indexes {
						if strings.HasPrefix(got.sql, "SELECT c.") != (index != "capture_row_athlete") {
							t.Errorf("%+v: %s goes through %v", q, got.sql, got.indexes)
						}
					}
					// A step of SQLite's machine is less than a row; neither engine looks at all captures.
					if got.scans || got.rows > n {
						t.Errorf("%+v: looks at %d, scans %v:\n%s\n%s", q, got.rows, got.scans, got.sql, got.text)
					}
				}
				return err
			}))
		}
	})
}

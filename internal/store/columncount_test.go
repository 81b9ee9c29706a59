package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// columnsOfAll asks for all columns, page by page.
func columnsOfAll(t *testing.T, s *Store, sc organization.Scope, q capture.ColumnQuery) []capture.ColumnUse {
	t.Helper()
	all := []capture.ColumnUse{}
	for q.Limit, q.Offset = 3, 0; ; q.Offset += int64(q.Limit) {
		page, err := s.Columns(t.Context(), sc, q)
		must(t, err)
		if all = append(all, page.Columns...); int64(len(all)) >= page.Total {
			if int64(len(all)) != page.Total {
				t.Fatalf("%d rows, and a total of %d", len(all), page.Total)
			}
			return all
		}
	}
}

// columnsRead counts the columns by reading every recording.
func columnsRead(t *testing.T, s *Store, sc organization.Scope, q capture.ColumnQuery) []capture.ColumnUse {
	t.Helper()
	uses := map[capture.ColumnUse]int64{}
	must(t, s.engine.Once(t.Context(), idOf(t, sc), db.Each(func(r db.Rows) error {
		var raw []byte
		var rate float64
		var c capture.Capture
		if err := r.Scan(&raw, &rate, &c.Activity, &c.Movement); err != nil {
			return err
		}
		var info frames.Info
		if err := json.Unmarshal(raw, &info); err != nil {
			return err
		}
		labels := c.Combination()
		for _, column := range info.Corrected(rate).Columns() {
			if q.Takes(labels.Activity, labels.Movement) && q.Picks(column) {
				uses[capture.ColumnUse{Activity: labels.Activity, Movement: labels.Movement, Column: column}]++
			}
		}
		return nil
	}, `SELECT r.info, r.rate, c.activity, c.movement FROM recording r JOIN capture c ON c.organization = r.organization AND c.session_id = r.session_id
WHERE r.organization = $1 AND c.status = 'completed' AND r.info IS NOT NULL`, idOf(t, sc))))
	all := []capture.ColumnUse{}
	for u, n := range uses {
		u.Captures = n
		all = append(all, u)
	}
	slices.SortFunc(all, capture.ColumnUse.Compare)
	return all
}

// drawnColumns is what is told of a recording with some channels, events and metrics.
func drawnColumns(r *rand.Rand) []byte {
	info := frames.Info{Format: "c3d", Frames: 100, Rate: ptr(100.0), Even: true}
	for i := range r.IntN(4) {
		unit := []string{"m", "", "mm"}[r.IntN(3)]
		info.Channels = append(info.Channels, frames.Channel{Name: fmt.Sprint("P", i), Kind: frames.KindPoint,
			Unit: unit, Columns: []string{fmt.Sprintf("P%d_x", i), fmt.Sprintf("P%d_y", i)}})
	}
	if r.IntN(2) == 0 {
		info.Events = append(info.Events, frames.Event{Label: "Strike", Context: "left", Time: 0.5, Frame: ptr(50)})
	}
	if r.IntN(2) == 0 {
		info.Metrics = append(info.Metrics, frames.Metric{Name: "Cadence", Unit: "1/min", Value: 3})
	}
	if r.IntN(2) == 0 {
		info.Computed = &frames.Computed{Library: "old",
			Metrics: []frames.ComputedMetric{{Column: "jump_height", Unit: "m", Value: ptr(0.3)},
				{Column: "side", Text: ptr("left")}}}
	}
	raw, err := json.Marshal(info)
	if err != nil {
		panic(err)
	}
	return raw
}

func TestColumnsAreCountedAsReadingEveryRecordingWould(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		r := chance(t)
		s := p.open()
		sc, other := tenant(t, s, "A"), tenant(t, s, "B")
		people := create(t, s, sc, person("1"), person("2"), person("3"))
		bring(t, s, other, session("foreign", &noon), drawnColumns(rand.New(rand.NewPCG(3, 0)))) // which has some
		label := func() *string {
			return []*string{nil, ptr("Jump"), ptr(" jump"), ptr("squat")}[r.IntN(4)]
		}
		for step := range 250 {
			name := fmt.Sprint("s", r.IntN(25))
			var err error
			switch r.IntN(10) {
			case 0, 1, 2:
				c := session(name, &noon, people[r.IntN(len(people))])
				c.Activity, c.Movement = label(), label()
				bring(t, s, sc, c, drawnColumns(r))
			case 3:
				c := session(name, &noon)
				c.Activity, c.Status = label(), []capture.Status{capture.Completed, capture.Error}[r.IntN(2)]
				put(t, s, sc, c)
			case 4:
				_, err = s.ChangeCapture(t.Context(), sc, name, nil,
					func(c capture.Capture, _ string) (capture.Capture, error) {
						c.Activity, c.Movement = label(), label()
						return c, nil
					})
			case 5:
				_, err = s.ChangeCapture(t.Context(), sc, name, nil,
					func(c capture.Capture, _ string) (capture.Capture, error) {
						c.FPSDetected = ptr(float64(10 + r.IntN(200)))
						return c, nil
					})
			case 6:
				err = s.DeleteCapture(t.Context(), sc, name, func(string) error { return nil })
			case 7:
				of, found := s.Stored(t.Context(), sc, name)
				if err = found; err == nil {
					if err = s.Recomputed(t.Context(), sc, of, drawnColumns(r)); err != nil {
						err = nil // it was reserved or is being read
					}
				}
			case 8:
				if _, err = s.Reprocess(t.Context(), sc, name, nil); err == nil && r.IntN(2) == 0 {
					must(t, s.Finish(t.Context(), sc, claimed(t, s, sc, name), upload.Outcome{Info: drawnColumns(r)}))
				}
			case 9:
				switch r.IntN(6) {
				case 0:
					at := r.IntN(len(people))
					must(t, s.DeleteAthlete(t.Context(), sc, people[at], anybody))
					people[at] = create(t, s, sc, person("again"))[0]
				default:
					must(t, s.fold(t.Context(), idOf(t, sc), nil))
				}
			}
			if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict) {
				t.Fatalf("step %d: %v", step, err)
			}
			q := capture.ColumnQuery{Activity: []string{"", "jump", "squat"}[r.IntN(3)],
				Kind:   []string{"", "", frames.KindPoint, frames.KindText}[r.IntN(4)],
				Search: []string{"", "", "p1"}[r.IntN(3)]}
			same(t, fmt.Sprintf("step %d, %+v", step, q), columnsOfAll(t, s, sc, q), columnsRead(t, s, sc, q))
		}
		// What is kept of columns that nobody has any more goes.
		for i := range 25 {
			err := s.DeleteCapture(t.Context(), sc, fmt.Sprint("s", i), func(string) error { return nil })
			if !fault.Is(err, fault.NotFound) {
				must(t, err)
			}
		}
		// A fold that was under way may have kept some until the next one.
		testkit.Until(t, "no row of columns is left", func() bool {
			var left int64
			must(t, s.engine.Once(t.Context(), idOf(t, sc), db.One(db.Into(&left), `SELECT
(SELECT count(*) FROM column_count WHERE organization = $1) +
(SELECT count(*) FROM column_delta WHERE organization = $1)`, idOf(t, sc))))
			if left > 0 {
				must(t, s.fold(t.Context(), idOf(t, sc), nil))
			}
			return left == 0
		})
		if len(columnsOfAll(t, s, other, capture.ColumnQuery{})) == 0 {
			t.Error("the other organization has no columns any more, or the test gave it none")
		}
	})
}

// bring stores a capture with a file of which that is told.
func bring(t *testing.T, s *Store, sc organization.Scope, c capture.Capture, info []byte) {
	t.Helper()
	file, table := organization.NewUUID(), organization.NewUUID()
	must(t, s.ExpectBrought(t.Context(), sc, c.SessionID, time.Now().Add(time.Hour), file, table))
	must(t, s.Bring(t.Context(), sc, upload.Brought{Capture: c, FileName: "f.c3d", Original: file, Size: 3,
		Outcome: upload.Outcome{Table: table, Info: info}}))
}

func TestColumnsThatManyWritersOfTwoServersCountAreCountedExactly(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		r := chance(t)
		one, two := p.open(), p.open()
		sc := tenant(t, one, "A")
		infos := [][]byte{drawnColumns(r), drawnColumns(r), drawnColumns(r)}
		done := make(chan error)
		for w := range 4 {
			s := []*Store{one, two}[w%2]
			chance := rand.New(rand.NewPCG(r.Uint64(), 1))
			go func() {
				done <- func() error {
					for i := range 30 {
						name := fmt.Sprintf("s%d-%d", w, i%7)
						err := func() error {
							if chance.IntN(4) == 0 {
								err := s.DeleteCapture(context.Background(), sc, name,
									func(string) error { return nil })
								if fault.Is(err, fault.NotFound) {
									return nil
								}
								return err
							}
							file := organization.NewUUID()
							if err := s.ExpectBrought(context.Background(), sc, name, time.Now().Add(time.Hour),
								file); err !=
								nil {
								return err
							}
							return s.Bring(context.Background(), sc,
								upload.Brought{Capture: session(name, &noon), FileName: "f.c3d", Original: file,
									Size: 3, Outcome: upload.Outcome{Info: infos[chance.IntN(3)]}})
						}()
						if err = cmp.Or(err, s.fold(context.Background(), sc.Organization, nil)); err != nil {
							return err
						}
					}
					return nil
				}()
			}()
		}
		for range 4 {
			if err := testkit.Receive(t, done, "a writer is done"); err != nil {
				t.Fatal(err)
			}
		}
		same(t, "columns", columnsOfAll(t, two, sc, capture.ColumnQuery{}),
			columnsRead(t, one, sc, capture.ColumnQuery{}))
	})
}

func TestRecordingsFromBeforeColumnsWereCountedAreCountedBeforeAnybodyIsToldANumber(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		r := chance(t)
		s := p.open(still)
		sc := tenant(t, s, "A")
		for i := range 2*writeChunk + 5 {
			bring(t, s, sc, session(fmt.Sprint("s", i), &noon), drawnColumns(r))
		}
		want := columnsRead(t, s, sc, capture.ColumnQuery{})
		must(t, s.write(t.Context(), idOf(t, sc), func(w *writeTx) error { // as an older version has left it
			return w.Do(db.Exec(`UPDATE recording SET counted = NULL WHERE organization = $1`, w.Org),
				db.Exec(`DELETE FROM column_count WHERE organization = $1`, w.Org),
				db.Exec(`DELETE FROM column_delta WHERE organization = $1`, w.Org))
		}))
		_, err := s.Columns(t.Context(), sc, capture.ColumnQuery{Limit: 10})
		refused(t, err, fault.Unavailable, "being counted")
		must(t, s.countUncounted(t.Context()))
		same(t, "columns", columnsOfAll(t, s, sc, capture.ColumnQuery{}), want)
		names := map[string]bool{}
		for _, u := range want {
			names[u.Kind] = true
		}
		if len(names) < 4 {
			t.Errorf("the recordings had columns of the kinds %v alone", slices.Collect(maps.Keys(names)))
		}
	})
}

func TestAFoldThatIsUnderWayWhenTheLastRecordingGoesLeavesNoColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("needs PostgreSQL")
	}
	p := postgres(t)
	s := p.open(still)
	sc := tenant(t, s, "A")
	bring(t, s, sc, session("only", &noon), drawnColumns(rand.New(rand.NewPCG(3, 0))))
	if len(columnsOfAll(t, s, sc, capture.ColumnQuery{})) == 0 {
		t.Fatal("the recording has no columns")
	}
	// A fold that has moved what it saw, and has not ended.
	fold, watch := connect(t, p.options.DatabaseURL), connect(t, p.options.DatabaseURL)
	run := func(sql string, args ...any) {
		t.Helper()
		_, err := fold.Exec(t.Context(), sql, args...)
		must(t, err)
	}
	run(`BEGIN ISOLATION LEVEL REPEATABLE READ`)
	run(`SELECT set_config('app.org', $1, true)`, sc.Organization.String())
	run(`INSERT INTO column_count (organization, hash, activity, movement, captures, columns)
SELECT organization, hash, activity, movement, captures, columns FROM column_delta`)
	run(`DELETE FROM column_delta`)
	gone := make(chan error)
	go func() {
		gone <- s.DeleteCapture(context.Background(), sc, "only", func(string) error { return nil })
	}()
	testkit.Until(t, "the deletion waits for the fold", func() bool {
		return asked(t, watch, `SELECT CAST(count(*) AS TEXT) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`)[0] != "0"
	})
	run(`COMMIT`)
	must(t, testkit.Receive(t, gone, "the recording is deleted"))
	same(t, "columns", columnsOfAll(t, s, sc, capture.ColumnQuery{}), []capture.ColumnUse{})
	must(t, s.fold(t.Context(), sc.Organization, nil))
	same(t, "columns", columnsOfAll(t, s, sc, capture.ColumnQuery{}), []capture.ColumnUse{})
	for _, table := range []string{"column_count", "column_delta"} {
		var left int64
		must(t, s.engine.Once(t.Context(), idOf(t, sc),
			db.One(db.Into(&left), `SELECT count(*) FROM `+table+` WHERE organization = $1`, idOf(t, sc))))
		if left != 0 {
			t.Errorf("%d rows of %s are left", left, table)
		}
	}
}

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
)

// leap is a CSV file of the vertical force of a countermovement jump, so many samples a
// second, and how high the body rises, in m.
func leap(rate float64) (file []byte, height float64) {
	const weight = 700.0
	var force []float64
	add := func(seconds float64, f func(part float64) float64) {
		n := int(seconds*rate + 0.5)
		for i := range n {
			force = append(force, weight*f(float64(i)/float64(n)))
		}
	}
	still := func(float64) float64 { return 1 + 0.001*math.Sin(float64(len(force))) }
	add(1.3, still)
	add(0.4, func(part float64) float64 { return 1 - 0.5*math.Sin(math.Pi*part) })
	add(0.45, func(part float64) float64 { return 1 + 1.2*math.Sin(math.Pi*part) })
	velocity := 0.0
	for i := 1; i < len(force); i++ {
		velocity += ((force[i-1]+force[i])/2 - weight) / rate * 9.80665 / weight
	}
	add(2*velocity/9.80665, func(float64) float64 { return 0 })
	add(0.3, func(part float64) float64 { return 4 * math.Sin(math.Pi*(0.02+0.98*part)) })
	add(1, still)
	b := bytes.NewBufferString("time (s),Fz (N)\n")
	for i, f := range force {
		fmt.Fprintf(b, "%.6f,%.3f\n", float64(i)/rate, f)
	}
	return b.Bytes(), velocity * velocity / (2 * 9.80665)
}

// found is a metric of what was computed; NaN where it is not there.
func found(m *client.Motion, column string) float64 {
	if m.Computed == nil {
		return math.NaN()
	}
	at := slices.IndexFunc(m.Computed.Metrics,
		func(c client.ComputedMetric) bool { return c.Column == column && c.Value != nil })
	if at < 0 {
		return math.NaN()
	}
	return *m.Computed.Metrics[at].Value
}

// TestAJumpIsMeasuredWhenItIsReadAndAgainWhenItIsCorrected uploads the force of a jump, reads
// how high it was, exports it, and corrects its labels and its rate.
func TestAJumpIsMeasuredWhenItIsReadAndAgainWhenItIsCorrected(t *testing.T) {
	testkit.Long(t)
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, _ := where.setUp(t)
			j := begun(t, m)
			ctx := context.Background()
			athlete, err := j.client.CreateAthlete(ctx, client.AthleteFields{FirstName: ptr("Ada")})
			if err != nil {
				t.Fatal(err)
			}
			file, height := leap(1000)
			r, err := j.client.Reserve(ctx, client.NewCapture{FileName: "jump.csv", AthleteIDs: []string{athlete.ID},
				Activity: "Jump", Movement: "Countermovement"})
			if err != nil {
				t.Fatal(err)
			}
			j.upload(r, file)
			j.await(r.SessionID, "completed")
			motion := func() *client.Motion {
				got, err := j.client.Motion(ctx, r.SessionID)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			first := motion()
			if got := found(first, "jump_height"); !(math.Abs(got-height) < 0.004) {
				t.Fatalf("the jump is %v m high, want %v: %+v", got, height, first.Computed)
			}

			rows := exported(t, j, "jump_height", "takeoff_frame", "Fz")
			if len(rows) != first.Frames ||
				fmt.Sprint(rows[0]["jump_height"]) != fmt.Sprint(found(first, "jump_height")) {
				t.Errorf("%d rows of %d frames, the first is %v", len(rows), first.Frames, rows[0])
			}
			at := slices.IndexFunc(rows,
				func(row client.ExportRow) bool { return fmt.Sprint(row["takeoff_frame"]) == "0" })
			off := slices.IndexFunc(first.Computed.Events,
				func(e client.ComputedEvent) bool { return e.Column == "takeoff_frame" })
			if at < 0 || at != first.Computed.Events[off].Frame {
				t.Errorf("the take-off is at row %d, want %d", at, first.Computed.Events[off].Frame)
			}

			// The athlete's progress has the same numbers.
			progress := func() client.MeasuredCapture {
				var all []client.MeasuredCapture
				for row, err := range j.client.Metrics(ctx, athlete.ID, client.MetricsFilter{Activity: "JUMP"}) {
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, row)
				}
				if len(all) != 1 || all[0].SessionID != r.SessionID || *all[0].AthleteID != athlete.ID {
					t.Fatalf("the progress is %+v", all)
				}
				return all[0]
			}
			row := progress()
			for _, m := range first.Computed.Metrics {
				if got := row.Metrics[m.Column]; !reflect.DeepEqual(got.Value, m.Value) ||
					!reflect.DeepEqual(got.Text, m.Text) || got.Unit != m.Unit || *got.Method != m.Method {
					t.Errorf("in the progress %s is %+v, in the motion %+v", m.Column, got, m)
				}
			}
			for _, w := range first.Computed.Withheld {
				if got, ok := row.Metrics[w.Column]; ok &&
					(got.Value != nil || *got.Withheld != w.Code || *got.Message != w.Message) {
					t.Errorf("in the progress %s is %+v, in the motion it is withheld: %+v", w.Column, got, w)
				}
			}
			if row.Library != first.Computed.Library || len(row.Metrics) == 0 || len(row.Dimensions) != 0 {
				t.Errorf("the progress is %+v", row)
			}

			// As a movement that the library does not have nothing is found, and the reason is told.
			if _, err := j.client.Correct(ctx, r.SessionID, client.Correction{Movement: ptr("somersault")}); err !=
				nil {
				t.Fatal(err)
			}
			testkit.Until(t, "it is told that the library has no somersault", func() bool {
				got := motion().Computed
				pending := got != nil && got.Reason != nil && got.Reason.Code == "pending"
				if got == nil || got.Reason == nil || !pending && got.Reason.Code != "unknown-movement" ||
					len(got.Metrics) > 0 {
					t.Fatalf("as a somersault it has %+v", got)
				}
				return !pending
			})
			if row := progress(); len(row.Metrics) != 0 {
				t.Errorf("as a somersault the progress is %+v", row)
			}
			if _, err := j.client.Correct(ctx, r.SessionID, client.Correction{Movement: ptr("squat")}); err != nil {
				t.Fatal(err)
			}
			testkit.Until(t, "the jump is measured as a squat jump", func() bool {
				got := motion()
				return got.Computed != nil && !math.IsNaN(found(got, "jump_flight_time"))
			})

			// At nine tenths of the rate everything takes longer by a ninth.
			correct := func(rate float64) {
				t.Helper()
				if _, err := j.client.Correct(ctx, r.SessionID,
					client.Correction{Movement: ptr("countermovement"), FPS: &rate}); err != nil {
					t.Fatal(err)
				}
			}
			correct(900)
			testkit.Until(t, "the jump is measured by the other rate", func() bool {
				got := found(motion(), "jump_flight_time")
				return math.Abs(got-found(first, "jump_flight_time")/0.9) < 1e-3
			})
			// At half of it the jump would be four times as high, which nobody jumps.
			correct(500)
			testkit.Until(t, "the jump is withheld for a rate that cannot be", func() bool {
				got := motion().Computed
				return got != nil && len(got.Metrics) == 0 && slices.ContainsFunc(got.Withheld,
					func(w client.Withheld) bool { return w.Column == "jump_height" && w.Code == "implausible" })
			})
		})
	}
}

// exported gives all rows of an export of everything, with these columns.
func exported(t *testing.T, j *journey, columns ...string) []client.ExportRow {
	t.Helper()
	ctx := context.Background()
	job, err := j.client.CreateExport(ctx, client.NewExport{Metrics: columns})
	if err != nil {
		t.Fatal(err)
	}
	if job, err = j.client.WaitExport(ctx, job.ID, nil); err != nil || job.Status != "COMPLETED" {
		t.Fatalf("%v %+v", err, job)
	}
	var rows []client.ExportRow
	for {
		page, err := j.client.ExportResults(ctx, job.ID, client.MaxLimit, int64(len(rows)))
		if err != nil {
			t.Fatal(err)
		}
		if rows = append(rows, page.Results...); len(page.Results) < client.MaxLimit {
			break
		}
	}
	return rows
}

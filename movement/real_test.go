//go:build corpus_metrics

package movement_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// want is a right value and how many of its last printed digit it may be off: one.
type want struct{ value, digit float64 }

func TestRealJumpsHaveTheirKnownValues(t *testing.T) {
	for file, c := range map[string]struct {
		movement string
		values   map[string]want
		times    map[string]want
	}{
		"cmj_one_plate.csv": {"countermovement", map[string]want{
			"body_weight": {663.22, 0.01}, "jump_flight_time": {0.511, 0.001}, "jump_height_impulse": {0.3198, 0.0001},
			"jump_height_flight_time": {0.3201, 0.0001},
			"takeoff_velocity":        {2.5043, 0.0001}, "time_to_takeoff": {0.778, 0.001},
			"reactive_strength_index_modified": {0.411, 0.001},
			"countermovement_depth":            {0.3485, 0.0001}, "peak_power": {3387, 1},
			"jump_height": {0.3198, 0.0001},
		}, map[string]want{"takeoff_frame": {2.355, 0.001}}},
		"cmj_two_plates.csv": {"countermovement", map[string]want{"propulsive_impulse_asymmetry": {-12.79, 0.01}}, nil},
		"drop_one_plate.csv": {"drop_vertical", map[string]want{
			"contact_time": {0.249, 0.001}, "jump_flight_time": {0.487, 0.001},
			"jump_height_flight_time": {0.2907, 0.0001}, "jump_height": {0.2907, 0.0001},
			"reactive_strength_index": {1.168, 0.001}, "reactive_strength_ratio": {1.956, 0.001},
		}, map[string]want{"first_contact_frame": {1.897, 0.001}}},
		"cmj_450hz.csv": {"countermovement", map[string]want{
			"body_weight": {692.60, 0.01}, "jump_flight_time": {0.5511, 0.0001},
			"jump_height_impulse": {0.3558, 0.0001}, "jump_height_flight_time": {0.3723, 0.0001},
			"takeoff_velocity": {2.6416, 0.0001}, "time_to_takeoff": {0.949, 0.001},
			"reactive_strength_index_modified": {0.375, 0.001},
			"countermovement_depth":            {0.327, 0.001}, "peak_power": {3595, 1},
		}, map[string]want{"takeoff_frame": {5.0911, 0.0001}}},
		"trap_short_standing_600hz.csv": {"countermovement", nil,
			map[string]want{"takeoff_frame": {0.907, 0.005}, "landing_frame": {1.323, 0.005}}},
	} {
		t.Run(file, func(t *testing.T) {
			got := measureBoth(t, "jump", c.movement, real(t, file))
			values, times := map[string]float64{}, map[string]float64{}
			for _, m := range got.Metrics {
				if m.Value != nil {
					values[m.Column] = *m.Value
				}
			}
			for _, e := range got.Events {
				times[e.Column] = e.Time
			}
			compare(t, values, c.values)
			compare(t, times, c.times)
			if file == "trap_short_standing_600hz.csv" {
				for _, column := range []string{"jump_height_impulse", "body_weight", "takeoff_velocity",
					"jump_initiation_frame"} {
					if code := reason(got, column); code != movement.NoQuietStanding {
						t.Errorf("%s is withheld for %q", column, code)
					}
				}
				if values["jump_flight_time"] == 0 || values["jump_height"] != values["jump_height_flight_time"] {
					t.Errorf("the flight gives %v", values)
				}
			}
			if t.Failed() {
				t.Logf("%+v", *got)
			}
		})
	}
}

func compare(t *testing.T, got map[string]float64, wanted map[string]want) {
	t.Helper()
	for name, w := range wanted {
		if value, ok := got[name]; !ok || math.Abs(value-w.value) > 1.5*w.digit {
			t.Errorf("%s is %v, want %v", name, value, w.value)
		}
	}
}

// reason is why a column is withheld; "" when it is not.
func reason(c *frames.Computed, column string) string {
	for _, w := range c.Withheld {
		if w.Column == column {
			return w.Code
		}
	}
	return ""
}

// real reads a file of the corpus.
func real(t *testing.T, name string) *movement.Recording {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus.Folder(t, "KINEBASE_TEST_METRICS"), name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	stat, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := motion.Open(name, f, stat.Size())
	if err != nil {
		t.Fatal(err)
	}
	return tables(t, file.Kind, file.Frames, file)
}

func TestARealSquatHasItsKnownValues(t *testing.T) {
	got := measureBoth(t, "squat", "bodyweight", real(t, "five_squats.mot"))
	values, times := map[string]float64{}, map[string]float64{}
	for _, m := range got.Metrics {
		values[m.Column] = *m.Value
	}
	for _, e := range got.Events {
		times[e.Column] = e.Time
	}
	compare(t, values, map[string]want{"repetitions": {5, 0}, "squat_depth": {0.3170, 0.0001},
		"peak_knee_flexion_right": {78.28, 0.01}, "peak_knee_flexion_left": {78.71, 0.01}})
	compare(t, times, map[string]want{"squat_bottom_frame": {0.94, 0.001}})
	if t.Failed() {
		t.Logf("%+v", *got)
	}
}

func TestARealStanceHasItsKnownValues(t *testing.T) {
	got := measureBoth(t, "stability", "single_leg_stance", real(t, "quiet_stance_plate_100hz.csv"))
	values := map[string]float64{}
	for _, m := range got.Metrics {
		values[m.Column] = *m.Value
	}
	compare(t, values, map[string]want{
		"sway_path_length_unfiltered": {0.39295, 0.00001}, "sway_rms_x": {0.002654, 0.000001},
		"sway_rms_y": {0.004171, 0.000001}, "sway_ellipse_area": {2.0303e-4, 1e-8},
	})
	if t.Failed() {
		t.Logf("%+v", *got)
	}
}

package sto_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/sto"
)

// OpenSim writes inDegrees over tables of all kinds.
func TestOnlyCoordinatesAreAngles(t *testing.T) {
	for name, c := range map[string]struct {
		title  string
		names  string            // of three columns
		angles string            // those that are angles
		units  map[string]string // of channels that have one
	}{
		"coordinates by title": {"Coordinates", "arm_add_r pelvis_list pelvis_tx", "arm_add_r pelvis_list",
			map[string]string{"pelvis_tx": "m"}},
		"coordinates by names": {"walk at a low speed", "lumbar_bending Hip_Flexion_R hip_tx_r",
			"lumbar_bending Hip_Flexion_R", map[string]string{"hip_tx_r": "m"}},
		"coordinates by path": {"",
			"/jointset/a/knee_angle_l/value /jointset/a/slide_tx/value /jointset/a/knee_angle_l/speed",
			"/jointset/a/knee_angle_l/value", map[string]string{"/jointset/a/slide_tx/value": "m"}},
		"a full state": {"",
			"/jointset/a/pelvis_tx/speed /forceset/soleus_r/activation /forceset/soleus_r/normalized_tendon_force",
			"", nil},
		"an older state": {"", "knee_angle_r knee_angle_r_u soleus_r.activation", "knee_angle_r", nil},
		"an older state, translation": {"", "pelvis_tx pelvis_tx_u soleus_r.fiber_length", "",
			map[string]string{"pelvis_tx": "m"}},
		"forces and moments": {"Inverse Dynamics Generalized Forces",
			"pelvis_tilt_moment pelvis_tx_force knee_angle_r_moment", "", nil},
		"forces without a title": {"", "pelvis_tilt_moment pelvis_tx_force knee_angle_r_moment", "", nil},
		"activations":            {"Static Optimization", "soleus_r glmed1_r hip_flexion_r", "", nil},
		"activations, own title": {"my trial", "soleus_r glmed1_r hip_flexion_r_reserve", "", nil},
		"lengths of muscles":     {"Length", "RF VASINT soleus_r", "", nil},
		"loads on joints": {"",
			"knee_r_on_tibia_r_in_ground_fx knee_r_on_tibia_r_in_ground_mx knee_r_on_tibia_r_in_ground_px", "", nil},
		"loads beside an angle":       {"", "knee_angle_r knee_r_mz hip_rotation_r_px", "knee_angle_r", nil},
		"muscles named for movements": {"my trial", "add_mag1_r flex_dig_r ext_hal_l", "", nil},
		"multipliers and motor units": {"", "lambda_cid21_p0 knee_angle_r_error muscle.active_motor_units", "", nil},
		"translations by their word": {"motion", "block_xRotation block_xTranslation pelvis_rotation_speed",
			"block_xRotation", nil},
		"loads by the title": {"ModelForces", "knee_angle_r hip_flexion_r pelvis_tx", "", nil},
		"joints of the upper body": {"", "r_shoulder_elev r_elbow_flex pro_sup",
			"r_shoulder_elev r_elbow_flex pro_sup", nil},
		"speeds":        {"Speeds", "knee_angle_r pelvis_tx hip_flexion_r", "", nil},
		"accelerations": {"Accelerations", "knee_angle_r pelvis_tx hip_flexion_r", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for inDegrees, factor := range map[string]float64{"yes": 1, "no": 180 / math.Pi} {
				text := motionFile(c.title+"\ninDegrees="+inDegrees, strings.ReplaceAll(c.names, " ", "\t"),
					func(int) string { return "0.5\t0.5\t0.5" })
				rec := whole(t, text)
				if len(rec.Warnings) > 0 {
					t.Errorf("nothing is odd, but %v", rec.Warnings)
				}
				var angles, channels []string
				for _, a := range rec.Angles {
					angles = append(angles, a.Name)
					if a.Unit != "deg" || math.Abs(float64(a.Values[4])-0.5*factor) > 1e-5*factor {
						t.Errorf("0.5 of %s became %v %s", a.Name, a.Values[4], a.Unit)
					}
				}
				if got := strings.Join(angles, " "); got != c.angles {
					t.Errorf("inDegrees=%s: angles are %q, want %q", inDegrees, got, c.angles)
				}
				for _, a := range rec.Analogs {
					channels = append(channels, a.Name)
					if a.Unit != c.units[a.Name] || a.Values[4] != 0.5 {
						t.Errorf("inDegrees=%s: 0.5 of %s became %v %q", inDegrees, a.Name, a.Values[4], a.Unit)
					}
				}
				h, err := sto.ReadHeader(strings.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				if _, _, a, b := h.Kinds(); !slices.Equal(a, angles) || !slices.Equal(b, channels) {
					t.Errorf("the header has angles %q and channels %q, the file %q and %q", a, b, angles, channels)
				}
			}
		})
	}
}

// What a spreadsheet or a person makes of inDegrees does not turn degrees into radians.
func TestWhatIsSaidOfDegreesIsUnderstoodInAnySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"yes", "true", "1", "y", "no", "false", "0", "n", "maybe", "2", "", "ja",
			"no yes"}).Draw(t, "word")
		key := rapid.SampledFrom([]string{"inDegrees", "InDegrees", "INDEGREES", "in_degrees", "in degrees"}).Draw(t,
			"key")
		equals := rapid.SampledFrom([]string{"=", " = ", "\t=\t", ": "}).Draw(t, "equals")
		behind := rapid.SampledFrom([]string{"", " ", ";", " ;", "\t\t", ",,,", " # angles", " // of the knee",
			"\t\r"}).Draw(t, "behind")
		if rapid.Bool().Draw(t, "upper") {
			word = strings.ToUpper(word)
		}
		line := key + equals + word + behind
		if rapid.Bool().Draw(t, "quoted") {
			line = `"` + key + equals + word + `"`
		}
		text := motionFile("Coordinates\n"+line, "knee_angle_r\tpelvis_ty\thip_flexion_l", coordinates)
		rec, err := sto.Read(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		want, unit, channels := float32(4.5), "deg", rec.Angles
		switch strings.ToLower(word) {
		case "yes", "true", "1", "y":
		case "no", "false", "0", "n":
			want = float32(4.5 * 180 / math.Pi)
		default:
			channels, unit = rec.Analogs, ""
			if !rec.Warnings.Has(quality.AngleUnitMissing) {
				t.Errorf("%q: warnings %v", line, rec.Warnings)
			}
		}
		if len(channels) < 2 || channels[len(channels)-1].Values[4] != want || channels[len(channels)-1].Unit != unit {
			t.Errorf("%q: %+v, warnings %v", line, channels, rec.Warnings)
		}
	})
}

func TestACoordinateThatMayBeALengthIsNotConverted(t *testing.T) {
	for _, c := range []struct{ title, name string }{{"Coordinates", "q1"}, {"Coordinates", "Abs_t1"},
		{"", "/jointset/slider/position/value"}} {
		rec := whole(t, motionFile(c.title+"\ninDegrees=no", c.name+"\tknee_angle_r\tb", coordinates))
		if len(rec.Angles) != 1 || rec.Analogs[0].Values[3] != 3 || rec.Analogs[0].Unit != "" ||
			!rec.Warnings.Has(quality.AngleUnitMissing) {
			t.Errorf("%s: %+v, warnings %v", c.name, rec.Analogs[0], rec.Warnings)
		}
	}
}

func TestOnlyAnglesAreMissedAUnit(t *testing.T) {
	for names, want := range map[string]bool{
		"knee_angle_r\ta\tb":                    true,
		"Knee_Angle_R\ta\tb":                    true,
		"/jointset/a/hip_flexion_r/value\ta\tb": true,
		"knee_angle_r_moment\ta\tb":             false,
		"/jointset/a/hip_flexion_r/speed\ta\tb": false,
		"ground_force_vx\ta\tb":                 false,
	} {
		rec := whole(t, motionFile("x", names, coordinates))
		if rec.Warnings.Has(quality.AngleUnitMissing) != want ||
			slices.ContainsFunc(rec.Analogs, func(c record.Channel) bool { return c.Unit != "" }) ||
			len(rec.Angles) > 0 {
			t.Errorf("%q: warnings %v, angles %v", names, rec.Warnings, rec.Angles)
		}
	}
}

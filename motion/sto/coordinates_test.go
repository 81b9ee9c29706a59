package sto_test

import (
	"math"
	"slices"
	"strings"
	"testing"

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
		"coordinates by title":        {"Coordinates", "q1 q2 pelvis_tx", "q1 q2", map[string]string{"pelvis_tx": "m"}},
		"coordinates by names":        {"walk at a low speed", "lumbar_bending Hip_Flexion_R hip_tx_r", "lumbar_bending Hip_Flexion_R", map[string]string{"hip_tx_r": "m"}},
		"coordinates by path":         {"", "/jointset/a/q1/value /jointset/a/slide_tx/value /jointset/a/q1/speed", "/jointset/a/q1/value", map[string]string{"/jointset/a/slide_tx/value": "m"}},
		"a full state":                {"", "/jointset/a/pelvis_tx/speed /forceset/soleus_r/activation /forceset/soleus_r/normalized_tendon_force", "", nil},
		"an older state":              {"", "knee_angle_r knee_angle_r_u soleus_r.activation", "knee_angle_r", nil},
		"an older state, translation": {"", "pelvis_tx pelvis_tx_u soleus_r.fiber_length", "", map[string]string{"pelvis_tx": "m"}},
		"forces and moments":          {"Inverse Dynamics Generalized Forces", "pelvis_tilt_moment pelvis_tx_force knee_angle_r_moment", "", nil},
		"forces without a title":      {"", "pelvis_tilt_moment pelvis_tx_force knee_angle_r_moment", "", nil},
		"activations":                 {"Static Optimization", "soleus_r glmed1_r hip_flexion_r", "", nil},
		"activations, own title":      {"my trial", "soleus_r glmed1_r hip_flexion_r_reserve", "", nil},
		"lengths of muscles":          {"Length", "RF VASINT soleus_r", "", nil},
		"loads on joints":             {"", "knee_r_on_tibia_r_in_ground_fx knee_r_on_tibia_r_in_ground_mx knee_r_on_tibia_r_in_ground_px", "", nil},
		"loads beside an angle":       {"", "knee_angle_r knee_r_mz hip_rotation_r_px", "knee_angle_r", nil},
		"speeds":                      {"Speeds", "knee_angle_r pelvis_tx hip_flexion_r", "", nil},
		"accelerations":               {"Accelerations", "knee_angle_r pelvis_tx hip_flexion_r", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for inDegrees, factor := range map[string]float64{"yes": 1, "no": 180 / math.Pi} {
				text := motionFile(c.title+"\ninDegrees="+inDegrees, strings.ReplaceAll(c.names, " ", "\t"), func(int) string { return "0.5\t0.5\t0.5" })
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
		if rec.Warnings.Has(quality.AngleUnitMissing) != want || slices.ContainsFunc(rec.Analogs, func(c record.Channel) bool { return c.Unit != "" }) || len(rec.Angles) > 0 {
			t.Errorf("%q: warnings %v, angles %v", names, rec.Warnings, rec.Angles)
		}
	}
}

package motion_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"pgregory.net/rapid"
)

func TestAMarkerThatJumpsToTheOriginIsKeptAndTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"csv", "trc"}).Draw(t, "kind")
		n := rapid.IntRange(3, 40).Draw(t, "frames")
		gone := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "at the origin")
		gone[n/2] = false // somewhere it is seen
		at := [3]float64{}
		for k := range at {
			at[k] = rapid.Float64Range(1000, 3000).Draw(t, "place")
		}
		rows, want := make([][4]float64, n), false
		for i := range rows {
			for k := range at {
				at[k] += rapid.Float64Range(-20, 20).Draw(t, "step")
				rows[i][k] = math.Round(at[k]*8) / 8
			}
			if gone[i] {
				rows[i], want = [4]float64{}, true
			}
		}
		rec := readText(t, kind, measurement(kind, rows))
		if rec.Warnings.Has(quality.PointsAtOrigin) != want {
			t.Errorf("warnings %v, jumps to the origin: %v\n%v", rec.Warnings, want, rows)
		}
		for i, row := range rows {
			p := &rec.Points[0]
			if float64(p.X[i]) != row[0] || float64(p.Y[i]) != row[1] || float64(p.Z[i]) != row[2] {
				t.Errorf("frame %d is at %v, %v, %v, written %v", i, p.X[i], p.Y[i], p.Z[i], row)
			}
		}
	})
}

func TestAMarkerThatMovesThroughTheOriginOrStaysThereIsNotToldOf(t *testing.T) {
	through := make([][4]float64, 21)
	for i := range through {
		through[i] = [4]float64{float64(i-10) * 12, float64(i-10) * -7, float64(i-10) * 3, 1}
	}
	for name, rows := range map[string][][4]float64{"through": through, "there": make([][4]float64, 20),
		"begins there": through[10:]} {
		for _, kind := range []string{"csv", "trc"} {
			if rec := readText(t, kind, measurement(kind, rows)); rec.Warnings.Has(quality.PointsAtOrigin) {
				t.Errorf("%s, %s: %v", name, kind, rec.Warnings)
			}
		}
	}
}

func TestACentreOfPressureThatIsAtTheOriginWhileNobodyStandsThereIsNotToldOf(t *testing.T) {
	text := "time,COP_X (mm),COP_Y (mm),COP_Z (mm),M_X (mm),M_Y (mm),M_Z (mm)\n" +
		"0.00,0,0,0,500,600,700\n0.01,501,302,0.5,501,601,701\n0.02,502,303,0.5,502,602,702\n0.03,0,0,0,503,603,703\n"
	if rec := readText(t, "csv", text); rec.Warnings.Has(quality.PointsAtOrigin) {
		t.Errorf("%v", rec.Warnings)
	}
}

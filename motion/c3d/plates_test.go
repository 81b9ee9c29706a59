package c3d_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
)

func TestForcePlatformsThatAreNotWholeAreLeftOut(t *testing.T) {
	corners := []float32{464, 0, 0, 0, 0, 0, 0, 508, 0, 464, 508, 0}
	broken := append([]float32{float32(math.NaN())}, corners[1:]...)
	group := func(corners []float32) []c3dtest.Parameter {
		const name = "FORCE_PLATFORM"
		return []c3dtest.Parameter{
			{Group: name, Name: "USED", Value: int16(1)}, {Group: name, Name: "TYPE", Value: []int16{2}},
			{Group: name, Name: "CORNERS", Value: corners},
			{Group: name, Name: "ORIGIN", Value: []float32{0, 0, -40}},
			{Group: name, Name: "CHANNEL", Value: []int16{1, 2, 3, 4, 5, 6}},
		}
	}
	for name, c := range map[string]struct {
		add    []c3dtest.Parameter
		plates int
		warned bool
	}{
		"whole":       {group(corners), 1, false},
		"no channels": {group(corners)[:4], 0, true},
		"no corners":  {append(group(corners)[:2:2], group(corners)[3:]...), 0, false},
		"no number":   {group(broken), 0, true},
		"one of two": {append([]c3dtest.Parameter{{Group: "FORCE_PLATFORM", Name: "USED", Value: int16(2)}},
			group(corners)[1:]...), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := gait()
			o.Add = c.add
			rec := whole(t, c3dtest.File(o))
			if len(rec.Plates) != c.plates || rec.Warnings.Has(quality.PlatesDisagree) != c.warned {
				t.Errorf("%d platforms, warnings %v", len(rec.Plates), rec.Warnings)
			}
		})
	}
}

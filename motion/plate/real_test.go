//go:build corpus_metrics

package plate_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/plate"
)

func TestPlatformsOfRealFilesMeasureWhatIsKnown(t *testing.T) {
	folder := corpus.Folder(t, "KINEBASE_TEST_METRICS")
	for _, want := range []struct {
		file       string
		plate      int
		sample     int
		force, cop [3]float64 // N, mm
	}{
		{"plate_type2.c3d", 0, 1644, [3]float64{85.0697, -9.5124, 397.8510}, [3]float64{319.7645, 243.5424, 0.6921}},
		{"plates_type4.c3d", 0, 1826, [3]float64{-23.0919, -52.5798, 520.6780}, [3]float64{328.6179, 357.9605, 0}},
		{"plates_type4.c3d", 1, 2226, [3]float64{-15.7957, 29.3320, 583.2359}, [3]float64{790.6392, 235.5952, 0}},
	} {
		course := read(t, filepath.Join(folder, want.file), want.plate)
		w := course.At(want.sample)
		for axis := range 3 {
			if math.Abs(w.Force[axis]-want.force[axis]) > 6e-5 || math.Abs(1000*w.COP[axis]-want.cop[axis]) > 6e-5 {
				t.Errorf("%s, platform %d, sample %d: force %v, centre of pressure %v; want %v and %v mm", want.file,
					want.plate, want.sample, w.Force, w.COP, want.force, want.cop)
				break
			}
		}
	}
}

func read(t *testing.T, path string, at int) *plate.Course {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rec := c3dtest.Read(t, file)
	p := rec.Plates[at]
	units, channels := c3dtest.Measured(rec, p)
	rate := rec.Analogs[p.Channels[len(p.Channels)-1]].Rate
	platform, err := plate.New(p, 0.001, rec.Up, units)
	if err != nil {
		t.Fatal(err)
	}
	course, err := platform.Course(plate.Lists(channels), rate)
	if err != nil {
		t.Fatal(err)
	}
	return course
}

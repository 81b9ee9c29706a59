package c3d_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
)

// A scale factor with the wrong sign calls integers floating point, or the other way round. The
// numbers are the same even so, with a warning, or the file is refused.
func TestAScaleWithTheWrongSignChangesNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int{1, 2000, 13_000, 20_000}).Draw(t, "samples")
		high := rapid.SampledFrom([]int{200, 900, 1400, 2100}).Draw(t, "height") // in tenths as integers
		word := rapid.SampledFrom([]int{0, 0x0300, 0x7f05}).Draw(t, "cameras and residual")
		o := c3dtest.Options{
			Word:      func(frame, point int) int { return word },
			Processor: rapid.SampledFrom([]c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS}).Draw(t, "processor"),
			Real:      rapid.Bool().Draw(t, "real"),
			Points:    []string{"LASI", "RASI", "SACR"}[:rapid.IntRange(1, 3).Draw(t, "points")],
			Analogs:   []string{"Fx", "Fy", "Fz", "EMG"}[:rapid.IntRange(0, 4).Draw(t, "channels")],
			PerFrame:  rapid.SampledFrom([]int{1, 2, 10}).Draw(t, "per frame"),
			Frames:    rapid.IntRange(1, 300).Draw(t, "frames"), Rate: 100, Unit: "mm", Scale: 0.1,
			Point: func(frame, point int) (x, y, z float32) {
				return float32(100*point + frame), float32(high - frame), 50.5
			},
			Analog: func(frame, sample, channel int) float32 { return float32(most + channel + 7*sample%5 + frame%11) },
		}
		if len(o.Analogs) > 0 {
			o.Add = []c3dtest.Parameter{analogRate(o)}
		}
		good := c3dtest.File(o)
		want, err := c3d.Read(bytes.NewReader(good), int64(len(good)))
		if err != nil {
			t.Fatal(err)
		}
		scale := float32(-0.1)
		if o.Real {
			scale = 0.1
		}
		o.Header = func(h *c3dtest.Header) { h.Scale = scale }
		o.Add = append(o.Add, c3dtest.Parameter{Group: "POINT", Name: "SCALE", Value: scale})
		bad := c3dtest.File(o)
		got, err := c3d.Read(bytes.NewReader(bad), int64(len(bad)))
		if err != nil {
			return
		}
		if !sameNumbers(got, want) || !got.Warnings.Has(quality.ScaleDisagrees) {
			t.Fatalf("%d frames with %v: %+v", got.Frames, got.Points[0].X, got.Warnings)
		}
	})
}

// The zeros that fill the last block are no frames where only the length of the file counts them.
func TestZerosBehindTheLastFrameAreNoFrames(t *testing.T) {
	for _, frames := range []int{65_536, 65_537, 65_540, 65_541, 65_544, 65_551} {
		o := c3dtest.Options{Points: []string{"LASI"}, Frames: frames, First: 1, Real: true, Unit: "mm", Scale: 0.1,
			Point:   func(frame, _ int) (x, y, z float32) { return float32(frame), 1, 2 },
			Header:  func(h *c3dtest.Header) { h.Last = 65_535 },
			Without: []string{"POINT:LONG_FRAMES", "TRIAL"}, Add: []c3dtest.Parameter{{Group: "POINT", Name: "FRAMES",
				Value: int16(-1)}}}
		file := c3dtest.File(o)
		rec, err := c3d.Read(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if rec.Frames != frames || rec.Points[0].X[frames-1] != float32(frames-1) {
			t.Errorf("%d frames and not %d: %v", rec.Frames, frames, rec.Warnings)
		}
	}
}

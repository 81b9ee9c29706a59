package c3d_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"pgregory.net/rapid"
)

// However a file is cut into stretches, it is told once what all of its samples have of numbers
// that were not measured.
func TestSamplesThatWereNotMeasuredAreTold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		channels := rapid.IntRange(1, 6).Draw(t, "channels")
		frames := rapid.IntRange(2, 40).Draw(t, "frames")
		channel := rapid.IntRange(0, channels-1).Draw(t, "channel")
		from := rapid.IntRange(0, frames-1).Draw(t, "from")
		sign := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), -9999, -99999, -999999, 9999,
			99999, 250}).Draw(t, "sign")
		reach := rapid.SampledFrom([]float32{1, 100, 4000}).Draw(t, "reach")
		o := c3dtest.Options{Real: true, Frames: frames, Analogs: c3dtest.Many("A", channels),
			Points: []string{"P"}, PerFrame: rapid.IntRange(1, 4).Draw(t, "per"),
			Analog: func(frame, sample, c int) float32 {
				if c == channel && frame >= from && sample == 0 {
					return float32(sign)
				}
				return reach * float32(math.Sin(float64(frame+sample+c)))
			}}
		file := c3dtest.File(o)
		f, err := c3d.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var doubts record.Doubts
		for at := 0; at < frames; {
			n := rapid.IntRange(1, frames-at).Draw(t, "stretch")
			rec, err := f.Stretch(at, n)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				got := float64(rec.Analogs[channel].Values[i*f.AnalogPerFrame])
				lost := at+i >= from && math.Abs(sign) > math.MaxFloat32 || at+i >= from && sign != sign
				if (got != got) != lost || !lost && at+i >= from && got != sign {
					t.Fatalf("sample of frame %d is %v", at+i, got)
				}
			}
			doubts.Add(rec.Doubts)
			at += n
		}
		var told quality.Warnings
		doubts.Tell(&told)
		gone := math.IsInf(sign, 0)
		doubtful := math.Abs(sign) > 1000 && !gone && sign == sign
		if told.Has(quality.ValuesNotNumbers) != gone || told.Has(quality.Placeholders) != doubtful ||
			gone && doubts.Infinite != frames-from {
			t.Fatalf("%v from frame %d of %d: %v", sign, from, frames, told)
		}
	})
}

// A channel whose other numbers are as large may have measured it.
func TestASampleAsFarAsOthersIsNoSign(t *testing.T) {
	rec := whole(t, c3dtest.File(c3dtest.Options{Real: true, Frames: 3, Analogs: []string{"A"},
		Analog: func(frame, _, _ int) float32 { return []float32{-9999, 8000, -9999}[frame] }}))
	if rec.Warnings.Has(quality.Placeholders) || rec.Analogs[0].Values[0] != -9999 {
		t.Fatalf("%v, warnings %v", rec.Analogs[0].Values, rec.Warnings)
	}
}

package c3d_test

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// TestContradictionsAboutAnalogSamplesNeverMoveAPoint puts wrong counts into the header, and a wrong
// number of channels or a useless rate into the parameters.
func TestContradictionsAboutAnalogSamplesNeverMoveAPoint(t *testing.T) {
	read_, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		o := c3dtest.Options{
			Real:     rapid.Bool().Draw(t, "real"),
			Points:   []string{"LASI", "RASI", "SACR"}[:rapid.IntRange(1, 3).Draw(t, "points")],
			Analogs:  []string{"Fx", "Fy", "Fz"}[:rapid.IntRange(2, 3).Draw(t, "channels")],
			PerFrame: rapid.SampledFrom([]int{2, 5, 10}).Draw(t, "per frame"),
			Frames:   rapid.IntRange(30, 60).Draw(t, "frames"), Rate: 100, Unit: "mm",
			Analog: func(frame, sample, channel int) float32 { return float32(1 + channel + 7*sample%5 + frame%11) },
		}
		o.Add = []c3dtest.Parameter{analogRate(o)}
		want, err := c3d.Read(bytes.NewReader(c3dtest.File(o)), int64(len(c3dtest.File(o))))
		if err != nil {
			t.Fatal(err)
		}
		channels := len(o.Analogs)
		samples := rapid.SampledFrom([]int{0, channels, channels*o.PerFrame + 1, channels*o.PerFrame - 1}).Draw(t,
			"samples")
		per := rapid.SampledFrom([]int{0, 7, o.PerFrame}).Draw(t, "samples of each")
		used, rate := channels, o.Rate*float32(o.PerFrame)
		switch rapid.IntRange(0, 2).Draw(t, "what else is wrong") {
		case 1:
			used = rapid.SampledFrom([]int{0, channels + 1}).Draw(t, "used")
			if per == 7 {
				per = 0 // or all of them fit one another
			}
		case 2:
			rate = 0
		}
		o.Header = func(h *c3dtest.Header) { h.Analog, h.PerFrame = uint16(samples), uint16(per) }
		o.Add = []c3dtest.Parameter{{Group: "ANALOG", Name: "RATE", Value: rate},
			{Group: "ANALOG", Name: "USED", Value: int16(used)}}
		file := c3dtest.File(o)
		rec, err := c3d.Read(bytes.NewReader(file), int64(len(file)))
		var unreadable *quality.Unreadable
		if errors.As(err, &unreadable) {
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		read_++
		for i, p := range want.Points {
			if q := rec.Points[i]; rec.Frames != want.Frames || !alike(p.X, q.X) || !alike(p.Y, q.Y) ||
				!alike(p.Z, q.Z) {
				t.Fatalf("%d frames, not %d, of %d samples, %d of each, USED %d, RATE %v; %s is at %v: %v", rec.Frames,
					want.Frames, samples, per, used, rate, p.Name, q.X[:3], rec.Warnings)
			}
		}
	})
	if t.Logf("%d read, %d refused", read_, refused); read_ == 0 {
		t.Error("nothing was read")
	}
}

func TestALastFrameOfZerosIsNoReasonToRefuseAFileThatAgreesWithItself(t *testing.T) {
	for _, rate := range []float64{0, 100} {
		rec := &record.Recording{Frames: 3, FirstFrame: 1, Rate: rate, Unit: "mm",
			Points: []record.Point{{Name: "A", X: []float32{1, 2, 0}, Y: []float32{1, 2, 0}, Z: []float32{1, 2, 0}}},
			Analogs: []record.Channel{{Name: "F", Unit: "N", PerFrame: 2, Rate: 2 * rate,
				Values: []float32{1, 2, 3, 4, 0, 0}}},
		}
		var file bytes.Buffer
		if err := c3d.Write(&file, rec); err != nil {
			t.Fatal(err)
		}
		if again := whole(t, file.Bytes()); again.Frames != 3 || len(again.Analogs) != 1 ||
			!alike(again.Analogs[0].Values, rec.Analogs[0].Values) {
			t.Errorf("%v Hz: %d frames, channels %+v", rate, again.Frames, again.Analogs)
		}
	}
}

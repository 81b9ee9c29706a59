package c3d_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// sameNumbers says whether two recordings of one file have the same channels and points.
func sameNumbers(a, b *record.Recording) bool {
	if a.Frames != b.Frames || len(a.Points) != len(b.Points) || len(a.Analogs) != len(b.Analogs) {
		return false
	}
	for i, p := range a.Points {
		q := b.Points[i]
		if p.Name != q.Name || !alike(p.X, q.X) || !alike(p.Y, q.Y) || !alike(p.Z, q.Z) {
			return false
		}
	}
	for i, c := range a.Analogs {
		d := b.Analogs[i]
		if c.Name != d.Name || c.PerFrame != d.PerFrame || math.Abs(c.Rate-d.Rate) > 1e-3 ||
			!alike(c.Values, d.Values) {
			return false
		}
	}
	return true
}

// analogRate is what a good file says beside its header.
func analogRate(o c3dtest.Options) c3dtest.Parameter {
	return c3dtest.Parameter{Group: "ANALOG", Name: "RATE", Value: o.Rate * float32(o.PerFrame)}
}

func TestAHeaderThatCountsAnalogSamplesWronglyChangesNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := c3dtest.Options{
			Processor: rapid.SampledFrom([]c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS}).Draw(t, "processor"),
			Real:      rapid.Bool().Draw(t, "real"),
			Points:    []string{"LASI", "RASI", "SACR"}[:rapid.IntRange(1, 3).Draw(t, "points")],
			Analogs:   []string{"Fx", "Fy", "Fz", "EMG", "Gate"}[:rapid.IntRange(1, 5).Draw(t, "channels")],
			PerFrame:  rapid.SampledFrom([]int{1, 2, 4, 10, 20}).Draw(t, "per frame"),
			Frames:    rapid.IntRange(1, 80).Draw(t, "frames"), Rate: 100, Unit: "mm",
			Analog: func(frame, sample, channel int) float32 { return float32(1 + channel + 7*sample%5 + frame%11) },
		}
		o.Add = []c3dtest.Parameter{analogRate(o)}
		want, err := c3d.Read(bytes.NewReader(c3dtest.File(o)), int64(len(c3dtest.File(o))))
		if err != nil {
			t.Fatal(err)
		}
		channels := len(o.Analogs)
		samples := rapid.SampledFrom([]int{0, channels, channels * o.PerFrame, 2 * channels * o.PerFrame,
			rapid.IntRange(0, 200).Draw(t, "any samples")}).Draw(t, "samples")
		per := rapid.SampledFrom([]int{0, 1, o.PerFrame, rapid.IntRange(0, 50).Draw(t, "any per frame")}).Draw(t,
			"samples of each")
		o.Header = func(h *c3dtest.Header) { h.Analog, h.PerFrame = uint16(samples), uint16(per) }
		file := c3dtest.File(o)
		rec, err := c3d.Read(bytes.NewReader(file), int64(len(file)))
		var unreadable *quality.Unreadable
		switch {
		case errors.As(err, &unreadable):
			if o.Frames*channels*o.PerFrame > 300 && samples < channels*o.PerFrame {
				t.Errorf("refused though the length of the file tells: %v", err)
			}
		case err != nil:
			t.Fatal(err)
		case !sameNumbers(rec, want):
			t.Errorf("%d frames, %d channels × %d; warnings %v", rec.Frames, len(rec.Analogs), rec.Analogs[0].PerFrame,
				rec.Warnings)
		case samples != channels*o.PerFrame && !rec.Warnings.Has(quality.AnalogDisagrees):
			t.Errorf("nothing is said of %d samples, %d of each: %v", samples, per, rec.Warnings)
		}
	})
}

func TestAFileThatWasCutIsNotReadByAHeaderThatItsParametersContradict(t *testing.T) {
	o := gait()
	o.Real, o.Add, o.DataBytes = true, []c3dtest.Parameter{analogRate(o)}, -3000
	o.Header = func(h *c3dtest.Header) { h.Analog, h.PerFrame = 0, 0 }
	if u := unreadable(t, c3dtest.File(o)); !bytes.Contains([]byte(u.Reason), []byte("analog samples")) {
		t.Errorf("the reason is %q", u.Reason)
	}
}

func TestAPointIsMissingHoweverItIsMarkedAsNotSeen(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		for _, word := range []int{-1, -32768, 32768, 40000, 65535} {
			o := c3dtest.Options{Processor: processor, Real: true, Points: []string{"A", "B"}, Frames: 4, Unit: "mm"}
			o.Word = func(frame, point int) int {
				if frame == 2 && point == 0 {
					return word
				}
				return 0
			}
			rec := whole(t, c3dtest.File(o))
			for f := range 4 {
				if rec.Points[0].Missing(f) != (f == 2) || rec.Points[1].Missing(f) {
					t.Errorf("%v, %d: frame %d is missing: %v", processor, word, f, rec.Points[0].Missing(f))
				}
			}
			if len(rec.Warnings) > 0 {
				t.Errorf("%v, %d: warnings %v", processor, word, rec.Warnings)
			}
		}
	}
}

func TestAMarkerIsMissingWhoseCoordinatesAreASignOfThat(t *testing.T) {
	for _, c := range []struct {
		place   [3]float32
		missing bool
	}{
		{[3]float32{9999999, 9999999, 9999999}, true}, {[3]float32{1, 9999999, 3}, true},
		{[3]float32{-9999, -9999, -9999}, true}, {[3]float32{9999, 9999, 9999}, false},
		{[3]float32{-99999, -99999, -99999}, true}, {[3]float32{-999999, -999999, -999999}, true},
		{[3]float32{-9999, -9999, 3}, false}, {[3]float32{-9998, -9998, -9998}, false}, {[3]float32{0, 0, 0}, false},
	} {
		for _, real := range []bool{true, false} {
			if !real && max(c.place[0], c.place[1], -c.place[0]) > 1<<15 {
				continue // no integer of 16 bits
			}
			o := c3dtest.Options{Real: real, Points: []string{"A", "B"}, Frames: 4, Unit: "mm", Scale: 1}
			o.Point = func(frame, point int) (x, y, z float32) {
				if frame == 1 && point == 1 {
					return c.place[0], c.place[1], c.place[2]
				}
				return 1, 2, 3
			}
			rec := whole(t, c3dtest.File(o))
			if got := []bool{rec.Points[1].Missing(0), rec.Points[1].Missing(1), rec.Points[1].Missing(2),
				rec.Points[0].Missing(1)}; !slices.Equal(got, []bool{false, c.missing, false, false}) {
				t.Errorf("%v, as floating point %v: missing are %v", c.place, real, got)
			}
		}
	}
}

func TestSamplesBeyondTheirFormatAreKeptAndTold(t *testing.T) {
	for _, c := range []struct {
		format string
		sample float32
		told   bool
	}{{"SIGNED", 32767, false}, {"SIGNED", 40000, true}, {"SIGNED", -32769, true}, {"UNSIGNED", 40000, false},
		{"UNSIGNED", -1, true}, {"UNSIGNED", 65536, true}} {
		for _, channels := range []int{1, 6} {
			o := c3dtest.Options{Real: true, Points: []string{"A"}, Analogs: c3dtest.Many("F", channels), Frames: 3}
			scales := make([]float32, channels)
			for i := range scales {
				scales[i] = 0.5
			}
			o.Analog = func(frame, _, _ int) float32 { return float32(frame) * c.sample / 2 }
			o.Add = []c3dtest.Parameter{
				{Group: "ANALOG", Name: "FORMAT", Value: c.format}, {Group: "ANALOG", Name: "SCALE", Value: scales},
				{Group: "ANALOG", Name: "OFFSET", Value: make([]int16, channels)},
			}
			rec := whole(t, c3dtest.File(o))
			if got := rec.Analogs[channels-1].Values[2]; got != c.sample/2 ||
				rec.Warnings.Has(quality.AnalogRange) != c.told {
				t.Errorf("%s %v: %v, warnings %v", c.format, c.sample, got, rec.Warnings)
			}
		}
	}
}

// The word is one of 16 bits in a file of integers, where its sign is its own.
func TestAWordOfIntegersIsNegativeBySixteenBits(t *testing.T) {
	o := c3dtest.Options{Points: []string{"A"}, Frames: 2, Word: func(frame, _ int) int { return -frame }}
	file := c3dtest.File(o)
	if rec := whole(t, file); rec.Points[0].Missing(0) || !rec.Points[0].Missing(1) ||
		binary.LittleEndian.Uint16(file[2:]) != 1 {
		t.Errorf("missing are %v, %v", rec.Points[0].Missing(0), rec.Points[0].Missing(1))
	}
}

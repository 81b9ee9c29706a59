package c3d_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func whole(t *testing.T, file []byte) *record.Recording {
	t.Helper()
	rec, err := c3d.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// marked is gait with points that are not seen in some frames, and residuals and
// cameras in the others.
func marked() c3dtest.Options {
	o := gait()
	o.Word = func(frame, point int) int {
		if (frame+point)%5 == 0 {
			return -1
		}
		return (frame%128)<<8 | point + 1
	}
	return o
}

func TestAllSixCodingsOfATrialHaveTheSameNumbers(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		for _, real := range []bool{false, true} {
			t.Run(fmt.Sprint(processor, " real ", real), func(t *testing.T) {
				o := marked()
				o.Processor, o.Real = processor, real
				rec := whole(t, c3dtest.File(o))
				for i, p := range rec.Points {
					for f := range rec.Frames {
						if missing := (f+i)%5 == 0; missing != p.Missing(f) {
							t.Fatalf("point %d in frame %d: missing %v, want %v", i, f, p.Missing(f), missing)
						}
						if p.Missing(f) {
							if p.Y[f] == p.Y[f] || p.Z[f] == p.Z[f] || p.Residual[f] == p.Residual[f] ||
								p.Cameras[f] != 0 {
								t.Fatalf("a missing point has the numbers %v, %v, %v, %v", p.Y[f], p.Z[f],
									p.Residual[f], p.Cameras[f])
							}
							continue
						}
						angle := float64(f)/50 + float64(i)
						within := 0.051 // half of what integers are counted in
						if math.Abs(float64(p.X[f])-500*math.Cos(angle)) > within ||
							math.Abs(float64(p.Y[f])-500*math.Sin(angle)) > within || p.Z[f] != float32(100*i) {
							t.Fatalf("point %d in frame %d is at %v, %v, %v", i, f, p.X[f], p.Y[f], p.Z[f])
						}
						if want := 0.1 * float32(i+1); p.Residual[f] != want || p.Cameras[f] != uint8(f) {
							t.Fatalf("residual %v and cameras %v, want %v and %v", p.Residual[f], p.Cameras[f], want, f)
						}
					}
				}
				for c, channel := range rec.Analogs {
					for n, v := range channel.Values {
						if want := float32((n/10 + n%10 + c) % 100); v != want {
							t.Fatalf("sample %d of channel %d is %v, want %v", n, c, v, want)
						}
					}
				}
				if len(rec.Points) != 3 || len(rec.Analogs) != 3 || len(rec.Analogs[0].Values) != 730 ||
					rec.Rate != 65.0533 || rec.Unit != "mm" || rec.FirstFrame != 185 {
					t.Errorf("%d points, %d channels, %v Hz, %q, from %d", len(rec.Points), len(rec.Analogs), rec.Rate,
						rec.Unit, rec.FirstFrame)
				}
				if p := rec.Points[0]; p.Subject != "Ann" || p.Name != "LASI" || p.Label() != "Ann:LASI" ||
					!slices.Equal(rec.Subjects, []string{"Ann"}) {
					t.Errorf("%q of %q, subjects %q", p.Name, p.Subject, rec.Subjects)
				}
				if math.Abs(rec.Start-184/65.0533) > 1e-12 || math.Abs(rec.Time(1)-185/65.0533) > 1e-12 {
					t.Errorf("begins at %v s", rec.Start)
				}
			})
		}
	}
}

func TestEveryVAXNumberIsDecodedAlikeInHeaderAndFrames(t *testing.T) {
	o := c3dtest.Options{Processor: c3d.DEC, Real: true, Points: []string{"A"}, Frames: 4000, Unit: "mm"}
	at := func(frame int) float32 {
		v := math.Float32frombits(uint32(frame) * 1_073_741 & 0x7fffffff) // over all exponents
		if !(v < 4e37 && v > 1e-38) {
			return 0
		}
		return v
	}
	o.Point = func(frame, _ int) (x, y, z float32) { return at(frame), -at(frame), 1 }
	p := whole(t, c3dtest.File(o)).Points[0]
	for f := range p.X {
		if p.X[f] != at(f) || p.Y[f] != -at(f) {
			t.Fatalf("frame %d is %v, %v, want ± %v", f, p.X[f], p.Y[f], at(f))
		}
	}
}

func TestAPointThatIsNotANumberIsMissing(t *testing.T) {
	for _, none := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		o := gait()
		o.Real = true
		o.Point = func(frame, point int) (x, y, z float32) {
			if frame == 1 {
				return 1, 2, float32(none)
			}
			return 1, 2, 3
		}
		rec := whole(t, c3dtest.File(o))
		p := rec.Points[0]
		if !rec.Warnings.Has(quality.ValuesNotNumbers) {
			t.Errorf("%v: warnings %v", none, rec.Warnings)
		}
		if p.Missing(0) || !p.Missing(1) || p.X[1] == p.X[1] || p.Missing(2) {
			t.Errorf("%v: %v", none, p.X[:3])
		}
	}
}

func TestAnalogSamplesAreCalibrated(t *testing.T) {
	param := func(name string, v any) c3dtest.Parameter {
		return c3dtest.Parameter{Group: "ANALOG", Name: name, Value: v}
	}
	for name, c := range map[string]struct {
		params []c3dtest.Parameter
		raw    float32
		want   []float32
		codes  []quality.Code
	}{
		"nothing said": {nil, 100, []float32{100, 100, 100}, []quality.Code{quality.AnalogScale}},
		"scale and offset": {[]c3dtest.Parameter{param("GEN_SCALE", float32(0.5)),
			param("SCALE", []float32{1, 2, -4}), param("OFFSET", []int16{0, 10, -10})}, 100, []float32{50, 90, -220},
			nil},
		"one scale too few": {[]c3dtest.Parameter{param("SCALE", []float32{1, 2})}, 100, []float32{100, 200, 100},
			[]quality.Code{quality.AnalogScale}},
		"a general scale 0": {[]c3dtest.Parameter{param("GEN_SCALE", float32(0)), param("SCALE", []float32{1, 1, 1})},
			100, []float32{100, 100, 100}, []quality.Code{quality.AnalogScale}},
		"no general scale": {[]c3dtest.Parameter{param("GEN_SCALE", float32(math.NaN())),
			param("SCALE", []float32{1, 2, 3})}, 100, []float32{100, 200, 300}, []quality.Code{quality.AnalogScale}},
		"a scale 0": {[]c3dtest.Parameter{param("SCALE", []float32{1, 0, 1})}, 100, []float32{100, 0, 100},
			[]quality.Code{quality.AnalogScale}},
		"signed": {[]c3dtest.Parameter{param("FORMAT", "SIGNED"), param("SCALE", []float32{1, 1, 1})},
			-20000, []float32{-20000, -20000, -20000}, nil},
		"unsigned": {[]c3dtest.Parameter{param("FORMAT", "UNSIGNED"), param("SCALE", []float32{1, 1, 1}),
			param("OFFSET", []int16{0, 1, -32768})}, -20000, []float32{45536, 45535, 12768}, nil},
		"an offset in reals": {[]c3dtest.Parameter{param("SCALE", []float32{1, 1, 1}),
			param("OFFSET", []float32{0.5, 0, 0})}, 100, []float32{99.5, 100, 100}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, processor := range []c3d.Processor{c3d.Intel, c3d.MIPS} {
				o := gait()
				o.Processor, o.Add = processor, append([]c3dtest.Parameter{param("UNITS", []string{"N", "V", "Nmm"})},
					c.params...)
				o.Analog = func(int, int, int) float32 { return c.raw }
				rec := whole(t, c3dtest.File(o))
				for i, want := range c.want {
					if got := rec.Analogs[i].Values[7]; got != want {
						t.Errorf("%v: channel %d is %v, want %v", processor, i, got, want)
					}
				}
				if rec.Analogs[2].Unit != "Nmm" || rec.Analogs[0].PerFrame != 10 {
					t.Errorf("unit %q, %d a frame", rec.Analogs[2].Unit, rec.Analogs[0].PerFrame)
				}
				if len(rec.Warnings) != len(c.codes) || len(c.codes) == 1 && !rec.Warnings.Has(c.codes[0]) {
					t.Errorf("warnings %v", rec.Warnings)
				}
			}
		})
	}
}

func TestHoweverManyChannelsThereAreEachIsCalibratedByItself(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for _, format := range []string{"SIGNED", "UNSIGNED", "real"} {
			o := gait()
			o.Analogs, o.PerFrame, o.Real = c3dtest.Many("A", n), 3, format == "real"
			scales, offsets := make([]float32, n), make([]int16, n)
			for i := range n {
				scales[i], offsets[i] = float32(i)+0.5, int16(10*i)
			}
			o.Add = []c3dtest.Parameter{{Group: "ANALOG", Name: "SCALE", Value: scales},
				{Group: "ANALOG", Name: "OFFSET", Value: offsets}, {Group: "ANALOG", Name: "FORMAT", Value: format}}
			raw := func(frame, sample, channel int) float32 {
				switch v := float32(100*frame + 10*sample + channel); {
				case o.Real && frame == 2 && channel == n-1:
					return float32(math.Inf(1 - 2*(sample%2)))
				case format == "SIGNED" && sample == 1:
					return -v
				case format == "UNSIGNED" && sample == 1:
					return v - 30000 // the 16 bits of 35,536 and more
				default:
					return v
				}
			}
			o.Analog = raw
			rec := whole(t, c3dtest.File(o))
			for c, a := range rec.Analogs {
				for i, got := range a.Values {
					stored := float64(raw(i/3, i%3, c))
					if format == "UNSIGNED" && stored < 0 {
						stored += 1 << 16
					}
					want := float32((stored - float64(offsets[c])) * float64(scales[c]))
					if math.IsInf(stored, 0) {
						want = record.NaN32
					}
					if got != want && !(got != got && want != want) {
						t.Fatalf("%s, sample %d of channel %d of %d is %v, want %v", format, i, c+1, n, got, want)
					}
				}
			}
		}
	}
}

func TestCalibrationsOfMoreThan255ChannelsGoOn(t *testing.T) {
	o := gait()
	o.Analogs, o.Frames = c3dtest.Many("CH", 300), 2
	ones, twos := make([]float32, 255), make([]float32, 45)
	for i := range ones {
		ones[i] = 1
	}
	for i := range twos {
		twos[i] = 2
	}
	o.Analog = func(int, int, int) float32 { return 50 }
	o.Add = []c3dtest.Parameter{{Group: "ANALOG", Name: "SCALE", Value: ones},
		{Group: "ANALOG", Name: "SCALE2", Value: twos}}
	rec := whole(t, c3dtest.File(o))
	if len(rec.Warnings) != 0 || rec.Analogs[254].Values[0] != 50 || rec.Analogs[255].Values[0] != 100 {
		t.Errorf("%v and %v, warnings %v", rec.Analogs[254].Values[0], rec.Analogs[255].Values[0], rec.Warnings)
	}
}

func TestAFileWithoutParametersIsReadByItsHeader(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := marked()
		o.Processor, o.Header = processor, func(h *c3dtest.Header) { h.Parameters = 0 }
		rec := whole(t, c3dtest.File(o))
		if !rec.Warnings.Has(quality.ParametersMissing) || rec.Frames != 73 || rec.Rate != 65.0533 ||
			len(rec.Points) != 3 || rec.Points[1].Z[1] != 100 {
			t.Errorf("%v: %d frames of %d points at %v Hz, warnings %v", processor, rec.Frames, len(rec.Points),
				rec.Rate, rec.Warnings)
		}
	}
}

func TestAStretchIsThatPartOfTheWhole(t *testing.T) {
	o := marked()
	o.Frames = 3000
	file := c3dtest.File(o)
	all := whole(t, file)
	f, err := c3d.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, n int }{{0, 3000}, {0, 1}, {2999, 1}, {700, 1500}, {5, 0}} {
		part, err := f.Stretch(c.from, c.n)
		if err != nil {
			t.Fatal(err)
		}
		if part.Frames != c.n || part.FirstFrame != 185+c.from || math.Abs(part.Start-all.Time(c.from)) > 1e-9 {
			t.Errorf("%d frames from %d at %v s", part.Frames, part.FirstFrame, part.Start)
		}
		for i, p := range part.Points {
			if w := all.Points[i]; !alike(p.X, w.X[c.from:c.from+c.n]) ||
				!alike(p.Residual, w.Residual[c.from:c.from+c.n]) {
				t.Errorf("point %d from %d on is another", i, c.from)
			}
		}
		for i, a := range part.Analogs {
			if !alike(a.Values, all.Analogs[i].Values[10*c.from:10*(c.from+c.n)]) {
				t.Errorf("channel %d from %d on is another", i, c.from)
			}
		}
	}
	for _, c := range []struct{ from, n int }{{-1, 2}, {0, 3001}, {3000, 1}, {0, -1}, {math.MaxInt, math.MaxInt}} {
		if _, err := f.Stretch(c.from, c.n); err == nil {
			t.Errorf("%d frames from %d on were given", c.n, c.from)
		}
	}
}

func alike(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return a == b || a != a && b != b })
}

func TestModelOutputsAreToldFromPositions(t *testing.T) {
	o := gait()
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "ANGLES", Value: []string{"Ann:RASI", ""}},
		{Group: "POINT", Name: "ANGLE_UNITS", Value: "deg"}}
	rec := whole(t, c3dtest.File(o))
	if p := rec.Points[1]; p.Quantity != record.Angle || p.Unit != "deg" {
		t.Errorf("%+v", p)
	}
	if p := rec.Points[0]; p.Quantity != record.Position || p.Unit != "" {
		t.Errorf("%+v", p)
	}
}

func TestPointsOfOneLabelAreAllOfItsKind(t *testing.T) {
	o := c3dtest.Options{Points: []string{"A", "LKnee", "LKnee", "", "A_2", "A"}, Frames: 2, Unit: "mm"}
	for _, list := range []struct {
		name, units string
		kind        record.Quantity
	}{
		{"ANGLES", "ANGLE_UNITS", record.Angle}, {"FORCES", "FORCE_UNITS", record.Force},
		{"MOMENTS", "MOMENT_UNITS", record.Moment},
		{"POWERS", "POWER_UNITS", record.Power}, {"SCALARS", "SCALAR_UNITS", record.Scalar},
	} {
		for _, labels := range [][]string{{"LKnee", "A_2", ""}, {"LKnee", "LKnee", "A_2"}} {
			o.Add = []c3dtest.Parameter{{Group: "POINT", Name: list.name, Value: labels},
				{Group: "POINT", Name: list.units, Value: "u"}}
			rec := whole(t, c3dtest.File(o))
			for i, listed := range []bool{false, true, true, false, true, false} {
				want, unit := record.Position, ""
				if listed {
					want, unit = list.kind, "u"
				}
				if p := rec.Points[i]; p.Quantity != want || p.Unit != unit {
					t.Errorf("%s of %q: point %d, %q, is a %s in %q", list.name, labels, i, p.Name, p.Quantity, p.Unit)
				}
			}
		}
	}
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "SCALARS", Value: []string{"LKnee", "A_2"}},
		{Group: "POINT", Name: "SCALAR_UNITS", Value: []string{"deg/s", "N"}}}
	rec := whole(t, c3dtest.File(o))
	if rec.Points[1].Unit != "deg/s" || rec.Points[2].Unit != "deg/s" || rec.Points[4].Unit != "N" {
		t.Errorf("units %q, %q, %q", rec.Points[1].Unit, rec.Points[2].Unit, rec.Points[4].Unit)
	}
}

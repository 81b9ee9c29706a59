package c3d_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strconv"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"pgregory.net/rapid"
)

func rewrite(t interface {
	Helper()
	Fatal(...any)
}, rec *record.Recording) *record.Recording {
	t.Helper()
	var b bytes.Buffer
	if err := c3d.Write(&b, rec); err != nil {
		t.Fatal(err)
	}
	got, err := c3d.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// number is any finite number, or none.
func number() *rapid.Generator[float32] {
	return rapid.Custom(func(t *rapid.T) float32 {
		if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
			return record.NaN32
		}
		return rapid.Float32().Draw(t, "value")
	})
}

// recording draws one that a C3D file can hold.
func recording(t *rapid.T) *record.Recording {
	rec := &record.Recording{
		Frames: rapid.IntRange(1, 40).Draw(t, "frames"), FirstFrame: rapid.IntRange(0, 200_000).Draw(t, "first"),
		Rate: rapid.SampledFrom([]float64{50, 119.88012, 65.0533, 1000}).Draw(t, "rate"), Unit: "mm", ResidualStep: 0.1,
		Up: rapid.SampledFrom([]string{"", "+z", "-y"}).Draw(t, "up"),
	}
	rec.Start = float64(max(0, rec.FirstFrame-1)) / rec.Rate
	values := func(n int) []float32 { return rapid.SliceOfN(number(), n, n).Draw(t, "values") }
	cameras := rapid.Bool().Draw(t, "cameras")
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`([a-zäß]{1,3}:)?[A-Za-zé .|/*'"-]{0,60}[A-Z]`), 1, 6,
		func(s string) string { return label.Clean([]byte(s)) }).Draw(t, "names")
	for _, name := range names {
		p := record.Point{X: values(rec.Frames), Y: values(rec.Frames), Z: values(rec.Frames),
			Residual: make([]float32, rec.Frames)}
		p.Subject, p.Name = label.Split(label.Clean([]byte(name)))
		p.Quantity = rapid.SampledFrom([]record.Quantity{record.Position, record.Position, record.Angle, record.Force,
			record.Moment, record.Power, record.Scalar, record.Vector}).Draw(t, "quantity")
		if p.Quantity != record.Position {
			p.Unit = rapid.SampledFrom([]string{"deg", "deg", "N", "m/s²", ""}).Draw(t, "unit of the point")
		}
		if cameras {
			p.Cameras = make([]uint8, rec.Frames)
		}
		for f := range rec.Frames {
			if sum := p.X[f] + p.Y[f] + p.Z[f]; sum != sum || math.IsInf(float64(sum), 0) {
				p.X[f], p.Y[f], p.Z[f], p.Residual[f] = record.NaN32, record.NaN32, record.NaN32, record.NaN32
				continue
			}
			p.Residual[f] = float32(f%256) * 0.1
			if cameras {
				p.Cameras[f] = uint8(1 + f%127)
			}
		}
		rec.Points = append(rec.Points, p)
	}
	per := rapid.IntRange(1, 5).Draw(t, "per frame")
	for i := range rapid.IntRange(0, 3).Draw(t, "analogs") {
		rec.Analogs = append(rec.Analogs, record.Channel{Name: c3dtest.Many("F", 3)[i], Unit: "N", PerFrame: per,
			Rate: rec.Rate * float64(per), Values: values(per * rec.Frames)})
	}
	if len(rec.Analogs) > 0 {
		rec.Plates = plates(t, len(rec.Analogs))
	}
	if len(rec.Plates) > 0 && rapid.Bool().Draw(t, "zero") {
		rec.PlateZero = [2]int{1, 10}
	}
	for range rapid.IntRange(0, 3).Draw(t, "events") {
		rec.Events = append(rec.Events, record.Event{
			Label: "Foot Strike", Context: rapid.SampledFrom([]record.Context{record.Left, record.General, "Other",
				""}).Draw(t, "context"),
			Time: float64(rapid.IntRange(0, 20_000).Draw(t, "time")) / 100,
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "metrics") {
		rec.Metrics = append(rec.Metrics, record.Metric{
			Name:        rapid.SampledFrom([]string{"Cadence", "Step Length"}).Draw(t, "metric"),
			Context:     rapid.SampledFrom([]record.Context{record.Left, record.General, "Other", ""}).Draw(t, "side"),
			Subject:     rapid.SampledFrom([]string{"", "Ann"}).Draw(t, "subject"),
			Unit:        rapid.SampledFrom([]string{"", "m/s"}).Draw(t, "unit"),
			Description: rapid.SampledFrom([]string{"", "mean of both"}).Draw(t, "description"),
			Value:       decimal(rapid.Float32().Draw(t, "value")),
		})
	}
	return rec
}

// plates draws force platforms whose channels are among so many.
func plates(t *rapid.T, channels int) (all []record.Plate) {
	real := func() float64 { return float64(rapid.Float32Range(-1e4, 1e4).Draw(t, "real")) }
	for range rapid.IntRange(0, 3).Draw(t, "plates") {
		p := record.Plate{Type: rapid.IntRange(1, 4).Draw(t, "type"), Origin: [3]float64{real(), real(), real()}}
		for c := range p.Corners {
			p.Corners[c] = [3]float64{real(), real(), real()}
		}
		width := 6
		if p.Type == 3 {
			width = 8
		}
		for range width {
			p.Channels = append(p.Channels, rapid.IntRange(0, channels-1).Draw(t, "channel"))
		}
		for p.Type == 4 && len(p.Matrix) < 36 {
			p.Matrix = append(p.Matrix, real())
		}
		all = append(all, p)
	}
	return all
}

// decimal is a number as files of 32 bits say it.
func decimal(v float32) float64 {
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		panic(err)
	}
	return f
}

// plainly is a recording that can be compared: numbers as their bits, and nothing
// that stands for nothing.
func plainly(rec *record.Recording) *record.Recording {
	same := *rec
	same.Warnings = nil
	same.Subjects = nil
	if len(same.Analogs) == 0 {
		same.Analogs = nil
	}
	return &same
}

func TestWhatIsWrittenReadsBackTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := recording(t)
		got := rewrite(t, want)
		if len(got.Warnings) > 0 {
			t.Fatalf("warned about what was just written: %v", got.Warnings)
		}
		seen := false
		for _, p := range want.Points {
			for _, c := range p.Cameras {
				seen = seen || c != 0
			}
		}
		for i := range want.Points {
			if !seen { // cameras that never saw anything are no cameras
				want.Points[i].Cameras = nil
			}
			g, w := got.Points[i], want.Points[i]
			if w.Quantity == record.Vector { // of which the format knows nothing
				w.Quantity = record.Scalar
			}
			if !alike(g.X, w.X) || !alike(g.Y, w.Y) || !alike(g.Z, w.Z) || !alike(g.Residual, w.Residual) ||
				!bytes.Equal(g.Cameras, w.Cameras) ||
				g.Label() != w.Label() || g.Quantity != w.Quantity || g.Unit != w.Unit {
				t.Fatalf("point %d is %+v, want %+v", i, g, w)
			}
		}
		for i := range want.Analogs {
			g, w := got.Analogs[i], want.Analogs[i]
			if !alike(g.Values, w.Values) || g.Name != w.Name || g.Unit != w.Unit || g.PerFrame != w.PerFrame ||
				g.Rate != w.Rate {
				t.Fatalf("channel %d is %+v, want %+v", i, g, w)
			}
		}
		g, w := plainly(got), plainly(want)
		g.Points, w.Points, g.Analogs, w.Analogs = nil, nil, nil, nil
		g.Doubts = record.Doubts{} // which Warnings tells
		if !reflect.DeepEqual(g, w) {
			t.Fatalf("got %+v\nwant %+v", g, w)
		}
	})
}

func TestAListOfScalarsHasTheUnitOfEachBeyond255(t *testing.T) {
	want := &record.Recording{Frames: 1, FirstFrame: 1, Rate: 100, Unit: "mm",
		Points: []record.Point{{Name: "LASI", Quantity: record.Position, X: []float32{900}, Y: []float32{1},
			Z: []float32{2}}}}
	for i, name := range c3dtest.Many("gyro", 300) {
		want.Points = append(want.Points,
			record.Point{Name: name, Quantity: record.Vector, Unit: []string{"deg/s", "m/s²", ""}[i%3], X: []float32{5},
				Y: []float32{6}, Z: []float32{7}})
	}
	for i, p := range rewrite(t, want).Points {
		if w := want.Points[i]; (i == 0) != (p.Quantity == record.Position) || p.Name != w.Name || p.Unit != w.Unit ||
			p.X[0] != w.X[0] {
			t.Errorf("%s is a %s of %v %q, want %v %q", w.Name, p.Quantity, p.X, p.Unit, w.X, w.Unit)
		}
	}
}

// turning is a recording of two bodies with three rotations a frame.
func turning() *record.Recording {
	rec := &record.Recording{Frames: 50, FirstFrame: 1, Rate: 100, Unit: "m"}
	for _, name := range []string{"pelvis", "thigh"} {
		r := record.Rotation{Subject: "Ann", Name: name, PerFrame: 3, Rate: 300, Reliability: make([]float32, 150)}
		for i := range r.Matrix {
			r.Matrix[i] = make([]float32, 150)
			for f := range 150 {
				r.Matrix[i][f] = float32(i) + float32(f)/1000
			}
		}
		for f := range 150 {
			r.Reliability[f] = float32(f) / 150
			if f%7 == 0 {
				for i := range r.Matrix {
					r.Matrix[i][f] = record.NaN32
				}
				r.Reliability[f] = record.NaN32
			}
		}
		rec.Rotations = append(rec.Rotations, r)
	}
	return rec
}

func TestRotationsReadBackTheSame(t *testing.T) {
	for _, points := range []int{0, 3} {
		want := turning()
		for _, name := range c3dtest.Many("P", points) {
			want.Points = append(want.Points,
				record.Point{Name: name, Quantity: record.Position, X: make([]float32, 50), Y: make([]float32, 50),
					Z: make([]float32, 50)})
		}
		got := rewrite(t, want)
		if len(got.Warnings) > 0 || len(got.Rotations) != 2 || len(got.Points) != points || got.Frames != 50 {
			t.Fatalf("%d frames of %d points and %d rotations, warnings %v", got.Frames, len(got.Points),
				len(got.Rotations), got.Warnings)
		}
		for i, g := range got.Rotations {
			w := want.Rotations[i]
			if g.Name != w.Name || g.Subject != w.Subject || g.PerFrame != 3 || g.Rate != 300 ||
				!alike(g.Reliability, w.Reliability) {
				t.Errorf("rotation %d: %+v", i, g)
			}
			for e := range g.Matrix {
				if !alike(g.Matrix[e], w.Matrix[e]) {
					t.Errorf("element %d of rotation %d is another", e, i)
				}
			}
		}
	}
}

func TestRotationsThatAreNotThereAreWarnedAbout(t *testing.T) {
	o := gait()
	for name, add := range map[string][]c3dtest.Parameter{
		"no place": {{Group: "ROTATION", Name: "USED", Value: int16(5)}},
		"beyond the file": {{Group: "ROTATION", Name: "USED", Value: int16(5)},
			{Group: "ROTATION", Name: "DATA_START", Value: int16(30000)}},
		"too few": {{Group: "ROTATION", Name: "USED", Value: int16(5)},
			{Group: "ROTATION", Name: "DATA_START", Value: int16(20)}},
	} {
		t.Run(name, func(t *testing.T) {
			o.Add, o.DataBytes = add, 3000
			if rec := whole(t, c3dtest.File(o)); len(rec.Rotations) != 0 ||
				!rec.Warnings.Has(quality.RotationsDamaged) {
				t.Errorf("%d rotations, warnings %v", len(rec.Rotations), rec.Warnings)
			}
		})
	}
}

func TestEventsStayAtTheirFramesWhereverTheRecordingBegins(t *testing.T) {
	point := record.Point{Name: "A", X: make([]float32, 50), Y: make([]float32, 50), Z: make([]float32, 50)}
	uneven := make([]float64, 50)
	for i := range uneven {
		uneven[i] = 3 + float64(i*i)/1000
	}
	for name, rec := range map[string]*record.Recording{
		"at the time of its first frame": {FirstFrame: 201, Rate: 100, Start: 2},
		"later than its frames say":      {FirstFrame: 1, Rate: 100, Start: 3.25},
		"before 0":                       {FirstFrame: 40, Rate: 100, Start: -7},
		"from frame 0":                   {FirstFrame: 0, Rate: 100, Start: 1},
		"uneven":                         {FirstFrame: 1, Rate: 100, Start: 3, Times: uneven},
	} {
		rec.Frames, rec.Points = 50, []record.Point{point}
		at := rec.Time(30)
		rec.Events = []record.Event{{Label: "E", Time: at}, {Label: "Before", Time: rec.Start - 0.5}}
		got := rewrite(t, rec)
		if want := got.Start + 0.3; math.Abs(got.Events[0].Time-want) > 1e-6 || got.FirstFrame != rec.FirstFrame {
			t.Errorf("%s: the event of frame 30 is at %v s, want %v; the first frame is %d", name, got.Events[0].Time,
				want, got.FirstFrame)
		}
		if want := got.Start - 0.5; rec.Times == nil && math.Abs(got.Events[1].Time-want) > 1e-6 {
			t.Errorf("%s: what happened before is at %v s, want %v", name, got.Events[1].Time, want)
		}
		if rec.Events[0].Time != at {
			t.Errorf("%s: the recording itself was changed", name)
		}
	}
}

func TestMoreOfEverythingThanOneParameterHoldsIsWritten(t *testing.T) {
	want := &record.Recording{Frames: 2, FirstFrame: 70_000, Rate: 100, Start: 699.99, Unit: "mm"}
	for _, name := range c3dtest.Many("a long name of a point that somebody likes: ", 700) {
		want.Points = append(want.Points, record.Point{Name: name, X: []float32{1, 2}, Y: []float32{1, 2},
			Z: []float32{1, 2}})
	}
	for _, name := range c3dtest.Many("C", 300) {
		want.Analogs = append(want.Analogs, record.Channel{Name: name, Unit: "V", PerFrame: 1, Values: []float32{1, 2}})
	}
	for i := range 600 {
		want.Events = append(want.Events, record.Event{Label: "E", Time: float64(i)})
	}
	got := rewrite(t, want)
	if len(got.Warnings) > 0 || len(got.Points) != 700 || got.Points[699].Label() != want.Points[699].Name ||
		got.Analogs[299].Name != want.Analogs[299].Name ||
		got.Analogs[299].Unit != "V" || len(got.Events) != 600 || got.Events[599].Time != 599 ||
		got.FirstFrame != 70_000 {
		t.Errorf("%d points, %d channels, %d events, from %d, warnings %v", len(got.Points), len(got.Analogs),
			len(got.Events), got.FirstFrame, got.Warnings)
	}
}

func TestMoreThan16BitsOfFramesAreWritten(t *testing.T) {
	n := 70_000
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	got := rewrite(t, &record.Recording{Frames: n, FirstFrame: 1, Rate: 1000, Unit: "mm",
		Points: []record.Point{{Name: "A", X: x, Y: x, Z: x}}})
	if len(got.Warnings) > 0 || got.Frames != n || !alike(got.Points[0].X, x) {
		t.Errorf("%d frames, warnings %v", got.Frames, got.Warnings)
	}
}

func TestNumbersWhoseSumIsBeyondAllBoundsAreStillThere(t *testing.T) {
	huge := []float32{-3e38}
	got := rewrite(t, &record.Recording{Frames: 1, FirstFrame: 1, Rate: 100,
		Points: []record.Point{{Name: "A", X: huge, Y: []float32{1}, Z: huge}}})
	if p := got.Points[0]; !alike(p.X, huge) || !alike(p.Y, []float32{1}) || !alike(p.Z, huge) {
		t.Errorf("%+v", p)
	}
}

func TestAScaleThatWouldMakeNumbersInfiniteIsNotUsed(t *testing.T) {
	o := gait()
	o.Scale = 3e38
	rec := whole(t, c3dtest.File(o))
	if !rec.Warnings.Has(quality.ScaleMissing) || rec.ResidualStep != 1 {
		t.Errorf("residuals of %v, warnings %v", rec.ResidualStep, rec.Warnings)
	}
	o = gait()
	o.Add = []c3dtest.Parameter{{Group: "ANALOG", Name: "SCALE", Value: []float32{3e38, 1}}}
	if rec = whole(t, c3dtest.File(o)); !rec.Warnings.Has(quality.AnalogScale) ||
		rec.Analogs[0].Values[0]-rec.Analogs[0].Values[0] != 0 {
		t.Errorf("samples %v, warnings %v", rec.Analogs[0].Values[:3], rec.Warnings)
	}
}

func TestJointAnglesAreHeldBetweenFrames(t *testing.T) {
	got := rewrite(t, &record.Recording{
		Frames: 2, FirstFrame: 1, Rate: 100,
		Angles:  []record.Channel{{Name: "knee", PerFrame: 1, Values: []float32{30, 40}}},
		Analogs: []record.Channel{{Name: "Fz", Unit: "N", PerFrame: 2, Values: []float32{1, 2, 3, 4}}},
	})
	if a := got.Analogs[1]; a.Name != "knee" || a.Unit != "deg" || !alike(a.Values, []float32{30, 30, 40, 40}) {
		t.Errorf("%+v", a)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	point := func() record.Point { return record.Point{Name: "A", X: []float32{1}, Y: []float32{1}, Z: []float32{1}} }
	for name, rec := range map[string]*record.Recording{
		"no frames": {},
		"nothing":   {Frames: 1},
		"ragged":    {Frames: 2, Points: []record.Point{point()}},
		"odd rates": {Frames: 1, Analogs: []record.Channel{{PerFrame: 2, Values: []float32{1, 2}},
			{PerFrame: 3, Values: []float32{1, 2, 3}}}},
		"no matrix":    {Frames: 1, Rotations: []record.Rotation{{PerFrame: 1}}},
		"before frame": {Frames: 1, FirstFrame: -1, Points: []record.Point{point()}},
		"too many":     {Frames: 1, Points: make([]record.Point, 70_000)},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c3d.Write(&bytes.Buffer{}, rec); err == nil {
				t.Error("written")
			}
		})
	}
	full := errors.New("no space left")
	if err := c3d.Write(broken{full}, &record.Recording{Frames: 1, Points: []record.Point{point()}}); !errors.Is(err,
		full) {
		t.Errorf("a full disk: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

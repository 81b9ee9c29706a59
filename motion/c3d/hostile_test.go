package c3d_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestAFileCutAnywhereClaimsNoFrameThatIsNotThere(t *testing.T) {
	good := c3dtest.File(gait())
	for n := range good {
		sound(t, good[:n])
	}
}

func TestAnyOneByteMayBeWrong(t *testing.T) {
	o := gait()
	o.Frames = 3
	good := c3dtest.File(o)
	start := header(t, good).DataStart
	for at := range start {
		for _, wrong := range []byte{0, 1, 0x7f, 0x80, 0xff, good[at] ^ 1} {
			file := bytes.Clone(good)
			file[at] = wrong
			sound(t, file)
		}
	}
}

// sound reads whatever it is given and checks what holds for every file.
func sound(t *testing.T, file []byte) {
	t.Helper()
	h, err := c3d.ReadHeader(bytes.NewReader(file), int64(len(file)))
	rec := recordtest.Read(t, len(file), recordtest.Binary, func() (*record.Recording, error) {
		return c3d.Read(bytes.NewReader(file), int64(len(file)))
	})
	if (err == nil) != (rec != nil) {
		t.Fatalf("of header and frames only one can be read: %v", err)
	}
	if rec == nil {
		return
	}
	if h.Frames < 1 || h.FrameSize < 1 && len(h.Rotations) == 0 ||
		h.DataStart+int64(h.Frames)*h.FrameSize > int64(len(file)) {
		t.Fatalf("%d frames of %d bytes from byte %d, in a file of %d", h.Frames, h.FrameSize, h.DataStart, len(file))
	}
	if rec.Frames != h.Frames || len(rec.Points) != len(h.Points) || len(rec.Analogs) != len(h.Analogs) ||
		len(rec.Rotations) != len(h.Rotations) {
		t.Fatalf("%d frames, and the header says %d", rec.Frames, h.Frames)
	}
	if !(h.Scale >= 0 && h.AnalogRate >= 0) {
		t.Fatalf("scale %v, analog rate %v", h.Scale, h.AnalogRate)
	}
	writesBack(t, rec)
}

// writesBack writes a recording and wants to read every number of it again.
func writesBack(t *testing.T, want *record.Recording) {
	t.Helper()
	got := rewrite(t, want)
	if got.Frames != want.Frames || got.FirstFrame != want.FirstFrame || got.Rate != want.Rate ||
		got.Unit != want.Unit ||
		len(got.Points) != len(want.Points) || len(got.Analogs) != len(want.Analogs) ||
		len(got.Rotations) != len(want.Rotations) || !slices.EqualFunc(got.Events, want.Events, sameEvent) {
		t.Fatalf("written %+v\nread %+v", want, got)
	}
	if !slices.Equal(got.Metrics, want.Metrics) {
		t.Fatalf("the metrics are %+v, were %+v", got.Metrics, want.Metrics)
	}
	for i := range want.Points {
		g, w := &got.Points[i], &want.Points[i]
		if g.Label() != w.Label() || g.Quantity != w.Quantity || g.Unit != w.Unit || !recordtest.Alike(g.X, w.X) ||
			!recordtest.Alike(g.Y, w.Y) || !recordtest.Alike(g.Z, w.Z) || !bytes.Equal(g.Cameras, w.Cameras) {
			t.Fatalf("point %d is %+v, was %+v", i, g, w)
		}
		for f, r := range w.Residual { // one that is not known is written as none
			if r == r && g.Residual[f] != r {
				t.Fatalf("the residual of point %d in frame %d is %v, was %v", i, f, g.Residual[f], r)
			}
		}
	}
	for i, w := range want.Analogs {
		if g := got.Analogs[i]; g.Name != w.Name || g.Unit != w.Unit || g.PerFrame != w.PerFrame ||
			!recordtest.Alike(g.Values, w.Values) {
			t.Fatalf("channel %d is %+v, was %+v", i, g, w)
		}
	}
	for i, w := range want.Rotations {
		g := got.Rotations[i]
		for e := range w.Matrix {
			if g.Name != w.Name || g.Subject != w.Subject || g.PerFrame != w.PerFrame ||
				!recordtest.Alike(g.Matrix[e], w.Matrix[e]) || !recordtest.Alike(g.Reliability, w.Reliability) {
				t.Fatalf("rotation %d is %+v, was %+v", i, g, w)
			}
		}
	}
}

// sameEvent compares events. Their times are 32-bit numbers in a file, of minutes and
// of seconds, whose sum may have more digits than either.
func sameEvent(a, b record.Event) bool {
	near := math.Abs(a.Time-b.Time) <= 1e-6*max(math.Abs(b.Time), 1e-20)
	a.Time = b.Time
	return near && a == b
}

func TestAnEventAtATimeBetweenTheSmallestNumbersIsWrittenBack(t *testing.T) {
	rec := turning()
	rec.Events = []record.Event{{Label: "E", Context: record.Left, Time: 1.0371850713546566e-39},
		{Label: "F", Context: record.Left, Time: -9.111911e-25}}
	writesBack(t, rec)
}

// huge is a small file in front of terabytes of nothing, and remembers how far
// anyone looked.
type huge struct {
	file []byte
	far  int64
	err  error
}

func (r *huge) ReadAt(b []byte, off int64) (int, error) {
	r.far = max(r.far, off+int64(len(b)))
	if r.err != nil {
		return 0, r.err
	}
	clear(b)
	if off < int64(len(r.file)) {
		copy(b, r.file[off:])
	}
	return len(b), nil
}

func TestOnlyHeaderAndParametersOfABigFileAreRead(t *testing.T) {
	file := c3dtest.File(gait())
	r := &huge{file: file}
	h, err := c3d.ReadHeader(r, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	if r.far > h.DataStart {
		t.Errorf("read to byte %d, and the frames begin at %d", r.far, h.DataStart)
	}
}

func TestCountsOfASmallFileCannotTakeMemory(t *testing.T) {
	o := gait()
	o.Frames, o.Without = 1, []string{"POINT:LABELS"}
	o.Header = func(h *c3dtest.Header) { h.Points, h.Analog, h.PerFrame, h.Last = 65535, 65535, 1, 65535 }
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "USED", Value: int16(-1)},
		{Group: "ANALOG", Name: "USED", Value: int16(-1)}}
	file := c3dtest.File(o)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	unreadable(t, file)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<10 {
		t.Errorf("%d bytes of memory for a file of %d", took, len(file))
	}
}

func TestAFailingDiskIsNotBlamedOnTheFile(t *testing.T) {
	broken := errors.New("input/output error")
	_, err := c3d.ReadHeader(&huge{err: broken}, 5000)
	var u *quality.Unreadable
	if !errors.Is(err, broken) || errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
	if _, err := c3d.ReadHeader(io.NewSectionReader(bytes.NewReader(nil), 0, 0), 5000); !errors.As(err, &u) {
		t.Errorf("a file shorter than announced: got %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := gait()
		o.Frames = 2
		o.Processor, o.Real = processor, processor == c3d.DEC
		f.Add(c3dtest.File(o))
		o.Analogs, o.PerFrame, o.Real = c3dtest.Many("A", 6), 2, !o.Real // more than three are decoded by other code
		f.Add(c3dtest.File(o))
	}
	f.Add(c3dtest.File(c3dtest.Options{Points: []string{"A"}, Without: []string{"ANALOG", "POINT:RATE"},
		NoEndMark: true}))
	f.Add(c3dtest.File(c3dtest.Options{Points: []string{"A"},
		Add: []c3dtest.Parameter{{Group: "TRIAL", Name: "ACTUAL_END_FIELD", Value: []int16{5, 5}}}}))
	var turned bytes.Buffer
	rec := turning()
	rec.Metrics = []record.Metric{{Name: "Cadence", Context: record.Left, Subject: "Ann", Unit: "steps/min",
		Value: 116.5}, {Name: "Mass", Value: 70}}
	if err := c3d.Write(&turned, rec); err != nil {
		f.Fatal(err)
	}
	f.Add(turned.Bytes())
	recordtest.Seeds(f, func(file []byte) { f.Add(file) }, ".c3d")
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) <= recordtest.Most {
			sound(t, file)
		}
	})
}

// FuzzSpoiled changes bytes of good files, three bytes of the patch for each: two
// for the place, one for the value. Free bytes seldom get beyond the header.
func FuzzSpoiled(f *testing.F) {
	var good [][]byte
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := gait()
		o.Processor, o.Frames = processor, 2
		good = append(good, c3dtest.File(o))
		o.Analogs, o.PerFrame, o.Real = c3dtest.Many("A", 6), 2, processor != c3d.MIPS
		good = append(good, c3dtest.File(o))
	}
	f.Add(uint8(0), uint16(0), []byte{0, 2, 9, 2, 2, 0})
	f.Add(uint8(1), uint16(600), []byte{2, 16, 255, 2, 17, 255})
	f.Fuzz(func(t *testing.T, which uint8, cut uint16, patch []byte) {
		file := bytes.Clone(good[int(which)%len(good)])
		for ; len(patch) >= 3; patch = patch[3:] {
			file[(int(patch[0])<<8|int(patch[1]))%len(file)] = patch[2]
		}
		sound(t, file[:max(0, len(file)-int(cut))])
	})
}

func TestAStretchOfABigFileIsReadWithoutTheRest(t *testing.T) {
	o := gait()
	o.Real, o.Header = true, func(h *c3dtest.Header) { h.Last = 65535; h.First = 1 }
	file := c3dtest.File(o)
	r := &huge{file: file}
	f, err := c3d.Open(r, 1<<34)
	if err != nil {
		t.Fatal(err)
	}
	r.far = 0 // the end of the file was looked at, for the header cannot count so many frames
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rec, err := f.Stretch(10, 50)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if end := f.DataStart + 60*f.FrameSize; r.far > end || rec.Frames != 50 {
		t.Errorf("read to byte %d for %d frames that end at %d", r.far, rec.Frames, end)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<10 {
		t.Errorf("%d bytes of memory for 50 frames of %d bytes", took, f.FrameSize)
	}
}

func BenchmarkReadHeader(b *testing.B) {
	file := c3dtest.File(gait())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c3d.ReadHeader(bytes.NewReader(file), int64(len(file))); err != nil {
			b.Fatal(err)
		}
	}
}

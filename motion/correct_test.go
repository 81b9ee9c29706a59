package motion_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// timedC3D is a C3D file of 300 frames that begins with a frame, with events at some
// times in seconds.
func timedC3D(t *testing.T, first int, rate float64, events ...float64) []byte {
	t.Helper()
	column := make([]float32, 300)
	rec := &motion.Recording{Frames: 300, FirstFrame: first, Rate: rate, Unit: "mm",
		Points: []record.Point{{Name: "A", X: column, Y: column, Z: column}}}
	if rate > 0 {
		rec.Start = c3d.Start(first, rate)
	}
	for _, at := range events {
		rec.Events = append(rec.Events, record.Event{Label: "E", Time: at})
	}
	var b bytes.Buffer
	if err := c3d.Write(&b, rec); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// corrected reads a file by a rate, as the recording and as what is told of it.
func corrected(t *testing.T, name string, file []byte, rate float64) (*motion.Recording, frames.Info) {
	t.Helper()
	f, err := motion.Open(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var table, samples bytes.Buffer
	info, _, err := frames.Write(&table, &samples, f.Kind, f.Frames, f)
	if err != nil {
		t.Fatal(err)
	}
	f.Correct(rate)
	rec, err := f.Stretch(0, f.Frames)
	if err != nil {
		t.Fatal(err)
	}
	return rec, info.Corrected(rate)
}

func TestAC3DFileWithoutARateBeginsAndHasItsEventsWhereTheCorrectedRatePutsThem(t *testing.T) {
	for _, first := range []int{0, 1, 2, 185} {
		begin := float64(max(0, first-1)) / 100
		file := timedC3D(t, first, 0, begin+1.5, begin+2.99, begin+3.5)
		rec, info := corrected(t, "a.c3d", file, 100)
		if rec.Start != begin || info.Start != begin || *info.Rate != 100 || info.Duration != 3 {
			t.Errorf("from frame %d: begins at %v s, and it is told %v s, want %v", first, rec.Start, info.Start, begin)
		}
		for i, want := range []int{150, 299, -1} {
			e, at := info.Events[i], begin+[]float64{1.5, 2.99, 3.5}[i]
			if math.Abs(e.Time-at) > 1e-4 || math.Abs(rec.Events[i].Time-at) > 1e-4 || (e.Frame == nil) != (want < 0) ||
				e.Frame != nil && *e.Frame != want {
				t.Errorf("from frame %d: event %d is at %v and %v s, frame %v; want %v s, frame %d", first, i,
					rec.Events[i].Time, e.Time, e.Frame, at, want)
			}
		}
		// Written by the rate it says the same.
		var b bytes.Buffer
		if err := c3d.Write(&b, rec); err != nil {
			t.Fatal(err)
		}
		back, told := corrected(t, "a.c3d", b.Bytes(), 0)
		if back.Start != begin || back.Rate != 100 || math.Abs(back.Events[0].Time-begin-1.5) > 1e-4 ||
			*told.Events[0].Frame != 150 {
			t.Errorf("from frame %d: written it begins at %v s at %v Hz, with events at %v", first, back.Start,
				back.Rate, back.Events)
		}
	}
}

func TestACorrectedRateOfAC3DFileStretchesItsClock(t *testing.T) {
	rec, info := corrected(t, "a.c3d", timedC3D(t, 201, 100, 3, 2.5), 50)
	if rec.Start != 4 || info.Start != 4 || math.Abs(rec.Events[0].Time-6) > 1e-4 ||
		math.Abs(info.Events[1].Time-5) > 1e-4 || *info.Events[0].Frame != 100 || *info.Events[1].Frame != 50 {
		t.Errorf("from %v and %v s, events %v and %v", rec.Start, info.Start, rec.Events, info.Events)
	}
}

func TestWhatTellsNeitherRateNorEventsBeginsWhereItDid(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv": "frame,v\n185,1\n186,2\n187,3\n",
		"a.trc": "PathFileType\t4\t(X/Y/Z)\ta.trc\nNumFrames\tNumMarkers\tUnits\n3\t1\tm\nFrame#\tTime\tA\t\t\n\n" +
			"185\t7\t1\t2\t3\n186\t\t1\t2\t3\n187\t\t1\t2\t3\n",
	} {
		rec, info := corrected(t, name, []byte(text), 100)
		want := 0.0
		if name == "a.trc" {
			want = 7
		}
		if rec.Start != want || info.Start != want || rec.Time(2) != want+0.02 || info.FirstFrame != 185 {
			t.Errorf("%s: from %v and %v s, want %v", name, rec.Start, info.Start, want)
		}
	}
}

func TestEveryStretchOfAC3DFileBeginsWhereItsFrameIs(t *testing.T) {
	for _, first := range []int{0, 1, 2, 185} {
		file := timedC3D(t, first, 100)
		f, err := motion.Open("a.c3d", bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := f.Stretch(0, f.Frames)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []int{0, 1, 2, 150, 299} {
			part, err := f.Stretch(from, 1)
			if err != nil || math.Abs(part.Start-whole.Time(from)) > 1e-12 {
				t.Errorf("from frame %d: frame %d of the file is at %v s, want %v: %v", first, from, part.Start,
					whole.Time(from), err)
			}
		}
	}
}

func TestEventsOfUnevenFramesStayAtThemAndThoseOutsideAtTheirTimes(t *testing.T) {
	text := "time,v\n0,1\n0.01,2\n9,3\n"
	f, err := motion.Open("a.csv", bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := f.Stretch(0, 3)
	if err != nil {
		t.Fatal(err)
	}
	// no table has any beside uneven times
	whole.Events = []record.Event{{Label: "in", Time: 8}, {Label: "out", Time: 20}}
	f.Correct(100)
	rec, err := f.Stretch(0, 3)
	if err != nil || rec.Events[0].Time != 0.02 || rec.Events[1].Time != 20 {
		t.Errorf("the events are at %v: %v", rec.Events, err)
	}
}

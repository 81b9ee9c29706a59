//go:build corpus_motion

package motion_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
)

// whole reads a real file with all its numbers.
func whole(t *testing.T, folder, name string) *motion.Recording {
	t.Helper()
	rec, err := readWhole(t, filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func readWhole(t *testing.T, name string) (*motion.Recording, error) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return motion.Read(name, bytes.NewReader(file), int64(len(file)))
}

// same holds two recordings against each other, number by number; within says how
// far numbers may lie apart.
func same(t *testing.T, got, want *motion.Recording, within float64) {
	t.Helper()
	if got.Frames != want.Frames || got.FirstFrame != want.FirstFrame || got.Rate != want.Rate ||
		got.Unit != want.Unit ||
		len(got.Points) != len(want.Points) || len(got.Analogs) != len(want.Analogs) ||
		len(got.Events) != len(want.Events) || len(got.Rotations) != len(want.Rotations) {
		t.Fatalf("got %d frames from %d at %v Hz, %d points, %d analogs, %d events, %d rotations; want %d from %d at "+
			"%v, %d, %d, %d, %d",
			got.Frames, got.FirstFrame, got.Rate, len(got.Points), len(got.Analogs), len(got.Events),
			len(got.Rotations),
			want.Frames, want.FirstFrame, want.Rate, len(want.Points), len(want.Analogs), len(want.Events),
			len(want.Rotations))
	}
	for i := range want.Points {
		g, w := &got.Points[i], &want.Points[i]
		if g.Name != w.Name || g.Subject != w.Subject || g.Quantity != w.Quantity || g.Unit != w.Unit {
			t.Errorf("point %d is %s %q (%s), want %s %q (%s)", i, g.Quantity, g.Label(), g.Unit, w.Quantity, w.Label(),
				w.Unit)
		}
		close32(t, w.Name+" x", g.X, w.X, within)
		close32(t, w.Name+" y", g.Y, w.Y, within)
		close32(t, w.Name+" z", g.Z, w.Z, within)
		if g.Residual != nil && w.Residual != nil {
			close32(t, w.Name+" residual", g.Residual, w.Residual, within)
		}
		if !bytes.Equal(g.Cameras, w.Cameras) {
			t.Errorf("%s: other cameras", w.Name)
		}
	}
	for i, w := range want.Analogs {
		g := got.Analogs[i]
		if g.Name != w.Name || g.Unit != w.Unit || g.Rate != w.Rate || g.PerFrame != w.PerFrame {
			t.Errorf("channel %d is %q in %q, %d × %v Hz; want %q in %q, %d × %v Hz", i, g.Name, g.Unit, g.PerFrame,
				g.Rate, w.Name, w.Unit, w.PerFrame, w.Rate)
		}
		close32(t, w.Name, g.Values, w.Values, within)
	}
	for i, w := range want.Events {
		if got.Events[i] != w {
			t.Errorf("event %+v, want %+v", got.Events[i], w)
		}
	}
}

// close32 wants the same numbers, and missing ones in the same places.
func close32(t *testing.T, what string, got, want []float32, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g == w || g != g && w != w || math.Abs(float64(g)-float64(w)) <= within {
			continue
		}
		t.Errorf("%s: value %d is %v, want %v", what, i, g, w)
		return
	}
}

func TestRealFilesAreReadWhole(t *testing.T) {
	folder, files := corpus.Motion(t)
	for _, f := range files {
		kind, _ := motion.KindOf(f.File)
		if !kind.Readable() {
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			rec, err := readWhole(t, filepath.Join(folder, f.File))
			var unreadable *motion.Unreadable
			if errors.As(err, &unreadable) {
				if _, err := read(t, filepath.Join(folder, f.File)); !errors.As(err, &unreadable) {
					t.Errorf("unreadable as a whole, but its header is not: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			h, err := read(t, filepath.Join(folder, f.File))
			if err != nil {
				t.Fatal(err)
			}
			if rec.Rate != h.Rate || rec.Frames != h.Frames || rec.FirstFrame != h.FirstFrame || rec.Unit != h.Unit ||
				rec.Metres != h.Metres ||
				len(rec.Points) != len(h.Points) || len(rec.Analogs) != len(h.Analogs) {
				t.Errorf("the header says %+v", h)
			}
			for _, w := range h.Warnings {
				if !rec.Warnings.Has(w.Code) {
					t.Errorf("the header warns of %s", w.Code)
				}
			}
			missing, values := 0, 0
			for i := range rec.Points {
				if got := rec.Points[i].Label(); got != h.Points[i] {
					t.Errorf("point %d is %q, the header has %q", i, got, h.Points[i])
				}
				for f := range rec.Frames {
					if values++; rec.Points[i].Missing(f) {
						missing++
					}
				}
			}
			t.Logf("%.1f s, %d of %d points missing, %d analogs, %d angles, %d events", rec.Duration(), missing, values,
				len(rec.Analogs), len(rec.Angles), len(rec.Events))
		})
	}
}

func TestRealFilesMayBeCutAndSpoiled(t *testing.T) {
	folder, files := corpus.Motion(t)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for _, f := range files {
		good, err := os.ReadFile(filepath.Join(folder, f.File))
		if err != nil {
			t.Fatal(err)
		}
		for n := range 6 {
			file := bytes.Clone(good[:len(good)*n/6])
			if n == 0 {
				file = bytes.Clone(good)
			}
			if n%2 == 0 && len(file) > 0 { // most of what matters stands at the beginning
				for range 5 {
					file[random.IntN(min(len(file), 4000))] = byte(random.Uint32())
				}
			}
			rec, err := motion.Read(f.File, bytes.NewReader(file), int64(len(file)))
			var unreadable *motion.Unreadable
			if err != nil && (!errors.As(err, &unreadable) || unreadable.Reason == "" || unreadable.Hint == "") {
				t.Errorf("%s, cut to %d bytes, seed %d: %v", f.File, len(file), seed, err)
			}
			if err == nil && rec.Frames > len(file) {
				t.Errorf("%s, cut to %d bytes, seed %d: %d frames", f.File, len(file), seed, rec.Frames)
			}
		}
	}
}

func TestSixCodingsOfOneRealTrialHaveTheSameNumbers(t *testing.T) {
	folder, _ := corpus.Motion(t)
	want := whole(t, folder, "c3d/Eb015pr.c3d")
	p := want.Points[0]
	if !near(p.X[0], 248.583) || !near(p.Y[0], 226.833) || !near(p.Z[0], 37.417) {
		t.Errorf("frame 1 of point 1 is %v, %v, %v", p.X[0], p.Y[0], p.Z[0])
	}
	if len(want.Events) != 3 || want.Events[0].Label != "RIC" {
		t.Errorf("events %+v", want.Events)
	}
	for _, coding := range []string{"pi", "sr", "si", "vr", "vi"} {
		t.Run(coding, func(t *testing.T) { same(t, whole(t, folder, "c3d/Eb015"+coding+".c3d"), want, 1e-4) })
	}
}

func near(got float32, want float64) bool { return math.Abs(float64(got)-want) < 5e-4 }

func TestAnIntegerFileAndItsFloatingTwinAgree(t *testing.T) {
	folder, _ := corpus.Motion(t)
	real, integer := whole(t, folder, "c3d/ADemo1_rewrite_c3d_pc_float.c3d"),
		whole(t, folder, "c3d/ADemo1_rewrite_c3d_pc_integer.c3d")
	same(t, integer, real, 0.05)
}

func TestOneCaptureInTwoFormatsAgrees(t *testing.T) {
	folder, _ := corpus.Motion(t)
	a, b := whole(t, folder, "c3d/c3d_test_file_03.c3d"), whole(t, folder, "trc/test_file_05.trc")
	agree(t, a, b)
	for i, p := range a.Points {
		if q := b.Points[i]; p.Name != q.Name {
			t.Errorf("point %d is %q, in the table it is %q", i, p.Name, q.Name)
		} else if off, both := apart(&p, &q); both > 0 && off[len(off)-1] > 0.01 || p.Missing(0) != q.Missing(0) {
			t.Errorf("%s: up to %v mm apart in %d frames", p.Name, off, both)
		}
	}
	// The table was made of the other file with names of its own, and smoothed. So
	// what holds of the two is this, and no more: the same frames at the same times,
	// every marker in its place among the others, half of the time within 1.5 mm of
	// where it was, and never further off than 10 mm, as it is at the ends of gaps.
	a, b = whole(t, folder, "c3d/Gait.c3d"), whole(t, folder, "trc/Gait.trc")
	agree(t, a, b)
	for i, p := range a.Points {
		off, both := apart(&p, &b.Points[i])
		if both < 150 || off[len(off)/2] > 1.5 || off[len(off)-1] > 10 {
			t.Errorf("%s: in %d frames %v mm apart in the middle and %v at most", p.Name, both, off[len(off)/2],
				off[len(off)-1])
		}
	}
}

func TestTheSameRealTrialWithHolesIsTheSameBesideThem(t *testing.T) {
	folder, _ := corpus.Motion(t)
	a, b := whole(t, folder, "c3d/kinematics_tennis_serve.c3d"), whole(t, folder, "c3d/kinematics_tennis_serve_nan.c3d")
	agree(t, a, b)
	missing := 0
	for i, p := range a.Points {
		q := b.Points[i]
		off, both := apart(&p, &q)
		if p.Name != q.Name || both > 0 && off[len(off)-1] != 0 {
			t.Errorf("%s, and %s with holes, are up to %v m apart", p.Label(), q.Label(), off[len(off)-1])
		}
		missing += a.Frames - both
	}
	if missing != 145 || !b.Warnings.Has(quality.ValuesNotNumbers) {
		t.Errorf("%d holes, warnings %v", missing, b.Warnings)
	}
}

func TestARealC3DWrittenAsTRCHasTheSameNumbers(t *testing.T) {
	folder, files := corpus.Motion(t)
	written := 0
	for _, f := range files {
		if kind, _ := motion.KindOf(f.File); kind != motion.C3D || strings.Contains(f.Measured, "unreadable") ||
			strings.Contains(f.Measured, "points=0") {
			continue
		}
		written++
		want := whole(t, folder, f.File)
		var b bytes.Buffer
		if err := trc.Write(&b, "again.trc", want); err != nil {
			t.Fatalf("%s: %v", f.File, err)
		}
		got, err := motion.Read("again.trc", bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatalf("%s: %v", f.File, err)
		}
		want.Points = slices.DeleteFunc(want.Points, func(p record.Point) bool { return p.Quantity != record.Position })
		agree(t, got, want)
		for i, w := range want.Points {
			g := got.Points[i]
			if g.Label() != w.Label() {
				t.Errorf("%s: point %d is %q, want %q", f.File, i, g.Label(), w.Label())
			}
			close32(t, f.File+" "+w.Name+" x", g.X, w.X, 0)
			close32(t, f.File+" "+w.Name+" y", g.Y, w.Y, 0)
			close32(t, f.File+" "+w.Name+" z", g.Z, w.Z, 0)
		}
	}
	if written < 25 {
		t.Errorf("%d files were written", written)
	}
}

// agree wants the same frames.
func agree(t *testing.T, a, b *motion.Recording) {
	t.Helper()
	if a.Frames != b.Frames || a.FirstFrame != b.FirstFrame || a.Rate != b.Rate || a.Metres != b.Metres ||
		math.Abs(a.Start-b.Start) > 1e-6 || len(a.Points) > len(b.Points) {
		t.Fatalf("%d frames from %d (%v s), and %d from %d (%v s)", a.Frames, a.FirstFrame, a.Start, b.Frames,
			b.FirstFrame, b.Start)
	}
}

// apart gives how far two points are from each other in each frame that has both,
// sorted, and in how many frames that is.
func apart(p, q *record.Point) (off []float64, both int) {
	for f := range p.X {
		if p.Missing(f) || q.Missing(f) {
			continue
		}
		d := max(math.Abs(float64(p.X[f]-q.X[f])), math.Abs(float64(p.Y[f]-q.Y[f])), math.Abs(float64(p.Z[f]-q.Z[f])))
		off = append(off, d)
	}
	slices.Sort(off)
	return off, len(off)
}

func TestWritingARealC3DKeepsEveryNumber(t *testing.T) {
	folder, files := corpus.Motion(t)
	for _, f := range files {
		if kind, _ := motion.KindOf(f.File); kind != motion.C3D || strings.Contains(f.Measured, "unreadable") {
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			want := whole(t, folder, f.File)
			got := rewrite(t, want)
			same(t, got, want, 0)
			if got.Start != want.Start || got.ResidualStep != want.ResidualStep {
				t.Errorf("begins at %v s, residuals of %v; want %v, %v", got.Start, got.ResidualStep, want.Start,
					want.ResidualStep)
			}
		})
	}
}

// rewrite writes a recording as C3D and reads it back.
func rewrite(t *testing.T, rec *motion.Recording) *motion.Recording {
	t.Helper()
	var b bytes.Buffer
	if err := c3d.Write(&b, rec); err != nil {
		t.Fatal(err)
	}
	got, err := motion.Read("again.c3d", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range got.Warnings {
		if w.Code != quality.UnitMissing && w.Code != quality.UnitUnknown && w.Code != quality.UnitCut &&
			w.Code != quality.RateMissing {
			t.Errorf("warned about what was just written: %s", w.Message)
		}
	}
	return got
}

func TestRealModelOutputsAreNoPositions(t *testing.T) {
	folder, _ := corpus.Motion(t)
	rec := whole(t, folder, "c3d/PiG_Motion-FlatFoot-Full.c3d")
	count := map[record.Quantity]int{}
	for _, p := range rec.Points {
		count[p.Quantity]++
	}
	if count[record.Angle] != 26 || count[record.Force] != 20 || count[record.Moment] != 18 ||
		count[record.Power] != 16 {
		t.Errorf("quantities %v", count)
	}
	if len(rec.Events) != 12 || rec.Events[0].Label != "Foot Strike" || rec.Events[0].Context != record.Left ||
		rec.Events[0].Time != 3.05 {
		t.Errorf("%d events, first %+v", len(rec.Events), rec.Events[0])
	}
	if speed := (record.Metric{Name: "Walking Speed", Context: record.Left, Subject: "BELT_C", Unit: "m/s",
		Value: 1.158785}); len(rec.Metrics) != 22 || rec.Metrics[1] != speed {
		t.Errorf("%d metrics, the second %+v", len(rec.Metrics), rec.Metrics[1:2])
	}
	if again := rewrite(t, rec); !slices.Equal(again.Metrics, rec.Metrics) {
		t.Errorf("written and read again the metrics are %+v", again.Metrics)
	}
	for _, e := range rec.Events {
		if e.Time < rec.Start || e.Time > rec.Start+rec.Duration() {
			t.Errorf("%s at %v s is outside of %v s to %v s", e.Label, e.Time, rec.Start, rec.Start+rec.Duration())
		}
	}
}

//go:build corpus_motion

package process_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/upload"
)

// readWhole reads a file by a child, and gives its info and all columns by name.
func readWhole(t *testing.T, name string) (frames.Info, map[string][]float64, error) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := runner(t).Read(t.Context(), lab, upload.Source{Name: name}, file{f})
	if err != nil {
		return frames.Info{}, nil, err
	}
	defer got.Close()
	var info frames.Info
	if err := json.Unmarshal(got.Info, &info); err != nil {
		t.Fatal(err)
	}
	columns := map[string][]float64{}
	for _, f := range []upload.File{got.Table, got.Samples} { // samples over what the frames have of them
		if f == nil {
			continue
		}
		tbl := table(t, f)
		scan, err := tbl.Scan(tbl.Columns())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range tbl.Columns() {
			columns[name] = nil
		}
		for g := range tbl.Groups() {
			if err := scan.Read(g); err != nil {
				t.Fatal(err)
			}
			for i, name := range tbl.Columns() {
				for k := range scan.Columns[i].Len() {
					columns[name] = append(columns[name], scan.Columns[i].At(k))
				}
			}
		}
	}
	return info, columns, nil
}

func TestEveryRealFileIsTheSameInItsTable(t *testing.T) {
	folder := corpus.Folder(t, "KINEBASE_TEST_MOTION")
	read := map[motion.Kind]int{}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		kind, ok := motion.KindOf(name)
		if err != nil || d.IsDir() || !ok {
			return err
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			want, wantErr := motion.Read(name, f, file{f}.Size())
			info, columns, err := readWhole(t, name)
			var unreadable *upload.Unreadable
			if wantErr != nil {
				if !errors.As(err, &unreadable) || unreadable.Reason != wantErr.Error() {
					t.Errorf("%v, want %v", err, wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			read[kind]++
			compare(t, info, columns, want)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, least := range map[motion.Kind]int{motion.C3D: 20, motion.TRC: 10, motion.MOT: 3, motion.STO: 3,
		motion.CSV: 1, motion.BVH: 2, motion.MP4: 5} {
		if read[kind] < least {
			t.Errorf("only %d %s files were compared", read[kind], kind)
		}
	}
}

// compare holds tables to a recording.
func compare(t *testing.T, info frames.Info, columns map[string][]float64, want *motion.Recording) {
	t.Helper()
	if info.Frames != want.Frames || len(info.Events) != len(want.Events) ||
		(info.Video != nil) != (want.Video != nil) || info.Start != want.Start {
		t.Errorf("%d frames from %v s, %d events; want %d, %v, %d", info.Frames, info.Start, len(info.Events),
			want.Frames, want.Start, len(want.Events))
	}
	if math.Abs(info.Duration-want.Duration()) > 1e-9 && want.Video == nil {
		t.Errorf("it lasts %v s, want %v", info.Duration, want.Duration())
	}
	// A video without a pose estimator says so.
	if extra := len(info.Warnings) - len(want.Warnings); extra != 0 && (want.Video == nil || extra != 1) {
		t.Errorf("warnings %v, want %v", info.Warnings, want.Warnings)
	}
	at := 0
	next := func(values ...[]float32) {
		c := info.Channels[at]
		at++
		for i, v := range values {
			got := columns[c.Columns[i]]
			if len(got)%max(1, len(v)) != 0 || len(got) < len(v) {
				t.Fatalf("%s has %d values, want %d", c.Columns[i], len(got), len(v))
			}
			every := len(got) / max(1, len(v)) // a slower channel among faster ones
			for k := range v {
				if g := float32(got[k*every]); g != v[k] && !(nan(g) && nan(v[k])) {
					t.Fatalf("value %d of %s is %v, want %v", k, c.Columns[i], g, v[k])
				}
			}
		}
	}
	for _, p := range want.Points {
		next(p.X, p.Y, p.Z)
	}
	for _, r := range want.Rotations {
		next(r.Matrix[:12]...)
	}
	for _, list := range [][]record.Channel{want.Angles, want.Analogs} {
		for _, c := range list {
			next(c.Values)
		}
	}
	if at != len(info.Channels) {
		t.Errorf("%d channels, want %d", len(info.Channels), at)
	}
}

func TestSixCodingsOfOneTrialHaveTheSameTable(t *testing.T) {
	folder := corpus.Folder(t, "KINEBASE_TEST_MOTION")
	_, want, err := readWhole(t, filepath.Join(folder, "c3d", "Eb015pr.c3d"))
	if err != nil {
		t.Fatal(err)
	}
	for _, coding := range []string{"pi", "sr", "si", "vr", "vi"} {
		_, got, err := readWhole(t, filepath.Join(folder, "c3d", "Eb015"+coding+".c3d"))
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for name, values := range want {
			for i, v := range values {
				if g := got[name][i]; math.Abs(float64(g-v)) > 1e-4*max(1, math.Abs(float64(v))*1e-3) ||
					nan(float32(g)) != nan(float32(v)) {
					t.Fatalf("%s: value %d of %s is %v, want %v", coding, i, name, g, v)
				}
				compared++
			}
		}
		if compared < 1000 || len(got) != len(want) {
			t.Errorf("%s: %d values of %d columns compared", coding, compared, len(got))
		}
	}
}

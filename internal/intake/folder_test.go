package intake_test

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// trc is a TRC file of two frames and one marker.
func trc(rate string) string {
	return "PathFileType\t4\t(X/Y/Z)\tx.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		rate + "\t" + rate + "\t2\t1\tmm\t" + rate + "\t1\t2\n" +
		"Frame#\tTime\tLASI\t\t\n\t\tX1\tY1\tZ1\n\n1\t0.0\t1\t2\t3\n2\t0.1\t1\t2\t3\n"
}

// lay writes files, by relative path, into a new folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestAFolderBecomesCapturesWithTheirRates(t *testing.T) {
	folder := lay(t, map[string]string{
		"walk.trc":              trc("119.88"),
		"monday/RUN.C3D":        string(c3dtest.File(c3dtest.Options{Points: []string{"LASI"}, Frames: 4, Rate: 250})),
		"monday/deep/empty.trc": "",
		"monday/angles.mot":     "nRows=2\nendheader\ntime\tknee\n0\t1\n0.02\t2\n",
		"notes.txt":             "x",
		".hidden/walk.trc":      trc("60"),
		".walk.trc":             trc("60"),
	})
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m}, folder)
	if want := (intake.Summary{Captures: 4}); s != want || len(r.refused) > 0 {
		t.Errorf("summary %+v, refused %v", s, r.refused)
	}
	slices.Sort(r.skipped)
	want := []string{filepath.Join(folder, "notes.txt") + ": not a motion file"}
	if !reflect.DeepEqual(r.skipped, want) {
		t.Errorf("skipped %q", r.skipped)
	}
	var rates []float64
	for _, c := range m.captures {
		if c.Source != "import" || c.CaptureTime != nil || c.AthleteIDs != nil || c.Activity != nil {
			t.Errorf("a capture claims to know more than its file: %+v", c)
		}
		if c.Status == capture.Error {
			if c.FPSDetected != nil || !strings.Contains(*c.Error, "empty") {
				t.Errorf("the empty file: %+v, %s", c, *c.Error)
			}
			continue
		}
		rates = append(rates, *c.FPSDetected)
	}
	if slices.Sort(rates); !slices.Equal(rates, []float64{50, 119.88, 250}) {
		t.Errorf("rates %v", rates)
	}
}

func TestAFilesIdComesFromItsPathAndContent(t *testing.T) {
	ids := func(files map[string]string) []string {
		m := newMemory()
		run(t, &intake.Import{Store: m}, lay(t, files))
		var all []string
		for id := range m.captures {
			all = append(all, id)
		}
		slices.Sort(all)
		return all
	}
	first := ids(map[string]string{"a/walk.trc": trc("60")})
	for name, c := range map[string]struct {
		files map[string]string
		same  bool
	}{
		"the folder elsewhere":           {map[string]string{"a/walk.trc": trc("60")}, true},
		"another name":                   {map[string]string{"a/walk2.trc": trc("60")}, false},
		"another folder":                 {map[string]string{"b/walk.trc": trc("60")}, false},
		"another content":                {map[string]string{"a/walk.trc": trc("60") + "\n"}, false},
		"the same content, another name": {map[string]string{"a/walk.trc": trc("60"), "a/walk2.trc": trc("60")}, false},
	} {
		if got := ids(c.files); reflect.DeepEqual(got, first) != c.same {
			t.Errorf("%s: %v, first %v", name, got, first)
		}
	}
	composed, decomposed := ids(map[string]string{"Zo\u00eb.trc": trc("60")}), ids(map[string]string{"Zoe\u0308.trc": trc("60")})
	if !reflect.DeepEqual(composed, decomposed) {
		t.Error("a folder copied from a Mac has other ids")
	}
}

func TestAFolderTwiceChangesNothing(t *testing.T) {
	folder := lay(t, map[string]string{"a.trc": trc("60"), "b/c.trc": trc("100"), "broken.c3d": "nonsense"})
	m := newMemory()
	run(t, &intake.Import{Store: m}, folder)
	m.effects()
	run(t, &intake.Import{Store: m}, folder+"/")
	if e := m.effects(); e[manifest.Unchanged] != 3 || len(e) != 1 {
		t.Errorf("effects %v", e)
	}
}

func TestNoLinkLeadsOutOfTheFolder(t *testing.T) {
	outside := lay(t, map[string]string{"secret.trc": trc("60")})
	folder := lay(t, map[string]string{"inside.trc": trc("60")})
	for name, target := range map[string]string{
		"file.trc": filepath.Join(outside, "secret.trc"), "up.trc": "../../../../../../../../etc/passwd", "gone.trc": "nowhere.trc",
		"folder": outside, "again.trc": "inside.trc",
	} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.trc"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m}, folder)
	if s.Captures != 2 || s.Failed != 0 || len(r.skipped) != 5 {
		t.Errorf("summary %+v, skipped %q", s, r.skipped)
	}
}

func TestAFileThatMayNotBeReadIsAFailure(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may read everything")
	}
	folder := lay(t, map[string]string{"a.trc": trc("60"), "b.trc": trc("60")})
	if err := os.Chmod(filepath.Join(folder, "a.trc"), 0); err != nil {
		t.Fatal(err)
	}
	s, r := run(t, &intake.Import{Store: newMemory()}, folder)
	if s != (intake.Summary{Captures: 1, Failed: 1}) || r.refused[0].Rule != "cannot be read: permission denied" {
		t.Errorf("summary %+v, refused %v", s, r.refused)
	}
}

func TestRealFilesComeInWithTheRatesMeasuredOfThem(t *testing.T) {
	folder := os.Getenv("KINEBASE_TEST_MOTION")
	if folder == "" {
		testkit.Missing(t, "KINEBASE_TEST_MOTION names no folder of real motion files")
	}
	m := newMemory()
	s, r := run(t, &intake.Import{Store: m}, folder)
	if len(r.refused) > 0 {
		t.Errorf("refused %v", r.refused)
	}
	// A file's capture is found by importing the file alone.
	for file, measured := range index(t, folder) {
		c := alone(t, filepath.Join(folder, file))
		rate, readable := rateOf(filepath.Ext(file), measured)
		switch {
		case !readable:
			if c.Status != capture.Error || c.Error == nil || len(*c.Error) < 20 || !strings.HasSuffix(*c.Error, ".") {
				t.Errorf("%s cannot be read, but its capture is %+v", file, c)
			} else {
				t.Logf("%s: %s", file, *c.Error)
			}
		case c.Status != capture.Completed || rate != 0 && (c.FPSDetected == nil || math.Abs(*c.FPSDetected-rate) > rate*1e-5):
			t.Errorf("%s: capture %+v, rate measured %v", file, c, rate)
		}
	}
	if s.Captures != 60 {
		t.Errorf("%d captures of 60 files", s.Captures)
	}
}

// alone imports one file and gives its capture.
func alone(t *testing.T, path string) capture.Capture {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory()
	run(t, &intake.Import{Store: m}, lay(t, map[string]string{filepath.Base(path): string(text)}))
	for _, c := range m.captures {
		return c
	}
	t.Fatalf("%s became no capture", path)
	return capture.Capture{}
}

// index reads which files there are and what was measured of them.
func index(t *testing.T, folder string) map[string]string {
	t.Helper()
	in, err := os.Open(filepath.Join(folder, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	files := map[string]string{}
	lines := bufio.NewScanner(in)
	lines.Scan()
	columns := strings.Split(lines.Text(), "\t")
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		files[cells[slices.Index(columns, "file")]] = cells[slices.Index(columns, "measured")]
	}
	if lines.Err() != nil || len(files) < 50 {
		t.Fatalf("%d files in the index: %v", len(files), lines.Err())
	}
	return files
}

var (
	measuredRate  = regexp.MustCompile(`(?:rate=|header=|video .*fps=)([0-9.]+)`)
	measuredFrame = regexp.MustCompile(`frametime=([0-9.]+)`)
)

// rateOf gives the rate that was measured of a file, 0 where none was, and
// whether the file can be read at all.
func rateOf(kind, measured string) (rate float64, readable bool) {
	if found := measuredFrame.FindStringSubmatch(measured); found != nil {
		seconds, err := strconv.ParseFloat(found[1], 64)
		return 1 / seconds, err == nil
	}
	if found := measuredRate.FindStringSubmatch(measured); found != nil {
		rate, err := strconv.ParseFloat(found[1], 64)
		return rate, err == nil
	}
	switch strings.ToLower(kind) {
	case ".mp4", ".mov":
		return 0, strings.Contains(measured, "video ")
	case ".mot", ".sto", ".csv": // one of them has no rows, which is odd but can be read
		return 0, true
	}
	return 0, false
}

package intake_test

import (
	"crypto/sha256"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// trc is a TRC file of two frames and one marker.
func trc(rate string) string {
	hertz, err := strconv.ParseFloat(rate, 64)
	if err != nil {
		panic(err)
	}
	return "PathFileType\t4\t(X/Y/Z)\tx.trc\n" +
		"DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		rate + "\t" + rate + "\t2\t1\tmm\t" + rate + "\t1\t2\n" +
		"Frame#\tTime\tLASI\t\t\n\t\tX1\tY1\tZ1\n\n1\t0.0\t1\t2\t3\n2\t" + strconv.FormatFloat(1/hertz, 'f', 4, 64) +
		"\t1\t2\t3\n"
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

func TestAFolderIsStoredWholeWithItsTables(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		folder := lay(t, map[string]string{
			"ends.c3d": "stopped", "walk.trc": "good", "monday/RUN.C3D": "sometimes", "monday/deep/film.mp4": "video",
			"monday/broken.bvh": "damaged", "heavy.c3d": "deadly",
			"scores.csv": "damaged table", "table.csv": "good table", "notes.txt": "x", ".hidden/walk.trc": "good",
			".walk.trc": "good",
		})
		o := l.bring(folder).went(t)
		if want := (intake.Summary{Captures: 7, Warnings: 8}); o.summary != want {
			t.Errorf("summary %+v, want %+v", o.summary, want)
		}
		slices.Sort(o.skipped)
		if want := []string{"notes.txt: not a motion file",
			"scores.csv: not a table of motion. It is damaged at byte 7. Export it again."}; !reflect.DeepEqual(
			o.skipped, want) {
			t.Errorf("skipped %q", o.skipped)
		}
		var all []string
		for file, text := range map[string]string{"walk.trc": "good", "monday/RUN.C3D": "sometimes",
			"table.csv": "good table"} {
			got := l.stored(o, file)
			if got.Capture.Status != capture.Completed || *got.Capture.FPSDetected != 120 ||
				got.Capture.Source != "import" || got.Capture.CaptureTime != nil || said(got.Capture) != "- - [] []" {
				t.Errorf("%s became %+v", file, got.Capture)
			}
			if l.text(got.Original) != text || l.text(got.Table) != "table of "+text ||
				l.text(got.Samples) != "samples" || got.Derived != "" || got.FileName != filepath.Base(file) ||
				got.Size != int64(len(text)) || len(got.Info) == 0 {
				t.Errorf("of %s is kept %+v", file, got)
			}
			all = append(all, got.Original, got.Table, got.Samples)
		}
		film := l.stored(o, "monday/deep/film.mp4")
		if film.Capture.Status != capture.Completed || *film.Capture.FPSDetected != 120 || film.Table != "" ||
			l.text(film.Derived) != "derived" || filepath.Ext(film.Derived) != ".c3d" {
			t.Errorf("the film is %+v", film)
		}
		all = append(all, film.Original, film.Derived)
		for file, why := range map[string]string{"monday/broken.bvh": "It is damaged at byte 7. Export it again.",
			"heavy.c3d": "It needed too much memory.", "ends.c3d": "It was asked to end."} {
			got := l.stored(o, file)
			if got.Capture.Status != capture.Error || *got.Capture.Error != why || got.Capture.FPSDetected != nil ||
				l.text(got.Original) == "" || got.Table != "" || got.Info != nil {
				t.Errorf("%s became %+v", file, got)
			}
			all = append(all, got.Original)
		}
		l.erase()
		if kept := l.keeps(); len(kept) != len(all) {
			t.Errorf("kept is %q, known is %q", kept, all)
		}
		if n := l.reader.reads(); n != 1+3*job.MaxDeaths+1+1+1+1 {
			t.Errorf("files were read %d times", n)
		}
		last := o.progress[len(o.progress)-1]
		if last.Files != 8 || last.FoundFiles != 8 || last.FileBytes != last.FoundBytes || last.FileBytes == 0 ||
			last.Records != 9 {
			t.Errorf("progress ends at %+v", last)
		}
	})
}

func TestFilesAreReadAtOnceAndToldInTheOrderOfTheWalk(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	files := map[string]string{"a.trc": "slow"}
	for i := range 40 {
		files["b"+strconv.Itoa(i)+".trc"] = "good " + strconv.Itoa(i)
	}
	l.reader.wait, l.reader.told = make(chan struct{}), make(chan string, 41)
	go func() {
		for range 10 { // others are read while the first one is waited for
			<-l.reader.told
		}
		close(l.reader.wait)
	}()
	o := l.bring(lay(t, files)).went(t)
	if want := slices.Sorted(maps.Keys(files)); !reflect.DeepEqual(o.order, want) {
		t.Errorf("told in the order %q", o.order)
	}
}

func TestAFilesIdComesFromItsPathAndContent(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	ids := func(files map[string]string) []string {
		var all []string
		for _, c := range l.bring(lay(t, files)).went(t).made {
			all = append(all, c.SessionID)
		}
		slices.Sort(all)
		return all
	}
	first := ids(map[string]string{"a/walk.trc": "good"})
	for name, c := range map[string]struct {
		files map[string]string
		same  bool
	}{
		"the folder elsewhere":           {map[string]string{"a/walk.trc": "good"}, true},
		"another name":                   {map[string]string{"a/walk2.trc": "good"}, false},
		"another folder":                 {map[string]string{"b/walk.trc": "good"}, false},
		"another content":                {map[string]string{"a/walk.trc": "good too"}, false},
		"the same content, another name": {map[string]string{"a/walk.trc": "good", "a/walk2.trc": "good"}, false},
	} {
		if got := ids(c.files); reflect.DeepEqual(got, first) != c.same {
			t.Errorf("%s: %v, first %v", name, got, first)
		}
	}
	composed, decomposed := ids(map[string]string{"Zo\u00eb.trc": "good"}),
		ids(map[string]string{"Zoe\u0308.trc": "good"})
	if !reflect.DeepEqual(composed, decomposed) {
		t.Error("a folder copied from a Mac has other ids")
	}
	if id := manifest.FileID(l.scope.Organization.String(), "a/walk.trc",
		sha256.Sum256([]byte("good"))); !slices.Contains(first, id) {
		t.Errorf("the id %s is not that of earlier imports, %s", first, id)
	}
}

func TestTheSameBytesUnderTwoPathsAreTwoCaptures(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		o := l.bring(lay(t, map[string]string{"a.trc": "good", "b/a.trc": "good"})).went(t)
		a, b := l.stored(o, "a.trc"), l.stored(o, "b/a.trc")
		if a.SHA256 != b.SHA256 || a.Capture.SessionID == b.Capture.SessionID || a.Original == b.Original {
			t.Errorf("%+v and %+v", a, b)
		}
	})
}

func TestNoLinkLeadsOutOfTheFolder(t *testing.T) {
	outside := lay(t, map[string]string{"secret.trc": "good", "kinebase.csv": "file,activity\n**,secret\n"})
	folder := lay(t, map[string]string{"inside.trc": "good", "deep/walk.trc": "good"})
	for name, target := range map[string]string{
		"file.trc": filepath.Join(outside, "secret.trc"), "up.trc": "../../../../../../../../etc/passwd",
		"gone.trc": "nowhere.trc", "here.trc": filepath.Join(folder, "inside.trc"),
		"folder": outside, "again.trc": "inside.trc", "deep/kinebase.csv": filepath.Join(outside, "kinebase.csv"),
	} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.trc"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := newLab(t, store.Options{Data: t.TempDir()}).bring(folder)
	if o.err != nil || o.summary.Captures != 2 || len(o.skipped) != 6 {
		t.Errorf("summary %+v, skipped %q, %v", o.summary, o.skipped, o.err)
	}
	for _, want := range []string{"file.trc: a link that leads out of the folder",
		"up.trc: a link that leads out of the folder", "gone.trc: a link that leads nowhere",
		"here.trc: a link to inside.trc in the folder that is not followed: write its target from where the link " +
			"lies, without the path of the folder"} {
		if !slices.Contains(o.skipped, want) {
			t.Errorf("it does not say %q: %q", want, o.skipped)
		}
	}
	if len(o.refused) != 2 || !strings.HasPrefix(o.refused[0].Rule, "cannot be read") ||
		o.refused[1].Rule != "is not imported, because deep/kinebase.csv cannot be used" {
		t.Errorf("refused %q", o.told())
	}
}

func TestAFileThatMayNotBeReadIsAFailure(t *testing.T) {
	if os.Geteuid() == 0 && os.Getenv("KINEBASE_TEST_LESS_RIGHTS") == "" {
		// The superuser may read everything, so the test runs in a process that has lost that right.
		again := exec.Command("setpriv", "--bounding-set", "-dac_override,-dac_read_search", os.Args[0],
			"-test.run=^"+t.Name()+"$", "-test.v")
		again.Env = append(os.Environ(), "KINEBASE_TEST_LESS_RIGHTS=1")
		out, err := again.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
			t.Errorf("%v:\n%s", err, out)
		}
		return
	}
	folder := lay(t, map[string]string{"a.trc": "good", "b.trc": "good"})
	if err := os.Chmod(filepath.Join(folder, "a.trc"), 0); err != nil {
		t.Fatal(err)
	}
	o := newLab(t, store.Options{Data: t.TempDir()}).bring(folder)
	if o.summary.Captures != 1 || o.summary.Failed != 1 || o.refused[0].Rule != "cannot be read: permission denied" {
		t.Errorf("summary %+v, refused %v", o.summary, o.refused)
	}
}

func TestADryRunOfAFolderStoresNothingAndSaysWhatWouldBe(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		ann := l.person("Ann", "Lee", "")
		folder := lay(t, map[string]string{
			"walk.trc":   trc("119.88"),
			"RUN.C3D":    string(c3dtest.File(c3dtest.Options{Points: []string{"LASI"}, Frames: 4, Rate: 250})),
			"empty.trc":  "",
			"scores.csv": "damaged by water\nAda\n", "kinebase.csv": "file,athlete,activity\nwalk.trc,Ann Lee,gait\n",
		})
		dry := func(im *intake.Import) { im.Dry, im.Folders.Files, im.Folders.Reader = true, nil, nil }
		o := l.bring(folder, dry).went(t)
		if o.summary.Captures != 3 || len(o.skipped) != 1 || o.effects()[manifest.Created] != 3 {
			t.Errorf("summary %+v, skipped %q, effects %v", o.summary, o.skipped, o.effects())
		}
		walk := o.made["walk.trc"]
		if *walk.FPSDetected != 119.88 || said(*walk.Capture) != "gait - [] ["+ann+"]" ||
			*o.made["RUN.C3D"].FPSDetected != 250 || !strings.Contains(*o.made["empty.trc"].Error, "empty") {
			t.Errorf("told is %+v", o.made)
		}
		for file, c := range o.made {
			if _, err := l.store.Stored(t.Context(), l.scope, c.SessionID); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s is there: %v", file, err)
			}
		}
		if kept := l.keeps(); len(kept) > 0 {
			t.Errorf("kept is %q", kept)
		}
		l.bring(folder).went(t)
		l.rewrite(folder, "kinebase.csv", "file,athlete,activity\nwalk.trc,Ann Lee,run\n")
		o = l.bring(folder, dry).went(t)
		if e := o.effects(); e[manifest.Unchanged] != 2 || e[manifest.Updated] != 1 ||
			o.made["walk.trc"].Warnings != 2 {
			t.Errorf("the second time: %v", o.made)
		}
		if got, err := l.store.Stored(t.Context(), l.scope, walk.SessionID); err != nil ||
			label(got.Capture.Activity) != "gait" {
			t.Errorf("a dry run relabelled it: %+v, %v", got.Capture, err)
		}
	})
}

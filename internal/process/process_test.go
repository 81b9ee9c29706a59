package process_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// parentOf is the verb under which the test program is a server that has a child
// read the file named behind it, and is then killed.
const parentOf = "parent-of"

// TestMain makes the test program its own child, as kinebase is. A child that is
// given a file with one of these endings behaves as no real file could make it do
// on demand.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case process.Verb, process.Confine:
			// At an ordinary end the race detector waits a second for what others may find.
			syscall.Exit(process.MainWith(os.Args[1:], misbehave))
		case hostile:
			if err := os.WriteFile(os.Args[3], misuse(os.Args[2], slices.Concat(tries, elsewhere)), 0o600); err != nil {
				panic(err)
			}
			os.Exit(0)
		case hostileReader:
			_, _ = os.Stdout.Write(misuseAsReader(os.Args[2]))
			os.Exit(0)
		case parentOf:
			f, err := os.Open(os.Args[2])
			if err == nil {
				_, err = runner(nil).Read(context.Background(), lab, upload.Source{Name: f.Name()}, file{f})
			}
			panic(err)
		}
	}
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

// misbehave makes a child do what its file is named after, and says whether there is
// nothing else to be done.
func misbehave(name string, files []*os.File) bool {
	if takeOver(name, files) {
		return true
	}
	switch name {
	case "file.hang":
		// A lock on the file tells the test that this process is there, and is gone.
		lock := unix.Flock_t{Type: unix.F_RDLCK}
		_ = unix.FcntlFlock(files[0].Fd(), unix.F_SETLK, &lock)
		for {
			_ = unix.Pause()
		}
	case "file.killed":
		kill(syscall.SIGKILL)
	case "file.stopped":
		signal.Reset(syscall.SIGTERM)
		kill(syscall.SIGTERM)
		for {
			_ = unix.Pause()
		}
	case "file.crash":
		panic("a fault in a reader")
	case "file.mute":
		os.Exit(0)
	case "file": // a recording to be measured
		told := make([]byte, 1<<20)
		if n, _ := files[0].ReadAt(told, 0); strings.Contains(string(told[:n]), `"unit":"crash"`) {
			panic("a fault in a measurement")
		}
	case "last": // what was read last is to be measured
		switch {
		case holds(files[0], "crash when measured"):
			panic("a fault in a measurement")
		case holds(files[0], "hang when measured"):
			for {
				_ = unix.Pause()
			}
		}
	case "file.env":
		_, _ = files[1].WriteString(strings.Join(os.Environ(), "\n"))
		return true
	}
	return false
}

// holds says whether a text stands in a file.
func holds(f *os.File, text string) bool {
	all, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30))
	return err == nil && bytes.Contains(all, []byte(text))
}

// kill sends this process a signal; a reader may send none to any process by its number.
func kill(s syscall.Signal) { _ = unix.Tgkill(os.Getpid(), unix.Gettid(), s) }

// file is an open file of a folder.
type file struct{ f *os.File }

func (f file) ReadAt(b []byte, at int64) (int, error) { return f.f.ReadAt(b, at) }
func (f file) Close() error                           { return f.f.Close() }
func (f file) File() *os.File                         { return f.f }
func (f file) Size() int64 {
	info, err := f.f.Stat()
	if err != nil {
		panic(err)
	}
	return info.Size()
}

// remote is a file that is no file here, as one in a bucket.
type remote struct{ *bytes.Reader }

func (remote) Close() error { return nil }

func remoteOf(b []byte) upload.File { return remote{bytes.NewReader(b)} }

// lab is an organization.
var lab = organization.In("0190f0e5-7b1c-7cc3-98c4-dc0c0c07398f")

func runner(t *testing.T) *process.Runner {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	r := &process.Runner{Binary: self, Memory: 512 << 20, Time: testkit.Patience, VideoMemory: 512 << 20,
		VideoTime: testkit.Patience}
	if t != nil {
		r.Dir = t.TempDir()
		t.Cleanup(func() {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		t.Cleanup(func() {
			if left, err := os.ReadDir(r.Dir); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
	return r
}

func small() []byte {
	return c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 3), Analogs: c3dtest.Many("A", 2), PerFrame: 4,
		Frames: 20, Unit: "mm"})
}

func table(t *testing.T, f upload.File) *frames.Table {
	t.Helper()
	if f == nil {
		t.Fatal("there is no table")
	}
	tbl, err := frames.Open(f, f.Size())
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

func TestAFileIsReadInAProcessOfItsOwn(t *testing.T) {
	got, err := runner(t).Read(t.Context(), lab, upload.Source{Name: "Some One's trial.C3D"}, remoteOf(small()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	var info frames.Info
	if err := json.Unmarshal(got.Info, &info); err != nil {
		t.Fatal(err)
	}
	if info.Frames != 20 || len(info.Channels) != 5 || got.Rate != *info.Rate || got.Made != nil || got.Derived != nil {
		t.Errorf("%+v, rate %v", info, got.Rate)
	}
	if rows := table(t, got.Table).Rows(); rows != 20 {
		t.Errorf("%d rows", rows)
	}
	if rows := table(t, got.Samples).Rows(); rows != 80 {
		t.Errorf("%d samples", rows)
	}
}

func TestATableThatSaysWhenItWasRecordedGivesTheTime(t *testing.T) {
	got, err := runner(t).Read(t.Context(), lab, upload.Source{Name: "trial.csv"},
		remoteOf([]byte("Start time,2026-05-13T11:30:02.5+02:00\n\ntime,force\n0.00,1.5\n0.01,2.5\n")))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if want := time.Date(2026, 5, 13, 9, 30, 2, 5e8, time.UTC); got.Made == nil || !got.Made.Equal(want) {
		t.Errorf("recorded %v, want %v", got.Made, want)
	}
}

func TestAFileThatCannotBeReadIsToBlameItself(t *testing.T) {
	for name, content := range map[string]string{"a.c3d": "this is no C3D file", "b.trc": "", "c.bvh": "HIERARCHY\n"} {
		_, err := runner(t).Read(t.Context(), lab, upload.Source{Name: name}, remoteOf([]byte(content)))
		var unreadable *upload.Unreadable
		_, want := motion.Read(name, strings.NewReader(content), int64(len(content)))
		if !errors.As(err, &unreadable) || want == nil || unreadable.Reason != want.Error() {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

func TestAReaderThatGoesDownIsToldFromAFileThatCannotBeRead(t *testing.T) {
	testkit.Long(t)
	// So many short cells that their numbers take more than the memory given.
	hungry := "a,b\n" + strings.Repeat("1,2\n", 16<<20)
	for _, c := range []struct {
		name    string
		content string
		memory  int64
		time    time.Duration
		says    string
	}{
		{"t.csv", hungry, 96 << 20, testkit.Patience,
			"more than the 96 MiB of memory that it may take (KINEBASE_READ_MEMORY)"},
		{"t.hang", "-", 512 << 20, time.Second, "longer than the 1s that it may take (KINEBASE_READ_TIME)"},
		{"t.killed", "-", 512 << 20, testkit.Patience, "was killed"},
		{"t.crash", "-", 512 << 20, testkit.Patience, "crashed (exit code 2)"},
		{"t.mute", "-", 512 << 20, testkit.Patience, "without a result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := runner(t)
			r.Memory, r.Time = c.memory, c.time
			_, err := r.Read(t.Context(), lab, upload.Source{Name: c.name}, remoteOf([]byte(c.content)))
			var died *upload.Died
			if !errors.As(err, &died) || !strings.Contains(died.Reason, c.says) {
				t.Errorf("%v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestAReaderHasNothingOfTheServersEnvironment(t *testing.T) {
	t.Setenv("KINEBASE_S3_SECRET_KEY", "secret")
	got, err := runner(t).Read(t.Context(), lab, upload.Source{Name: "t.env"}, remoteOf([]byte("-")))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.Table != nil {
		b, _ := io.ReadAll(io.NewSectionReader(got.Table, 0, got.Table.Size()))
		t.Errorf("it has %q", b)
	}
}

func TestWhoNoLongerWaitsStopsTheReader(t *testing.T) {
	name := filepath.Join(t.TempDir(), "t.hang")
	f := create(t, name)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	r := runner(t)
	go func() {
		_, err := r.Read(ctx, lab, upload.Source{Name: name}, file{f})
		ended <- err
	}()
	testkit.Until(t, "the reader begins", func() bool { return !free(t, name) })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	testkit.Until(t, "the reader ends", func() bool { return free(t, name) })
}

func TestAReaderEndsWithAServerThatIsKilled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "t.hang")
	create(t, name)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self, parentOf, name)
	temporary := t.TempDir()
	parent.Env = append(os.Environ(), "TMPDIR="+temporary)
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the reader begins", func() bool { return !free(t, name) })
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	testkit.Until(t, "the reader ends", func() bool { return free(t, name) })
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func create(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// free says whether no other process has locked a file.
func free(t *testing.T, name string) bool {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lock := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_GETLK, &lock); err != nil {
		t.Fatal(err)
	}
	return lock.Type == unix.F_UNLCK
}

func TestAFileIsWrittenInOtherFormats(t *testing.T) {
	r := runner(t)
	original := small()
	want, err := motion.Read("a.c3d", bytes.NewReader(original), int64(len(original)))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"c3d", "trc", "csv"} {
		var out bytes.Buffer
		if err := r.Convert(t.Context(), lab, "a.c3d", remoteOf(original), format, 0, &out); err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		back, err := motion.Read("a."+format, bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil || back.Frames != want.Frames || len(back.Points) != len(want.Points) {
			t.Errorf("%s: %v", format, err)
			continue
		}
		for i := range want.Points {
			for f, v := range want.Points[i].X {
				if format == "csv" {
					v = float32(float64(v) * want.Metres)
				}
				if got := back.Points[i].X[f]; got != v {
					t.Fatalf("%s: point %d in frame %d is %v, want %v", format, i, f, got, v)
				}
			}
		}
	}
	var unreadable *upload.Unreadable
	var out bytes.Buffer
	err = r.Convert(t.Context(), lab, "a.c3d",
		remoteOf(c3dtest.File(c3dtest.Options{Analogs: c3dtest.Many("A", 2), PerFrame: 1, Frames: 5})), "trc", 0, &out)
	if !errors.As(err, &unreadable) || !strings.Contains(unreadable.Reason, "no positions") || out.Len() > 0 {
		t.Errorf("channels alone as trc: %v, %d bytes", err, out.Len())
	}
}

func TestAFileIsWrittenByACorrectedRate(t *testing.T) {
	r := runner(t)
	original := small()
	want, err := motion.Read("a.c3d", bytes.NewReader(original), int64(len(original)))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"c3d", "trc", "csv"} {
		var out bytes.Buffer
		if err := r.Convert(t.Context(), lab, "a.c3d", remoteOf(original), format, 2*want.Rate, &out); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		back, err := motion.Read("a."+format, bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if back.Rate != 2*want.Rate || math.Abs(back.Duration()-want.Duration()/2) > 1e-6 {
			t.Errorf("%s: %v frames a second for %v s", format, back.Rate, back.Duration())
		}
		for i, c := range back.Analogs {
			if format == "c3d" && c.Rate != 2*want.Analogs[i].Rate {
				t.Errorf("%s: channel %d has %v samples a second", format, i, c.Rate)
			}
		}
		if format == "c3d" && len(want.Events) > 0 && math.Abs(back.Events[0].Time-want.Events[0].Time/2) > 1e-4 {
			t.Errorf("%s: the first event is at %v s", format, back.Events[0].Time)
		}
	}
}

func nan(v float32) bool { return math.IsNaN(float64(v)) }

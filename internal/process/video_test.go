package process_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
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

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
	"github.com/kinebase/kinebase/upload"
)

// clip is a video of ten pictures, 25 a second, without the pictures.
func clip() []byte {
	word := func(values ...uint32) (b []byte) {
		for _, v := range values {
			b = append(b, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
		}
		return b
	}
	box := func(kind string, parts ...[]byte) []byte {
		body := slices.Concat(parts...)
		return slices.Concat(word(uint32(8+len(body))), []byte(kind), body)
	}
	return slices.Concat(
		box("ftyp", []byte("isom"), word(0)),
		box("moov", box("trak",
			box("tkhd", word(7, 0, 0, 1, 0, 10, 0, 0, 0, 0), word(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000),
				word(640<<16, 480<<16)),
			box("mdia",
				box("mdhd", word(0, 0, 0, 25, 10, 0)),
				box("hdlr", word(0, 0), []byte("vide"), word(0, 0, 0)),
				box("minf", box("stbl",
					box("stsd", word(0, 1), box("avc1", make([]byte, 24), word(640<<16|480), make([]byte, 50))),
					box("stts", word(0, 1, 10, 1)),
					box("stsz", word(0, 1, 10))))))))
}

// pose writes a script that does what a pose estimator does, and gives the runner
// of it.
func pose(t *testing.T, script string) *process.Runner {
	t.Helper()
	r := runner(t)
	name := filepath.Join(t.TempDir(), "it's a pose.sh")
	if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	command, err := process.ParseCommand(`/bin/sh "` + name + `" {input} {output}.trc`)
	if err != nil {
		t.Fatal(err)
	}
	r.Video = command
	return r
}

func infoOf(t *testing.T, r *upload.Reading) frames.Info {
	t.Helper()
	var info frames.Info
	if err := json.Unmarshal(r.Info, &info); err != nil {
		t.Fatal(err)
	}
	return info
}

func TestAVideoWithoutAPoseEstimatorIsKeptWithAWordAboutIt(t *testing.T) {
	got, err := runner(t).Read(t.Context(), lab, upload.Source{Name: "a.mp4"}, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	info := infoOf(t, got)
	last := info.Warnings[len(info.Warnings)-1]
	if got.Rate != 25 || info.Frames != 10 || info.Video == nil || info.Video.Width != 640 || len(info.Channels) != 0 ||
		got.Table != nil ||
		last.Code != process.NoPoseEstimator || !strings.Contains(last.Message, "KINEBASE_VIDEO_PROCESSOR") {
		t.Errorf("%+v, rate %v, table %v", info, got.Rate, got.Table)
	}
}

func TestAVideoBecomesWhatItsProcessorMakesOfIt(t *testing.T) {
	rec := &motion.Recording{Rate: 25, Frames: 10, FirstFrame: 1, Unit: "m",
		Points: []record.Point{{Name: "hip", X: make([]float32, 10), Y: make([]float32, 10), Z: make([]float32, 10)}}}
	var made bytes.Buffer
	if err := trc.Write(&made, "x", rec); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KINEBASE_DATABASE_URL", "secret")
	r := pose(t, `set -e
env | grep -q KINEBASE && exit 7
test "$(basename "$1")" = input.mp4
test "$(stat -c %a .)" = 700
cmp -s "$1" "$1"
cat > "$2" <<'END'
`+made.String()+"END\n")
	got, err := r.Read(t.Context(), lab, upload.Source{Name: "My Clip.MP4"}, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	info := infoOf(t, got)
	if info.Format != "mp4" || info.Video == nil || info.Frames != 10 || len(info.Channels) != 1 ||
		info.Channels[0].Name != "hip" || got.Rate != 25 || got.Extension != ".trc" {
		t.Errorf("%+v, %q", info, got.Extension)
	}
	if table(t, got.Table).Rows() != 10 || got.Derived.Size() != int64(made.Len()) {
		t.Errorf("%d bytes derived, want %d", got.Derived.Size(), made.Len())
	}
}

// c3dWithoutARate is three frames, the first of which is number 11, with two samples
// of a channel in each.
func c3dWithoutARate(t *testing.T) string {
	t.Helper()
	rec := &motion.Recording{
		Frames: 3, FirstFrame: 11, Unit: "m",
		Points: []record.Point{{Name: "A", Quantity: record.Position, X: []float32{1, 2, 3}, Y: []float32{1, 2, 3},
			Z: []float32{1, 2, 3}}},
		Analogs: []record.Channel{{Name: "F", PerFrame: 2, Values: []float32{1, 2, 3, 4, 5, 6}}},
	}
	var b bytes.Buffer
	if err := c3d.Write(&b, rec); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatIsMadeOfAVideoHasItsRateUnlessItTellsTimes(t *testing.T) {
	for _, c := range []struct {
		name, ending, made string
		rate               float64 // 0: none
		times              []float64
	}{
		{"neither rate nor times", "csv", "A_x,A_y,A_z\n1,2,3\n1,2,3\n1,2,3\n", 25, []float64{0, 0.04, 0.08}},
		{"numbers of frames alone", "csv", "frame,A_x,A_y,A_z\n0,1,2,3\n1,1,2,3\n2,1,2,3\n",
			25, []float64{0, 0.04, 0.08}},
		{"C3D without a rate", "c3d", c3dWithoutARate(t), 25, nil}, // wherever it begins
		{"times of its own", "csv", "time,A_x,A_y,A_z\n0,1,2,3\n0.02,1,2,3\n0.04,1,2,3\n", 50,
			[]float64{0, 0.02, 0.04}},
		{"uneven times", "csv", "time,A_x,A_y,A_z\n0,1,2,3\n0.04,1,2,3\n0.5,1,2,3\n", 0, []float64{0, 0.04, 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := pose(t, "exit 1")
			made := filepath.Join(t.TempDir(), "made")
			if err := os.WriteFile(made, []byte(c.made), 0o600); err != nil {
				t.Fatal(err)
			}
			r.Video = []string{"/bin/sh", "-c", `cp "$1" "$2.` + c.ending + `"`, "pose", made, "{output}", "{input}"}
			got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mp4"}, remoteOf(clip()))
			if err != nil {
				t.Fatal(err)
			}
			defer got.Close()
			info := infoOf(t, got)
			p, err := table(t, got.Table).Part(info, 0, []string{"A_x"}, 0, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			told := 0.0
			if info.Rate != nil {
				told = *info.Rate
			}
			if c.times == nil {
				for f := range 3 {
					c.times = append(c.times, info.Start+float64(f)/c.rate)
				}
			}
			if told != c.rate || info.Even != (c.rate > 0) || !slices.Equal(p.Time, c.times) {
				t.Errorf("rate %v, even %v, times %v; want %v, %v", told, info.Even, p.Time, c.rate, c.times)
			}
			if last := c.times[2] - c.times[0]; c.rate > 0 && math.Abs(info.Duration-3/c.rate) > 1e-9 || c.rate == 0 &&
				info.Duration != last {
				t.Errorf("it takes %v s", info.Duration)
			}
			if want := cmp.Or(c.rate, 25); got.Rate != want { // of the pictures, when there is no other
				t.Errorf("the capture has %v frames a second, want %v", got.Rate, want)
			}
			if got.Samples == nil {
				return
			}
			fast, err := table(t, got.Samples).Part(info, 0, []string{"F"}, 0, 6, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i, at := range fast.Time {
				if want := info.Start + float64(i)/50; math.Abs(at-want) > 1e-9 {
					t.Errorf("sample %d is at %v s, want %v", i, at, want)
				}
			}
		})
	}
}

func TestAVideoProcessorThatFailsSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name, script, says string
		unreadable         bool
	}{
		{name: "an exit code", script: "echo \"no person in $1\" >&2; exit 3",
			says: "The video processor crashed (exit code 3). Its last words: no person in input.mov"},
		{name: "nothing made", script: "echo done", says: "left no file called output"},
		{name: "rubbish", script: "echo rubbish > $2",
			says: "What the video processor made of the video cannot be read.", unreadable: true},
		{name: "too long", script: "sleep 600 & sleep 600",
			says: "longer than the 1s that it may take (KINEBASE_VIDEO_TIME)"},
		{name: "too much", script: "sort /dev/zero", says: "(KINEBASE_VIDEO_MEMORY)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := pose(t, c.script)
			r.VideoMemory = 64 << 20
			if c.name == "too long" {
				r.VideoTime = time.Second
			}
			_, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mov"}, remoteOf(clip()))
			var unreadable *upload.Unreadable
			var died *upload.Died
			if c.unreadable != errors.As(err, &unreadable) || c.unreadable == errors.As(err, &died) ||
				!strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), r.Dir) {
				t.Errorf("%v, want one that says %q", err, c.says)
			}
		})
	}
}

func TestAVideoProcessorThatAsksItselfToEndSaysThatItWasStopped(t *testing.T) {
	// A shell begins programs behind the scenes with some signals ignored, and so would
	// what they begin. A signal that is listened to is as usual for those.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGINT, syscall.SIGHUP)
	defer signal.Stop(heard)
	for _, signal := range []string{"TERM", "INT", "HUP"} {
		_, err := pose(t, "kill -"+signal+" $$; sleep 600").Read(t.Context(), lab, upload.Source{Name: "a.mov"},
			remoteOf(clip()))
		var stopped *upload.Stopped
		if !errors.As(err, &stopped) || !strings.HasPrefix(stopped.Reason, "The video processor was asked to end") {
			t.Errorf("%s gives %v", signal, err)
		}
	}
}

func TestWhatAKilledServerLeftOfAVideoIsRemoved(t *testing.T) {
	r := pose(t, "exit 1")
	orphan := filepath.Join(r.Dir, "kinebase-video-1")
	if err := os.Mkdir(orphan, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(orphan, "input.mp4"), clip(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(t.Context(), lab, upload.Source{Name: "a.mp4"}, remoteOf(clip())); err == nil {
		t.Error("the processor failed, and nobody said so")
	}
	if _, err := os.Stat(orphan); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestACommandIsTakenApartAsAShellDoes(t *testing.T) {
	for command, want := range map[string][]string{
		"run {input} {output}":                       {"run", "{input}", "{output}"},
		"  run\t-i={input}  {output}.trc ":           {"run", "-i={input}", "{output}.trc"},
		`"/opt/my pose/run" '{input}' a\ b {output}`: {"/opt/my pose/run", "{input}", "a b", "{output}"},
		`run "" 'a\b' "c\"d" {input}{output}`:        {"run", "", `a\b`, `c"d`, "{input}{output}"},
	} {
		if got, err := process.ParseCommand(command); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is %q (%v), want %q", command, got, err, want)
		}
	}
	for command, says := range map[string]string{"run {input}": "{output}", "run {output}": "{input}",
		"run 'x {input} {output}": "not closed", `run {input} {output}\`: "backslash", "": "{input}"} {
		if got, err := process.ParseCommand(command); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is %q: %v", command, got, err)
		}
	}
}

func TestTheProgramIsItsOwnChild(t *testing.T) {
	testkit.Long(t)                               // it builds the program,
	program := os.Getenv("KINEBASE_TEST_PROGRAM") // unless scripts/test has
	if _, err := os.Stat(program); err != nil {
		program = filepath.Join(t.TempDir(), "kinebase")
		build := exec.Command("go", "build", "-trimpath", "-o", program, "../../cmd/kinebase")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as people build it, and the tests of internal/e2e
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	r := runner(t)
	r.Binary, r.Memory = program, 128<<20
	got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.c3d"}, remoteOf(small()))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if table(t, got.Table).Rows() != 20 {
		t.Error("the table is not that of the file")
	}
	r.Video, r.VideoMemory = []string{"/bin/sh", "-c", `printf '%s' "$*" > "$2"`, "--memory", "{input}",
		"{output}.csv"}, 256<<20
	derived, err := r.Derive(t.Context(), upload.Source{Name: "a.mp4"}, nil, remoteOf(clip()))
	if err != nil {
		t.Fatal(err)
	}
	defer derived.Close()
	if derived.Extension != ".csv" || derived.Size() == 0 {
		t.Errorf("%q of %d bytes", derived.Extension, derived.Size())
	}
}

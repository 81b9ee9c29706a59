package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
)

// motionFile is a file to be read and what it is.
type motionFile struct{ what, path string }

// laboratory is a C3D file as gait laboratories have them: 60 markers and 30
// channels with ten samples a frame. All its frames are alike.
func laboratory(real bool, size int) (*repeated, error) {
	o := c3dtest.Options{Real: real, Points: c3dtest.Many("P", 60), Analogs: c3dtest.Many("A", 30), PerFrame: 10,
		Unit: "mm"}
	width := 2
	if real {
		width = 4
	}
	frames := size / (width * (4*60 + 300))
	o.Header = func(h *c3dtest.Header) { h.Last = uint16(min(frames, 65535)) }
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "FRAMES", Value: float32(frames)}}
	one := c3dtest.File(o)
	h, err := c3d.ReadHeader(bytes.NewReader(one), 1<<40)
	if err != nil {
		return nil, err
	}
	return &repeated{one[:h.DataStart], one[h.DataStart : h.DataStart+h.FrameSize], frames}, nil
}

// repeated is a file whose frames are alike, which takes no room anywhere.
type repeated struct {
	head, frame []byte
	frames      int
}

func (r *repeated) size() int64 { return int64(len(r.head)) + int64(r.frames)*int64(len(r.frame)) }

func (r *repeated) ReadAt(b []byte, off int64) (n int, err error) {
	for n < len(b) && off+int64(n) < r.size() {
		at := off + int64(n)
		if at < int64(len(r.head)) {
			n += copy(b[n:], r.head[at:])
			continue
		}
		n += copy(b[n:], r.frame[(at-int64(len(r.head)))%int64(len(r.frame)):])
	}
	n = int(min(int64(n), max(0, r.size()-off)))
	if n < len(b) {
		err = io.EOF
	}
	return n, err
}

// motionFiles makes a file of each kind in a folder.
func (b *bench) motionFiles(folder string) ([]motionFile, error) {
	size := 200 << 20
	if b.captures < 1_000_000 { // a quick run
		size /= 10
	}
	var files []motionFile
	add := func(what, name string, write func(w io.Writer) error) error {
		path := filepath.Join(folder, name)
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		files = append(files, motionFile{what, path})
		return errors.Join(write(f), f.Close())
	}
	for _, real := range []bool{true, false} {
		l, err := laboratory(real, size)
		if err != nil {
			return nil, err
		}
		what := map[bool]string{true: "C3D of floating point", false: "C3D of integers"}[real]
		err = add(what, fmt.Sprintf("%v.c3d", real), func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(l, 0, l.size()))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	rec := &record.Recording{Rate: 100, FirstFrame: 1, Frames: size / 4 / 800, Unit: "mm"}
	for _, name := range c3dtest.Many("M", 30) {
		p := record.Point{Name: name, Quantity: record.Position, X: make([]float32, rec.Frames),
			Y: make([]float32, rec.Frames), Z: make([]float32, rec.Frames)}
		for f := range rec.Frames {
			p.X[f], p.Y[f], p.Z[f] = float32(f)*0.1234567+1, -float32(f)*0.0345-400, 1000.125
		}
		rec.Points = append(rec.Points, p)
	}
	if err := add("TRC", "a.trc", func(w io.Writer) error { return trc.Write(w, "a.trc", rec) }); err != nil {
		return nil, err
	}
	err := add("STO", "a.sto", func(w io.Writer) error {
		var text bytes.Buffer
		fmt.Fprintf(&text, "Coordinates\nversion=1\nnRows=%d\nnColumns=91\ninDegrees=yes\nendheader\ntime", rec.Frames)
		for _, name := range c3dtest.Many("q", 90) {
			text.WriteString("\t" + name)
		}
		for f := range rec.Frames {
			fmt.Fprintf(&text, "\n%.8f", float64(f)/100)
			for i := range 90 {
				fmt.Fprintf(&text, "\t%.8f", float64(f*i%360)*0.123456)
			}
		}
		_, err := text.WriteTo(w)
		return err
	})
	return files, err
}

// motion measures the readers of motion files against reading the bytes alone, and
// C3D against ezc3d, if BENCH_EZC3D names a Python that has it.
func (b *bench) motion() error {
	const head = "Motion files: "
	if b.wanted(head + "reading") {
		dir, err := os.MkdirTemp("", "kinebase-bench-motion")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		files, err := b.motionFiles(dir)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := b.reading(head, f); err != nil {
				return err
			}
		}
		if err := b.ezc3d(head, dir); err != nil {
			return err
		}
	}
	if !b.wanted(head + "peak memory") {
		return nil
	}
	c, err := start(job{Role: roleMotion})
	if err != nil {
		return err
	}
	line, err := c.line()
	if err != nil {
		return errors.Join(err, c.end())
	}
	most, err := strconv.ParseFloat(line, 64)
	if err != nil {
		return errors.Join(err, c.end())
	}
	goal, met := judge(most/(1<<20), 64, atMost)
	b.add(row{operation: head + "peak memory of a process that reads a C3D file of 1 GiB, 2,000 frames at a time",
		ours: figure(most/(1<<20)) + " MiB", goal: goal + " MiB", met: met})
	return c.end()
}

// reading measures one file, in turn with its bytes. They are in the system's
// memory: a disk has no part in it.
func (b *bench) reading(head string, f motionFile) error {
	info, err := os.Stat(f.path)
	if err != nil {
		return err
	}
	var ours, bytes []float64
	for range 2*b.rounds + 1 {
		took, err := seconds(func() error { return readMotion(f.path) })
		if err != nil {
			return err
		}
		ours = append(ours, took)
		took, err = seconds(func() error { _, err := os.ReadFile(f.path); return err })
		if err != nil {
			return err
		}
		bytes = append(bytes, took)
	}
	goal := 0.0
	if filepath.Ext(f.path) == ".c3d" {
		goal = 2
	}
	mb := float64(info.Size()) / 1e6
	ratio := median(ours) / median(bytes)
	text, met := judge(ratio, goal, atMost)
	b.add(row{
		operation: fmt.Sprintf("%sreading %s, %s MB", head, f.what, figure(mb)), ours: figure(mb/median(ours)) +
			" MB/s",
		baseline: "its bytes " + figure(mb/median(bytes)) + " MB/s", ratio: figure(ratio), goal: text, met: met,
	})
	return nil
}

// theirs is how the file named as the argument is read by ezc3d, in C++ and without
// what Python makes of it, and how many seconds the best of ten readings takes.
const theirs = `import sys, time
from ezc3d import ezc3d
def once():
    begun = time.perf_counter()
    ezc3d.c3d(sys.argv[1])
    return time.perf_counter() - begun
print(min(once() for _ in range(10)))
`

// ezc3d measures the C++ reader on a file that Kinebase wrote, of an ordinary size:
// its memory is many times the file's.
func (b *bench) ezc3d(head, dir string) error {
	python := os.Getenv("BENCH_EZC3D")
	if python == "" {
		return nil
	}
	l, err := laboratory(true, 2<<20)
	if err != nil {
		return err
	}
	rec, err := c3d.Read(l, l.size())
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "written.c3d")
	var file bytes.Buffer
	if err := c3d.Write(&file, rec); err != nil {
		return err
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		return err
	}
	answer, err := exec.Command(python, "-c", theirs, path).Output()
	if err != nil {
		return fmt.Errorf("ezc3d: %w", err)
	}
	other, err := strconv.ParseFloat(strings.TrimSpace(string(answer)), 64)
	if err != nil {
		return err
	}
	var ours []float64
	for range 10 {
		took, err := seconds(func() error { return readMotion(path) })
		if err != nil {
			return err
		}
		ours = append(ours, took)
	}
	mb, best := float64(file.Len())/1e6, slices.Min(ours)
	text, met := judge(other/best, 10, atLeast)
	b.add(row{
		operation: fmt.Sprintf("%sreading C3D of floating point, %s MB, best of ten", head, figure(mb)),
		ours:      figure(mb/best) + " MB/s", baseline: "ezc3d " + figure(mb/other) + " MB/s",
		ratio: figure(other / best), goal: text, met: met,
	})
	return nil
}

// readMotion reads a file with all its numbers.
func readMotion(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = motion.Read(path, f, info.Size())
	return err
}

// motion is the child that reads 1 GiB.
func (j job) motion() error {
	l, err := laboratory(true, 1<<30)
	if err != nil {
		return err
	}
	f, err := c3d.Open(l, l.size())
	if err != nil {
		return err
	}
	for at := 0; at < f.Frames; at += 2000 {
		if _, err := f.Stretch(at, min(2000, f.Frames-at)); err != nil {
			return err
		}
	}
	most, err := peak("self")
	if err != nil {
		return err
	}
	fmt.Println(most)
	return nil
}

func seconds(do func() error) (float64, error) {
	begun := time.Now()
	err := do()
	return time.Since(begun).Seconds(), err
}

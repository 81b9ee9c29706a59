// Package recordtest knows what holds of every file that a codec reads, however
// wrong the file is: the fuzz targets of the codecs give it theirs.
package recordtest

import (
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// What a codec may take beside what the size of the file allows.
const (
	// Binary is for formats in which every number has its bytes in the file.
	Binary = 1 << 20
	// Table is for tables of text, in which a missing number has none: any file may
	// have four million cells.
	Table = 4 << 20 * 4
)

// Read has a codec read a file of size bytes and fails the test unless it kept to
// its bounds (a second of the processor and a second for each megabyte; ten times
// the file's size in memory, and spare bytes), and either gave a recording that is
// whole or an explanation. It gives the recording, nil when there was an
// explanation.
func Read(t testing.TB, size, spare int, read func() (*record.Recording, error)) *record.Recording {
	t.Helper()
	took, asked := processor(t), allocated()
	rec, err := read()
	if took = processor(t) - took; took > time.Second+time.Duration(size)*time.Second/(1<<20) {
		t.Fatalf("%d bytes took %v of the processor", size, took)
	}
	// What was asked for in all is no peak: slices that grow are asked for again and
	// again. But a count that nobody checked is far beyond this.
	if asked = allocated() - asked; asked > 40*uint64(size)+4*uint64(spare) {
		t.Fatalf("%d bytes of memory were asked for to read %d", asked, size)
	}
	if err != nil {
		explained(t, err, size)
		return nil
	}
	whole(t, rec, size)
	if held := held(rec); held > 10*size+spare {
		t.Fatalf("%d bytes of a file became %d in memory", size, held)
	}
	return rec
}

// explained wants an error that helps the person who has the file.
func explained(t testing.TB, err error, size int) {
	t.Helper()
	var u *quality.Unreadable
	if !errors.As(err, &u) || u.Reason == "" || u.Hint == "" || u.Offset < 0 || u.Offset > int64(size) || u.Line < 0 ||
		u.Line > size+1 {
		t.Fatalf("%v is no explanation of a file of %d bytes", err, size)
	}
}

// processor is the time that this program has had of the processor.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// allocated is the memory that this program has ever asked for, in bytes.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// whole wants a recording of which every part fits the others.
func whole(t testing.TB, rec *record.Recording, size int) {
	t.Helper()
	if rec.Frames < 0 || rec.Frames > size || rec.Rate != 0 && !record.Usable(rec.Rate) || !number(rec.Start) ||
		!number(rec.Duration()) || rec.Duration() < 0 {
		t.Fatalf("%d frames at %v Hz from %v s for %v s in %d bytes", rec.Frames, rec.Rate, rec.Start, rec.Duration(),
			size)
	}
	if rec.Times != nil && (len(rec.Times) != rec.Frames ||
		slices.ContainsFunc(rec.Times, func(f float64) bool { return !number(f) })) {
		t.Fatalf("times %v of %d frames", rec.Times, rec.Frames)
	}
	if rec.Times != nil && rec.Start != rec.Times[0] {
		t.Fatalf("begins at %v s, and its first frame is at %v s", rec.Start, rec.Times[0])
	}
	labels := make([]string, len(rec.Points))
	for i := range rec.Points {
		labels[i] = rec.Points[i].Label()
		point(t, &rec.Points[i], rec.Frames)
	}
	distinct(t, "points", labels)
	labels = labels[:0]
	for _, r := range rec.Rotations {
		labels = append(labels, r.Subject+":"+r.Name)
		finite(t, r.Name+", its reliability", r.Reliability)
		if r.PerFrame < 1 || r.Reliability != nil && len(r.Reliability) != rec.Frames*r.PerFrame {
			t.Fatalf("rotation %q has %d reliabilities for %d frames, %d times a frame", r.Name, len(r.Reliability),
				rec.Frames, r.PerFrame)
		}
		for _, values := range r.Matrix {
			if len(values) != rec.Frames*r.PerFrame {
				t.Fatalf("rotation %q has %d matrices for %d frames, %d times a frame", r.Name, len(values), rec.Frames,
					r.PerFrame)
			}
			finite(t, "rotation "+r.Name, values)
		}
	}
	distinct(t, "rotations", labels)
	channels(t, "angles", rec.Angles, rec.Frames)
	channels(t, "channels", rec.Analogs, rec.Frames)
	for _, e := range rec.Events {
		if !number(e.Time) {
			t.Fatalf("%q happened at %v s", e.Label, e.Time)
		}
	}
	for _, w := range rec.Warnings {
		if w.Code == "" || !strings.HasSuffix(w.Message, ".") || strings.Contains(w.Message, "%!(") {
			t.Fatalf("%q is no warning with a sentence: %q", w.Code, w.Message)
		}
	}
}

// point wants a value for each frame, and all three or none.
func point(t testing.TB, p *record.Point, frames int) {
	t.Helper()
	if len(p.X) != frames || len(p.Y) != frames || len(p.Z) != frames || p.Residual != nil &&
		len(p.Residual) != frames || p.Cameras != nil && len(p.Cameras) != frames {
		t.Fatalf("%q has %d, %d, %d places, %d residuals, %d cameras in %d frames", p.Label(), len(p.X), len(p.Y),
			len(p.Z), len(p.Residual), len(p.Cameras), frames)
	}
	finite(t, p.Label()+", its residual", p.Residual)
	if p.Wide != nil {
		for i, values := range [3][]float32{p.X, p.Y, p.Z} {
			rounded(t, p.Label(), values, p.Wide[i])
		}
	}
	for f := range frames {
		x, y, z := p.X[f], p.Y[f], p.Z[f]
		if p.Missing(f) && (y == y || z == z) || !p.Missing(f) && (x-x != 0 || y-y != 0 || z-z != 0) {
			t.Fatalf("%q is at %v, %v, %v in frame %d", p.Label(), x, y, z, f)
		}
	}
}

// channels wants as many values as each says.
func channels(t testing.TB, what string, all []record.Channel, frames int) {
	t.Helper()
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
		if c.PerFrame < 1 || len(c.Values) != frames*c.PerFrame || !number(c.Rate) || c.Rate < 0 {
			t.Fatalf("%s: %q has %d values for %d frames, %d a frame, at %v Hz", what, c.Name, len(c.Values), frames,
				c.PerFrame, c.Rate)
		}
		finite(t, what+": "+c.Name, c.Values)
		rounded(t, what+": "+c.Name, c.Values, c.Wide)
	}
	distinct(t, what, names)
}

// finite wants numbers, or none: what is infinite was never measured.
func finite(t testing.TB, what string, values []float32) {
	t.Helper()
	for i, v := range values {
		if v == v && v-v != 0 {
			t.Fatalf("%q is %v at %d", what, v, i)
		}
	}
}

// rounded wants 32-bit numbers to be those nearest to the 64-bit ones, if there are
// any: who converts the one must convert the other.
func rounded(t testing.TB, what string, values []float32, wide []float64) {
	t.Helper()
	if wide != nil && len(wide) != len(values) {
		t.Fatalf("%q has %d numbers of 32 bits and %d of 64", what, len(values), len(wide))
	}
	for i, w := range wide {
		v := values[i]
		apart := math.Nextafter32(v, float32(math.Inf(1))) - v
		if v == v != (w == w) || v == v && math.Abs(w-float64(v)) > float64(apart) {
			t.Fatalf("%q is %v in 32 bits and %v in 64 at %d", what, v, w, i)
		}
	}
}

// distinct wants names that can be typed and asked for, no two alike.
func distinct(t testing.TB, what string, names []string) {
	t.Helper()
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if name == "" || seen[name] || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
			t.Fatalf("%s are called %q", what, names)
		}
		seen[name] = true
	}
}

// held is what the numbers of a recording take in memory, in bytes.
func held(rec *record.Recording) int {
	n := 8 * cap(rec.Times)
	for _, p := range rec.Points {
		n += 4*(cap(p.X)+cap(p.Y)+cap(p.Z)+cap(p.Residual)) + cap(p.Cameras)
		if p.Wide != nil {
			n += 8 * (cap(p.Wide[0]) + cap(p.Wide[1]) + cap(p.Wide[2]))
		}
	}
	for _, r := range rec.Rotations {
		n += 4 * cap(r.Reliability)
		for _, values := range r.Matrix {
			n += 4 * cap(values)
		}
	}
	for _, all := range [][]record.Channel{rec.Analogs, rec.Angles} {
		for _, c := range all {
			n += 4*cap(c.Values) + 8*cap(c.Wide)
		}
	}
	return n
}

func number(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// Alike says whether two rows of numbers are the same, missing ones included.
func Alike(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return a == b || a != a && b != b })
}

// Most is how many bytes of a file a fuzz target reads: larger ones slow the search down, and what can
// go wrong stands at the beginning.
const Most = 8 << 10

// Seeds has a fuzz target collect garbage seldom, for it makes little and stops for it often, and gives
// the beginnings of the real files with these endings, if the environment says where there are any.
// They are not part of the project.
func Seeds(f *testing.F, add func(file []byte), endings ...string) {
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		debug.SetGCPercent(-1)
		debug.SetMemoryLimit(256 << 20)
	}
	folder := os.Getenv("KINEBASE_TEST_MOTION")
	if folder == "" {
		return
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(endings, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		file, err := os.ReadFile(path)
		if err == nil {
			add(file[:min(len(file), Most)])
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

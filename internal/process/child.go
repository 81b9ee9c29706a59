package process

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/process/confine"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/trc"
	"github.com/kinebase/kinebase/movement"
)

// The verbs of the program under which it is a child.
const (
	Verb    = "read-file" // a reader
	Confine = "confined"  // another program under limits
)

// exitUnready is the exit code of a child that could not begin: what it found wrong has
// nothing to do with the file. A Go program that crashes exits with 2.
const exitUnready = 1

// Main is the whole of a child: args are those behind the program's name, the verb
// first. It gives the exit code.
//
// A reader is asked for one file after the other at the file descriptor 3, and answers
// there. That a file cannot be read is an answer too: any other end than with 0 is a crash.
func Main(args []string) int {
	var l last
	return run(args, l.answer)
}

// run is Main, with what answers a request.
func run(args []string, answer func(request, []*os.File) result) int {
	runtime.LockOSThread() // what a process says of its parent and becomes counts for one thread
	var err error
	switch args[0] {
	case Verb:
		err = child(args[1:], answer)
	case Confine:
		err = confined(args[1:])
	default:
		err = fmt.Errorf("there is no child %q", args[0])
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "kinebase:", err)
		return exitUnready
	}
	return 0
}

// limits are what a child does to itself first.
type limits struct {
	memory, fileSize int64
	seconds          uint64 // of processor time; 0: any
}

func (l *limits) flags(set *flag.FlagSet) {
	set.Int64Var(&l.memory, "memory", 0, "")
	set.Int64Var(&l.fileSize, "file-size", 0, "")
	set.Uint64Var(&l.seconds, "seconds", 0, "")
}

// prepared is what a Go program maps and does not use: its heap grows by arenas of
// 64 MiB, of which it has two at once when the first begins in the middle of one, and
// the kernel counts them whole. With 128 MiB in all, one start in three failed.
const prepared = 160 << 20

func child(args []string, answer func(request, []*os.File) result) error {
	var l limits
	set := flag.NewFlagSet(Verb, flag.ContinueOnError)
	l.flags(set)
	uid := set.Int("uid", 0, "")
	if err := set.Parse(args); err != nil {
		return err
	}
	memory := l.memory
	if memory > 0 {
		l.memory += prepared
	}
	status := openStatus()
	if err := errors.Join(l.set(), confine.Self(confine.Rules{UID: *uid, Alone: true})); err != nil {
		return err
	}
	if memory > 0 {
		debug.SetMemoryLimit(memory / 10 * 8) // the collector works harder before the limit is hit
	}
	// Every core that reads takes memory of its own, and others want some too.
	runtime.GOMAXPROCS(min(4, runtime.GOMAXPROCS(0)))
	return listen(status, l.fileSize, answer)
}

// listen answers one request after the other until there are no more.
func listen(status *os.File, mostWritten int64, answer func(request, []*os.File) result) error {
	busy := runtime.NumGoroutine()
	for {
		q, files, err := receive()
		if err == io.EOF {
			return nil
		}
		if err == nil && q.Write > 0 {
			err = limitFiles(q.Write, mostWritten)
		}
		if err == nil && len(files) > 0 {
			err = collect(q, files[0])
		}
		if err != nil {
			return err
		}
		got := answer(q, files)
		for _, f := range files {
			if err := f.Close(); err != nil {
				return err
			}
		}
		got.Peak, got.Worn = peak(status), stillMore(busy)
		if err := reply(got); err != nil {
			return err
		}
	}
}

// stillMore says whether more goroutines run than before the file. One that is at its end has a
// moment for it.
func stillMore(before int) bool {
	for range 20 {
		if runtime.NumGoroutine() <= before {
			return false
		}
		<-time.After(time.Millisecond)
	}
	return true
}

// collect has the collector work all the time for a large file: it is gone through in stretches,
// and what is left of one is garbage at once. For a small one that would be more work than to
// read it, or to measure what is in memory.
func collect(q request, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	percent := 30
	if q.Last || info.Size() <= 4<<20 {
		percent = 400
	}
	debug.SetGCPercent(percent)
	return nil
}

// answer does what is asked: the file comes first, then those to be written to.
func (l *last) answer(q request, files []*os.File) result {
	got, err := l.do(q, files)
	var unreadable *motion.Unreadable
	switch {
	case errors.As(err, &unreadable):
		return result{Unreadable: unreadable.Error()}
	case errors.Is(err, motion.ErrNoReader):
		return result{Unreadable: "There is no reader for this kind of file."}
	case errors.Is(err, syscall.EFBIG):
		return result{Unreadable: "The tables of the recording would be far larger than the file; it is not kept."}
	case err != nil:
		got = result{Failed: err.Error()}
		errors.As(err, &got.Number)
	}
	return got
}

func (l *last) do(q request, files []*os.File) (result, error) {
	before := *l
	*l = last{}
	switch {
	case q.Last:
		return before.measure(files)
	case q.Measure != nil:
		return measure(*q.Measure, files)
	}
	want := 3
	if q.To != "" {
		want = 2
	}
	if len(files) != want {
		return result{}, fmt.Errorf("%d files came with a request that needs %d", len(files), want)
	}
	info, err := files[0].Stat()
	switch {
	case err != nil:
		return result{}, err
	case q.To == "":
		return l.read(q, files[0], info.Size(), files[1], files[2])
	}
	return result{}, convert(q.Name, q.To, q.Rate, files[0], info.Size(), files[1])
}

// openStatus opens what the kernel says of this process, which cannot be opened once it
// is confined; nil when the kernel does not tell.
func openStatus() *os.File {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		return nil
	}
	return status
}

// peak is the most memory that this process has had, in bytes (VmHWM of proc(5)); 0
// when the kernel does not tell.
func peak(from *os.File) int64 {
	if from == nil {
		return 0
	}
	status, err := io.ReadAll(io.NewSectionReader(from, 0, 1<<20))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}

// read makes tables of a file, by the rate of the request if there is one and the file tells neither
// a rate nor times.
func (l *last) read(q request, in io.ReaderAt, size int64, table, samples io.Writer) (result, error) {
	f, err := motion.Open(q.Name, in, size)
	if err != nil {
		return result{}, err
	}
	head, err := f.Stretch(0, 0)
	if err != nil {
		return result{}, err
	}
	if head.Rate == 0 && head.Times == nil {
		f.Correct(q.Rate)
	}
	var wanted func(*frames.Info) []string
	if m := q.Then; m != nil {
		wanted = func(i *frames.Info) []string { return movement.Wanted(m.Activity, m.Movement, i, m.Own) }
	}
	info, _, kept, err := frames.WriteKeeping(table, samples, f.Kind, f.Frames, f, wanted)
	if err != nil {
		return result{}, err
	}
	raw, err := json.Marshal(info)
	if err != nil {
		return result{}, err
	}
	if q.Then != nil {
		*l = last{as: *q.Then, info: &info, kept: kept}
	}
	got := result{Info: raw}
	if head.Video != nil && !head.Video.Created.IsZero() { // when the movement was recorded
		at := head.Video.Created.UTC()
		got.Made = &at
	}
	if !head.Recorded.IsZero() {
		at := head.Recorded.UTC()
		got.Made = &at
	}
	if info.Rate != nil {
		got.Rate = *info.Rate
	}
	return got, nil
}

// convert writes a file in another format. That a recording has no place in one is
// its own fault, as it were.
func convert(name, format string, rate float64, in io.ReaderAt, size int64, out io.Writer) error {
	f, err := motion.Open(name, in, size)
	if err != nil {
		return err
	}
	if f.Kind == motion.MP4 || f.Kind == motion.MOV {
		return &motion.Unreadable{Reason: "A video has no motion that could be written as " + format,
			Hint: "Without a format it is given as it came."}
	}
	f.Correct(rate)
	if format == "csv" {
		return frames.WriteCSV(out, f.Kind, f.Frames, f)
	}
	rec, err := f.Stretch(0, f.Frames)
	if err != nil {
		return err
	}
	if format == "trc" {
		err = trc.Write(out, "motion.trc", rec)
	} else {
		err = c3d.Write(out, rec)
	}
	var path *os.PathError
	if err != nil && !errors.As(err, &path) {
		return &motion.Unreadable{Reason: "The recording cannot be written as " + format + ": " + err.Error(),
			Hint: "Ask for another format, c3d, trc or csv, or for the file as it came."}
	}
	return err
}

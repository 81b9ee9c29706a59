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

	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/internal/process/confine"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/trc"
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
// A reader finds the file at its standard input and writes to the file descriptors
// 3 and 4 what becomes of it; what it has to say is JSON on its standard output. A
// file that cannot be read is such a thing too: any other end than with 0 is a crash.
func Main(args []string) int {
	runtime.LockOSThread() // what a process says of its parent and becomes counts for one thread
	var err error
	switch args[0] {
	case Verb:
		err = child(args[1:])
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

// set sets them, for good. RLIMIT_AS would be no limit for memory: Go reserves far
// more addresses than it uses, and does not start.
func (l *limits) set() error {
	set := func(resource int, n uint64) error {
		return unix.Setrlimit(resource, &unix.Rlimit{Cur: n, Max: n})
	}
	err := set(unix.RLIMIT_CORE, 0) // a core has the file's contents
	if l.memory > 0 {
		err = errors.Join(err, set(unix.RLIMIT_DATA, uint64(l.memory)))
	}
	if l.fileSize > 0 {
		err = errors.Join(err, set(unix.RLIMIT_FSIZE, uint64(l.fileSize)))
	}
	if l.seconds > 0 {
		err = errors.Join(err, set(unix.RLIMIT_CPU, l.seconds))
	}
	return err
}

// prepared is what a Go program maps and does not use: its heap grows by arenas of
// 64 MiB, of which it has two at once when the first begins in the middle of one, and
// the kernel counts them whole. With 128 MiB in all, one start in three failed.
const prepared = 160 << 20

func child(args []string) error {
	var l limits
	set := flag.NewFlagSet(Verb, flag.ContinueOnError)
	l.flags(set)
	uid := set.Int("uid", 0, "")
	name := set.String("name", "", "")
	to := set.String("to", "", "")
	rate := set.Float64("rate", 0, "")
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
		// The collector works harder before the limit is hit, and all the time: files are
		// gone through in stretches, and what is left of one is garbage at once.
		debug.SetMemoryLimit(memory / 10 * 8)
		debug.SetGCPercent(30)
	}
	// Every core that reads takes memory of its own, and others want some too.
	runtime.GOMAXPROCS(min(4, runtime.GOMAXPROCS(0)))
	info, err := os.Stdin.Stat()
	if err != nil {
		return err
	}
	var got result
	if *to == "" {
		got, err = read(*name, *rate, os.Stdin, info.Size(), os.NewFile(3, "table"), os.NewFile(4, "samples"))
	} else {
		err = convert(*name, *to, *rate, os.Stdin, info.Size(), os.NewFile(3, "output"))
	}
	var unreadable *motion.Unreadable
	switch {
	case errors.As(err, &unreadable):
		got = result{Unreadable: unreadable.Error()}
	case errors.Is(err, motion.ErrNoReader):
		got = result{Unreadable: "There is no reader for this kind of file."}
	case errors.Is(err, syscall.EFBIG):
		got = result{Unreadable: "The tables of the recording would be far larger than the file; it is not kept."}
	case err != nil:
		got = result{Failed: err.Error()}
		errors.As(err, &got.Number)
	}
	got.Peak = peak(status)
	return json.NewEncoder(os.Stdout).Encode(got)
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
	status, err := io.ReadAll(from)
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

// read makes tables of a file, by the rate if there is one and the file tells neither
// a rate nor times.
func read(name string, rate float64, in io.ReaderAt, size int64, table, samples io.Writer) (result, error) {
	f, err := motion.Open(name, in, size)
	if err != nil {
		return result{}, err
	}
	head, err := f.Stretch(0, 0)
	if err != nil {
		return result{}, err
	}
	if head.Rate == 0 && head.Times == nil {
		f.Correct(rate)
	}
	info, _, err := frames.Write(table, samples, f.Kind, f.Frames, f)
	if err != nil {
		return result{}, err
	}
	raw, err := json.Marshal(info)
	if err != nil {
		return result{}, err
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
		return &motion.Unreadable{Reason: "A video has no motion that could be written as " + format, Hint: "Without a format it is given as it came."}
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
		return &motion.Unreadable{Reason: "The recording cannot be written as " + format + ": " + err.Error(), Hint: "Ask for another format, c3d, trc or csv, or for the file as it came."}
	}
	return err
}

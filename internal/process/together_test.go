package process_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mrand "math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// clinic is another organization than lab, and club a third.
var (
	clinic = organization.In("0190f0e5-7b1c-7cc3-98c4-dc0c0c073990")
	club   = organization.In("0190f0e5-7b1c-7cc3-98c4-dc0c0c073991")
)

// self tells one child from another.
var self = rand.Text()

// left is what a file has left in its reader.
var left struct {
	poison string
	files  []*os.File
}

// takeOver does in a child what no file should make it do, and says whether there is nothing
// else to be done.
func takeOver(name string, files []*os.File) bool {
	say := func(text string) bool {
		_, err := files[1].WriteString(text)
		return err == nil
	}
	switch left.poison {
	case "":
	case "crash":
		panic("what an earlier file has left")
	case "hang":
		for {
			_ = unix.Pause()
		}
	case "mute":
		os.Exit(0)
	case "rubbish":
		say(strings.Repeat("rubbish", 1000))
		os.Exit(3)
	case "half":
		_, _ = unix.Write(process.Socket, []byte{100, 0, 0, 0, '{'})
		os.Exit(0)
	case "nonsense":
		_, _ = unix.Write(process.Socket, []byte{4, 0, 0, 0, 'n', 'o', 'n', 'e'})
		for {
			_ = unix.Pause()
		}
	case "endless":
		_, _ = unix.Write(process.Socket, []byte{0, 0, 0, 255})
		for {
			_ = unix.Pause()
		}
	}
	kind := strings.TrimPrefix(name, "file.")
	switch {
	case kind == "self":
		return say(self)
	case kind == "pid":
		return say(strconv.Itoa(os.Getpid()))
	case strings.HasPrefix(kind, "poison-"):
		left.poison = strings.TrimPrefix(kind, "poison-")
		return say(self)
	case kind == "grow":
		piece, err := unix.Mmap(-1, 0, 100<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		if err != nil {
			return false
		}
		for i := 0; i < len(piece); i += 4096 {
			piece[i] = 1
		}
		return say(self)
	case kind == "hog":
		for { // not Go's own memory, of which the race detector takes as much again
			if _, err := unix.Mmap(-1, 0, 16<<20, unix.PROT_READ|unix.PROT_WRITE,
				unix.MAP_PRIVATE|unix.MAP_ANONYMOUS); err != nil {
				panic("out of memory: " + err.Error())
			}
		}
	case kind == "wake":
		go func() { select {} }()
		return say(self)
	case kind == "limits":
		var size, data unix.Rlimit
		if errors.Join(unix.Getrlimit(unix.RLIMIT_FSIZE, &size), unix.Getrlimit(unix.RLIMIT_DATA, &data)) != nil {
			return false
		}
		return say(fmt.Sprint(size.Cur, " ", data.Cur))
	case kind == "keep":
		for _, f := range files {
			if fd, err := unix.Dup(int(f.Fd())); err == nil {
				left.files = append(left.files, os.NewFile(uintptr(fd), "kept"))
			}
		}
		return say(self)
	case kind == "open":
		return say(strings.Join(openFiles(), "\n"))
	case kind == "give":
		_ = unix.Sendmsg(process.Socket, []byte{2, 0, 0, 0, '{', '}'},
			unix.UnixRights(int(files[0].Fd()), int(files[0].Fd())), nil, 0)
		for {
			_ = unix.Pause() // it has answered
		}
	case kind == "misuse":
		aims, err := io.ReadAll(io.NewSectionReader(files[0], 0, 1<<20))
		return err == nil && say(string(misuse(string(aims), slices.Concat(tries, alone))))
	}
	return false
}

// openFiles are the descriptors of this process, with what each is.
func openFiles() (all []string) {
	for fd := range 4096 {
		var s unix.Stat_t
		if unix.Fstat(fd, &s) == nil {
			all = append(all, fmt.Sprintf("%d %o", fd, s.Mode&unix.S_IFMT))
		}
	}
	return all
}

// asks has a file of that kind read, and gives what its child wrote.
func asks(t *testing.T, r *process.Runner, s organization.Scope, kind, content string) string {
	t.Helper()
	got, err := r.Read(t.Context(), s, upload.Source{Name: "t." + kind}, remoteOf([]byte(content)))
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	defer got.Close()
	text, err := io.ReadAll(io.NewSectionReader(got.Table, 0, got.Table.Size()))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSmallFilesOfAnOrganizationAreReadByOneProcess(t *testing.T) {
	r := runner(t)
	first := asks(t, r, lab, "self", "-")
	for range 10 {
		if got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.c3d"}, remoteOf(small())); err != nil ||
			errors.Join(got.Close()) != nil {
			t.Fatal(err)
		}
		if asks(t, r, lab, "self", "-") != first {
			t.Fatal("another process reads")
		}
	}
	if other := asks(t, r, lab, "self", strings.Repeat("-", process.Together+1)); other == first {
		t.Error("a large file is read by a process that has read others")
	}
}

func TestTwoOrganizationsNeverShareAProcess(t *testing.T) {
	r := runner(t)
	var mu sync.Mutex
	readers := map[string]string{}
	var all sync.WaitGroup
	for n := range 6 {
		of := []organization.Scope{lab, clinic, club}[n%3]
		all.Go(func() {
			for range 20 {
				got, err := r.Read(t.Context(), of, upload.Source{Name: "t.self"}, remoteOf([]byte("-")))
				if err != nil {
					t.Error(err)
					return
				}
				who, err := io.ReadAll(io.NewSectionReader(got.Table, 0, got.Table.Size()))
				if err := errors.Join(err, got.Close()); err != nil {
					t.Error(err)
				}
				mu.Lock()
				if was, ok := readers[string(who)]; ok && was != of.Organization.String() {
					t.Errorf("one process has read files of %s and %s", was, of.Organization)
				}
				readers[string(who)] = of.Organization.String()
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(readers) < 3 {
		t.Errorf("%d processes read files of three organizations", len(readers))
	}
	if waiting := r.Waiting(); waiting > process.MostWaiting {
		t.Errorf("%d readers wait", waiting)
	}
}

// TestWhateverComesBeforeAFileItIsReadAsIfItWereAlone has files of two organizations read in
// a random order, some of which end their reader or leave something in it.
func TestWhateverComesBeforeAFileItIsReadAsIfItWereAlone(t *testing.T) {
	kinds := []struct {
		name, content string
		dies          string // "" : it does not
	}{
		{"a.c3d", string(small()), ""},
		{"b.csv", "time,force\n0.00,1.5\n0.01,2.5\n", ""},
		{"c.c3d", "this is no C3D file", ""},
		{"t.crash", "-", "crashed"},
		{"t.killed", "-", "was killed"},
		{"t.mute", "-", "without a result"},
		{"t.hog", "-", "of memory that it may take"},
		{"t.poison-crash", "-", ""}, {"t.poison-mute", "-", ""}, {"t.poison-rubbish", "-", ""},
		{"t.poison-half", "-", ""},
		{"t.poison-nonsense", "-", ""}, {"t.poison-endless", "-", ""}, {"t.wake", "-", ""}, {"t.keep", "-", ""},
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := mrand.New(mrand.NewPCG(seed, 0))
	r := runner(t)
	r.Log = slog.New(slog.DiscardHandler)
	alone := map[string]string{}
	read := func(r *process.Runner, of organization.Scope, name, content string) string {
		got, err := r.Read(t.Context(), of, upload.Source{Name: name}, remoteOf([]byte(content)))
		var unreadable *upload.Unreadable
		switch {
		case errors.As(err, &unreadable):
			return "unreadable: " + unreadable.Reason
		case err != nil:
			return "died: " + err.Error()
		}
		defer got.Close()
		said := string(got.Info)
		for _, f := range []upload.File{got.Table, got.Samples} {
			if f != nil && !strings.HasPrefix(name, "t.") {
				text, _ := io.ReadAll(io.NewSectionReader(f, 0, f.Size()))
				said += "\n" + string(text)
			}
		}
		return said
	}
	for _, k := range kinds {
		single := runner(t)
		single.Log = r.Log
		alone[k.name] = read(single, lab, k.name, k.content)
		if died := strings.HasPrefix(alone[k.name], "died: "); died != (k.dies != "") ||
			!strings.Contains(alone[k.name], k.dies) {
			t.Fatalf("%s alone: %.200s", k.name, alone[k.name])
		}
	}
	for n := range 60 {
		k, of := kinds[random.IntN(len(kinds))], []organization.Scope{lab, clinic}[random.IntN(2)]
		if got := read(r, of, k.name, k.content); got != alone[k.name] {
			t.Fatalf("file %d, %s: %.300s\nalone: %.300s", n, k.name, got, alone[k.name])
		}
	}
}

func TestAReaderThatIsHeldUpByWhatWasLeftInItIsLeft(t *testing.T) {
	r := runner(t)
	r.Time = 2 * time.Second
	first := asks(t, r, lab, "poison-hang", "-")
	// The next file has the whole time once more, in another process.
	r.Time = testkit.Patience
	*process.Hasty = time.Second
	defer func(was time.Duration) { *process.Hasty = was }(15 * time.Second)
	if next := asks(t, r, lab, "self", "-"); next == first {
		t.Error("the same process reads on")
	}
}

func TestEachFileHasTheLimitsOfAFile(t *testing.T) {
	r := runner(t)
	for _, size := range []int{1, 1000, process.Together, 10, process.Together + 1, 1} {
		var write, data uint64
		said := asks(t, r, lab, "limits", strings.Repeat("-", size))
		if _, err := fmt.Sscan(said, &write, &data); err != nil || int64(write) != process.Outputs(int64(size)) ||
			int64(data) < r.Memory {
			t.Errorf("%d bytes: limits %s, want %d", size, said, process.Outputs(int64(size)))
		}
	}
	r.Time = time.Second
	_, err := r.Read(t.Context(), lab, upload.Source{Name: "t.hang"}, remoteOf([]byte("-")))
	var died *upload.Died
	if !errors.As(err, &died) || !strings.Contains(died.Reason, "longer than the 1s") {
		t.Errorf("one that hangs: %v", err)
	}
}

func TestAReaderReadsOnlySoManyFilesAndEndsWhenItHasSomethingLeft(t *testing.T) {
	r := runner(t)
	first := asks(t, r, lab, "self", "-")
	for range process.MostReads - 1 {
		if asks(t, r, lab, "self", "-") != first {
			t.Fatal("another process reads before its time")
		}
	}
	if asks(t, r, lab, "self", "-") == first {
		t.Errorf("one process has read more than %d files", process.MostReads)
	}
	for _, kind := range []string{"grow", "wake"} {
		if was := asks(t, r, lab, kind, "-"); asks(t, r, lab, "self", "-") == was {
			t.Errorf("%s: the process reads on", kind)
		}
	}
	was := asks(t, r, lab, "self", "-")
	r.Tire()
	if r.Waiting() != 0 || asks(t, r, lab, "self", "-") == was {
		t.Error("a process that has waited too long reads on")
	}
}

func TestNoFileOfAnEarlierOneIsOpenInAReader(t *testing.T) {
	r := strict(t)
	first := asks(t, r, lab, "open", "-")
	for n := range 20 {
		got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.c3d"}, remoteOf(small()))
		if err != nil {
			t.Fatal(err)
		}
		if now := asks(t, r, lab, "open", "-"); now != first {
			t.Fatalf("after %d files these are open:\n%s\nat first:\n%s", n+1, now, first)
		}
		if err := got.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFilesThatAReaderSendsAreNotTaken(t *testing.T) {
	r := runner(t)
	count := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	before := 0
	for n := range 10 {
		got, err := r.Read(t.Context(), lab, upload.Source{Name: "t.give"}, remoteOf([]byte("-")))
		if err == nil {
			err = got.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Tire()
		if n == 0 {
			before = count()
		}
	}
	if now := count(); now > before+2 {
		t.Errorf("%d files are open, after the first one it was %d", now, before)
	}
}

func TestAReaderThatWasTakenOverByALaterFileFindsNoWayOut(t *testing.T) {
	r := strict(t)
	s := serve(t, public(t))
	ask, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	first := asks(t, r, lab, "self", "-")
	for range 3 {
		got, err := r.Read(t.Context(), lab, upload.Source{Name: "a.c3d"}, remoteOf(small()))
		if err != nil || got.Close() != nil {
			t.Fatal(err)
		}
	}
	if asks(t, r, lab, "self", "-") != first {
		t.Fatal("another process reads")
	}
	said := map[string]string{}
	if text := asks(t, r, lab, "misuse", string(ask)); json.Unmarshal([]byte(text), &said) != nil ||
		len(said) != len(tries)+len(alone) {
		t.Fatalf("%s", text)
	}
	for name, said := range said {
		if said == "" {
			t.Errorf("%s: it got out", name)
		}
	}
	withoutRoot(t, t.Name())
}

func TestAReaderThatEndsWhileItWaitsIsNoMatter(t *testing.T) {
	r := runner(t)
	for range 5 {
		pid, err := strconv.Atoi(asks(t, r, lab, "pid", "-"))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := r.Convert(t.Context(), lab, "a.c3d", remoteOf(small()), "csv", 0, &out); err != nil ||
			out.Len() == 0 {
			t.Fatalf("%v, %d bytes", err, out.Len())
		}
	}
}

func TestAReaderThatWasClosedReadsAndLeavesNoProcess(t *testing.T) {
	r := runner(t)
	asks(t, r, lab, "self", "-")
	if err := r.Close(); err != nil || r.Waiting() != 0 {
		t.Fatal(err)
	}
	asks(t, r, lab, "self", "-")
	if r.Waiting() != 0 {
		t.Error("a process waits for files that nobody will send")
	}
}

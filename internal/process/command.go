package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// command is a child to be.
type command struct {
	args   []string
	env    []string   // none for a reader
	dir    string     // "" for the root: a child has no business where this process is
	in     *os.File   // nil for none
	files  []*os.File // file descriptors 3 and so on
	memory int64      // the limits, for the sentence about them; that of memory the child sets itself
	time   time.Duration
	what   string // "Reading the file"
	who    string // reader or processor
}

// Who a child is, as the beginning of a sentence.
const (
	reader    = "The reader"
	processor = "The video processor"
)

// waitDelay is how long a child's output may stay open once it has ended: it may
// have left children.
const waitDelay = 5 * time.Second

// run runs the child to its end and gives its standard output, and the beginning
// and the end of its standard error. The error is ctx's own, or an *upload.Died, or that the child could
// not be started.
func (c *command) run(ctx context.Context) (out []byte, said string, err error) {
	limited, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	child := exec.CommandContext(limited, c.args[0], c.args[1:]...)
	child.Env, child.Dir, child.ExtraFiles, child.WaitDelay = c.env, c.dir, c.files, waitDelay
	if child.Env == nil {
		child.Env = []string{}
	}
	if child.Dir == "" {
		child.Dir = "/"
	}
	if c.in != nil {
		child.Stdin = c.in
	}
	var text head
	var complaint ends
	child.Stdout, child.Stderr = &text, &complaint
	// The child ends with this process, even one that is killed, and its own children
	// with it when it is stopped.
	child.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	child.Cancel = func() error {
		if err := syscall.Kill(-child.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
			return err
		}
		return os.ErrProcessDone
	}
	err = onOneThread(child.Run)
	if child.Process != nil && c.who != reader { // what it left behind; a reader has no children
		_ = syscall.Kill(-child.Process.Pid, syscall.SIGKILL)
	}
	said = complaint.String()
	var exit *exec.ExitError
	switch {
	case err == nil && !text.over:
		return text.Bytes(), said, nil
	case ctx.Err() != nil:
		return nil, said, ctx.Err()
	case limited.Err() != nil:
		return nil, said, &upload.Died{Reason: fmt.Sprintf("%s took longer than the %s that it may take (%s).", c.what, c.time, timeVariable(c.who))}
	case text.over:
		return nil, said, &upload.Died{Reason: c.who + " said more than a result can be."}
	case !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return nil, said, cannotStart(err)
	case c.who == reader && exit != nil && exit.ExitCode() == exitUnready:
		return nil, said, cannotStart(errors.New(said))
	case stopped(exit):
		return nil, said, c.wasStopped(exit)
	case outOfMemory(said):
		return nil, said, &upload.Died{Reason: fmt.Sprintf("%s took more than the %s of memory that it may take (%s).", c.what, size(c.memory), memoryVariable(c.who))}
	}
	return nil, said, &upload.Died{Reason: c.died(exit)}
}

// cannotStart says that a child could not be started: the file that it was for has
// nothing to do with it, whatever the reason is.
func cannotStart(err error) error {
	return fault.Busy(fmt.Errorf("starting a child process: %w", err), 5*time.Second, "The server cannot start a process that reads files.")
}

// stopped says whether a child ended by a signal that asks programs to end. A service
// manager that stops the server sends it to all its processes at once, before the server
// has come to stopping its children: nothing that is in a file has that effect.
func stopped(exit *exec.ExitError) bool {
	if exit == nil {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGTERM || status.Signal() == syscall.SIGINT || status.Signal() == syscall.SIGHUP)
}

// wasStopped says so. Whoever waits for an answer of the child may try again.
func (c *command) wasStopped(exit *exec.ExitError) error {
	why := &upload.Stopped{Reason: fmt.Sprintf("%s was asked to end by another program (%s).", c.who, exit.ProcessState)}
	return fault.Busy(why, 5*time.Second, "The process that reads the file was stopped.")
}

// died says how a child ended.
func (c *command) died(exit *exec.ExitError) string {
	if exit == nil {
		return c.who + " ended without a result."
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	switch {
	case ok && status.Signaled() && status.Signal() == syscall.SIGKILL:
		return c.who + " was killed; perhaps the machine had no memory left."
	case ok && status.Signaled():
		return fmt.Sprintf("%s crashed (%s).", c.who, status.Signal())
	}
	return fmt.Sprintf("%s crashed (exit code %d).", c.who, exit.ExitCode())
}

// onOneThread runs f in a thread that lasts as long as f: a child is killed when the
// thread ends that started it, not when the process does.
func onOneThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- f()
	}()
	return <-done
}

func timeVariable(who string) string   { return variable(who, "TIME") }
func memoryVariable(who string) string { return variable(who, "MEMORY") }

func variable(who, limit string) string {
	if who == reader {
		return "KINEBASE_READ_" + limit
	}
	return "KINEBASE_VIDEO_" + limit
}

// size writes a number of bytes for people.
func size(n int64) string {
	for _, u := range []struct {
		bytes int64
		name  string
	}{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= u.bytes {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(u.bytes)), ".0") + " " + u.name
		}
	}
	return fmt.Sprint(n, " bytes")
}

// outOfMemory recognises what Go, Python and the C library say at their end.
func outOfMemory(complaint string) bool {
	lower := strings.ToLower(complaint)
	for _, words := range []string{"out of memory", "cannot allocate memory", "memoryerror", "memory exhausted", "bad_alloc", "failed to create new os thread", "failed to map segment"} {
		if strings.Contains(lower, words) {
			return true
		}
	}
	return false
}

// head keeps the beginning of what is written.
type head struct {
	bytes.Buffer
	over bool
}

// largestResult is far more than anything that is told of a recording.
const largestResult = 64 << 20

func (h *head) Write(b []byte) (int, error) {
	if h.Len()+len(b) > largestResult {
		h.over = true
		return len(b), nil
	}
	return h.Buffer.Write(b)
}

// ends keeps the beginning and the end of what is written: a Go program that dies
// says why first, most others last.
type ends struct {
	mu          sync.Mutex
	first, last []byte // what is in first is not in last
}

const edge = 4 << 10

func (e *ends) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(b)
	room := min(n, edge-len(e.first))
	e.first, b = append(e.first, b[:room]...), b[room:]
	if e.last = append(e.last, b...); len(e.last) > 2*edge {
		e.last = append(e.last[:0], e.last[len(e.last)-edge:]...)
	}
	return n, nil
}

func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.TrimSpace(string(e.first) + string(e.last))
}

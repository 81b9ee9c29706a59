package process

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// terms are the limits of a child, for the sentences about how it ended.
type terms struct {
	what   string // "Reading the file"
	who    string // reader or processor
	memory int64  // the child limits it itself
	time   time.Duration
}

// Names of children, as the beginning of a sentence.
const (
	reader    = "The reader"
	processor = "The video processor"
)

// late says that a child took too long.
func (t *terms) late() error {
	return &upload.Died{Reason: fmt.Sprintf("%s took longer than the %s that it may take (%s).", t.what, t.time,
		variable(t.who, "TIME"))}
}

// talkative says that a child said too much.
func (t *terms) talkative() error {
	return &upload.Died{Reason: t.who + " said more than a result can be."}
}

// ended says why a child ended that gave no result. What it wrote to its standard error
// is said; exit is nil when it ended well.
func (t *terms) ended(exit *exec.ExitError, said string) error {
	switch {
	case t.who == reader && exit != nil && exit.ExitCode() == exitUnready:
		return cannotStart(errors.New(said))
	case stopped(exit):
		return t.wasStopped(exit)
	case outOfMemory(said):
		return &upload.Died{Reason: fmt.Sprintf("%s took more than the %s of memory that it may take (%s).", t.what,
			size(t.memory), variable(t.who, "MEMORY"))}
	}
	return &upload.Died{Reason: t.died(exit)}
}

// cannotStart says that a child could not be started: the file that it was for has
// nothing to do with it, whatever the reason is.
func cannotStart(err error) error {
	return fault.Busy(fmt.Errorf("starting a child process: %w", err), 5*time.Second,
		"The server cannot start a process that reads files.")
}

// stopped says whether a child ended by a signal that asks programs to end. A service
// manager that stops the server sends it to all its processes at once, before the server
// has come to stopping its children: nothing that is in a file has that effect.
func stopped(exit *exec.ExitError) bool {
	if exit == nil {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGTERM || status.Signal() == syscall.SIGINT ||
		status.Signal() == syscall.SIGHUP)
}

// wasStopped says so. A caller who waits for an answer of the child may try again.
func (t *terms) wasStopped(exit *exec.ExitError) error {
	why := &upload.Stopped{Reason: fmt.Sprintf("%s was asked to end by another program (%s).", t.who,
		exit.ProcessState)}
	return fault.Busy(why, 5*time.Second, "The process that reads the file was stopped.")
}

// died says how a child ended.
func (t *terms) died(exit *exec.ExitError) string {
	if exit == nil {
		return t.who + " ended without a result."
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	switch {
	case ok && status.Signaled() && status.Signal() == syscall.SIGKILL:
		return t.who + " was killed; perhaps the machine had no memory left."
	case ok && status.Signaled():
		return fmt.Sprintf("%s crashed (%s).", t.who, status.Signal())
	}
	return fmt.Sprintf("%s crashed (exit code %d).", t.who, exit.ExitCode())
}

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
	for _, words := range []string{"out of memory", "cannot allocate memory", "memoryerror", "memory exhausted",
		"bad_alloc", "failed to create new os thread", "failed to map segment"} {
		if strings.Contains(lower, words) {
			return true
		}
	}
	// Where it gets no memory, Go's collector reads through a pointer that is nil, on the
	// stack of the runtime. Nothing else of a reader is there.
	return strings.Contains(lower, "sigsegv") && strings.Contains(lower, "\ngoroutine 0 ")
}

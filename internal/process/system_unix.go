//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// nowhere is a folder that a reader has no business in, and bare the environment of one.
const nowhere = "/"

func bare() []string { return []string{} }

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

// limitFiles bounds what each file may get of bytes, and what it may be bounded to later.
func limitFiles(n, most int64) error {
	return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: uint64(n), Max: uint64(most)})
}

// killAll kills a child and its own children.
func killAll(child *os.Process) error {
	if err := syscall.Kill(-child.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return os.ErrProcessDone
}

// openPlainly opens a file that may be something else by now: no link is followed, and nothing waited
// for. A link is errLink.
func openPlainly(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.ELOOP) {
		return nil, errLink
	}
	return file, err
}

// lockFolder locks a folder until it is closed; false when somebody else has it.
func lockFolder(dir *os.File) (bool, error) {
	err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

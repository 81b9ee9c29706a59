//go:build unix

package blob

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockFile locks a file until it is closed, waiting for whoever has it or not.
func lockFile(f *os.File, wait bool) (held bool, err error) {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	err = unix.Flock(int(f.Fd()), how)
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(f.Fd()), how)
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// named says whether an open file still has a name.
func named(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 0, nil
}

// flushFolder brings the entries of a folder to the disk.
func flushFolder(f *os.File) error { return f.Sync() }

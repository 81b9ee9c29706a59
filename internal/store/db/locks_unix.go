//go:build unix

package db

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lockAlone takes a lock of a file or a folder that nobody else has meanwhile, and says whether
// it was to be had. It ends with the file.
func lockAlone(f *os.File) (mine bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// lockShared waits for a lock of a file or a folder that others may have too. It takes the place of
// one by lockAlone.
func lockShared(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_SH) }

// lockByte locks a byte of a file until the file is closed, if nobody else has it.
func lockByte(f *os.File, at int64) bool {
	return unix.FcntlFlock(f.Fd(), setLock, &unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1}) == nil
}

// unlockBytes gives up all locks of bytes that were taken by a descriptor.
func unlockBytes(fd uintptr) { _ = unix.FcntlFlock(fd, setLock, &unix.Flock_t{Type: unix.F_UNLCK}) }

// freeBytes is the room that is left where a folder is.
func freeBytes(dir string) (n uint64, known bool) {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}

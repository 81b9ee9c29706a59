package blob

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks a file until it is closed, waiting for whoever has it or not. What is locked is
// a byte far behind its end: nobody else may read bytes that are locked.
func lockFile(f *os.File, wait bool) (held bool, err error) {
	how := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// named says whether an open file still has a name.
func named(f *os.File) (bool, error) {
	var info windows.ByHandleFileInformation
	err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info)
	return info.NumberOfLinks > 0, err
}

// flushFolder does nothing: entries of folders are in the journal of NTFS, and a folder that is
// open cannot be flushed.
func flushFolder(*os.File) error { return nil }

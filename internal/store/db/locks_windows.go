package db

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockAlone takes a lock of a file that nobody else has meanwhile, and says whether it was to be
// had. It ends with the file.
func lockAlone(f *os.File) (mine bool, err error) {
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// lockShared says that a folder cannot be locked here.
func lockShared(*os.File) error { return errors.ErrUnsupported }

// lockByte says no: an index in use is never emptied here.
func lockByte(*os.File, int64) bool { return false }

// unlockBytes does nothing: locks end with their file here.
func unlockBytes(uintptr) {}

// freeBytes is the room that is left where a folder is.
func freeBytes(dir string) (n uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil || windows.GetDiskFreeSpaceEx(name, &n, nil, nil) != nil {
		return 0, false
	}
	return n, true
}

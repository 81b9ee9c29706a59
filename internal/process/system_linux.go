package process

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tied has a child end with the thread that starts it, and its own children be killed with it.
func tied() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// nameless makes a file without a name, where the file system knows such.
func nameless(dir string) (*os.File, bool) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, false
	}
	return os.NewFile(uintptr(fd), "temporary file"), true
}

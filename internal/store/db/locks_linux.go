package db

import "golang.org/x/sys/unix"

// setLock locks bytes for an open file instead of a process.
const setLock = unix.F_OFD_SETLK

//go:build unix

package app

import "golang.org/x/sys/unix"

// freeBytes is the room that is left where a folder is.
func freeBytes(dir string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(dir, &s)
	return s.Bavail * uint64(s.Bsize), err
}

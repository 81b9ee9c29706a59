package process

import "golang.org/x/sys/unix"

// sockets makes a pair that no child inherits.
func sockets() ([2]int, error) {
	return unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
}

// withDescriptors has no child inherit those that come with a request.
const withDescriptors = unix.MSG_CMSG_CLOEXEC

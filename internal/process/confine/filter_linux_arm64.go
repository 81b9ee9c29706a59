package confine

import "golang.org/x/sys/unix"

const (
	machine         = unix.AUDIT_ARCH_AARCH64
	otherConvention = 1 << 31 // there is none
)

var deniedHere, deniedAloneHere []call

package confine

import "golang.org/x/sys/unix"

const (
	machine         = unix.AUDIT_ARCH_X86_64
	otherConvention = 0x40000000 // from here on calls are those of x32
)

// deniedHere are calls that this machine has besides, or older forms of others.
var deniedHere = []call{
	{number: unix.SYS_IOPL}, {number: unix.SYS_IOPERM}, {number: unix.SYS_MODIFY_LDT},
	{number: unix.SYS_CHMOD, errno: done}, {number: unix.SYS_CHOWN}, {number: unix.SYS_LCHOWN},
	{number: unix.SYS_UTIME, errno: done}, {number: unix.SYS_UTIMES, errno: done},
	{number: unix.SYS_FUTIMESAT, errno: done},
}

// deniedAloneHere are older forms of calls in deniedAlone.
var deniedAloneHere = []call{{number: unix.SYS_FORK}, {number: unix.SYS_VFORK}}

package confine

import "golang.org/x/sys/unix"

const (
	machine         = unix.AUDIT_ARCH_X86_64
	otherConvention = 0x40000000 // from here on calls are those of x32
)

// deniedHere are calls that this machine has besides.
var deniedHere = []call{{number: unix.SYS_IOPL}, {number: unix.SYS_IOPERM}, {number: unix.SYS_MODIFY_LDT}}

// deniedAloneHere are older names of calls in deniedAlone.
var deniedAloneHere = []call{
	{number: unix.SYS_FORK}, {number: unix.SYS_VFORK}, {number: unix.SYS_CHMOD}, {number: unix.SYS_CHOWN}, {number: unix.SYS_LCHOWN},
	{number: unix.SYS_UTIME}, {number: unix.SYS_UTIMES}, {number: unix.SYS_FUTIMESAT},
}

package confine

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A filter is a program of the kernel's classic BPF that looks at the number of each
// system call and at its arguments (seccomp(2)). It denies what is listed and lets all
// else pass: a video processor is any program, and a list of all that programs do would
// be wrong about some.

// call is a system call that is denied; with a test, only where that is true of one of
// its arguments.
type call struct {
	number   uintptr
	errno    unix.Errno // what the caller is told; 0: EPERM
	argument int
	test     test
	value    uint32
}

// test compares the lower half of an argument, which is an int or flags.
type test int

const (
	always    test = iota
	isNot          // the argument is not the value
	is             // it is
	hasAny         // it has a bit of the value
	hasNone        // it has no bit of the value
	isPointer      // it is no null pointer, in all its bits
)

// done tells the caller that the call has done what it should; it has done nothing.
const done = unix.Errno(1 << 12)

// namespaces are the flags of clone for namespaces of one's own, in which the kernel
// gives rights that it gives nowhere else.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.
	CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// denied are the calls that nothing confined may make, whatever machine it is on.
var denied = []call{
	// Sockets of any kind: not to the network, nor to servers of this machine. A pair
	// without a name connects a process with its children; one for datagrams could be
	// turned to another address.
	{number: unix.SYS_SOCKET, errno: unix.EACCES},
	{number: unix.SYS_CONNECT, errno: unix.EACCES},
	{number: unix.SYS_BIND, errno: unix.EACCES},
	{number: unix.SYS_SOCKETPAIR, errno: unix.EACCES, argument: 0, test: isNot, value: unix.AF_UNIX},
	{number: unix.SYS_SOCKETPAIR, errno: unix.EACCES, argument: 1, test: hasAny, value: unix.SOCK_DGRAM},
	// A queue of calls that no filter sees.
	{number: unix.SYS_IO_URING_SETUP, errno: unix.ENOSYS},
	{number: unix.SYS_IO_URING_ENTER, errno: unix.ENOSYS},
	{number: unix.SYS_IO_URING_REGISTER, errno: unix.ENOSYS},
	// Other processes.
	{number: unix.SYS_PTRACE}, {number: unix.SYS_PROCESS_VM_READV}, {number: unix.SYS_PROCESS_VM_WRITEV},
	{number: unix.SYS_PROCESS_MADVISE}, {number: unix.SYS_PROCESS_MRELEASE}, {number: unix.SYS_PIDFD_GETFD},
	{number: unix.SYS_KCMP},
	{number: unix.SYS_PRLIMIT64, argument: 0, test: isNot},
	{number: unix.SYS_SETPRIORITY, argument: 1, test: isNot}, {number: unix.SYS_IOPRIO_SET, argument: 1, test: isNot},
	{number: unix.SYS_SCHED_SETSCHEDULER, argument: 0, test: isNot},
	{number: unix.SYS_SCHED_SETPARAM, argument: 0, test: isNot},
	{number: unix.SYS_SCHED_SETATTR, argument: 0, test: isNot},
	{number: unix.SYS_SCHED_SETAFFINITY, argument: 0, test: isNot},
	{number: unix.SYS_MIGRATE_PAGES, argument: 0, test: isNot}, {number: unix.SYS_MOVE_PAGES, argument: 0, test: isNot},
	// Memory, queues and keys that processes of an account share without a file.
	{number: unix.SYS_SHMGET}, {number: unix.SYS_SEMGET}, {number: unix.SYS_MSGGET}, {number: unix.SYS_MQ_OPEN},
	{number: unix.SYS_ADD_KEY}, {number: unix.SYS_REQUEST_KEY}, {number: unix.SYS_KEYCTL},
	// Landlock does not check changes of a file's mode, owner, times and attributes by its
	// name. A program that copies a file sets the mode and times of the copy, and would fail at a
	// refusal; the copy is as good without. Those of an open file can be changed.
	{number: unix.SYS_FCHMODAT, errno: done}, {number: unix.SYS_FCHMODAT2, errno: done},
	{number: unix.SYS_UTIMENSAT, errno: done, argument: 1, test: isPointer},
	{number: unix.SYS_FCHOWNAT}, {number: unix.SYS_FILE_SETATTR},
	{number: unix.SYS_SETXATTR, errno: unix.EOPNOTSUPP}, {number: unix.SYS_LSETXATTR, errno: unix.EOPNOTSUPP},
	{number: unix.SYS_SETXATTRAT, errno: unix.EOPNOTSUPP},
	{number: unix.SYS_REMOVEXATTR, errno: unix.EOPNOTSUPP}, {number: unix.SYS_LREMOVEXATTR, errno: unix.EOPNOTSUPP},
	{number: unix.SYS_REMOVEXATTRAT, errno: unix.EOPNOTSUPP},
	{number: unix.SYS_INOTIFY_ADD_WATCH}, // tells the names in a folder
	// Words put into the terminal that the server was started from.
	{number: unix.SYS_IOCTL, argument: 1, test: is, value: unix.TIOCSTI},
	{number: unix.SYS_IOCTL, argument: 1, test: is, value: tioclinux},
	// The machine, and other views of its files. The C library asks for clone3, whose flags
	// a filter cannot see, and is content with clone.
	{number: unix.SYS_CLONE3, errno: unix.ENOSYS},
	{number: unix.SYS_CLONE, argument: cloneFlags, test: hasAny, value: namespaces},
	{number: unix.SYS_UNSHARE}, {number: unix.SYS_SETNS}, {number: unix.SYS_CHROOT}, {number: unix.SYS_PIVOT_ROOT},
	{number: unix.SYS_MOUNT}, {number: unix.SYS_UMOUNT2}, {number: unix.SYS_MOVE_MOUNT},
	{number: unix.SYS_MOUNT_SETATTR},
	{number: unix.SYS_OPEN_TREE}, {number: unix.SYS_OPEN_TREE_ATTR}, {number: unix.SYS_FSOPEN},
	{number: unix.SYS_FSCONFIG}, {number: unix.SYS_FSMOUNT}, {number: unix.SYS_FSPICK},
	{number: unix.SYS_NAME_TO_HANDLE_AT}, {number: unix.SYS_OPEN_BY_HANDLE_AT}, {number: unix.SYS_FANOTIFY_INIT},
	{number: unix.SYS_BPF}, {number: unix.SYS_PERF_EVENT_OPEN}, {number: unix.SYS_USERFAULTFD},
	{number: unix.SYS_INIT_MODULE}, {number: unix.SYS_FINIT_MODULE}, {number: unix.SYS_DELETE_MODULE},
	{number: unix.SYS_KEXEC_LOAD}, {number: unix.SYS_KEXEC_FILE_LOAD}, {number: unix.SYS_REBOOT},
	{number: unix.SYS_SWAPON}, {number: unix.SYS_SWAPOFF}, {number: unix.SYS_ACCT}, {number: unix.SYS_QUOTACTL},
	{number: unix.SYS_QUOTACTL_FD},
	{number: unix.SYS_SETTIMEOFDAY}, {number: unix.SYS_CLOCK_SETTIME}, {number: unix.SYS_CLOCK_ADJTIME},
	{number: unix.SYS_ADJTIMEX},
	{number: unix.SYS_SETHOSTNAME}, {number: unix.SYS_SETDOMAINNAME}, {number: unix.SYS_SYSLOG},
	{number: unix.SYS_VHANGUP},
}

// deniedAlone are those that a process which starts no others may not make either.
var deniedAlone = []call{
	{number: unix.SYS_EXECVE}, {number: unix.SYS_EXECVEAT},
	{number: unix.SYS_CLONE, argument: cloneFlags, test: hasNone, value: unix.CLONE_THREAD},
	{number: unix.SYS_KILL},
}

const (
	tioclinux  = 0x541c // ioctl_console(2); the package unix has no name for it
	cloneFlags = 0      // of the arguments of clone(2) on the machines of filter_linux_*.go
)

// The words of classic BPF that are used here (bpf(4)).
const (
	load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jump   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	atOr   = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	bits   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	answer = unix.BPF_RET | unix.BPF_K
)

// Where the kernel puts what a filter looks at (struct seccomp_data).
const (
	atNumber    = 0
	atMachine   = 4
	atArguments = 16
)

// program is the filter for the calls.
func program(calls []call) []unix.SockFilter {
	fail := func(errno unix.Errno) unix.SockFilter {
		if errno == done {
			errno = 0
		}
		return unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ERRNO | uint32(errno)}
	}
	// Calls by the conventions of another machine, such as those of 32 bits, have other
	// numbers.
	p := []unix.SockFilter{
		{Code: load, K: atMachine}, {Code: jump, K: machine, Jt: 1}, fail(unix.ENOSYS),
		{Code: load, K: atNumber}, {Code: atOr, K: otherConvention, Jf: 1}, fail(unix.ENOSYS),
	}
	for _, c := range calls {
		if c.errno == 0 {
			c.errno = unix.EPERM
		}
		if c.test == always {
			p = append(p, unix.SockFilter{Code: jump, K: uint32(c.number), Jf: 1}, fail(c.errno))
			continue
		}
		argument := uint32(atArguments + 8*c.argument) // the lower half: all machines here have it first
		if c.test == isPointer {
			p = append(p, unix.SockFilter{Code: jump, K: uint32(c.number), Jf: 6},
				unix.SockFilter{Code: load, K: argument}, unix.SockFilter{Code: jump, Jf: 2},
				unix.SockFilter{Code: load, K: argument + 4}, unix.SockFilter{Code: jump, Jt: 1}, fail(c.errno),
				unix.SockFilter{Code: load, K: atNumber})
			continue
		}
		test := unix.SockFilter{Code: jump, K: c.value}
		switch c.test {
		case isNot:
			test.Jt = 1
		case is:
			test.Jf = 1
		case hasAny:
			test.Code, test.Jf = bits, 1
		case hasNone:
			test.Code, test.Jt = bits, 1
		}
		p = append(p, unix.SockFilter{Code: jump, K: uint32(c.number), Jf: 4},
			unix.SockFilter{Code: load, K: argument}, test, fail(c.errno),
			unix.SockFilter{Code: load, K: atNumber})
	}
	return append(p, unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW})
}

// canFilter says why there can be no filter here; nil when there can.
func canFilter() error {
	if machine == 0 {
		return errors.New("the numbers of system calls are not known for " + runtime.GOARCH)
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL,
		0, uintptr(unsafe.Pointer(&action))); err != 0 {
		return fmt.Errorf("the kernel filters no system calls (%w)", err)
	}
	return nil
}

// filter installs the filter for all threads.
func filter(alone bool) error {
	calls := append(append([]call{}, denied...), deniedHere...)
	if alone {
		calls = append(append(calls, deniedAlone...), deniedAloneHere...)
	}
	p := program(calls)
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	thread, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&prog)))
	if err != 0 {
		return err
	}
	if thread != 0 {
		return fmt.Errorf("thread %d has a filter of its own", thread)
	}
	return nil
}

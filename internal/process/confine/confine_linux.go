package confine

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// The versions of Landlock's interface in which something came that matters here.
const (
	withRefer   = 2 // files may be renamed from one folder into another
	withSignals = 6 // signals stay inside
)

// Look says which parts the children of this process can have, which are to run as uid
// (0: as the process itself).
func Look(uid int) []Part {
	reasons := map[string]string{}
	switch abi, err := landlocksys.LandlockGetABIVersion(); {
	case err != nil:
		reasons[Files] = fmt.Sprintf("the kernel has no Landlock, or it is not enabled (%v)", err)
		reasons[Signals] = reasons[Files]
	case abi < withSignals:
		reasons[Signals] = fmt.Sprintf("this kernel's Landlock has version %d of its interface; %d is needed", abi,
			withSignals)
	}
	if err := canFilter(); err != nil {
		reasons[Calls] = err.Error()
	}
	if err := canBecome(uid); err != nil {
		reasons[Account] = err.Error()
	} else {
		delete(reasons, Signals) // another account's processes take no signals from it either
	}
	if on, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || on != 0 {
		reasons[Server] = "the kernel does not hide the server's memory"
	}
	return parts(reasons)
}

// Becomes says whether the children of this process can have the account uid.
func Becomes(uid int) bool { return canBecome(uid) == nil }

// canBecome says why this process cannot become uid; nil when it can.
func canBecome(uid int) error {
	if os.Geteuid() != 0 {
		return errors.New("the server is not root, so its children have its own account")
	}
	if uid == 0 {
		return errors.New("KINEBASE_READER_UID is 0: children have the account of the server, root")
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("the rights of the server cannot be read: %w", err)
	}
	const needed = 1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID | 1<<unix.CAP_CHOWN
	if have[0].Effective&needed != needed {
		return errors.New("the server is root without the rights to change its account and to give files away " +
			"(CAP_SETUID, CAP_SETGID, CAP_CHOWN)")
	}
	return nil
}

// Guard hides what this process has in its memory and its environment from other
// processes of its account (PR_SET_DUMPABLE; they can no longer trace it, and it leaves no
// core), and keeps files that it was started with from its children.
func Guard() error {
	err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	if e := unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC); !errors.Is(e, unix.ENOSYS) &&
		!errors.Is(e, unix.EINVAL) {
		err = errors.Join(err, e) // an older kernel has no such call
	}
	return err
}

// Self confines this process, all its threads and what it becomes or starts, for good.
// Files that are open stay open.
func Self(r Rules) error {
	all := Look(r.UID)
	if held(all, Account) {
		if err := become(r.UID); err != nil {
			return fmt.Errorf("changing to the account %d: %w", r.UID, err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding the memory of the process: %w", err)
	}
	if err := restrict(r); err != nil {
		return fmt.Errorf("restricting files: %w", err)
	}
	if held(all, Calls) {
		if err := filter(r.Alone); err != nil {
			return fmt.Errorf("restricting system calls: %w", err)
		}
	}
	return nil
}

// become changes the account of all threads. The kernel then forgets that a process is
// to end with its parent, so the calling thread, which must be locked, says it again.
func become(uid int) error {
	parent := os.Getppid()
	err := errors.Join(syscall.Setgroups(nil), syscall.Setresgid(uid, uid, uid), syscall.Setresuid(uid, uid, uid))
	if err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if os.Getppid() != parent {
		return errors.New("the server has ended")
	}
	return nil
}

// restrict applies Landlock, as far as the kernel knows it, and no_new_privs.
func restrict(r Rules) error {
	abi, err := landlocksys.LandlockGetABIVersion()
	if err != nil { // no Landlock
		return landlocksys.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	var rules []landlock.Rule
	for _, path := range r.Read {
		if rule, ok := reading(path); ok {
			rules = append(rules, rule)
		}
	}
	rules = append(rules, landlock.RWFiles(r.Devices...).WithIoctlDev().IgnoreIfMissing())
	writing := landlock.RWDirs(r.Write...)
	if abi >= withRefer {
		writing = writing.WithRefer()
	}
	return landlock.V11.BestEffort().Restrict(append(rules, writing)...)
}

// reading is the rule for a file or folder that may be read and run; not ok when there
// is no such file.
func reading(path string) (landlock.Rule, bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, false
	case info.IsDir():
		return landlock.RODirs(path), true
	}
	return landlock.ROFiles(path), true
}

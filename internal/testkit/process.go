package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a server that runs as a child of the test process and cannot
// outlive it.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed once it has ended and was waited for
}

// spawn starts cmd. When the test process dies, however it dies, the kernel sends
// the child lastWill.
func spawn(cmd *exec.Cmd, lastWill syscall.Signal) (*process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = lastWill
	cmd.SysProcAttr.Setpgid = true // a Ctrl-C is for the test process, which then stops its servers

	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel ties the signal to the thread that forked, not to the
		// process. So one thread is kept for it until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how a server ended is for its log to tell
		}
	}()
	return p, <-started
}

// running says whether the child has not ended yet.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// stop asks the child to end with sig and kills it when it has not after
// patience.
func (p *process) stop(sig syscall.Signal, patience time.Duration) {
	_ = p.cmd.Process.Signal(sig) // an error means that it has ended already
	select {
	case <-p.done:
	case <-time.After(patience):
		p.kill()
	}
}

// kill ends the child and its children at once, as a power cut would. The
// parent is frozen first: otherwise it could start another child between the
// look and the kill, or end and leave a process id to somebody else.
func (p *process) kill() {
	if p.cmd.Process.Signal(syscall.SIGSTOP) == nil && p.frozen() {
		children := childrenOf(p.cmd.Process.Pid)
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		until(5*time.Second, func() bool { return !anyAlive(children) })
	}
	_ = p.cmd.Process.Kill()
	<-p.done
}

// freeze stops the child and its children (SIGSTOP), and returns once they are: the
// parent first, so that no further child begins.
func (p *process) freeze() error {
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil || !p.frozen() {
		return fmt.Errorf("it does not stop (%w)", err)
	}
	children := childrenOf(p.cmd.Process.Pid)
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // one that has just ended is none
	}
	for _, pid := range children {
		if !until(5*time.Second, func() bool {
			state := stateOf(pid)
			return state == 'T' || state == 'Z' ||
				state == 0
		}) {
			return fmt.Errorf("its child %d does not stop", pid)
		}
	}
	return nil
}

// thaw lets the child and its children go on.
func (p *process) thaw() error {
	for _, pid := range childrenOf(p.cmd.Process.Pid) {
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	return p.cmd.Process.Signal(syscall.SIGCONT)
}

func (p *process) frozen() bool {
	return until(5*time.Second, func() bool { return !p.running() || stateOf(p.cmd.Process.Pid) == 'T' }) && p.running()
}

// childrenOf lists the direct children of a process.
func childrenOf(parent int) []int {
	var children []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if _, ppid, ok := readStat(path); ok && ppid == parent {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
				children = append(children, pid)
			}
		}
	}
	return children
}

func anyAlive(pids []int) bool {
	for _, pid := range pids {
		if s := stateOf(pid); s != 0 && s != 'Z' && s != 'X' {
			return true
		}
	}
	return false
}

// stateOf gives the one-letter state of a process as proc(5) has it, 0 when there
// is no such process.
func stateOf(pid int) byte {
	state, _, _ := readStat(fmt.Sprintf("/proc/%d/stat", pid))
	return state
}

func readStat(path string) (state byte, ppid int, ok bool) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false
	}
	// The command's name stands in parentheses and may itself hold spaces and
	// parentheses; what follows the last one is regular.
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0, 0, false
	}
	ppid, err = strconv.Atoi(fields[1])
	return fields[0][0], ppid, err == nil
}

// until asks for a condition in another process, which can send us no signal,
// until it holds; false when it does not within the limit. A question may be a whole
// request, so the longer it waits the more seldom it asks: a wait becomes longer by an
// eighth at most, and asking takes no time from what is waited for.
func until(limit time.Duration, holds func() bool) bool {
	for begun := time.Now(); !holds(); {
		waited := time.Since(begun)
		if waited > limit {
			return false
		}
		<-time.After(min(max(waited/8, 2*time.Millisecond), 100*time.Millisecond))
	}
	return true
}

// unprivileged gives the account that servers run under when the tests run as
// root, which several of them refuse; nil when the tests do not.
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errU := strconv.ParseUint(account.Uid, 10, 32)
		gid, errG := strconv.ParseUint(account.Gid, 10, 32)
		if errU == nil && errG == nil && uid != 0 {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("tests run as root and there is neither a user postgres nor nobody to run a server as")
}

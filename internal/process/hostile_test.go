package process_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hostile is the verb under which the test program is a command that tries every way
// out of its confinement. It is given targets as JSON and the file to write to: what
// became of each try.
const hostile = "hostile"

// targets are what a hostile command is after.
type targets struct {
	Server                    int     // a process
	Address                   uintptr // of something in its memory
	Database, Folder, Upload  string  // files and the folder of the server, and a file of another upload
	TCP, TCP6, UDP            string  // that it listens on
	Unix, Datagrams, Abstract string
	Setuid                    string // a program that runs as root, whoever starts it; "" for none
}

// try is a way out. One that gives no error has got out.
type try struct {
	name string
	make func(t targets) error
}

// tries are all of them. What one changes it puts right again, for the next.
var tries = []try{
	{"read the database", func(t targets) error { return open(t.Database, os.O_RDONLY) }},
	{"write the database", func(t targets) error { return open(t.Database, os.O_WRONLY) }},
	{"cut the database", func(t targets) error { return os.Truncate(t.Database, int64(len("secret"))) }},
	{"list the data folder", func(t targets) error { _, err := os.ReadDir(t.Folder); return err }},
	{"write a file beside it", func(t targets) error { return open(filepath.Join(t.Folder, "new"), os.O_WRONLY|os.O_CREATE) }},
	{"write a temporary file", func(t targets) error { return open(filepath.Join(os.TempDir(), "..", "new"), os.O_WRONLY|os.O_CREATE) }},
	{"rename the database", rename},
	{"link the database", func(t targets) error { return os.Link(t.Database, "linked") }},
	{"follow a link", followLink},
	{"read another upload", func(t targets) error { return open(t.Upload, os.O_RDONLY) }},
	{"read by a child", readByChild},
	{"read /etc/shadow", func(targets) error { return open("/etc/shadow", os.O_RDONLY) }},
	{"server's environment", func(t targets) error { return open(fmt.Sprintf("/proc/%d/environ", t.Server), os.O_RDONLY) }},
	{"server's memory", func(t targets) error { return open(fmt.Sprintf("/proc/%d/mem", t.Server), os.O_RDWR) }},
	{"server's open files", func(t targets) error { _, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.Server)); return err }},
	{"server's root", func(t targets) error { return open(fmt.Sprintf("/proc/%d/root%s", t.Server, t.Database), os.O_RDONLY) }},
	{"first process", func(targets) error { return open("/proc/1/environ", os.O_RDONLY) }},
	{"list of processes", func(targets) error { _, err := os.ReadDir("/proc"); return err }},
	{"TCP", func(t targets) error { return dial("tcp", t.TCP) }},
	{"TCP over IPv6", func(t targets) error { return dial("tcp", t.TCP6) }},
	{"UDP", func(t targets) error { return dial("udp", t.UDP) }},
	{"Unix socket", func(t targets) error { return dial("unix", t.Unix) }},
	{"Unix datagrams", func(t targets) error { return dial("unixgram", t.Datagrams) }},
	{"abstract Unix socket", func(t targets) error { return dial("unix", t.Abstract) }},
	{"half of a pair", pairToDatagrams},
	{"listen", func(targets) error { l, err := net.Listen("tcp", "127.0.0.1:0"); return closed(l, err) }},
	{"netlink", func(targets) error { return number(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, 0) }},
	{"io_uring", func(targets) error { var p [120]byte; return number(unix.SYS_IO_URING_SETUP, 1, ptr(&p), 0) }},
	{"trace the server", seize},
	{"read the server's words", readMemory},
	{"signal the server", func(t targets) error { return syscall.Kill(t.Server, 0) }},
	{"signal its group", killGroup},
	{"take its files", takeFile},
	{"limit the server", func(t targets) error { return unix.Prlimit(t.Server, unix.RLIMIT_CORE, nil, new(unix.Rlimit)) }},
	{"slow the server", func(t targets) error { return unix.Setpriority(unix.PRIO_PROCESS, t.Server, 0) }},
	{"pin the server", pin},
	{"another user namespace", func(targets) error { return inThread(func() error { return unix.Unshare(unix.CLONE_NEWNET) }) }},
	{"a child in a namespace", childInNamespace},
	{"mount", func(targets) error { return number(unix.SYS_FSOPEN, ptr(&[]byte("tmpfs\x00")[0]), 0, 0) }},
	{"change the root", func(targets) error { return number(unix.SYS_CHROOT, ptr(&[]byte("/\x00")[0]), 0, 0) }},
	{"perf", perf},
	{"shared memory", func(targets) error { return number(unix.SYS_SHMGET, 0, 4096, unix.IPC_CREAT|0o600) }},
	{"new privileges", newPrivileges},
	{"a program of root", runSetuid},
}

// misuse makes all tries and writes what became of them.
func misuse(args []string) {
	var t targets
	if err := json.Unmarshal([]byte(args[0]), &t); err != nil {
		panic(err)
	}
	said := map[string]string{}
	for _, try := range tries {
		said[try.name] = ""
		if err := try.make(t); err != nil {
			said[try.name] = err.Error()
		}
	}
	text, err := json.Marshal(said)
	if err == nil {
		err = os.WriteFile(args[1], text, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

func ptr[T any](v *T) uintptr { return uintptr(unsafe.Pointer(v)) }

// number makes a system call, and closes the file that it may give.
func number(call, a, b, c uintptr) error {
	got, _, err := unix.Syscall6(call, a, b, c, ^uintptr(0), 0, 0)
	if err != 0 {
		return err
	}
	if got > 2 {
		_ = unix.Close(int(got))
	}
	return nil
}

func open(name string, flag int) error {
	f, err := os.OpenFile(name, flag, 0o600)
	if err != nil {
		return err
	}
	if flag == os.O_RDONLY {
		if _, err := f.Read(make([]byte, 1)); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

func rename(t targets) error {
	if err := os.Rename(t.Database, t.Database+"2"); err != nil {
		return err
	}
	return os.Rename(t.Database+"2", t.Database)
}

func killGroup(t targets) error {
	group, err := syscall.Getpgid(t.Server)
	if err != nil {
		return err
	}
	return syscall.Kill(-group, 0)
}

func perf(targets) error {
	return number(unix.SYS_PERF_EVENT_OPEN, ptr(&unix.PerfEventAttr{Size: 128, Type: unix.PERF_TYPE_SOFTWARE}), 0, ^uintptr(0))
}

// seize begins to trace without a stop; it ends with this process.
func seize(t targets) error {
	_, _, err := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(t.Server), 0, 0, 0, 0)
	if err != 0 {
		return err
	}
	return nil
}

func closed(c interface{ Close() error }, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}

func dial(network, address string) error {
	c, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	if _, err := c.Write([]byte("x")); err != nil {
		return errors.Join(err, c.Close())
	}
	return c.Close()
}

func followLink(t targets) error {
	if err := os.Symlink(t.Database, "followed"); err != nil {
		return err
	}
	return open("followed", os.O_RDONLY)
}

func readByChild(t targets) error {
	c := exec.Command("/bin/cat", t.Database)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return c.Run()
}

// pairToDatagrams turns one end of a pair to a socket of the server.
func pairToDatagrams(t targets) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("x"), 0, &unix.SockaddrUnix{Name: t.Datagrams})
}

func readMemory(t targets) error {
	var b [8]byte
	local := []unix.Iovec{{Base: &b[0], Len: 8}}
	_, err := unix.ProcessVMReadv(t.Server, local, []unix.RemoteIovec{{Base: t.Address, Len: 8}}, 0)
	return err
}

func takeFile(t targets) error {
	fd, err := unix.PidfdOpen(t.Server, 0)
	if err != nil {
		return err
	}
	_, err = unix.PidfdGetfd(fd, 0, 0)
	return err
}

func pin(t targets) error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(t.Server, &set); err != nil {
		return err
	}
	return unix.SchedSetaffinity(t.Server, &set)
}

// inThread does something that changes a thread for good in one of its own.
func inThread(f func() error) error {
	done := make(chan error)
	go func() {
		lockForever()
		done <- f()
	}()
	return <-done
}

func childInNamespace(targets) error {
	c := exec.Command("/bin/true")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	return c.Run()
}

func newPrivileges(targets) error {
	if on, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err != nil || on == 1 {
		return errors.Join(errors.New("no new privileges"), err)
	}
	return nil
}

func runSetuid(t targets) error {
	if t.Setuid == "" {
		return errors.New("there is none")
	}
	c := exec.Command(t.Setuid, "-u")
	if os.Getuid() == 0 { // it has to become somebody else first, to be root again
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	}
	out, err := c.Output()
	if err == nil && strings.TrimSpace(string(out)) != "0" {
		return fmt.Errorf("it runs as %s", out)
	}
	return err
}

package process_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/internal/process/confine"
)

// hostile is the verb under which the test program is a command that tries every way
// out of its confinement. It is given targets as JSON and the file to write to: what
// became of each try.
const hostile = "hostile"

// hostileReader is the verb under which it does so confined as a reader of files is,
// and writes to its standard output.
const hostileReader = "hostile-reader"

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
	{"write a file beside it",
		func(t targets) error { return open(filepath.Join(t.Folder, "new"), os.O_WRONLY|os.O_CREATE) }},
	{"write a temporary file",
		func(t targets) error { return open(filepath.Join(os.TempDir(), "..", "new"), os.O_WRONLY|os.O_CREATE) }},
	{"rename the database", rename},
	{"link the database", func(t targets) error { return os.Link(t.Database, "linked") }},
	{"follow a link", followLink},
	{"read another upload", func(t targets) error { return open(t.Upload, os.O_RDONLY) }},
	{"change the mode", func(t targets) error {
		return changed(t, func() error { return os.Chmod(t.Database, 0o640) })
	}},
	{"change the mode of what is not read",
		func(t targets) error { return changed(t, func() error { return chmodUnread(t) }) }},
	{"change the times", func(t targets) error {
		return changed(t, func() error { return os.Chtimes(t.Database, past, past) })
	}},
	{"change the times by an odd pointer",
		func(t targets) error { return changed(t, func() error { return touchOddly(t) }) }},
	{"set an attribute", func(t targets) error { return unix.Setxattr(t.Database, "user.x", []byte("x"), 0) }},
	{"watch the data folder", watch},
	{"read by a child", readByChild},
	{"read /etc/shadow", func(targets) error { return open("/etc/shadow", os.O_RDONLY) }},
	{"server's environment",
		func(t targets) error { return open(fmt.Sprintf("/proc/%d/environ", t.Server), os.O_RDONLY) }},
	{"server's memory", func(t targets) error { return open(fmt.Sprintf("/proc/%d/mem", t.Server), os.O_RDWR) }},
	{"server's open files", func(t targets) error {
		_, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.Server))
		return err
	}},
	{"server's root", func(t targets) error {
		return open(fmt.Sprintf("/proc/%d/root%s", t.Server, t.Database),
			os.O_RDONLY)
	}},
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
	{"limit the server", func(t targets) error {
		return unix.Prlimit(t.Server, unix.RLIMIT_CORE, nil,
			new(unix.Rlimit))
	}},
	{"slow the server", func(t targets) error { return unix.Setpriority(unix.PRIO_PROCESS, t.Server, 0) }},
	{"pin the server", pin},
	{"another user namespace",
		func(targets) error { return inThread(func() error { return unix.Unshare(unix.CLONE_NEWNET) }) }},
	{"a child in a namespace", childInNamespace},
	{"mount", func(targets) error { return number(unix.SYS_FSOPEN, ptr(&[]byte("tmpfs\x00")[0]), 0, 0) }},
	{"change the root", func(targets) error { return number(unix.SYS_CHROOT, ptr(&[]byte("/\x00")[0]), 0, 0) }},
	{"perf", perf},
	{"shared memory", func(targets) error { return number(unix.SYS_SHMGET, 0, 4096, unix.IPC_CREAT|0o600) }},
	{"new privileges", newPrivileges},
	{"a program of root", runSetuid},
}

// alone are further ones, which are open to a video processor.
var alone = []try{
	{"start a program", func(targets) error { return exec.Command("/bin/true").Run() }},
	{"start a process", func(targets) error { return fork() }},
	{"read a library", func(targets) error { return open("/etc/passwd", os.O_RDONLY) }},
	{"write to a device", func(targets) error { return open(os.DevNull, os.O_WRONLY) }},
	{"write to its folder", func(targets) error { return open("own", os.O_WRONLY|os.O_CREATE) }},
	{"become another program", func(targets) error { return syscall.Exec("/bin/true", []string{"true"}, nil) }},
}

// misuse makes tries and gives what became of them.
func misuse(aims string, tries []try) []byte {
	var t targets
	if err := json.Unmarshal([]byte(aims), &t); err != nil {
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
	if err != nil {
		panic(err)
	}
	return text
}

// misuseAsReader does so confined as a reader is.
func misuseAsReader(aims string) []byte {
	runtime.LockOSThread()
	if err := confine.Self(confine.Rules{UID: nobody, Alone: true}); err != nil {
		panic(err)
	}
	return misuse(aims, slices.Concat(tries, alone))
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
	return number(unix.SYS_PERF_EVENT_OPEN, ptr(&unix.PerfEventAttr{Size: 128, Type: unix.PERF_TYPE_SOFTWARE}),
		0, ^uintptr(0))
}

// seize begins to trace without a stop; it ends with this process.
func seize(t targets) error {
	_, _, err := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(t.Server), 0, 0, 0, 0)
	return failed(err)
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

// past is a time that no file of the tests has.
var past = time.Unix(1e9, 0)

// changed says whether a change of the database's mode or times has an effect, and
// changes it back.
func changed(t targets, change func() error) error {
	before, err := os.Stat(t.Database)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := os.Stat(t.Database)
	if err != nil {
		return err
	}
	if after.Mode() == before.Mode() && after.ModTime().Equal(before.ModTime()) {
		return errors.New("nothing has changed")
	}
	return errors.Join(os.Chmod(t.Database, before.Mode()), os.Chtimes(t.Database, before.ModTime(), before.ModTime()))
}

// chmodUnread names the file by a descriptor that cannot read it.
func chmodUnread(t targets) error {
	fd, err := unix.Open(t.Database, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Fchmodat(fd, "", 0o640, unix.AT_EMPTY_PATH)
}

// touchOddly has the name at an address whose lower half is zero, as that of no name.
func touchOddly(t targets) error {
	const address, size = 7 << 32, 4096
	_, _, e := unix.Syscall6(unix.SYS_MMAP, address, size, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_FIXED_NOREPLACE, ^uintptr(0), 0)
	if e != 0 {
		return e
	}
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return err
	}
	name := append([]byte(t.Database), 0)
	if _, err := unix.Write(pipe[1], name); err != nil {
		return err
	}
	if _, _, e := unix.Syscall(unix.SYS_READ, uintptr(pipe[0]), address, uintptr(len(name))); e != 0 {
		return e
	}
	times := [2]unix.Timespec{{Sec: past.Unix()}, {Sec: past.Unix()}}
	_, _, e = unix.Syscall6(unix.SYS_UTIMENSAT, ^uintptr(99), address, ptr(&times), 0, 0, 0) // AT_FDCWD
	return errors.Join(failed(e), unix.Close(pipe[0]), unix.Close(pipe[1]))
}

// failed is an error of the operating system; nil when there is none.
func failed(e syscall.Errno) error {
	if e != 0 {
		return e
	}
	return nil
}

func watch(t targets) error {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = unix.InotifyAddWatch(fd, t.Folder, unix.IN_ALL_EVENTS)
	return err
}

// fork starts a process that ends at once.
func fork() error {
	pid, _, e := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if e == 0 && pid == 0 {
		syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return failed(e)
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

package process

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"

	"github.com/kinebase/kinebase/internal/process/confine"
)

// system is what most programs read before they begin: programs, libraries, languages,
// times, names of accounts, and what the machine has. None of it is a server's.
var system = []string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/include",
	"/usr/local/bin", "/usr/local/lib", "/usr/local/lib64", "/usr/local/libexec", "/usr/local/share", "/usr/local/cuda",
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/ld-musl-x86_64.path",
	"/etc/ld-musl-aarch64.path",
	"/etc/alternatives", "/etc/fonts", "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/mime.types",
	"/etc/OpenCL",
	"/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
	"/proc/cpuinfo", "/proc/meminfo", "/proc/sys/vm/overcommit_memory", "/sys/devices/system",
	"/sys/kernel/mm/transparent_hugepage",
}

// SystemFolders are the files and folders that a video processor may always read.
func SystemFolders() []string { return slices.Clone(system) }

// python are folders in which Debian keeps what Python reads at its start.
const python = "/etc/python3*"

// devices are those that any program may write to.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// flags are those of a command under limits.
func (c *confinement) flags(set *flag.FlagSet) {
	c.limits.flags(set)
	set.IntVar(&c.rules.UID, "uid", 0, "")
	list := func(to *[]string) func(string) error {
		return func(path string) error { *to = append(*to, path); return nil }
	}
	set.Func("read", "", list(&c.rules.Read))
	set.Func("write", "", list(&c.rules.Write))
	set.Func("device", "", list(&c.rules.Devices))
}

// confinement is what a command may have.
type confinement struct {
	limits limits
	rules  confine.Rules
}

// confined confines itself and becomes another program, which cannot undo that.
func confined(args []string) error {
	debug.SetGCPercent(-1) // a collection starts threads, whose stacks would be too much
	var c confinement
	set := flag.NewFlagSet(Confine, flag.ContinueOnError)
	c.flags(set)
	if err := set.Parse(args); err != nil {
		return err
	}
	command := set.Args()
	if len(command) == 0 {
		return errors.New("there is no command to run")
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("the command cannot be found: %w", err)
	}
	c.rules.Read = slices.Concat(c.rules.Read, system, []string{program})
	if found, err := filepath.Glob(python); err == nil {
		c.rules.Read = append(c.rules.Read, found...)
	}
	c.rules.Devices = append(c.rules.Devices, devices...)
	env := os.Environ()
	if err := confine.Self(c.rules); err != nil {
		return err
	}
	// These come last: this program, which is still running, has more memory than they may
	// leave, and must ask for none until it is another. With one processor nothing else of it
	// runs meanwhile, for the two calls do not give that one up.
	runtime.GOMAXPROCS(1)
	if err := c.limits.set(); err != nil {
		return err
	}
	err = syscall.Exec(program, command, env)
	if errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("the command %s cannot be run: the account of video processors must be able to read it and "+
			"what it needs, and KINEBASE_VIDEO_FOLDERS name the folders of that", program)
	}
	return err
}

// confinedArgs are the words that start the command of a video, with the folder that
// is its own.
func (r *Runner) confinedArgs(room string, seconds int64, command []string) []string {
	args := []string{r.Binary, Confine, "--memory=" + strconv.FormatInt(r.VideoMemory, 10),
		"--seconds=" + strconv.FormatInt(seconds, 10),
		"--uid=" + strconv.Itoa(r.UID), "--write=" + room}
	for _, path := range r.Folders {
		args = append(args, "--read="+path)
	}
	for _, path := range r.Writable {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			args = append(args, "--write="+path)
		} else {
			args = append(args, "--device="+path)
		}
	}
	// A file that the command names, such as a script or a model, is handed to it.
	for _, word := range r.Video {
		if info, err := os.Stat(word); filepath.IsAbs(word) && err == nil && info.Mode().IsRegular() {
			args = append(args, "--read="+word)
		}
	}
	return append(append(args, "--"), command...)
}

// owned gives the files to the account of children, if that is another.
func (r *Runner) owned(names ...string) error {
	if !confine.Becomes(r.UID) {
		return nil
	}
	var err error
	for _, name := range names {
		err = errors.Join(err, os.Chown(name, r.UID, r.UID))
	}
	return err
}

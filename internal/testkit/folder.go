package testkit

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// folder is where one server keeps its data and its socket.
type folder struct {
	path string
	lock *os.File
}

// longestSocket is the longest name of a socket inside a folder, and maxSocket
// what a whole path may have: the kernel takes 107 bytes, PostgreSQL a few less
// for its own lock file's name.
const (
	longestSocket = len("/.s.PGSQL.5432")
	maxSocket     = 99
)

// newFolder makes an empty folder owned by the account that the server runs
// under, nil for our own; in memory where inMemory is set and there is plenty.
// Folders of the same kind whose test process was killed before it could remove
// them are removed on the way.
func newFolder(kind string, owner *syscall.Credential, inMemory bool) (*folder, error) {
	base := socketBase(kind, owner)
	if inMemory && roomInMemory() {
		base = memory
	}
	sweep(base, kind)
	path, err := os.MkdirTemp(base, prefix(kind))
	if err != nil {
		return nil, fmt.Errorf("make a folder for a test server: %w", err)
	}
	f := &folder{path: path}
	if f.lock, err = claim(path); err != nil {
		f.remove()
		return nil, fmt.Errorf("claim the folder of a test server: %w", err)
	}
	if owner != nil {
		if err := os.Chown(path, int(owner.Uid), int(owner.Gid)); err != nil {
			f.remove()
			return nil, fmt.Errorf("hand the folder to the account of a test server: %w", err)
		}
	}
	return f, nil
}

func (f *folder) remove() {
	_ = os.RemoveAll(f.path) // what is left, a later sweep takes
	if f.lock != nil {
		_ = f.lock.Close()
	}
}

func prefix(kind string) string { return "kb-" + kind + "-" }

// memory is where Linux keeps files in memory. Making the three hundred files of
// a PostgreSQL database takes 10 ms there and 280 ms on ext4, which is slow to
// reuse what was deleted within seconds, as tests do.
const memory = "/dev/shm"

// roomInMemory asks for 2 GiB: a container often gets 64 MiB, which a single
// test could fill.
func roomInMemory() bool {
	var fs syscall.Statfs_t
	const tmpfs = 0x01021994 // TMPFS_MAGIC of statfs(2)
	if syscall.Statfs(memory, &fs) != nil {
		return false
	}
	//lint:ignore unconverted Type is narrower on 32-bit machines
	return int64(fs.Type) == tmpfs && fs.Bavail*uint64(fs.Bsize) >= 2<<30
}

// socketBase is the system's folder for temporary files, or /tmp where that one
// is too deep for a socket or closed to the server's account.
func socketBase(kind string, owner *syscall.Credential) string {
	base := filepath.Clean(os.TempDir())
	if len(base)+len("/"+prefix(kind)+"4294967295")+longestSocket > maxSocket {
		return "/tmp"
	}
	for dir := base; owner != nil && dir != "/"; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err != nil || info.Mode()&0o001 == 0 {
			return "/tmp"
		}
	}
	return base
}

// claim locks a folder for as long as this process lives. The lock gets its name
// only once it is held, so that a sweep never finds one between the two.
func claim(path string) (*os.File, error) {
	unnamed := filepath.Join(path, "lock.new")
	lock, err := os.OpenFile(unnamed, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		_ = lock.Close()
		return nil, err
	}
	if err := os.Rename(unnamed, filepath.Join(path, "lock")); err != nil {
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

// sweep removes the folders that nobody holds any more.
func sweep(base, kind string) {
	locks, _ := filepath.Glob(filepath.Join(base, prefix(kind)+"*", "lock"))
	for _, name := range locks {
		lock, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue // another account's, or gone meanwhile
		}
		if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(filepath.Dir(name))
		}
		_ = lock.Close()
	}
}

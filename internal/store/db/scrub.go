package db

import (
	"encoding/binary"
	"os"
	"sync"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"
)

// secure_delete overwrites what is deleted, but not the copies that SQLite leaves
// behind when it moves rows from one page to another: they stay in the gap between
// a page's list of cells and its cells, where nothing ever looks, and would outlive
// the erasure of a person. So every page of a tree is written to the file with
// its gap cleared. The log is written as it is, for its checksums cover the gap;
// it is cut down after an erasure, see checkpoint.go.

// scrubber is the name of the way to the file that clears gaps.
const scrubber = "kinebase-scrub"

func init() { vfs.Register(scrubber, scrubVFS{vfs.Find("os")}) }

type scrubVFS struct{ vfs.VFS }

func (v scrubVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f, flags, err := vfsutil.WrapOpen(v.VFS, name, flags)
	return scrubbing(f, name, flags, err), flags, err
}

func (v scrubVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	f, flags, err := vfsutil.WrapOpenFilename(v.VFS, name, flags)
	return scrubbing(f, name.String(), flags, err), flags, err
}

func scrubbing(f vfs.File, name string, flags vfs.OpenFlag, err error) vfs.File {
	if err != nil || flags&vfs.OPEN_MAIN_DB == 0 {
		return f
	}
	s := &scrubFile{File: f, name: name}
	openFiles.Store(s, true)
	return s
}

// openFiles has the file of every connection.
var openFiles sync.Map

// closeFiles closes the files of all connections to a database under SQLite.
func closeFiles(name string) {
	openFiles.Range(func(f, _ any) bool {
		if s := f.(*scrubFile); s.name == name {
			s.unlock()
			_ = s.Close()
		}
		return true
	})
}

// unlock gives up the locks that the connection has on the shared memory. To close the
// file is not enough: while it is in memory, they stay.
func (f *scrubFile) unlock() {
	if shared, ok := f.SharedMemory().(interface{ Fd() uintptr }); ok {
		unlockBytes(shared.Fd())
	}
}

// scrubFile is the database's own file, on one connection.
type scrubFile struct {
	vfs.File
	name string
	page []byte      // SQLite's copy is not ours to change
	shut atomic.Bool // by closeFiles or by SQLite
}

func (f *scrubFile) Close() error {
	if _, open := openFiles.LoadAndDelete(f); !open {
		return nil // see closeFiles
	}
	f.shut.Store(true)
	return f.File.Close()
}

// errShut is what SQLite hears of a file that was closed under it. The library's own file
// would panic: it has given its lock up, and SQLite believes that it still has it.
var errShut = vfs.SystemError(os.ErrClosed, sqlite3.IOERR_CLOSE)

func (f *scrubFile) Lock(level vfs.LockLevel) error {
	if f.shut.Load() {
		return errShut
	}
	return f.File.Lock(level)
}

func (f *scrubFile) Unlock(level vfs.LockLevel) error {
	if f.shut.Load() {
		return nil // every lock was given up
	}
	return f.File.Unlock(level)
}

func (f *scrubFile) CheckReservedLock() (bool, error) {
	if f.shut.Load() {
		return false, errShut
	}
	return f.File.CheckReservedLock()
}

func (f *scrubFile) WriteAt(p []byte, off int64) (int, error) {
	from, to := gap(p, off)
	if from == to {
		return f.File.WriteAt(p, off)
	}
	// Pages that are no part of a tree begin with the number of another page. Where
	// there are so many that such a number may look like the mark of a tree's page,
	// nothing is cleared.
	if size, err := f.Size(); err != nil || size/int64(len(p)) >= 2<<24 {
		return f.File.WriteAt(p, off)
	}
	f.page = append(f.page[:0], p...)
	clear(f.page[from:to])
	return f.File.WriteAt(f.page, off)
}

// gap finds the unused middle of a page of a tree: sqlite.org/fileformat2.html,
// "B-tree Pages". It is empty for anything else.
func gap(p []byte, off int64) (from, to int) {
	if len(p) < 512 || off%int64(len(p)) != 0 {
		return 0, 0 // not a page
	}
	header := 0
	if off == 0 {
		header = 100 // of the file, on the first page
	}
	switch p[header] {
	case 2, 5: // inner pages
		from = header + 12
	case 10, 13: // leaves
		from = header + 8
	default:
		return 0, 0
	}
	from += 2 * int(binary.BigEndian.Uint16(p[header+3:]))
	if to = int(binary.BigEndian.Uint16(p[header+5:])); to == 0 {
		to = 1 << 16
	}
	if from > to || to > len(p) {
		return 0, 0
	}
	return from, to
}

// All other methods of a file are passed on.

func (f *scrubFile) Unwrap() vfs.File                { return f.File }
func (f *scrubFile) SharedMemory() vfs.SharedMemory  { return vfsutil.WrapSharedMemory(f.File) }
func (f *scrubFile) LockState() vfs.LockLevel        { return vfsutil.WrapLockState(f.File) }
func (f *scrubFile) PersistWAL() bool                { return vfsutil.WrapPersistWAL(f.File) }
func (f *scrubFile) SetPersistWAL(keep bool)         { vfsutil.WrapSetPersistWAL(f.File, keep) }
func (f *scrubFile) PowersafeOverwrite() bool        { return vfsutil.WrapPowersafeOverwrite(f.File) }
func (f *scrubFile) SetPowersafeOverwrite(safe bool) { vfsutil.WrapSetPowersafeOverwrite(f.File, safe) }
func (f *scrubFile) ChunkSize(size int)              { vfsutil.WrapChunkSize(f.File, size) }
func (f *scrubFile) SizeHint(size int64) error       { return vfsutil.WrapSizeHint(f.File, size) }
func (f *scrubFile) HasMoved() (bool, error)         { return vfsutil.WrapHasMoved(f.File) }
func (f *scrubFile) Overwrite() error                { return vfsutil.WrapOverwrite(f.File) }
func (f *scrubFile) SyncSuper(super string) error    { return vfsutil.WrapSyncSuper(f.File, super) }
func (f *scrubFile) CommitPhaseTwo() error           { return vfsutil.WrapCommitPhaseTwo(f.File) }
func (f *scrubFile) BeginAtomicWrite() error         { return vfsutil.WrapBeginAtomicWrite(f.File) }
func (f *scrubFile) CommitAtomicWrite() error        { return vfsutil.WrapCommitAtomicWrite(f.File) }
func (f *scrubFile) RollbackAtomicWrite() error      { return vfsutil.WrapRollbackAtomicWrite(f.File) }
func (f *scrubFile) CheckpointStart()                { vfsutil.WrapCheckpointStart(f.File) }
func (f *scrubFile) CheckpointDone()                 { vfsutil.WrapCheckpointDone(f.File) }
func (f *scrubFile) BusyHandler(handler func() bool) { vfsutil.WrapBusyHandler(f.File, handler) }

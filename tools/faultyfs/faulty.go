package main

import (
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fuse"
)

// statuses are those that a disk may give, by their names in commands.
var statuses = map[string]fuse.Status{
	"EIO":    fuse.Status(syscall.EIO),
	"ENOSPC": fuse.Status(syscall.ENOSPC),
}

// faulty is a file system some of whose changing calls fail. Calls that read never do: what
// a disk cannot read back is a broken disk, which no program can answer for.
type faulty struct {
	fuse.RawFileSystem

	lock          sync.Mutex
	calls, failed int64 // since fail
	from, until   int64 // the calls that fail: from <= number < until
	status        fuse.Status
}

func (f *faulty) fail(at, times int64, with fuse.Status) {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.calls, f.failed = 0, 0
	f.from, f.until, f.status = at, at+times, with
}

func (f *faulty) counts() (calls, failed int64) {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.calls, f.failed
}

// next counts a call, and gives what it has to fail with.
func (f *faulty) next() fuse.Status {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.calls++
	if f.calls < f.from || f.calls >= f.until {
		return fuse.OK
	}
	f.failed++
	return f.status
}

// Write fails after half of the bytes: a disk may do so, and the file then holds part of what
// was to be there. Pages that the kernel writes for a mapped file are let through, for of
// their fate no call is told.
func (f *faulty) Write(cancel <-chan struct{}, in *fuse.WriteIn, data []byte) (uint32, fuse.Status) {
	if in.WriteFlags&fuse.WRITE_CACHE != 0 {
		return f.RawFileSystem.Write(cancel, in, data)
	}
	if wrong := f.next(); !wrong.Ok() {
		if half := data[:len(data)/2]; len(half) > 0 {
			if _, status := f.RawFileSystem.Write(cancel, in, half); !status.Ok() {
				return 0, status
			}
		}
		return 0, wrong
	}
	return f.RawFileSystem.Write(cancel, in, data)
}

// Writev is Write of several pieces; the library then joins them.
func (f *faulty) Writev(<-chan struct{}, *fuse.WriteIn, [][]byte) (uint32, fuse.Status) {
	return 0, fuse.ENOSYS
}

// Fsync fails without a flush.
func (f *faulty) Fsync(cancel <-chan struct{}, in *fuse.FsyncIn) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Fsync(cancel, in)
}

// FsyncDir is Fsync of a folder.
func (f *faulty) FsyncDir(cancel <-chan struct{}, in *fuse.FsyncIn) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.FsyncDir(cancel, in)
}

// SetAttr fails where it would change a file's length.
func (f *faulty) SetAttr(cancel <-chan struct{}, in *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	if _, cuts := in.GetSize(); cuts {
		if wrong := f.next(); !wrong.Ok() {
			return wrong
		}
	}
	return f.RawFileSystem.SetAttr(cancel, in, out)
}

// Mkdir makes a folder, or fails.
func (f *faulty) Mkdir(cancel <-chan struct{}, in *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Mkdir(cancel, in, name, out)
}

// Create makes a file and opens it, or fails.
func (f *faulty) Create(cancel <-chan struct{}, in *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Create(cancel, in, name, out)
}

// Rename moves a file, or fails.
func (f *faulty) Rename(cancel <-chan struct{}, in *fuse.RenameIn, from, to string) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Rename(cancel, in, from, to)
}

// Unlink removes a file, or fails.
func (f *faulty) Unlink(cancel <-chan struct{}, in *fuse.InHeader, name string) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Unlink(cancel, in, name)
}

// Link gives a file a second name, or fails.
func (f *faulty) Link(cancel <-chan struct{}, in *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	if wrong := f.next(); !wrong.Ok() {
		return wrong
	}
	return f.RawFileSystem.Link(cancel, in, name, out)
}

// Init keeps the server from the file system below, which would have the kernel write to the
// files behind it without asking here.
func (f *faulty) Init(*fuse.Server) {}

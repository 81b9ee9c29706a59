package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

// Disk keeps files in a folder that only its account can enter. Nothing in it, a
// symbolic link included, leads out of it. Any number of processes may share it.
type Disk struct {
	root *os.Root
}

var _ upload.Files = (*Disk)(nil)

// OpenDisk opens a folder, making it where there is none, and removes what dead
// processes left unfinished in it.
func OpenDisk(dir string) (*Disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for files: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder for files: %w", err)
	}
	d := &Disk{root}
	if err = root.Mkdir(incoming, 0o700); errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err == nil {
		_, err = d.tidy(0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the folder for files cannot be used: %w", err), root.Close())
	}
	return d, nil
}

// Close gives the folder back; files that are open stay so.
func (d *Disk) Close() error { return d.root.Close() }

// Put writes the file under another name first, and gives it its own only when all
// of it is on the disk. What r fails with is given back as it is; ctx is looked at
// between two reads. A disk that is full or cannot be written to is a
// fault.Unavailable.
func (d *Disk) Put(ctx context.Context, name string, r io.Reader, size int64) (n int64, err error) {
	if err := checkName(name); err != nil {
		return 0, err
	}
	file, temporary, err := d.begin()
	if err != nil {
		return 0, notStored(err)
	}
	src := &source{ctx: ctx, r: r, size: size}
	leftover := temporary
	defer func() {
		// The lock goes with the descriptor, so not before the file has its name.
		if closed := file.Close(); err == nil {
			err = notStored(closed)
		}
		if err != nil {
			_ = d.root.Remove(leftover) // what cannot be removed now, Tidy or an Erase will
			n = 0
		}
	}()
	// A buffer of our own: os.File would read in pieces of 32 KiB.
	n, err = io.CopyBuffer(struct{ io.Writer }{file}, src, make([]byte, 256<<10))
	if src.err != nil {
		return n, src.err
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = d.settle(temporary, name)
	}
	if err == nil {
		leftover = name
		err = d.flush(path.Dir(name))
	}
	return n, notStored(err)
}

// notStored says what an error of the operating system means to a Put.
func notStored(err error) error { return fault.System(err, "Nothing was stored.") }

// settle gives a written file its name. An Erase of a neighbour may take away the
// folder between making and using it; then it is made again.
func (d *Disk) settle(temporary, name string) (err error) {
	for range 1000 {
		if err = d.root.MkdirAll(path.Dir(name), 0o700); err == nil {
			err = d.root.Rename(temporary, name)
		}
		// A folder that another makes at the same time "exists" for a moment that is over
		// when it is looked at.
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if _, err := d.root.Lstat(temporary); err != nil {
			return err // it is not the folder that is missing
		}
	}
	return err
}

// flush brings the entries of a folder and of all above it to the disk. All of
// them: another Put may have made one a moment ago and not come to this yet.
func (d *Disk) flush(dir string) error {
	for {
		f, err := d.root.Open(dir)
		if err == nil {
			err = errors.Join(flushFolder(f), f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // gone: then so is what was in it
			return err
		}
		if dir == "." {
			return nil
		}
		dir = path.Dir(dir)
	}
}

// Open gives a file, which is a *DiskFile.
func (d *Disk) Open(_ context.Context, name string) (upload.File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	f, err := d.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, d.noFile()
	}
	if err != nil {
		return nil, fault.System(err, "")
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = upload.ErrNoFile
	}
	if err != nil {
		return nil, errors.Join(fault.System(err, ""), f.Close())
	}
	return &DiskFile{f, info.Size()}, nil
}

// noFile says that a file is not there, unless the whole folder is gone: a disk that
// is not mounted must not make every file look erased.
func (d *Disk) noFile() error {
	if _, err := d.root.Lstat(incoming); err != nil {
		return fault.System(err, "")
	}
	return upload.ErrNoFile
}

// Erase removes a file, and the folders that are empty without it.
func (d *Disk) Erase(_ context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	err := d.root.Remove(name)
	if errors.Is(err, syscall.ENOTDIR) {
		err = nil // what should be a folder is a file
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.System(err, "")
	}
	dir := path.Dir(name)
	for dir != "." && d.root.Remove(dir) == nil {
		dir = path.Dir(dir)
	}
	// Otherwise a power cut could bring back what everybody believes to be gone.
	return fault.System(d.flush(dir), "")
}

// DiskFile is an open file of a Disk.
type DiskFile struct {
	file *os.File
	size int64
}

// ReadAt is io.ReaderAt.
func (f *DiskFile) ReadAt(p []byte, off int64) (int, error) { return f.file.ReadAt(p, off) }

// Size gives the size in bytes.
func (f *DiskFile) Size() int64 { return f.size }

// Close closes it.
func (f *DiskFile) Close() error { return f.file.Close() }

// File gives the file itself, open for reading at its beginning, for a child
// process to inherit. It is closed by Close.
func (f *DiskFile) File() *os.File { return f.file }

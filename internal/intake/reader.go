package intake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// reader turns paths into batches.
type reader struct {
	*Import
	ctx          context.Context
	organization string
	now          time.Time
	pace         *pace
	out          chan batch
	next         batch
	directory    *directory
	found        totals
	moving       atomic.Int64 // bytes that have come elsewhere, of files that are not done
	busy         sync.Mutex   // held while a folder is worked at
}

// paths reads all paths and sends what is left at the end.
func (r *reader) paths(paths []string) {
	for _, path := range paths {
		if !r.path(path) {
			return
		}
	}
	r.flush()
}

// path reads one path; false when the import is over.
func (r *reader) path(path string) bool {
	if path == "-" {
		if r.Stdin == nil {
			return r.refuse(path, errors.New("there is no standard input"))
		}
		return r.manifest(path, r.Stdin)
	}
	info, err := os.Stat(path)
	if err != nil {
		return r.refuse(path, cannotRead(err))
	}
	switch {
	case info.IsDir() && r.Folders == nil:
		return r.refuse(path, errors.New("is a folder, and folders cannot be imported here"))
	case info.IsDir():
		return r.settle() && r.folder(path)
	case strings.EqualFold(filepath.Ext(path), ".csv"):
		return r.refuse(path, errors.New("is a table: if it holds motion, name the folder that holds it; if it lists "+
			"captures, make a manifest of it as docs/import.md shows"))
	case isMotion(path):
		return r.refuse(path, errors.New("is a motion file: name the folder that holds it"))
	case filepath.Ext(path) == ".gz" || filepath.Ext(path) == ".zip":
		return r.refuse(path, errors.New("is compressed: unpack it, or pipe it in as -"))
	}
	f, err := os.Open(path)
	if err != nil {
		return r.refuse(path, cannotRead(err))
	}
	defer f.Close() // it was only read
	return r.manifest(path, f)
}

// put adds an item of so many bytes to the batch and sends the batch when it is
// full; false when the import is over.
func (r *reader) put(it item, size int64) bool {
	r.next.items = append(r.next.items, it)
	r.next.bytes += size
	if len(r.next.items) < r.pace.records() && r.next.bytes < batchBytes {
		return true
	}
	return r.flush()
}

func (r *reader) flush() bool {
	if len(r.next.items) == 0 {
		return r.ctx.Err() == nil
	}
	select {
	case r.out <- r.next:
		r.next = batch{items: make([]item, 0, r.pace.records())}
		return true
	case <-r.ctx.Done():
		return false
	}
}

// settle waits until all that was read is written: tables of folders name athletes of manifests before them. It is
// false when the import is over.
func (r *reader) settle() bool {
	if !r.flush() {
		return false
	}
	written := make(chan struct{})
	select {
	case r.out <- batch{written: written}:
	case <-r.ctx.Done():
		return false
	}
	select {
	case <-written:
		return r.ctx.Err() == nil
	case <-r.ctx.Done():
		return false
	}
}

func (r *reader) refuse(path string, err error) bool {
	return r.put(item{path: path, err: err}, 0)
}

// cannotRead says it without the path, which every report names anyway.
func cannotRead(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}

// totalSize is the size of all paths together, 0 when it is not known before
// they are read.
func totalSize(paths []string) int64 {
	var total int64
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}

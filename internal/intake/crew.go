package intake

import (
	"context"
	"io/fs"
	"os"
	"path"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/motion"
)

// A folder is walked by one, its files are read by several at once, and what came
// of them is told in the order of the walk. The walk is ahead of what was told by a
// bounded number of entries, so memory is bounded as well. Another one goes ahead
// of all and only counts, so that people see how far it is.

// task is one entry of a folder on its way through.
type task struct {
	name  string
	kind  motion.Kind
	given capture.Capture
	done  chan struct{} // closed when out is there; nil when it was there at once
	out   item
}

// storing is how many files are under way for each that is read: storing one waits for the
// disk several times, and a disk does that for several at once.
const storing = 4

// ahead is how many entries the walk may be ahead of the reports, for each worker.
const ahead = 8

// totals counts what folders hold, as far as that is known.
type totals struct{ files, bytes atomic.Int64 }

// folder imports a folder; false when the import is over.
func (r *reader) folder(path string) bool {
	// Run waits for this, so that nothing is done after it has returned.
	r.busy.Lock()
	defer r.busy.Unlock()
	if r.ctx.Err() != nil {
		return false
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return r.refuse(path, cannotRead(err))
	}
	defer root.Close() // it was only read
	workers := r.Folders.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(r.ctx)
	f := &folder{reader: r, ctx: ctx, root: root, path: path, tasks: make(chan *task),
		order: make(chan *task, ahead*workers), reading: semaphore.NewWeighted(int64(workers))}
	var crew sync.WaitGroup
	defer crew.Wait()
	defer cancel()
	crew.Go(func() { f.count(".") })
	crew.Go(func() {
		defer close(f.order)
		defer close(f.tasks)
		f.walk(".", nil)
	})
	for range workers * storing {
		crew.Go(func() {
			for t := range f.tasks {
				t.out = f.file(t)
				close(t.done)
			}
		})
	}
	for t := range f.order {
		if t.done != nil {
			select {
			case <-t.done:
			case <-ctx.Done():
				return false
			}
		}
		size := int64(0)
		if t.out.measured {
			r.next.files++
			size = t.out.size
			r.next.fileBytes += size
		}
		// A file may have taken long: it is told at once.
		if !r.put(t.out, size) || t.done != nil && !r.flush() {
			return false
		}
	}
	return r.ctx.Err() == nil
}

// tell has something reported in its turn.
func (f *folder) tell(it item) bool { return f.line(&task{out: it}) }

func (f *folder) line(t *task) bool {
	select {
	case f.order <- t:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// send gives a file to the workers.
func (f *folder) send(t *task) bool {
	if !f.line(t) {
		return false
	}
	select {
	case f.tasks <- t:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// count counts the motion files of a folder, without opening any. What it cannot
// look at, walk will say.
func (f *folder) count(dir string) bool {
	_ = f.each(dir, func(e fs.DirEntry) bool {
		name := path.Join(dir, e.Name())
		switch {
		case f.ctx.Err() != nil:
			return false
		case e.IsDir():
			return f.count(name)
		case e.Name() == SheetName || !isMotion(name):
			return true
		}
		if info, err := f.root.Stat(name); err == nil && info.Mode().IsRegular() {
			f.found.files.Add(1)
			f.found.bytes.Add(info.Size())
		}
		return true
	})
	return f.ctx.Err() == nil
}

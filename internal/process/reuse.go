package process

import (
	"slices"
	"sync"
	"time"
)

// A reader reads several files, one after the other. It ends, and the next file has a new one, when one of these
// bounds is reached.
const (
	together    = 16 << 20         // bytes of a file: starting a reader costs less than a tenth of reading a larger one
	mostReads   = 100              // files that it has read
	grown       = 96 << 20         // bytes of memory that it has taken
	idleTime    = 10 * time.Second // that it waits for the next file
	mostWaiting = 4                // readers that wait
)

// hastyTime is how long a file may take in a reader that has read others. It then has all its
// time in another.
var hastyTime = 15 * time.Second

// idle are the readers that wait for the next file of their organization, those that have
// waited longest first. A reader is never handed to another organization: what it has in its
// memory ends with it.
type idle struct {
	mu      sync.Mutex
	waiting []*worker
	closed  bool
	ends    sync.WaitGroup // of readers that are being ended
}

// take gives a reader of the organization; nil when none waits.
func (i *idle) take(of string) *worker {
	i.mu.Lock()
	defer i.mu.Unlock()
	for k, w := range slices.Backward(i.waiting) {
		if w.of == of {
			i.waiting = slices.Delete(i.waiting, k, k+1)
			if w.tired.Stop() && w.alive() {
				return w
			}
			i.ends.Go(w.end)
		}
	}
	return nil
}

// put takes a reader back, or ends it.
func (i *idle) put(w *worker, got result) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || got.Worn || got.Peak > grown || w.files >= mostReads {
		i.ends.Go(w.end)
		return
	}
	w.tired = time.AfterFunc(idleTime, func() { i.drop(w) })
	i.waiting = append(i.waiting, w)
	if len(i.waiting) > mostWaiting {
		i.ends.Go(i.waiting[0].end)
		i.waiting[0].tired.Stop()
		i.waiting = slices.Delete(i.waiting, 0, 1)
	}
}

// drop ends a reader that has waited too long.
func (i *idle) drop(w *worker) {
	i.mu.Lock()
	defer i.mu.Unlock()
	k := slices.Index(i.waiting, w)
	if k >= 0 {
		i.waiting = slices.Delete(i.waiting, k, k+1)
		i.ends.Go(w.end)
	}
}

// close ends all readers. Those that come back later are ended then.
func (i *idle) close() {
	i.mu.Lock()
	i.closed = true
	for _, w := range i.waiting {
		w.tired.Stop()
		i.ends.Go(w.end)
	}
	i.waiting = nil
	i.mu.Unlock()
	i.ends.Wait()
}

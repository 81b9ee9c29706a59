package db

import (
	"context"
	"sync"
	"time"

	"github.com/kinebase/kinebase/job"
)

// bell is rung when jobs have been committed, so that nobody has to look for them. What
// another process commits (an import) is seen by SQLite's number of commits.
type bell struct {
	mu     sync.Mutex
	queues map[string]bool // in which there is something new
	rung   chan struct{}
	look   *time.Ticker
	seen   uint64 // the number of commits that was seen
	last   int64  // the numbers of the last job and the last notification then, added up
}

// bellLook is how often the store checks whether another process has committed.
const bellLook = 500 * time.Millisecond

func newBell() *bell {
	return &bell{queues: map[string]bool{}, rung: make(chan struct{}, 1), look: time.NewTicker(bellLook)}
}

// ring tells of jobs.
func (b *bell) ring(jobs []job.Job) {
	if len(jobs) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, j := range jobs {
		b.queues[j.Queue()] = true
	}
	select {
	case b.rung <- struct{}{}:
	default:
	}
}

// take gives the queues in which there is something new.
func (b *bell) take() (queues []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for q := range b.queues {
		queues = append(queues, q)
	}
	clear(b.queues)
	return queues
}

// AwaitJobs waits until there may be new jobs in the file, and names their queues;
// none means that it may be any. One goroutine at a time may call it. Its error is that of
// ctx.
func (e *SQLite) AwaitJobs(ctx context.Context) ([]string, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-e.bell.rung:
			return e.bell.take(), nil
		case <-e.bell.look.C:
			if e.rung(ctx) {
				return nil, nil
			}
		}
	}
}

// rung says whether anybody has put a job into the queue, or woken one, since it was asked last.
func (e *SQLite) rung(ctx context.Context) bool {
	n, known, _ := e.Moment(ctx)
	if !known || n == e.bell.seen {
		return false
	}
	var last int64
	e.watchLock.Lock()
	defer e.watchLock.Unlock()
	if e.watch == nil || e.watch.Do(
		One(Into(&last), `SELECT coalesce((SELECT max(id) FROM river_job), 0) + coalesce((SELECT max(id) FROM river_notification), 0)`)) != nil {
		return false
	}
	e.bell.seen = n
	changed := last != e.bell.last
	e.bell.last = last
	return changed
}

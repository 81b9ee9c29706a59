package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// On SQLite the queue's own listener reads a table of notifications twenty times a second.
// This one is told by the store when jobs are committed, and reads nothing while nothing
// happens.

// due is how long a job that has just been committed may not be due yet: the library rounds
// the time of a job to the nearest millisecond, and the time at which it looks down to one.
const due = 2 * time.Millisecond

// insertTopic is the name under which the library hears of new jobs.
const insertTopic = "river_insert"

// listening is the library's driver for SQLite with another listener.
type listening struct {
	*riversqlite.Driver
	queues []string
	await  func(context.Context) ([]string, error)
}

func listeningTo(db *sql.DB, o Options, queues []string) *listening {
	return &listening{riversqlite.New(db), queues, o.Await}
}

func (d *listening) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return &listener{listening: d}
}

// listener tells of jobs that the store has committed.
type listener struct {
	*listening
	mu      sync.Mutex
	topics  []string
	pending []string  // queues to tell of
	at      time.Time // when the jobs in them are due
}

func (l *listener) Close(context.Context) error   { return nil }
func (l *listener) Connect(context.Context) error { return nil }
func (l *listener) Ping(context.Context) error    { return nil }
func (l *listener) Schema() string                { return "" }
func (l *listener) SetAfterConnectExec(string)    {}

func (l *listener) Listen(_ context.Context, topic string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.topics = append(l.topics, topic)
	return nil
}

func (l *listener) Unlisten(_ context.Context, topic string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.topics = slices.DeleteFunc(l.topics, func(t string) bool { return t == topic })
	return nil
}

// WaitForNotification gives one queue after the other in which there may be new jobs. The
// library calls it off now and then; what it has not given then, the next call gives.
func (l *listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(l.until()):
		}
		if n := l.next(); n != nil {
			return n, nil
		}
		queues, err := l.await(ctx)
		if err != nil {
			return nil, err
		}
		if len(queues) == 0 {
			queues = l.queues
		}
		l.mu.Lock()
		l.pending, l.at = queues, time.Now().Add(due)
		l.mu.Unlock()
	}
}

// until is how long it takes until the jobs are due that are to be told of.
func (l *listener) until() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Until(l.at)
}

func (l *listener) next() *riverdriver.Notification {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 || !slices.Contains(l.topics, insertTopic) {
		return nil
	}
	queue := l.pending[0]
	l.pending = l.pending[1:]
	return &riverdriver.Notification{Topic: insertTopic, Payload: fmt.Sprintf(`{"queue":%q}`, queue)}
}

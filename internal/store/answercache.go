package store

import (
	"container/list"
	"sync"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
)

// answerCache remembers pages of captures, each under the organization's number
// of changes, so that it is found only while it is true. Where the engine can
// number what is committed, it is also known without asking whether anything has
// changed at all.
type answerCache struct {
	lock    sync.Mutex
	limit   int // bytes
	size    int
	known   map[answerKey]*list.Element // of *knownAnswer
	used    list.List                   // the last used first
	changes map[db.ID]momentChanges
	running map[runningKey]*running
}

type answerKey struct {
	org   db.ID
	query capture.Query
}

type knownAnswer struct {
	key     answerKey
	changes int64
	answer  capture.Answer
}

// momentChanges is an organization's number of changes at a moment.
type momentChanges struct {
	moment  uint64
	changes int64
}

// answerOverhead is about what an answer takes beside its bytes.
const answerOverhead = 512

// now finds an answer that is true at a moment.
func (c *answerCache) now(key answerKey, moment uint64) (capture.Answer, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	m, ok := c.changes[key.org]
	if !ok || m.moment != moment {
		return capture.Answer{}, false
	}
	return c.find(key, m.changes)
}

// at finds an answer that is true after so many changes.
func (c *answerCache) at(key answerKey, changes int64) (capture.Answer, bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.find(key, changes)
}

func (c *answerCache) find(key answerKey, changes int64) (capture.Answer, bool) {
	e := c.known[key]
	if e == nil {
		return capture.Answer{}, false
	}
	k := e.Value.(*knownAnswer)
	if k.changes != changes {
		return capture.Answer{}, false
	}
	c.used.MoveToFront(e)
	return k.answer, true
}

// put remembers an answer.
func (c *answerCache) put(key answerKey, changes int64, a capture.Answer) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(a.Body)+answerOverhead > c.limit/8 {
		return
	}
	if c.known == nil {
		c.known = map[answerKey]*list.Element{}
	}
	if e := c.known[key]; e != nil {
		if e.Value.(*knownAnswer).changes > changes {
			return // of a snapshot older than what is known
		}
		c.drop(e)
	}
	c.known[key] = c.used.PushFront(&knownAnswer{key, changes, a})
	c.size += len(a.Body) + answerOverhead
	for c.size > c.limit {
		c.drop(c.used.Back())
	}
}

func (c *answerCache) drop(e *list.Element) {
	k := c.used.Remove(e).(*knownAnswer)
	delete(c.known, k.key)
	c.size -= len(k.answer.Body) + answerOverhead
}

// forget drops an organization's answers: after an erasure they may hold what is
// to be nowhere any more.
func (c *answerCache) forget(org db.ID) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for key, e := range c.known {
		if key.org == org {
			c.drop(e)
		}
	}
}

// maxMoments bounds the organizations whose number of changes is remembered.
const maxMoments = 10_000

// seen notes an organization's number of changes, read at the moment or after.
// It is noted only when the moment has not passed since.
func (c *answerCache) seen(org db.ID, moment uint64, changes int64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.changes == nil || len(c.changes) >= maxMoments {
		c.changes = map[db.ID]momentChanges{}
	}
	c.changes[org] = momentChanges{moment, changes}
}

// Requests for the same page at the same moment share the work of the first.
type runningKey struct {
	answerKey
	moment uint64
}

type running struct {
	done   chan struct{}
	answer capture.Answer
	err    error
}

// join gives the work that is under way, or makes the caller the one who does it.
func (c *answerCache) join(key runningKey) (r *running, mine bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if r := c.running[key]; r != nil {
		return r, false
	}
	if c.running == nil {
		c.running = map[runningKey]*running{}
	}
	r = &running{done: make(chan struct{})}
	c.running[key] = r
	return r, true
}

func (c *answerCache) leave(key runningKey, r *running) {
	c.lock.Lock()
	delete(c.running, key)
	c.lock.Unlock()
	close(r.done)
}

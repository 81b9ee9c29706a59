package store

import (
	"container/list"
	"sync"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// listCache remembers the counts of lists. A generation never changes, so what
// is remembered is exact for whoever reads a snapshot of that generation; the
// last few generations are kept, for readers whose snapshot is a little older.
type listCache struct {
	lock  sync.Mutex
	limit int // bytes
	size  int
	known map[listKey]*list.Element // of *knownList
	used  list.List                 // the last used first
}

// listKey names a list: the organization's (the zero athlete) or one athlete's.
// born tells a list from an earlier one of the same athlete.
type listKey struct {
	org, athlete db.ID
	born         int64
}

const keptGenerations = 3

type knownList struct {
	key      listKey
	versions []*tally.List // the newest first
	bytes    int
}

// get gives the list of a generation, or the newest one before it to go on from.
func (c *listCache) get(key listKey, generation int64) (exact, older *tally.List) {
	c.lock.Lock()
	defer c.lock.Unlock()
	e := c.known[key]
	if e == nil {
		return nil, nil
	}
	c.used.MoveToFront(e)
	for _, l := range e.Value.(*knownList).versions {
		if l.Generation == generation {
			return l, nil
		}
		if l.Generation < generation {
			return nil, l
		}
	}
	return nil, nil
}

// put remembers a list, unless a newer one is known.
func (c *listCache) put(key listKey, l *tally.List) {
	bytes := l.Bytes()
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.known == nil {
		c.known = map[listKey]*list.Element{}
	}
	e := c.known[key]
	if e == nil {
		e = c.used.PushFront(&knownList{key: key})
		c.known[key] = e
	}
	k := e.Value.(*knownList)
	if len(k.versions) > 0 && k.versions[0].Generation >= l.Generation {
		return
	}
	k.versions = append([]*tally.List{l}, k.versions[:min(len(k.versions), keptGenerations-1)]...)
	c.size += bytes - k.bytes // generations share most of their blocks
	k.bytes = bytes
	c.used.MoveToFront(e)
	for c.size > c.limit && c.used.Len() > 1 {
		c.drop(c.used.Back())
	}
}

func (c *listCache) drop(e *list.Element) {
	k := c.used.Remove(e).(*knownList)
	delete(c.known, k.key)
	c.size -= k.bytes
}

package store

import (
	"container/list"
	"context"
	"slices"
	"sync"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/roster"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// finder remembers the texts that captures are found by, organization by
// organization, in the blocks in which their list is counted; a few dozen blocks are a
// segment, which has an index. A block is read again once a fold has changed it; what
// is not folded yet each query looks up itself. So each answer is that of its snapshot,
// and writing costs nothing.
type finder struct {
	lock  sync.Mutex
	limit int // bytes
	size  int
	most  int                     // blocks of a segment
	wide  int                     // athletes that are read behind the scenes
	known map[db.ID]*list.Element // of *texts
	used  list.List               // the last used first
}

// texts are those of one organization. A caller takes its snapshot only when it has its
// turn, so that the texts are never newer than the snapshot.
type texts struct {
	org  db.ID
	most int           // blocks of a segment
	turn chan struct{} // of one place

	later []func(*texts) // what is to be done at the end of the turn, under finder.lock

	born, since int64 // of the list
	blocks      map[int64]*textBlock
	order       []*textBlock // in the list's order
	segments    []*segment   // the same blocks
	next        uint64       // the version that the next changed segment gets
	people      *search.People
	patterns    *search.Patterns // of the rows of blocks; nil as long as there are no blocks
	log         int64            // the athletes' log, as far as it has been read
	named       int              // counts changes of names

	// Those who were forgotten, and are looked up once more: who was erased may have come
	// again, by an import, and be known here before the erasure says its last word.
	again []tally.Athlete

	results list.List // of *hits, the last used first
	size    int       // bytes of the segments that are in memory
	bytes   int       // of segments, people and results, as it was counted last

	roster  *roster.Roster // of the athletes' list, which has a finder of its own
	pending map[db.ID]bool // the waiting changes that the roster has
	large   bool           // there is no room for the athletes
	warmth  warmth         // under finder.lock
}

// mostResults is how many queries' matches an organization keeps. Each takes about a
// byte for four captures.
const mostResults = 16

// enter gives the texts of an organization to one caller at a time.
func (f *finder) enter(ctx context.Context, org db.ID) (*texts, error) {
	f.lock.Lock()
	x := f.of(org)
	f.lock.Unlock()
	select {
	case x.turn <- struct{}{}:
		return x, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// idle gives the texts of an organization like enter, if there are any and nobody has them.
func (f *finder) idle(org db.ID) *texts {
	f.lock.Lock()
	defer f.lock.Unlock()
	e := f.known[org]
	if e == nil {
		return nil
	}
	x := e.Value.(*texts)
	select {
	case x.turn <- struct{}{}:
		return x
	default:
		return nil
	}
}

// of gives the texts of an organization, under the lock.
func (f *finder) of(org db.ID) *texts {
	e := f.known[org]
	if e == nil {
		if f.known == nil {
			f.known = map[db.ID]*list.Element{}
		}
		e = f.used.PushFront(&texts{org: org, most: f.most, turn: make(chan struct{}, 1)})
		f.known[org] = e
	}
	f.used.MoveToFront(e)
	return e.Value.(*texts)
}

// leave ends a turn, counts what the texts take now, and lets go of those that have not
// been used for longest.
func (f *finder) leave(x *texts) {
	bytes := x.fixed() + x.size
	f.lock.Lock()
	defer f.lock.Unlock()
	if e := f.known[x.org]; e != nil && e.Value.(*texts) == x {
		f.size += bytes - x.bytes
		x.bytes = bytes
	}
	for f.size > f.limit && f.used.Len() > 1 {
		e := f.used.Back()
		old := f.used.Remove(e).(*texts)
		delete(f.known, old.org)
		f.size -= old.bytes
		old.bytes = 0
	}
	x.tidy()
	<-x.turn
}

// tidy does what waited for the end of a turn.
func (x *texts) tidy() {
	for _, do := range x.later {
		do(x)
	}
	x.later = nil
}

// fixed is what the texts take beside those of segments.
func (x *texts) fixed() int {
	n := 4096 + 96*len(x.order)
	if x.people != nil {
		n += x.people.Bytes()
	}
	if x.patterns != nil {
		n += x.patterns.Bytes()
	}
	if x.roster != nil {
		n += x.roster.Bytes() + 64*len(x.pending)
	}
	for e := x.results.Front(); e != nil; e = e.Next() {
		n += e.Value.(*hits).bytes
	}
	return n
}

// with runs do on the texts of an organization, if there are any: now, or at the end of
// the turn of who has them. It waits for nobody, for writers call it.
func (f *finder) with(org db.ID, do func(*texts)) {
	f.lock.Lock()
	defer f.lock.Unlock()
	e := f.known[org]
	if e == nil {
		return
	}
	x := e.Value.(*texts)
	x.later = append(x.later, do)
	select {
	case x.turn <- struct{}{}:
		x.tidy()
		<-x.turn
	default:
	}
}

// forget lets go of what an erased athlete was called, and of what was looked for.
func (f *finder) forget(org, athlete db.ID) {
	f.with(org, func(x *texts) {
		if x.people != nil {
			x.people.Name(athlete, "")
			x.named++
			x.again = append(x.again, tally.Athlete(athlete))
		}
		x.results.Init()
	})
}

// drop lets go of the texts around an erased capture; they are read again when somebody
// searches.
func (f *finder) drop(org db.ID, key capture.Key) {
	f.with(org, func(x *texts) {
		if b := x.at(key); b != nil {
			x.keep(b.of, nil)
			x.letGo(b)
		}
		x.results.Init()
	})
}

// at gives the block that a key belongs to; nil when there are none.
func (x *texts) at(key capture.Key) *textBlock {
	i, ok := slices.BinarySearchFunc(x.order, key, func(b *textBlock, k capture.Key) int { return b.low.Compare(k) })
	if !ok {
		i--
	}
	if i < 0 {
		return nil
	}
	return x.order[i]
}

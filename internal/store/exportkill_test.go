package store

import (
	"context"
	"errors"
	"sync"
)

// life is how long a worker lives: it dies with one of the times that it turns to the
// database, and then is not heard of any more. Its store is one of its own on the same
// database.
type life struct {
	left int // times until it dies; it is dead below 0
	// late has the last transaction committed all the same: the worker does not live to
	// hear of it.
	late bool
	// asleep is called instead of dying, and then the worker goes on as if it had only
	// slept.
	asleep func()
	lock   sync.Mutex
}

var errDead = errors.New("the worker is dead")

// of is the worker's view of a store.
func (l *life) of(s *Store) *Store {
	return &Store{engine: mortal{s.engine, l}, log: s.log, now: s.now}
}

// turns counts a time that the worker turns to the database.
func (l *life) turns() (dies, dead bool) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.left < 0 {
		return false, l.asleep == nil
	}
	l.left--
	if l.left >= 0 {
		return false, false
	}
	if l.asleep != nil {
		l.asleep()
		return false, false
	}
	return true, false
}

// mortal is an engine whose caller dies.
type mortal struct {
	engine
	life *life
}

func (m mortal) write(ctx context.Context, org id, fn func(*writeTx) error) error {
	dies, dead := m.life.turns()
	if dead || dies && !m.life.late {
		return errDead
	}
	if err := m.engine.write(ctx, org, fn); err != nil || !dies {
		return err
	}
	return errDead
}

func (m mortal) read(ctx context.Context, org id, fn func(tx) error) error {
	if dies, dead := m.life.turns(); dies || dead {
		return errDead
	}
	return m.engine.read(ctx, org, fn)
}

func (m mortal) aside(ctx context.Context, org id, fn func(tx) error) error {
	if dies, dead := m.life.turns(); dies || dead {
		return errDead
	}
	return m.engine.aside(ctx, org, fn)
}

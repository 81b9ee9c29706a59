package store

import (
	"context"
	"sync"
	"time"
)

// Every request looks up its caller, so the rows for that are remembered: on SQLite as
// long as nothing at all is committed, by this process or another, on PostgreSQL for
// less than a second, and on both never past a change that this process made.

const (
	rememberedMost = 10_000
	rememberedLife = 800 * time.Millisecond // decisions: a revocation counts within 1 s on every other node
)

// remembered are values by what they were asked by. The zero value remembers nothing yet.
type remembered[K comparable, V any] struct {
	lock    sync.RWMutex
	entries map[K]memory[V]
	era     uint64 // counts the changes of this process
}

type memory[V any] struct {
	value  V
	moment uint64
	exact  bool
	until  time.Time
}

// forget drops everything, and what is being read at this moment too.
func (c *remembered[K, V]) forget() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.entries = nil
	c.era++
}

func (c *remembered[K, V]) get(k K) (memory[V], uint64, bool) {
	c.lock.RLock()
	defer c.lock.RUnlock()
	m, ok := c.entries[k]
	return m, c.era, ok
}

func (c *remembered[K, V]) put(k K, m memory[V], era uint64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if era != c.era {
		return
	}
	if c.entries == nil || len(c.entries) >= rememberedMost {
		c.entries = map[K]memory[V]{}
	}
	c.entries[k] = m
}

// remember gives what is remembered, while that is exact or young enough, or has it read; known is what was
// remembered before, or nil. Errors are not remembered.
func remember[K comparable, V any](ctx context.Context, s *Store, c *remembered[K, V], k K,
	read func(known *V) (V, error)) (V, error) {
	var none V
	moment, exact, err := s.engine.Moment(ctx)
	if err != nil {
		return none, err
	}
	known, era, ok := c.get(k)
	if ok && exact && known.exact && known.moment == moment {
		return known.value, nil
	}
	now := s.now()
	if ok && !exact && now.Before(known.until) {
		return known.value, nil
	}
	var before *V
	if ok {
		before = &known.value
	}
	found, err := read(before)
	if err != nil {
		return none, err
	}
	c.put(k, memory[V]{value: found, moment: moment, exact: exact, until: now.Add(rememberedLife)}, era)
	return found, nil
}

// forgetCallers forgets what is remembered of callers: an organization has changed.
func (s *Store) forgetCallers() {
	s.tokens.forget()
	s.tenants.forget()
}

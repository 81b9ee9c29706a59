package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// Tokens are asked for on every request, so they are remembered: on SQLite for
// as long as nothing at all is committed, by this process or another, on
// PostgreSQL for less than a second, and on both never past a change that this
// process made.

const (
	tokenCacheSize = 10_000
	tokenCacheLife = 800 * time.Millisecond // decisions: a revocation counts within 1 s on every other node
)

type tokenCache struct {
	lock    sync.RWMutex
	entries map[organization.SecretHash]cachedToken
	era     uint64 // counts the changes of this process
}

type cachedToken struct {
	token  organization.Token
	barred bool // its organization is suspended
	moment uint64
	exact  bool
	until  time.Time
}

// forget drops everything, and what is being read at this moment too.
func (c *tokenCache) forget() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.entries = nil
	c.era++
}

func (c *tokenCache) get(h organization.SecretHash) (cachedToken, uint64, bool) {
	c.lock.RLock()
	defer c.lock.RUnlock()
	t, ok := c.entries[h]
	return t, c.era, ok
}

func (c *tokenCache) put(h organization.SecretHash, t cachedToken, era uint64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if era != c.era {
		return
	}
	if c.entries == nil || len(c.entries) >= tokenCacheSize {
		c.entries = map[organization.SecretHash]cachedToken{}
	}
	c.entries[h] = t
}

// Authenticate finds the token of a secret, unless its life has ended at the latest
// moment that this store has seen.
func (s *Store) Authenticate(ctx context.Context, h organization.SecretHash) (organization.Token, error) {
	moment, exact, err := s.engine.Moment(ctx)
	if err != nil {
		return organization.Token{}, db.ToFault(err)
	}
	known, era, ok := s.tokens.get(h)
	if ok && exact && known.exact && known.moment == moment {
		return s.admit(known)
	}
	now := s.now()
	if ok && !exact && now.Before(known.until) {
		return s.admit(known)
	}
	var t organization.Token
	if ok {
		t, err = s.lookAgain(ctx, known.token, h)
	} else {
		t, err = s.lookUp(ctx, h)
	}
	if err != nil {
		return organization.Token{}, db.ToFault(err)
	}
	barred, err := s.suspended(ctx, t)
	if err != nil {
		return organization.Token{}, db.ToFault(err)
	}
	found := cachedToken{token: t, barred: barred, moment: moment, exact: exact, until: now.Add(tokenCacheLife)}
	s.tokens.put(h, found, era)
	return s.admit(found)
}

// admit lets a token in that lives and whose organization is not suspended.
func (s *Store) admit(c cachedToken) (organization.Token, error) {
	t, err := s.living(c.token)
	if err == nil && c.barred {
		return organization.Token{}, errSuspended()
	}
	return t, err
}

func (s *Store) lookUp(ctx context.Context, h organization.SecretHash) (organization.Token, error) {
	var org, key db.ID
	err := s.engine.Once(ctx, db.ID{}, db.One(db.Into(&org, &key), `SELECT organization, token FROM token_index WHERE hash = $1`, h[:]))
	if errors.Is(err, db.ErrNoRow) {
		return organization.Token{}, noToken()
	}
	if err != nil {
		return organization.Token{}, err
	}
	t, find := findToken(org, key, "")
	err = s.engine.Once(ctx, org, find)
	return t.Token, err
}

// lookAgain reads a token that is known, unless its secret has changed since.
func (s *Store) lookAgain(ctx context.Context, known organization.Token, h organization.SecretHash) (organization.Token, error) {
	org := known.Organization
	t, find := findToken(org, known.ID, "")
	find.SQL += ` AND hash = $3`
	find.Args = append(find.Args, h[:])
	err := s.engine.Once(ctx, org, find)
	return t.Token, err
}

// tokenUses are the times of last use that are not written yet.
type tokenUses struct {
	lock sync.Mutex
	last map[db.ID]map[db.ID]int64 // organization → token → microseconds, on the minute
}

// TokenUsed notes that the token was used.
func (s *Store) TokenUsed(sc organization.Scope, at time.Time) {
	if sc.Token == (organization.ID{}) {
		return
	}
	s.used(sc.Organization, sc.Token, db.Micros(at.Truncate(time.Minute)))
}

func (s *Store) used(org, token db.ID, minute int64) {
	u := &s.uses
	u.lock.Lock()
	defer u.lock.Unlock()
	if u.last == nil {
		u.last = map[db.ID]map[db.ID]int64{}
	}
	if u.last[org] == nil {
		u.last[org] = map[db.ID]int64{}
	}
	u.last[org][token] = max(u.last[org][token], minute)
}

// flushUses writes the times of last use.
func (s *Store) flushUses(ctx context.Context) error {
	s.uses.lock.Lock()
	last := s.uses.last
	s.uses.last = nil
	s.uses.lock.Unlock()
	var errs []error
	for org, tokens := range last {
		err := s.write(ctx, org, func(w *writeTx) error {
			for token, at := range tokens {
				if err := w.Do(db.Exec(`UPDATE token SET last_used_at = $3 WHERE organization = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`, org, token, at)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil { // they wait for the next time
			for token, at := range tokens {
				s.used(org, token, at)
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

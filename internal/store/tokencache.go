package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/organization"
)

// rememberedToken is a token that was looked up.
type rememberedToken struct {
	token  organization.Token
	barred bool // its organization is suspended
}

// Authenticate finds the token of a secret, unless its life has ended at the latest
// moment that this store has seen.
func (s *Store) Authenticate(ctx context.Context, h organization.SecretHash) (organization.Token, error) {
	found, err := remember(ctx, s, &s.tokens, h, func(known *rememberedToken) (found rememberedToken, err error) {
		if known != nil {
			found.token, err = s.lookAgain(ctx, known.token, h)
		} else {
			found.token, err = s.lookUp(ctx, h)
		}
		if err == nil {
			found.barred, err = s.suspended(ctx, found.token)
		}
		return found, err
	})
	if err != nil {
		return organization.Token{}, db.ToFault(err)
	}
	return s.admit(found)
}

// admit lets a token in that lives and whose organization is not suspended.
func (s *Store) admit(c rememberedToken) (organization.Token, error) {
	t, err := s.living(c.token)
	if err == nil && c.barred {
		return t, errSuspended() // logs name it
	}
	return t, err
}

func (s *Store) lookUp(ctx context.Context, h organization.SecretHash) (organization.Token, error) {
	var org, key db.ID
	err := s.engine.Once(ctx, db.ID{},
		db.One(db.Into(&org, &key), `SELECT organization, token FROM token_index WHERE hash = $1`, h[:]))
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
func (s *Store) lookAgain(ctx context.Context, known organization.Token, h organization.SecretHash) (organization.Token,
	error) {
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

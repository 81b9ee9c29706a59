package store

import (
	"errors"
	"slices"
	"sync"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
)

// The values that the list filters by are kept as a small number per organization, its
// combination, so that counts are short and a filter is a set of numbers.
// Numbers are given in order, without gaps, and never change their meaning.

// combinationCache remembers combinations that are committed.
type combinationCache struct {
	lock sync.RWMutex
	orgs map[db.ID]*combinations
	size int
}

type combinations struct {
	number map[capture.Combination]uint32
	all    []capture.Combination // by number, from 1
}

// maxCombinations bounds the cache; past it everything is read again.
const maxCombinations = 200_000

func (c *combinationCache) number(org db.ID, k capture.Combination) (uint32, bool) {
	c.lock.RLock()
	defer c.lock.RUnlock()
	if o := c.orgs[org]; o != nil {
		n, ok := o.number[k]
		return n, ok
	}
	return 0, false
}

// known gives the combinations 1…n that are remembered. The slice is never
// written to again, only appended to.
func (c *combinationCache) known(org db.ID) []capture.Combination {
	c.lock.RLock()
	defer c.lock.RUnlock()
	if o := c.orgs[org]; o != nil {
		return o.all
	}
	return nil
}

// learn remembers the combinations that follow the first n.
func (c *combinationCache) learn(org db.ID, n int, more []capture.Combination) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.orgs == nil || c.size+len(more) > maxCombinations {
		c.orgs, c.size = map[db.ID]*combinations{}, 0
	}
	o := c.orgs[org]
	if o == nil {
		o = &combinations{number: map[capture.Combination]uint32{}}
		c.orgs[org] = o
	}
	if n > len(o.all) {
		return // what is between was dropped meanwhile
	}
	for i, k := range more {
		if n+i == len(o.all) {
			o.all = append(o.all, k)
			o.number[k] = uint32(len(o.all))
			c.size++
		}
	}
}

// combinationsOf gives all combinations in the snapshot of t, by number from 1.
func (s *Store) combinationsOf(t db.Tx, org db.ID) ([]capture.Combination, error) {
	known := s.combinations.known(org)
	var more []capture.Combination
	if err := t.Do(db.Each(func(r db.Rows) error {
		var n int64
		var k capture.Combination
		var status string
		if err := r.Scan(&n, &k.Source, &status, &k.Activity, &k.Movement); err != nil {
			return err
		}
		if n != int64(len(known)+len(more)+1) {
			return errors.New("combinations have a gap")
		}
		k.Status = capture.Status(status)
		more = append(more, k)
		return nil
	}, `SELECT id, source, status, activity, movement FROM combination WHERE organization = $1 AND id > $2 ORDER BY id`,
		org, len(known))); err != nil {
		return nil, err
	}
	if len(more) == 0 {
		return known, nil
	}
	s.combinations.learn(org, len(known), more)
	return slices.Concat(known, more), nil
}

// maxNumber bounds the combinations of an organization.
const maxNumber = 1 << 31

// intern gives the number of a combination, making it when it is new. fresh are
// the numbers that this transaction has found or made, which are not remembered
// before they are committed.
func (s *Store) intern(w *writeTx, fresh map[capture.Combination]uint32, k capture.Combination) (uint32, error) {
	if n, ok := s.combinations.number(w.Org, k); ok {
		return n, nil
	}
	if n, ok := fresh[k]; ok {
		return n, nil
	}
	for _, look := range []bool{true, false, true} {
		var n int64
		err := w.Do(db.One(db.Into(&n),
			`SELECT id FROM combination WHERE organization = $1 AND activity = $2 AND movement = $3 AND status = $4 AND source = $5`,
			w.Org, k.Activity, k.Movement, string(k.Status), k.Source))
		if err == nil {
			fresh[k] = uint32(n)
			return uint32(n), nil
		}
		if !errors.Is(err, db.ErrNoRow) {
			return 0, err
		}
		if look { // and look again: another transaction may just have given it one
			if err := w.Number(); err != nil {
				return 0, err
			}
			continue
		}
		if err := w.Do(db.Exec(`INSERT INTO combination (organization, id, source, status, activity, movement)
SELECT $1, COALESCE(MAX(id), 0) + 1, $2, $3, $4, $5 FROM combination WHERE organization = $1 HAVING COALESCE(MAX(id), 0) < $6`,
			w.Org, k.Source, string(k.Status), k.Activity, k.Movement, maxNumber)); err != nil {
			return 0, err
		}
	}
	return 0, fault.New(fault.Unavailable,
		"The labels of this capture cannot be stored: the organization has too many different ones.")
}

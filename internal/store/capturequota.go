package store

import (
	"context"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
)

// An organization's number of captures is held to its quota in the transaction that reserves one more. It is the sum of
// the list's blocks and of the changes that wait to be folded into them, so that it takes no longer for many captures.
// Organizations without such a quota neither count nor wait.

// limited says whether the organization has a quota of captures. An organization that has reached it already
// is refused here, without a transaction, unless the reservation may have been made before: then its answer
// was kept.
func (s *Store) limited(ctx context.Context, sc organization.Scope, org db.ID, repeat bool) (bool, error) {
	var q organization.Quota
	if err := s.engine.Once(ctx, org, quota(org, &q)); err != nil || q.Captures == nil || repeat {
		return q.Captures != nil, db.ToFault(err)
	}
	all, err := s.total(ctx, sc)
	if err != nil {
		return true, err
	}
	return true, s.crowded(all, *q.Captures)
}

// oneMore refuses a capture that the organization may not have: fault.Conflict. Until its end the transaction is
// the only one that asks.
func (s *Store) oneMore(w *writeTx) error {
	if err := w.keepApart(); err != nil {
		return err
	}
	var q organization.Quota
	if err := w.Do(quota(w.Org, &q)); err != nil || q.Captures == nil {
		return err
	}
	all, err := s.captures(w)
	if err != nil {
		return err
	}
	return s.crowded(all, *q.Captures)
}

func (s *Store) crowded(all, allowed int64) error {
	if all < allowed {
		return nil
	}
	s.many.Add(1)
	return fault.New(fault.Conflict,
		"The organization has %d captures, and may have %d. Delete captures to make room; the server's operator can "+
			"allow more with kinebase org quota.", all, allowed)
}

// captures counts the organization's captures within a transaction that writes.
func (s *Store) captures(w *writeTx) (int64, error) {
	var l listState
	// The row stays locked until the end: no fold moves changes while they and the blocks are read one after the other.
	lock := db.Each(func(r db.Rows) error { return r.Scan(&l.born, &l.generation, &l.changes) },
		`SELECT born, generation, changes FROM list WHERE organization = $1 AND athlete = $2 FOR UPDATE`, w.Org,
		db.ID{})
	if err := w.Do(lock); err != nil {
		return 0, err
	}
	if l.born == 0 { // nothing was ever folded, and a first fold may come now: one statement sees one moment
		var all int64
		return all, w.Do(db.One(db.Into(&all), `SELECT count(*) FROM capture WHERE organization = $1`, w.Org))
	}
	var waiting []byte
	if err := w.Do(db.Each(func(r db.Rows) error {
		waiting = append(waiting, r.Raw(0)...)
		return nil
	}, `SELECT changes FROM list_delta WHERE organization = $1`, w.Org)); err != nil {
		return 0, err
	}
	changes, err := tally.ParseChanges(nil, append(waiting, w.Earlier...))
	if err != nil {
		return 0, err
	}
	list, err := s.loadList(w, listKey{org: w.Org, born: l.born}, l.generation)
	if err != nil {
		return 0, err
	}
	return list.Total(nil, tally.PendingOf(changes, db.ID{})).Captures, nil
}

// Crowded is how many reservations were refused because the organization has the captures that it may
// have, by this process.
func (s *Store) Crowded() int64 { return s.many.Load() }

package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/store/db"
)

// To read the texts of a large organization takes seconds. A server that starts reads them before anybody
// searches, of the organizations that were searched lately, the last one first: organization.searched says when.
// It reads a segment at a time and rests for as long as that took, so that it takes half a processor at the most; a
// search that comes meanwhile waits for one segment and reads the rest at once.

const (
	searchedExact  = 24 * time.Hour     // how exactly it is kept when an organization was searched
	searchedLately = 30 * searchedExact // organizations that were not are not read ahead
)

// searches say when organizations were searched.
type searches struct {
	lock  sync.Mutex
	known map[db.ID]int64 // microseconds, as they are kept or will be
	wait  map[db.ID]int64 // those to be written
}

// searched notes that an organization is searched.
func (s *Store) searched(org db.ID) {
	n, day := &s.searches, db.Micros(s.now().Truncate(searchedExact))
	n.lock.Lock()
	defer n.lock.Unlock()
	if n.known[org] >= day {
		return
	}
	if n.known == nil {
		n.known, n.wait = map[db.ID]int64{}, map[db.ID]int64{}
	}
	n.known[org], n.wait[org] = day, day
}

// flushSearches writes when organizations were searched.
func (s *Store) flushSearches(ctx context.Context) error {
	n := &s.searches
	n.lock.Lock()
	wait := n.wait
	n.wait = map[db.ID]int64{}
	n.lock.Unlock()
	var errs []error
	for org, at := range wait {
		if err := s.write(ctx, db.ID{}, func(w *writeTx) error {
			return w.Do(db.Exec(`UPDATE organization SET searched = $2 WHERE id = $1 AND searched < $2`, org, at))
		}); err != nil { // it waits for the next time
			errs = append(errs, err)
			n.lock.Lock()
			n.wait[org] = at
			n.lock.Unlock()
		}
	}
	return errors.Join(errs...)
}

// readAhead reads the texts of organizations that were searched lately, as long as they take no more than half of
// the memory for texts.
func (s *Store) readAhead(ctx context.Context) {
	var orgs []db.ID
	err := s.engine.Once(ctx, db.ID{}, db.Each(func(r db.Rows) error {
		var org db.ID
		err := r.Scan(&org)
		orgs = append(orgs, org)
		return err
	}, `SELECT id FROM organization WHERE searched > $1 ORDER BY searched DESC, id`,
		db.Micros(s.now().Add(-searchedLately))))
	for _, org := range orgs {
		if err == nil {
			err = s.readTexts(ctx, org)
		}
	}
	if err != nil && ctx.Err() == nil && !breaker.Silent(err) {
		s.log.Warn("texts could not be read ahead; they are read when somebody searches", "error", err)
	}
}

// readTexts reads the texts of an organization, segment by segment.
func (s *Store) readTexts(ctx context.Context, org db.ID) error {
	for {
		begun := time.Now()
		more, err := s.readSegment(ctx, org)
		if err != nil || !more {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(begun)):
		}
	}
}

// readSegment reads the first segment that was not read yet. It says false when there is none, or no room.
func (s *Store) readSegment(ctx context.Context, org db.ID) (more bool, err error) {
	x, err := s.finder.enter(ctx, org)
	if err != nil {
		return false, err
	}
	defer s.finder.leave(x)
	if s.finder.half() {
		return false, nil
	}
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		p := pager{s: s, t: t, org: org, texts: x}
		if err := p.readState(); err != nil {
			return err
		}
		if err := p.refresh(x); err != nil {
			return err
		}
		for _, segment := range x.segments {
			if segment.texts != nil {
				continue
			}
			if err := p.hold(x, segment); err != nil {
				return err
			}
			x.makeRoom(s.finder.limit, segment)
			more = segment.texts != nil
			return nil
		}
		x.people.Prepare()
		return nil
	})
	return more && err == nil, err
}

// half says whether half of the memory is taken.
func (f *finder) half() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.size > f.limit/2
}

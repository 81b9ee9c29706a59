package store

import (
	"context"
	"errors"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/roster"
)

// To read all athletes of a large organization takes seconds. It is done behind the scenes: when a
// server starts, and when somebody asks for a list. Meanwhile pages near the beginning of a whole list come from
// the database, which has an index for each order; other pages wait.

// warmth says how far the athletes of an organization have been read.
type warmth int

const (
	cold    warmth = iota // nobody has looked
	warming               // they are being read
	warm                  // they have been read, or are few and are read with the first list
)

// wideAthletes is how many athletes a server reads behind the scenes. Fewer are read within some
// tens of milliseconds.
const wideAthletes = 10_000

// near says whether the database makes a page quickly.
func near(q athlete.Query) bool {
	return q.Search == "" && len(q.Attributes) == 0 && q.Offset <= 1000
}

// warming says whether the athletes of an organization are being read behind the scenes. Where nobody has
// looked, wide tells whether they are many, and start begins to read them.
func (f *finder) warming(org db.ID, wide func() bool, start func()) bool {
	f.lock.Lock()
	is := f.of(org).warmth
	f.lock.Unlock()
	if is != cold {
		return is == warming
	}
	is = warm
	if wide() {
		is = warming
	}
	f.lock.Lock()
	x := f.of(org)
	first := x.warmth == cold
	if first {
		x.warmth = is
	}
	is = x.warmth
	f.lock.Unlock()
	if first && is == warming {
		start()
	}
	return is == warming
}

// wide says whether an organization has so many athletes that they are read behind the scenes.
func (s *Store) wide(ctx context.Context, org db.ID) bool {
	if s.rosters.wide == 0 {
		return false
	}
	many := false
	err := s.engine.Once(ctx, org, db.Each(func(db.Rows) error {
		many = true
		return nil
	}, `SELECT 1 FROM athlete WHERE organization = $1 LIMIT 1 OFFSET $2`, org, s.rosters.wide))
	return err == nil && many
}

// warm reads the athletes of an organization, and makes what their lists are made from.
func (s *Store) warm(org db.ID) {
	ctx := s.background
	x, err := s.rosters.enter(ctx, org)
	if err != nil {
		return
	}
	var ready *roster.Roster
	err = s.engine.Read(ctx, org, func(t db.Tx) error {
		l := s.roll(t, org, x)
		if err := l.refresh(); err != nil {
			return err
		}
		if ready = x.roster; ready == nil {
			return nil
		}
		return l.learn()
	})
	if err == nil && ready != nil {
		ready.Prepare(func() bool { return ctx.Err() == nil })
		ready.Trim(min(s.rosters.limit, mostRoster))
	}
	s.rosters.lock.Lock()
	x.warmth = warm
	s.rosters.lock.Unlock()
	s.rosters.leave(x)
	if err != nil && ctx.Err() == nil && !breaker.Silent(err) {
		s.log.Warn("the athletes of an organization could not be read ahead; they are read with the first list",
			"organization", org.String(), "error", err)
	}
}

// warmAll reads the athletes of large organizations, as far as there is room for them.
func (s *Store) warmAll(ctx context.Context) {
	err := s.eachOrganization(ctx, func(org db.ID) error {
		s.rosters.lock.Lock()
		full := s.rosters.size > s.rosters.limit/2
		s.rosters.lock.Unlock()
		if full {
			return errFull
		}
		s.rosters.warming(org, func() bool { return s.wide(ctx, org) }, func() { s.warm(org) })
		return ctx.Err()
	})
	if err != nil && !errors.Is(err, errFull) && ctx.Err() == nil && !breaker.Silent(err) {
		s.log.Warn("looking for athletes to read ahead", "error", err)
	}
}

// errFull says that there is no room for more athletes.
var errFull = errors.New("there is no room for more athletes")

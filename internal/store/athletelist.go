package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/roster"
	"github.com/kinebase/kinebase/organization"
)

// Athletes gives a page; page and total are of one moment.
func (s *Store) Athletes(ctx context.Context, sc organization.Scope, q athlete.Query) (athlete.Page, error) {
	org := sc.Organization
	if near(q) && s.rosters.warming(org, func() bool { return s.wide(ctx, org) },
		func() { s.running.Go(func() { s.warm(org) }) }) {
		var page athlete.Page
		err := s.engine.Read(ctx, org, func(t db.Tx) (err error) {
			page, err = scanAthletes(t, org, q)
			return err
		})
		return page, db.ToFault(err)
	}
	x, err := s.rosters.enter(ctx, org)
	if err != nil {
		return athlete.Page{}, err
	}
	defer s.rosters.leave(x)
	var page athlete.Page
	err = s.engine.Read(ctx, org, func(t db.Tx) (err error) {
		l := s.roll(t, org, x)
		page, err = l.page(q)
		return err
	})
	return page, db.ToFault(err)
}

// roll makes a page of athletes in one snapshot.
type roll struct {
	t     db.Tx
	org   db.ID
	x     *texts
	limit int // bytes
	log   *slog.Logger
}

// mostRoster bounds a roster whatever memory there is: places in it have 32 bits.
const mostRoster = 2 << 30

func (s *Store) roll(t db.Tx, org db.ID, x *texts) *roll {
	return &roll{t: t, org: org, x: x, limit: min(s.rosters.limit, mostRoster), log: s.log}
}

func (l *roll) page(q athlete.Query) (athlete.Page, error) {
	if err := l.refresh(); err != nil {
		return athlete.Page{}, err
	}
	if l.x.roster == nil {
		return scanAthletes(l.t, l.org, q)
	}
	list, err := l.x.roster.List(roster.Key{Sort: q.Sort, Search: q.Search, Attributes: q.Attributes},
		func() (roster.Set, error) { return l.choose(q) })
	if err != nil {
		return athlete.Page{}, err
	}
	l.x.roster.Trim(l.limit)
	slots := l.x.roster.Page(list, q.Offset, q.Limit)
	page, err := l.read(slots)
	if err == nil && len(page) < len(slots) {
		l.log.Warn("the athletes in memory are not those of the database, which something else has changed; they are "+
			"read again", "organization", l.org.String())
		l.x.roster = nil
		return scanAthletes(l.t, l.org, q)
	}
	return athlete.Page{Athletes: page, TotalCount: int64(list.Len())}, err
}

// choose gives those who match a query.
func (l *roll) choose(q athlete.Query) (roster.Set, error) {
	var set roster.Set
	if q.Search != "" {
		set = l.x.roster.Find(q.Search)
	}
	if len(q.Attributes) > 0 && !l.x.roster.Knows() {
		if err := l.learn(); err != nil {
			return nil, err
		}
	}
	for name, value := range q.Attributes {
		those := l.x.roster.With(trait(name, valueHash(value)), name, value)
		if set != nil {
			those.And(set)
		}
		set = those
	}
	return set, nil
}

// learn reads everybody's custom attributes.
func (l *roll) learn() error {
	return l.x.roster.Learn(func(next func(roster.Trait, [16]byte)) error {
		var name, hash []byte
		var now roster.Trait
		return l.t.Do(db.Each(func(r db.Rows) error {
			key := r.Raw(0)
			if !bytes.Equal(r.Raw(1), name) || !bytes.Equal(r.Raw(2), hash) || now == (roster.Trait{}) {
				name, hash = append(name[:0], r.Raw(1)...), append(hash[:0], r.Raw(2)...)
				now = trait(string(name), hash)
			}
			if len(key) != len(db.ID{}) {
				return errors.New("an athlete's id has another length")
			}
			next(now, db.ID(key))
			return nil
		}, `SELECT athlete, name, value_hash FROM athlete_attribute WHERE organization = $1 ORDER BY name, value_hash, athlete`, l.org))
	})
}

// trait names an attribute and the hash of its value.
func trait(name string, hash []byte) (t roster.Trait) {
	h := sha256.Sum256(append([]byte(name), hash...)) // the hash has always 16 bytes
	copy(t[:], h[:])
	return t
}

// read reads the athletes of a page; fewer than slots when the database does not have them.
func (l *roll) read(slots []uint32) ([]athlete.Athlete, error) {
	place := make(map[string]int, len(slots))
	for i, slot := range slots {
		place[db.ID(l.x.roster.ID(slot)).String()] = i
	}
	page, found := make([]athlete.Athlete, len(slots)), 0
	for part := range slices.Chunk(slots, writeChunk) {
		in, args := parameterList(l.org, part, func(slot uint32) any { return db.ID(l.x.roster.ID(slot)) })
		if err := l.t.Do(db.Each(func(r db.Rows) error {
			a, err := scanAthlete(r)
			if err != nil {
				return err
			}
			page[place[a.ID]] = a
			found++
			return nil
		}, `SELECT `+athletes.List+` FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, args...)); err != nil {
			return nil, err
		}
	}
	if found < len(slots) {
		return nil, nil
	}
	return page, nil
}

// athleteOrders are the orders of a list. The id decides between equals, so that
// the order is total and paging neither skips nor repeats.
var athleteOrders = map[athlete.Sort]string{
	athlete.ByName:        `last_key, first_key, id`,
	athlete.ByLastName:    `last_key, first_key, id`,
	athlete.ByFirstName:   `first_key, id`,
	athlete.ByDateOfBirth: `born_key, id`,
	athlete.ByCreatedAt:   `created_at, id`,
}

// scanAthletes makes a page in the database alone, where there are more athletes than the
// memory has room for.
func scanAthletes(t db.Tx, org db.ID, q athlete.Query) (athlete.Page, error) {
	where, args := `organization = $1`, []any{org}
	add := func(condition string, values ...any) {
		numbers := make([]any, len(values))
		for i, v := range values {
			args = append(args, v)
			numbers[i] = len(args)
		}
		where += fmt.Sprintf(" AND "+condition, numbers...)
	}
	if q.Search != "" {
		add(`search_key LIKE $%d ESCAPE '\'`, likePattern(q.Search))
	}
	for _, name := range slices.Sorted(maps.Keys(q.Attributes)) {
		add(`id IN (SELECT athlete FROM athlete_attribute WHERE organization = $1 AND name = $%d AND value_hash = $%d)`,
			name, valueHash(q.Attributes[name]))
	}
	page := athlete.Page{Athletes: []athlete.Athlete{}}
	count := db.One(db.Into(&page.TotalCount), `SELECT count(*) FROM athlete WHERE `+where, args...)
	add(`1 = 1 ORDER BY `+athleteOrders[q.Sort]+` LIMIT $%d OFFSET $%d`, q.Limit, q.Offset)
	list := db.Each(func(r db.Rows) error {
		a, err := scanAthlete(r)
		page.Athletes = append(page.Athletes, a)
		return err
	}, `SELECT `+athletes.List+` FROM athlete WHERE `+where, args...)
	err := t.Do(count, list)
	return page, err
}

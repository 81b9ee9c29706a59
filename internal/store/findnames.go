package store

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// patternShare is the part of the memory that patterns of rows may take, of each organization.
const patternShare = 8

// refresh brings what is remembered to the snapshot.
func (p *pager) refresh(x *texts) error {
	if x.people == nil || x.born != p.list.born {
		x.born, x.since, x.blocks, x.order, x.segments, x.size = p.list.born, 0, map[int64]*textBlock{}, nil, nil, 0
		x.patterns = search.NewPatterns(p.s.finder.limit / patternShare)
		x.results.Init()
	}
	if err := p.refreshPeople(x); err != nil {
		return err
	}
	return p.refreshBlocks(x)
}

// refreshBlocks reads which blocks have changed.
func (p *pager) refreshBlocks(x *texts) error {
	if p.list.born == 0 || p.list.generation <= x.since {
		return nil
	}
	var changed []*textBlock
	if err := p.t.Do(db.Each(func(r db.Rows) error {
		var b textBlock
		changed = append(changed, &b)
		return r.Scan(&b.id, &b.low.Time, &b.low.SessionID)
	}, `SELECT id, sort_time, session_id FROM list_block WHERE organization = $1 AND athlete = $2 AND generation > $3`,
		p.org, db.ID{}, x.since)); err != nil {
		return err
	}
	moved := false
	for _, b := range changed {
		old := x.blocks[b.id]
		if old == nil {
			x.blocks[b.id] = b
			x.order = append(x.order, b)
			moved = true
			continue
		}
		x.next++
		moved = moved || old.low != b.low
		old.low, old.fresh, old.of.version = b.low, false, x.next
	}
	x.since = p.list.generation
	if moved {
		x.layOut()
	}
	return nil
}

// refreshPeople reads who came or is called otherwise, by the log, or everybody.
func (p *pager) refreshPeople(x *texts) error {
	before, last := x.log, x.log
	whole := x.people != nil
	var ids []byte
	if whole {
		if err := p.t.Do(db.Each(func(r db.Rows) error {
			var generation, earlier int64
			var athletes []byte
			if err := r.Scan(&generation, &earlier, &athletes); err != nil {
				return err
			}
			whole = whole && earlier == last
			last = generation
			ids = append(ids, athletes...)
			return nil
		}, `SELECT generation, earlier, athletes FROM athlete_log WHERE organization = $1 AND generation > $2 ORDER BY generation`, p.org, before)); err != nil {
			return err
		}
	}
	if whole {
		called := x.again
		for part := range slices.Chunk(ids, 16) {
			called = append(called, tally.Athlete(part))
		}
		if err := p.readNames(x, called); err != nil {
			return err
		}
		x.log, x.again = last, nil
		return nil
	}
	// The numbers of athletes stand in blocks, so those who have one keep it.
	people := x.people
	if people == nil {
		people = search.NewPeople()
	}
	x.named++
	var log int64
	if err := p.t.Do(
		db.One(db.Into(&log), `SELECT COALESCE(MAX(generation), 0) FROM athlete_log WHERE organization = $1`, p.org),
		db.Each(func(r db.Rows) error {
			var key db.ID
			var first, last string
			err := r.Scan(&key, &first, &last)
			people.Name(key, fullName(first, last))
			return err
		}, `SELECT id, first_name, last_name FROM athlete WHERE organization = $1`, p.org)); err != nil {
		return err
	}
	x.people, x.log, x.again = people, log, nil
	return nil
}

// readNames reads what some athletes are called.
func (p *pager) readNames(x *texts, called []tally.Athlete) error {
	for part := range slices.Chunk(called, writeChunk) {
		in, args := parameterList(p.org, part, func(a tally.Athlete) any { return db.ID(a) })
		names := map[tally.Athlete]string{}
		if err := p.t.Do(db.Each(func(r db.Rows) error {
			var key db.ID
			var first, last string
			err := r.Scan(&key, &first, &last)
			names[key] = fullName(first, last)
			return err
		}, `SELECT id, first_name, last_name FROM athlete WHERE organization = $1 AND id IN (`+in+`)`, args...)); err !=
			nil {
			return err
		}
		for _, a := range part {
			if _, known := x.people.Known(a); !known && names[a] == "" {
				continue // nobody who could be found
			}
			if x.people.Name(a, names[a]) { // "" for who is gone
				x.named++
			}
		}
	}
	return nil
}

// matchLabels looks for the text in the labels that have come since.
func (p *pager) matchLabels(r *hits) error {
	all, err := p.s.combinationsOf(p.t, p.org)
	if err != nil {
		return err
	}
	if r.labels == nil {
		r.labels = tally.NewSet(uint32(len(all)))
	}
	for ; r.looked < len(all); r.looked++ {
		k := all[r.looked]
		if strings.Contains(search.Fold(k.Activity), p.q.Search) ||
			strings.Contains(search.Fold(k.Movement), p.q.Search) {
			r.labels.Put(uint32(r.looked + 1))
		}
	}
	return nil
}

// matchPeople looks for the text in names. When an athlete has come under it, or is not
// called so any more, all blocks are looked through again.
func (p *pager) matchPeople(x *texts, r *hits, pending []tally.Athlete) error {
	if err := p.readNames(x, pending); err != nil {
		return err
	}
	if r.people != nil && r.named == x.named {
		return nil
	}
	people := x.people.Find(p.q.Search)
	if r.people != nil && !r.people.Same(people, r.of) {
		clear(r.matches)
	}
	r.people, r.of, r.named = people, x.people.Len(), x.named
	return nil
}

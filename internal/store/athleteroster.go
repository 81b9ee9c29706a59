package store

import (
	"bytes"
	"slices"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/db/stringjson"
	"github.com/kinebase/kinebase/internal/store/roster"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// The athletes' list stands in memory (see package roster), once somebody asks for it. Each
// request brings it to its snapshot: by athlete_log, and by the changes that wait in
// list_delta. Of an erased athlete they say a mark of 32 bits, by which a few are looked up. A row
// of the log without marks was written by an older program: all athletes are read again.

// refresh brings the roster to the snapshot. It stays nil where the athletes do not fit.
func (l *roll) refresh() error {
	x := l.x
	if x.large {
		return nil
	}
	whole := x.roster != nil && !x.roster.Worn()
	last := x.log
	var called []tally.Athlete
	var marks []uint32
	pending := map[db.ID]bool{}
	statements := []db.Statement{db.Each(func(r db.Rows) error {
		var key db.ID
		var changes []byte
		if err := r.Scan(&key, &changes); err != nil {
			return err
		}
		pending[key] = true
		if x.pending[key] {
			return nil
		}
		_, people, gone, err := tally.ParseEntries(nil, changes)
		called, marks = append(called, people...), append(marks, gone...)
		return err
	}, `SELECT id, changes FROM list_delta WHERE organization = $1`, l.org)}
	if whole {
		statements = append(statements, db.Each(func(r db.Rows) error {
			var generation, earlier int64
			var athletes, gone []byte
			if err := r.Scan(&generation, &earlier, &athletes, &gone); err != nil {
				return err
			}
			whole = whole && earlier == last
			last = generation
			for part := range slices.Chunk(athletes, 16) {
				called = append(called, tally.Athlete(part))
			}
			more, err := tally.ParseMarks(gone)
			marks = append(marks, more...)
			return err
		}, `SELECT generation, CASE WHEN gone IS NULL THEN -1 ELSE earlier END, athletes, gone FROM athlete_log WHERE organization = $1 AND generation > $2 ORDER BY generation`, l.org, last))
	}
	if err := l.t.Do(statements...); err != nil {
		return err
	}
	if !whole {
		return l.load(pending)
	}
	if err := l.change(append(called, x.again...), marks); err != nil {
		return err
	}
	if x.again = nil; x.roster != nil {
		x.log, x.pending = last, pending
	}
	return nil
}

const rosterColumns = `id, first_key, last_key, search_key, born_key, created_at`

// load reads all athletes.
func (l *roll) load(pending map[db.ID]bool) error {
	x, all := l.x, roster.New()
	x.roster, x.pending = nil, nil
	var log int64
	large := false
	if err := l.t.Do(
		db.One(db.Into(&log), `SELECT COALESCE(MAX(generation), 0) FROM athlete_log WHERE organization = $1`, l.org),
		db.Each(func(r db.Rows) error {
			if large {
				return nil
			}
			var e roster.Entry
			if err := r.Scan((*db.ID)(&e.ID), &e.First, &e.Last, &e.Search, &e.Born, &e.Created); err != nil {
				return err
			}
			all.Load(e)
			large = all.Bytes() > l.limit
			return nil
		}, `SELECT `+rosterColumns+` FROM athlete WHERE organization = $1`, l.org)); err != nil {
		return err
	}
	if x.large = large; large {
		return nil
	}
	all.Seal()
	x.roster, x.log, x.pending, x.again = all, log, pending, nil
	return nil
}

// change reads some athletes again.
func (l *roll) change(called []tally.Athlete, marks []uint32) error {
	erased := l.x.roster.Marked(marks)
	called = append(called, erased...)
	slices.SortFunc(called, func(a, b tally.Athlete) int { return bytes.Compare(a[:], b[:]) })
	called = slices.Compact(called)
	var now []roster.Entry
	for part := range slices.Chunk(called, writeChunk) {
		in, args := parameterList(l.org, part, func(a tally.Athlete) any { return db.ID(a) })
		if err := l.t.Do(db.Each(func(r db.Rows) error {
			var e roster.Entry
			var attributes string
			if err := r.Scan((*db.ID)(&e.ID), &e.First, &e.Last, &e.Search, &e.Born, &e.Created, &attributes); err !=
				nil {
				return err
			}
			now = append(now, e)
			return stringjson.Decode(attributes, &now[len(now)-1].Attributes)
		}, `SELECT `+rosterColumns+`, custom_attributes FROM athlete WHERE organization = $1 AND id IN (`+in+`)`,
			args...)); err != nil {
			return err
		}
	}
	if len(called) > 0 {
		l.x.roster.Change(called, now)
		if len(erased) > 0 {
			l.x.roster.Forget()
		}
		l.x.roster.Trim(l.limit)
		if l.x.roster.Base() > l.limit { // there is no room any more
			l.x.roster, l.x.large = nil, true
		}
	}
	return nil
}

// forgetListed takes an erased athlete out of the memory.
func (f *finder) forgetListed(org, athlete db.ID) {
	f.with(org, func(x *texts) {
		if x.roster != nil {
			x.roster.Change([][16]byte{athlete}, nil)
			x.roster.Forget()
			x.again = append(x.again, tally.Athlete(athlete))
		}
	})
}

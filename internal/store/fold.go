package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// The fold moves the changes that writers leave in list_delta into the counts of
// list_block. It runs shortly after writes, organization by organization, in a
// transaction of its own on one snapshot: what it takes away and what it adds
// appear together, so that a reader of any moment counts every capture once.

// foldEntries is how many changes make a fold due at once. Folding oftener costs
// writers more than it saves readers: with 1,000 the ingest of 16 writers on
// PostgreSQL ran at 0.83 of its speed without counts, with 4,000 at 0.94.
const foldEntries = 4000

// manyBytes of changes are worth counting everything again rather than adding
// them one by one, which also bounds the memory.
const manyBytes = 16 << 20

// folder knows which organizations have changes to fold.
type folder struct {
	after time.Duration
	wake  chan struct{}

	held atomic.Int32 // series of imports, which fold themselves

	lock  sync.Mutex
	dirty map[db.ID]*backlog
}

// backlog is what waits in one organization.
type backlog struct {
	since   time.Time
	entries int
	grown   []db.ID // athletes whose list has grown long
}

// changed is told of every committed change of lists.
func (f *folder) changed(org db.ID, entries int) {
	f.note(org, func(b *backlog) { b.entries += entries })
}

// promote asks for counts of an athlete's own.
func (f *folder) promote(org, athlete db.ID) {
	f.note(org, func(b *backlog) {
		if len(b.grown) < 100 {
			b.grown = append(b.grown, athlete)
		}
	})
}

func (f *folder) note(org db.ID, change func(*backlog)) {
	f.lock.Lock()
	b := f.dirty[org]
	first := b == nil
	if first {
		b = &backlog{since: time.Now()}
		f.dirty[org] = b
	}
	change(b)
	urgent := b.entries >= foldEntries
	f.lock.Unlock()
	if first || urgent {
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

// due takes the organizations whose time has come, and says when the next one's
// comes.
func (f *folder) due(now time.Time) (orgs map[db.ID]*backlog, next time.Duration) {
	f.lock.Lock()
	defer f.lock.Unlock()
	orgs, next = map[db.ID]*backlog{}, time.Hour
	for org, b := range f.dirty {
		switch wait := f.after - now.Sub(b.since); {
		case wait <= 0 || b.entries >= foldEntries:
			orgs[org] = b
			delete(f.dirty, org)
		default:
			next = min(next, wait)
		}
	}
	return orgs, next
}

func (s *Store) foldLoop(ctx context.Context) {
	if err := s.sweep(ctx); err != nil && ctx.Err() == nil && !breaker.Silent(err) {
		s.log.Warn("looking for changes left to fold", "error", err)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.folder.wake:
		case <-timer.C:
		}
		if s.folder.held.Load() > 0 {
			timer.Reset(s.folder.after)
			continue
		}
		orgs, next := s.folder.due(time.Now())
		for org, b := range orgs {
			err := s.fold(ctx, org, b.grown)
			if err == nil {
				continue
			}
			s.folder.note(org, func(again *backlog) { again.grown = append(again.grown, b.grown...) })
			if ctx.Err() != nil {
				continue
			}
			next = min(next, s.folder.after)
			if !breaker.Silent(err) {
				s.log.Warn("counting the changes of a list failed; it is tried again", "organization", org.String(),
					"error", err)
			}
		}
		timer.Reset(next)
	}
}

// foldRest folds what still waits, so that an import does not leave its last
// changes to the readers.
func (s *Store) foldRest(ctx context.Context) {
	rest, _ := s.folder.due(time.Now().Add(s.folder.after))
	for org, b := range rest {
		if err := s.fold(ctx, org, b.grown); err != nil {
			s.log.Warn("the last changes of a list are left to be counted later", "organization", org.String(), "error",
				err)
		}
	}
}

// sweep folds what processes that are gone have left.
func (s *Store) sweep(ctx context.Context) error {
	return s.eachOrganization(ctx, func(org db.ID) error {
		var waiting bool
		if err := s.engine.Once(ctx, org,
			db.One(db.Into(&waiting), `SELECT EXISTS (SELECT 1 FROM list_delta WHERE organization = $1)`, org)); err !=
			nil {
			return err
		}
		if waiting {
			s.folder.changed(org, 0)
		}
		return nil
	})
}

// fold folds what waits in an organization, and gives counts of their own to the
// athletes whose lists have grown long.
func (s *Store) fold(ctx context.Context, org db.ID, grown []db.ID) error {
	err := s.engine.Fold(ctx, org, func(t db.Tx) error {
		f := folding{s: s, t: t, org: org, now: db.Micros(s.now())}
		return f.run(grown)
	})
	if errors.Is(err, db.ErrElsewhere) { // it may have begun before our last change
		s.folder.changed(org, 0)
		return nil
	}
	return err
}

// folding is one fold.
type folding struct {
	s   *Store
	t   db.Tx
	org db.ID
	now int64

	deltas  int64
	changes []tally.Change
	people  []tally.Athlete // who came or is called otherwise
	gone    []uint32        // marks of who was erased, see roster.Mark
	recount bool            // count everything from the rows; changes is empty
	has     map[db.ID]bool  // whose lists have counts
}

func (f *folding) run(grown []db.ID) error {
	if err := f.columns(); err != nil {
		return err
	}
	var size int64
	if err := f.t.Do(db.One(db.Into(&f.deltas, &size),
		`SELECT count(*), COALESCE(sum(length(changes)), 0) FROM list_delta WHERE organization = $1`, f.org)); err !=
		nil {
		return err
	}
	if f.deltas == 0 && len(grown) == 0 {
		return nil
	}
	if f.recount = size > manyBytes; !f.recount {
		bytes := make([]byte, 0, size)
		if err := f.t.Do(db.Each(func(r db.Rows) error {
			bytes = append(bytes, r.Raw(0)...)
			return nil
		}, `SELECT changes FROM list_delta WHERE organization = $1`, f.org)); err != nil {
			return err
		}
		var err error
		if f.changes, f.people, f.gone, err = tally.ParseEntries(nil, bytes); err != nil {
			return err
		}
	}
	if err := f.logPeople(); err != nil {
		return err
	}
	lists, err := f.counted()
	if err != nil {
		return err
	}
	if _, ok := lists[db.ID{}]; !ok {
		lists[db.ID{}] = listState{}
	}
	more, err := f.grown(grown)
	if err != nil {
		return err
	}
	for _, athlete := range more {
		lists[athlete] = listState{}
	}
	for athlete, state := range lists {
		if err := f.list(athlete, state); err != nil {
			return err
		}
	}
	// In this snapshot these are exactly the changes that were read.
	return f.t.Do(db.Exec(`DELETE FROM list_delta WHERE organization = $1`, f.org))
}

// counted gives the lists that have counts and that these changes concern, and
// the organization's.
func (f *folding) counted() (map[db.ID]listState, error) {
	concerned := map[db.ID]bool{{}: true}
	for i := range f.changes {
		for _, a := range f.changes[i].Athletes {
			concerned[a] = true
		}
	}
	lists := map[db.ID]listState{}
	f.has = map[db.ID]bool{}
	return lists, f.t.Do(db.Each(func(r db.Rows) error {
		var athlete db.ID
		var l listState
		if err := r.Scan(&athlete, &l.born, &l.generation, &l.changes); err != nil {
			return err
		}
		f.has[athlete] = true
		if f.recount || concerned[athlete] {
			lists[athlete] = l
		}
		return nil
	}, `SELECT athlete, born, generation, changes FROM list WHERE organization = $1`, f.org))
}

// grown gives the athletes whose lists want counts of their own: of those that
// readers found long, and of one in sampleEvery of those that have just got a
// capture. Looking at all of them would cost more than it saves; a list twice as
// long as shortList has been looked at with near certainty.
func (f *folding) grown(found []db.ID) ([]db.ID, error) {
	look := map[db.ID]bool{}
	for _, athlete := range found {
		look[athlete] = true
	}
	for i := range f.changes {
		if c := &f.changes[i]; !c.Gone && sampled(c) {
			for _, a := range c.Athletes {
				look[a] = true
			}
		}
	}
	var more []db.ID
	for athlete := range look {
		if f.has[athlete] || athlete == (db.ID{}) {
			continue
		}
		var n int64
		if err := f.t.Do(db.One(db.Into(&n),
			`SELECT count(*) FROM (SELECT 1 FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 LIMIT $3) AS few`, f.org, athlete, shortList/2)); err != nil {
			return nil, err
		}
		if n == shortList/2 {
			more = append(more, athlete)
		}
	}
	return more, nil
}

const sampleEvery = 128

// sampled takes one change in sampleEvery, always the same ones.
func sampled(c *tally.Change) bool {
	h := uint64(c.Key.Time)
	for _, b := range []byte(c.Key.SessionID) {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	return (h>>32)%sampleEvery == 0
}

// list folds the changes into one list.
func (f *folding) list(athlete db.ID, state listState) error {
	key := listKey{f.org, athlete, state.born}
	list, err := f.s.loadList(f.t, key, state.generation)
	if err != nil {
		return err
	}
	blocks := list.Blocks()
	next := state
	next.generation = max(state.generation+1, f.now)
	if len(blocks) == 0 || f.recount {
		next.born = next.generation
	}
	if athlete == (db.ID{}) {
		next.changes += f.deltas
	}
	if there, err := f.claim(athlete, state, next); err != nil || !there {
		return err
	}
	var folded tally.Folded
	if next.born != state.born {
		// Everything is counted once more, into blocks of a new list.
		folded.Cut = []tally.Range{{ID: 1, Low: tally.First, Open: true}}
		blocks = nil
		if err := f.t.Do(db.Exec(`DELETE FROM list_block WHERE organization = $1 AND athlete = $2`, f.org,
			athlete)); err != nil {
			return err
		}
	} else {
		folded = list.Fold(f.changes, athlete)
	}
	last := int64(0)
	for _, b := range blocks {
		last = max(last, b.ID)
	}
	changed := folded.Changed
	for _, r := range folded.Cut {
		cut, err := f.cut(athlete, r)
		if err != nil {
			return err
		}
		for i := range cut {
			if i == 0 {
				cut[i].ID = r.ID
			} else {
				last = max(last, r.ID) + 1
				cut[i].ID = last
			}
		}
		changed = append(changed, cut...)
	}
	values := make([][]any, len(changed))
	for i, b := range changed {
		values[i] = []any{f.org, athlete, b.ID, next.generation, b.Low.Time, b.Low.SessionID, b.Counts}
	}
	statements := insertMany(
		`INSERT INTO list_block (organization, athlete, id, generation, sort_time, session_id, counts) VALUES `, values)
	for i := range statements {
		statements[i].SQL += ` ON CONFLICT (organization, athlete, id) DO UPDATE SET generation = excluded.generation, sort_time = excluded.sort_time, session_id = excluded.session_id, counts = excluded.counts`
	}
	return f.t.Do(statements...)
}

// claim writes the list's row, before any of its blocks: where the athlete is
// being erased by another transaction, this one waits here and then fails and is
// tried again, rather than bring back what was erased. there is false when the
// athlete has gone already.
func (f *folding) claim(athlete db.ID, state, next listState) (there bool, err error) {
	if state.born != 0 {
		return true, f.t.Do(db.Exec(
			`UPDATE list SET born = $3, generation = $4, changes = $5 WHERE organization = $1 AND athlete = $2`,
			f.org, athlete, next.born, next.generation, next.changes))
	}
	if athlete != (db.ID{}) {
		if err := f.t.Do(db.Each(func(db.Rows) error {
			there = true
			return nil
		}, `SELECT 1 FROM athlete WHERE organization = $1 AND id = $2 FOR KEY SHARE`, f.org, athlete)); err != nil ||
			!there {
			return false, err
		}
	}
	return true, f.t.Do(db.Exec(
		`INSERT INTO list (organization, athlete, born, generation, changes) VALUES ($1, $2, $3, $4, $5)`,
		f.org, athlete, next.born, next.generation, next.changes))
}

// cut counts a range again from its rows.
func (f *folding) cut(athlete db.ID, r tally.Range) ([]tally.Block, error) {
	high := r.High
	if r.Open {
		high = tally.Last
	}
	where, index, args := inStretch+alongList, `NOT INDEXED`,
		[]any{f.org, r.Low.Time, r.Low.SessionID, high.Time, high.SessionID}
	if athlete != (db.ID{}) {
		where, index = inStretch+` AND athlete = $6`, `INDEXED BY capture_row_athlete`
		args = append(args, athlete)
	}
	c := tally.NewCutter(r)
	if err := f.t.Do(db.Each(func(r db.Rows) error {
		var k = tally.First
		var n int64
		if err := r.Scan(&k.Time, &k.SessionID, &n); err != nil {
			return err
		}
		c.Row(k, uint32(n))
		return nil
	}, `SELECT sort_time, session_id, combination FROM capture_row /*+ `+index+` */ WHERE organization = $1`+where+
		` ORDER BY sort_time, session_id`, args...)); err != nil {
		return nil, err
	}
	return c.Done(), nil
}

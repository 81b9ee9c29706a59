package store

import (
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// A page of what was searched for comes from the texts in memory (see finder): which
// captures of each segment match is remembered for each query and segment, so that the
// total is a sum over segments and the place of any offset a walk over them.

// hits are what matches a query, segment by segment.
type hits struct {
	key     hitsKey
	matches map[*segment]*segmentMatch
	labels  tally.Set // combinations whose labels have the text
	looked  int       // combinations that were looked at
	people  search.Numbers
	of      int // how many athletes had numbers when people was made
	named   int // and texts.named
	bytes   int
}

// hitsKey is what a query asks for, whatever page of it.
type hitsKey struct {
	athlete db.ID
	filter  capture.Filter
	text    string
}

type segmentMatch struct {
	version uint64
	search.Match
}

// loose are the captures that waiting changes are about, as they are in the snapshot:
// sorted, and with how many rows of the list each one that matches takes.
type loose struct {
	changed map[capture.Key]bool // the places at which something has changed
	docs    []search.Doc
	rows    []int64
}

// readFound reads the total and the rows of a search.
func (p *pager) readFound(x *texts) error {
	changes, people, _, err := tally.ParseEntries(nil, p.delta)
	if err != nil {
		return err
	}
	if err := p.refresh(x); err != nil {
		return err
	}
	r := x.hits(hitsKey{p.athlete, p.q.Filter, p.q.Search})
	q := search.Query{Text: p.q.Search, Only: p.selected.set, One: -1}
	if p.athlete != (db.ID{}) {
		q.One = int64(x.people.Number(p.athlete))
	}
	if err := p.matchLabels(r); err != nil {
		return err
	}
	if err := p.matchPeople(x, r, people); err != nil {
		return err
	}
	q.Labels, q.People = r.labels, r.people
	q.Ready()
	l, err := p.readLoose(x, &q, changes)
	if err != nil {
		return err
	}
	if err := p.match(x, r, &q); err != nil {
		return err
	}
	return p.readMatches(x, r, &q, l)
}

// hits gives what is remembered of a query, or begins to.
func (x *texts) hits(key hitsKey) *hits {
	for e := x.results.Front(); e != nil; e = e.Next() {
		if r := e.Value.(*hits); r.key == key {
			x.results.MoveToFront(e)
			return r
		}
	}
	r := &hits{key: key, matches: map[*segment]*segmentMatch{}}
	x.results.PushFront(r)
	if x.results.Len() > mostResults {
		x.results.Remove(x.results.Back())
	}
	return r
}

// readLoose looks up the captures that waiting changes are about.
func (p *pager) readLoose(x *texts, q *search.Query, changes []tally.Change) (*loose, error) {
	l := &loose{changed: map[capture.Key]bool{}}
	sessions := map[string]bool{}
	for i := range changes {
		l.changed[changes[i].Key] = true
		sessions[changes[i].Key.SessionID] = true
	}
	at := map[string]int{}
	for part := range slices.Chunk(keys(sessions), writeChunk) {
		in, args := parameterList(p.org, part, func(session string) any { return session })
		if err := p.t.Do(db.Each(func(r db.Rows) error {
			var d search.Doc
			var athlete db.ID
			var combination int64
			if err := r.Scan(&d.Key.Time, &d.Key.SessionID, &athlete, &combination, &d.File); err != nil {
				return err
			}
			i, known := at[d.Key.SessionID]
			if !known {
				i = len(l.docs)
				at[d.Key.SessionID] = i
				d.Combination = uint32(combination)
				l.docs = append(l.docs, d)
			}
			if athlete != (db.ID{}) {
				l.docs[i].Athletes = append(l.docs[i].Athletes, x.people.Number(athlete))
			}
			return nil
		}, `SELECT r.sort_time, r.session_id, r.athlete, r.combination, `+fileOf+
			` FROM capture c CROSS JOIN capture_row r
WHERE c.organization = $1 AND c.session_id IN (`+in+`) AND r.organization = c.organization AND r.sort_time = c.sort_time AND r.session_id = c.session_id`, args...)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.docs, func(a, b search.Doc) int { return a.Key.Compare(b.Key) })
	l.docs = slices.DeleteFunc(l.docs, func(d search.Doc) bool { return q.MatchDoc(&d) == 0 })
	l.rows = make([]int64, len(l.docs))
	for i := range l.docs {
		l.rows[i] = q.MatchDoc(&l.docs[i])
	}
	return l, nil
}

// fileOf is the name of the file of a row r, also of one that is older than the column.
const fileOf = `COALESCE(r.file, (SELECT f.file_name FROM recording f WHERE f.organization = r.organization AND f.session_id = r.session_id), '')`

// match looks through the segments that have changed since the query was last asked.
func (p *pager) match(x *texts, r *hits, q *search.Query) error {
	var held, others []*segment
	for _, s := range x.segments {
		if m := r.matches[s]; m != nil && m.version == s.version {
			continue
		}
		if s.fresh() {
			held = append(held, s)
		} else {
			others = append(others, s)
		}
	}
	if len(held)+len(others) == 0 {
		return nil
	}
	if err := r.matchHeld(held, q); err != nil {
		return err
	}
	for _, s := range others {
		if err := p.hold(x, s); err != nil {
			return err
		}
		r.matches[s] = &segmentMatch{s.version, s.texts.Match(q)}
		x.makeRoom(p.s.finder.limit, s)
	}
	if len(r.matches) > len(x.segments) {
		maps.DeleteFunc(r.matches, func(s *segment, _ *segmentMatch) bool { return s.blocks[0].of != s })
	}
	r.bytes = 256 + 8*len(r.people) + 8*len(r.labels)
	for _, m := range r.matches {
		r.bytes += 64 + m.Bytes()
	}
	return nil
}

// fewSegments is how many segments are looked through before a second processor is of use.
const fewSegments = 4

// matchHeld looks through segments that are in memory. Where that takes long, other processors
// take their share, as far as they are free: nobody waits for one that has not begun.
func (r *hits) matchHeld(held []*segment, q *search.Query) error {
	found, failed := make([]*segmentMatch, len(held)), make([]error, len(held))
	var next atomic.Int64
	var all sync.WaitGroup
	all.Add(len(held))
	look := func() {
		for i := next.Add(1) - 1; i < int64(len(held)); i = next.Add(1) - 1 {
			failed[i] = db.Guard(func() error {
				found[i] = &segmentMatch{held[i].version, held[i].texts.Match(q)}
				return nil
			})
			all.Done() // only now: what has failed is read once all are done
		}
	}
	if q.Long() {
		for range min(runtime.GOMAXPROCS(0), mostSearchers, len(held)/fewSegments) - 1 {
			go look()
		}
	}
	look()
	all.Wait()
	for i, s := range held {
		if found[i] != nil {
			r.matches[s] = found[i]
		}
	}
	return errors.Join(failed...)
}

// mostSearchers is how many processors one search takes, so that others are left for others.
const mostSearchers = 4

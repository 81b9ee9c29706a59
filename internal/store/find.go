package store

import (
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// A page of what was searched for comes from the texts in memory (see finder): which
// captures of each block match is remembered for each query and block, so that the
// total is a sum over blocks and the place of any offset a walk over them.

// hits are what matches a query, block by block.
type hits struct {
	key     hitsKey
	matches []blockMatch // by textBlock.slot
	labels  tally.Set    // combinations whose labels have the text
	looked  int          // combinations that were looked at
	people  search.Numbers
	of      int // how many athletes had numbers when people was made
	named   int // and texts.named
	bytes   int
}

// hitsKey is what a query asks for, whatever page of it.
type hitsKey struct {
	athlete id
	filter  capture.Filter
	text    string
}

type blockMatch struct {
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
	if p.athlete != (id{}) {
		q.One = int64(x.people.Number(p.athlete))
	}
	if err := p.matchLabels(r); err != nil {
		return err
	}
	if err := p.matchPeople(x, r, people); err != nil {
		return err
	}
	q.Labels, q.People = r.labels, r.people
	q.Sketch()
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
	r := &hits{key: key}
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
		if err := p.t.do(each(func(r rows) error {
			var d search.Doc
			var athlete id
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
			if athlete != (id{}) {
				l.docs[i].Athletes = append(l.docs[i].Athletes, x.people.Number(athlete))
			}
			return nil
		}, `SELECT r.sort_time, r.session_id, r.athlete, r.combination, `+fileOf+` FROM capture c CROSS JOIN capture_row r
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

// loadBlocks is how many blocks are read together.
const loadBlocks = 256

// match looks through the blocks that have changed since the query was last asked.
func (p *pager) match(x *texts, r *hits, q *search.Query) error {
	r.matches = append(r.matches, make([]blockMatch, len(x.order)-len(r.matches))...)
	looked, err := r.matchHeld(x, q)
	if err != nil {
		return err
	}
	for i := 0; i < len(x.order); i++ {
		b := x.order[i]
		if r.matches[b.slot].version == b.version {
			continue
		}
		looked = true
		end := i + 1
		for end < len(x.order) && end < i+loadBlocks && x.order[end].texts == nil && r.matches[x.order[end].slot].version != x.order[end].version {
			end++
		}
		if err := p.load(x, i, end); err != nil {
			return err
		}
		for ; i < end; i++ {
			b := x.order[i]
			r.put(b, q)
			if x.size > p.s.finder.limit-x.fixed() { // no room for more
				x.keep(b, nil)
			}
		}
		i--
	}
	if !looked {
		return nil
	}
	r.bytes = 256 + 8*len(r.people) + 8*len(r.labels)
	for i := range r.matches {
		r.bytes += 8 + r.matches[i].Bytes()
	}
	return nil
}

// fewBlocks is how many blocks are looked through before a second processor is of use.
const fewBlocks = 128

// matchHeld looks through those of the blocks that are in memory, on several processors, and says
// whether there were any.
func (r *hits) matchHeld(x *texts, q *search.Query) (bool, error) {
	var held []*textBlock
	for _, b := range x.order {
		if b.texts != nil && r.matches[b.slot].version != b.version {
			held = append(held, b)
		}
	}
	parts := max(1, min(runtime.GOMAXPROCS(0), mostSearchers, len(held)/fewBlocks))
	failed := make([]error, parts)
	var all sync.WaitGroup
	for n := range parts {
		look := func() {
			failed[n] = guard(func() error {
				for _, b := range held[len(held)*n/parts : len(held)*(n+1)/parts] {
					r.put(b, q)
				}
				return nil
			})
		}
		if n == parts-1 {
			look()
		} else {
			all.Go(look)
		}
	}
	all.Wait()
	return len(held) > 0, errors.Join(failed...)
}

// mostSearchers is how many processors one search takes, so that others are left for others.
const mostSearchers = 4

func (r *hits) put(b *textBlock, q *search.Query) {
	r.matches[b.slot] = blockMatch{b.version, b.texts.Match(q)}
}

// load reads the texts of the blocks from…to of the order.
func (p *pager) load(x *texts, from, to int) error {
	high := tally.Last
	if to < len(x.order) {
		high = x.order[to].low
	}
	var docs []search.Doc
	at := from
	close := func() {
		x.keep(x.order[at], search.NewBlock(docs))
		docs = docs[:0]
		at++
	}
	if err := p.t.do(each(func(r rows) error {
		var key capture.Key
		var athlete id
		var combination int64
		var file string
		if err := r.Scan(&key.Time, &key.SessionID, &athlete, &combination, &file); err != nil {
			return err
		}
		for at+1 < to && x.order[at+1].low.Compare(key) <= 0 {
			close()
		}
		if n := len(docs); n == 0 || docs[n-1].Key != key {
			docs = append(docs, search.Doc{Key: key, Combination: uint32(combination), File: file})
		}
		if athlete != (id{}) {
			d := &docs[len(docs)-1]
			d.Athletes = append(d.Athletes, x.people.Number(athlete))
		}
		return nil
	}, `SELECT r.sort_time, r.session_id, r.athlete, r.combination, `+fileOf+` FROM capture_row r /*+ NOT INDEXED */ WHERE r.organization = $1 AND (r.sort_time, r.session_id) >= ($2, $3) AND (r.sort_time, r.session_id) < ($4, $5) ORDER BY r.sort_time, r.session_id, r.athlete`,
		p.org, x.order[from].low.Time, x.order[from].low.SessionID, high.Time, high.SessionID)); err != nil {
		return err
	}
	for at < to {
		close()
	}
	return nil
}

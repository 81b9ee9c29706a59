package store

import (
	"slices"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// shortList is how many captures an athlete has at the most whose list is
// counted by looking at it. Longer ones have counts of their own.
const shortList = 1024

// readShort reads the page of an athlete whose list has no counts: it is short,
// or has only just grown long, which the fold is then told.
func (p *pager) readShort() error {
	type place struct {
		key         capture.Key
		combination uint32
	}
	var places []place
	if err := p.t.Do(db.Each(func(r db.Rows) error {
		var l place
		var n int64
		err := r.Scan(&l.key.Time, &l.key.SessionID, &n)
		l.combination = uint32(n)
		places = append(places, l)
		return err
	}, `SELECT sort_time, session_id, combination FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 ORDER BY sort_time, session_id LIMIT $3`, p.org, p.athlete, shortList+1)); err != nil {
		return err
	}
	if len(places) > shortList {
		p.s.folder.promote(p.org, p.athlete)
		return p.countLong()
	}
	places = slices.DeleteFunc(places, func(l place) bool {
		return !p.selected.set.Has(l.combination) ||
			!p.q.Captured.Holds(l.key)
	})
	p.total, p.all = int64(len(places)), int64(len(places))
	from, want := p.part()
	if want == 0 {
		return nil
	}
	return p.readRows(tally.Span{Low: places[from].key, Open: true}, false, want)
}

// countLong counts an athlete's list the slow way, once, until the fold has made
// its counts.
func (p *pager) countLong() error {
	low, high := p.q.Captured.Low(), tally.Last
	if p.q.Captured.Given() {
		high = p.q.Captured.High()
	}
	if err := p.t.Do(db.Each(func(r db.Rows) error {
		var combination, n int64
		err := r.Scan(&combination, &n)
		if p.selected.set.Has(uint32(combination)) {
			p.total += n
		}
		return err
	}, `SELECT combination, count(*) FROM capture_row /*+ INDEXED BY capture_row_athlete */ WHERE organization = $1 AND athlete = $2 AND (sort_time, session_id) >= ($3, $4) AND (sort_time, session_id) < ($5, $6) GROUP BY combination`,
		p.org, p.athlete, low.Time, low.SessionID, high.Time, high.SessionID)); err != nil {
		return err
	}
	p.all = p.total
	from, want := p.part()
	if want == 0 {
		return nil
	}
	return p.readRows(tally.Span{Low: low, Open: true, Rest: from}, false, want)
}

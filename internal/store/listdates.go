package store

import (
	"bytes"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// A range of capture time is two places in the list. What is selected between them is what
// is selected before the second one less what is selected before the first one, and a page
// of the range is a page of the whole list, so many rows further on.

// countRange counts what is selected in the query's range, and the selected rows before it.
func (p *pager) countRange(list *tally.List) (count tally.Count, before int64, err error) {
	captured := p.q.Captured
	if !captured.Given() {
		return list.Total(p.selected.set, p.pending), 0, nil
	}
	var low, high edge
	var statements []db.Statement
	low.before, low.rest = list.Before(p.selected.set, p.pending, captured.Low())
	high.before, high.rest = list.Before(p.selected.set, p.pending, captured.High())
	for _, e := range []*edge{&low, &high} {
		if e.rest.Low.Compare(e.rest.High) < 0 {
			statements = append(statements, p.countStretch(e))
		}
	}
	if len(statements) > 0 {
		if err := p.t.Do(statements...); err != nil {
			return count, 0, err
		}
	}
	p.cut = low
	return tally.Count{Captures: high.before.Captures - low.before.Captures, Rows: high.before.Rows - low.before.Rows},
		low.before.Rows, nil
}

// edge is an end of a range: what is selected before it, and what was counted row by row.
type edge struct {
	before         tally.Count
	rest           tally.Stretch
	selected, rows int64 // rows in rest: selected ones and all
}

// shorten has a span that begins in the edge's block begin at the edge.
func (e *edge) shorten(s tally.Span) tally.Span {
	if e.rows == 0 || s.Low != e.rest.Low || s.Rest < e.selected {
		return s
	}
	s.Low = e.rest.High
	s.Rest -= e.selected
	s.Matches -= e.selected
	s.Rows -= e.rows
	return s
}

// countStretch adds what is selected in the stretch before an edge, row by row.
func (p *pager) countStretch(e *edge) db.Statement {
	s := e.rest
	where, index := inStretch+alongList, `NOT INDEXED` // along the table itself
	args := []any{p.org, s.Low.Time, s.Low.SessionID, s.High.Time, s.High.SessionID}
	if p.athlete != (db.ID{}) {
		args = append(args, p.athlete)
		where, index = ` AND athlete = $6`+inStretch, `INDEXED BY capture_row_athlete`
	}
	var last []byte
	return db.Each(func(r db.Rows) error {
		e.rows++
		if p.selected.set != nil {
			var combination int64
			if err := r.Scan(&combination, nil); err != nil {
				return err
			}
			if !p.selected.set.Has(uint32(combination)) {
				return nil
			}
		}
		e.selected++
		e.before.Rows++
		if session := r.Raw(1); !bytes.Equal(session, last) { // the rows of a capture follow each other
			e.before.Captures++
			last = append(last[:0], session...)
		}
		return nil
	}, `SELECT combination, session_id FROM capture_row /*+ `+index+` */ WHERE organization = $1`+where+
		` ORDER BY sort_time, session_id, athlete`, args...)
}

// countRange counts what was found in a range, and the found rows before it.
func (f *finding) countRange(captured capture.Range) (count tally.Count, before int64, err error) {
	low, err := f.before(captured.Low())
	if err != nil {
		return count, 0, err
	}
	high, err := f.before(captured.High())
	if err != nil {
		return count, 0, err
	}
	return tally.Count{Captures: high.Captures - low.Captures, Rows: high.Rows - low.Rows}, low.Rows, nil
}

// before counts what was found before a place in the list.
func (f *finding) before(place capture.Key) (sum tally.Count, err error) {
	if place == tally.First {
		return sum, nil
	}
	last := f.x.at(place) // the block of the place; nil where there are no blocks yet
	if last == nil {
		f.countPicked(&sum, pick(nil, nil, f.q, f.l, f.differences[nil]), place)
		return sum, nil
	}
	for _, s := range f.x.segments {
		if s == last.of {
			break
		}
		sum.Captures += f.r.matches[s].Docs
		sum.Rows += f.r.matches[s].Rows
	}
	for b, d := range f.differences {
		if b.at < last.at {
			sum.Captures += d.docs
			sum.Rows += d.rows
		}
	}
	return sum, f.countSegment(&sum, last, place)
}

// countSegment adds what was found before a place in the segment of its block.
func (f *finding) countSegment(sum *tally.Count, last *textBlock, place capture.Key) error {
	m := &f.r.matches[last.of].Match
	for _, b := range last.of.blocks[:last.place+1] {
		if !m.Any(b.place) && (b != last || f.differences[b] == nil) {
			continue
		}
		texts, err := f.p.textsOf(f.x, b)
		if err != nil {
			return err
		}
		if b == last {
			f.countPicked(sum, pick(texts, m.All(b.place), f.q, f.l, f.differences[b]), place)
			continue
		}
		for range m.All(b.place) {
			sum.Captures++
		}
		sum.Rows += m.RowsOf(f.q, b.place, texts)
	}
	return nil
}

// countPicked adds those captures that lie before a place.
func (f *finding) countPicked(sum *tally.Count, list []picked, place capture.Key) {
	for _, one := range list {
		if one.key.Compare(place) < 0 {
			sum.Captures++
			sum.Rows += one.rows
		}
	}
}

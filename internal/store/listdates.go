package store

import (
	"github.com/kinebase/kinebase/capture"
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
	low, lowRest := list.Before(p.selected.set, p.pending, captured.Low())
	high, highRest := list.Before(p.selected.set, p.pending, captured.High())
	var statements []statement
	for _, edge := range []struct {
		sum  *tally.Count
		rest tally.Stretch
	}{{&low, lowRest}, {&high, highRest}} {
		if edge.rest.Low.Compare(edge.rest.High) < 0 {
			statements = append(statements, p.countStretch(edge.sum, edge.rest))
		}
	}
	if len(statements) > 0 {
		if err := p.t.do(statements...); err != nil {
			return count, 0, err
		}
	}
	return tally.Count{Captures: high.Captures - low.Captures, Rows: high.Rows - low.Rows}, low.Rows, nil
}

// countStretch adds what is selected in a stretch of the list, row by row.
func (p *pager) countStretch(sum *tally.Count, s tally.Stretch) statement {
	where, index := ``, `NOT INDEXED` // along the table itself
	args := []any{p.org, s.Low.Time, s.Low.SessionID, s.High.Time, s.High.SessionID}
	if p.athlete != (id{}) {
		args = append(args, p.athlete)
		where, index = ` AND athlete = $6`, `INDEXED BY capture_row_athlete`
	}
	last, any := "", false
	return each(func(r rows) error {
		var combination int64
		var session string
		if err := r.Scan(&combination, &session); err != nil {
			return err
		}
		if !p.selected.set.Has(uint32(combination)) {
			return nil
		}
		sum.Rows++
		if !any || session != last { // the rows of a capture follow each other
			sum.Captures++
		}
		last, any = session, true
		return nil
	}, `SELECT combination, session_id FROM capture_row /*+ `+index+` */ WHERE organization = $1`+where+` AND (sort_time, session_id) >= ($2, $3) AND (sort_time, session_id) < ($4, $5) ORDER BY sort_time, session_id, athlete`, args...)
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

package store

import (
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// Captures that are not completed are few, and are asked for by their status: what waits for a file, or
// went wrong. They have an index of their own along the list, on SQLite with their rows in it, so that a
// page of them lies in one place.

// alongStatus says whether to walk along the captures of the status asked for, rather than to look up each
// combination. The numbers are about what a step of either costs.
func (p *pager) alongStatus(list *tally.List, span tally.Span) (bool, error) {
	f := p.q.Filter
	if f.Status == "" || f.Status == capture.Completed || p.athlete != (db.ID{}) {
		return false, nil
	}
	if span.Matches*4 > span.Rows { // as quick along the list itself, and that ends with the page
		return false, nil
	}
	if f == (capture.Filter{Status: f.Status}) {
		return true, nil
	}
	status, err := p.s.selectCombinations(p.t, p.org, capture.Filter{Status: f.Status})
	if err != nil {
		return false, err
	}
	selected := max(1, list.Total(p.selected.set, p.pending).Rows)
	// The rows of the status in the span, if they lie there as they do anywhere.
	steps := list.Total(status.set, p.pending).Rows * span.Matches / selected
	n := int64(len(p.selected.numbers))
	return n <= maxList && steps*walk < n*seek+span.Matches*fetch, nil
}

// readUnfinished reads the rows of a span along their status. whole is false when the index does not have
// all of them, as after a write of an older program that knows nothing of it: they are to be read otherwise.
func (p *pager) readUnfinished(span tally.Span, want int64) (whole bool, err error) {
	high := span.High
	if span.Open {
		high = tally.Last
	}
	args := []any{p.org, string(p.q.Filter.Status), span.Low.Time, span.Low.SessionID, high.Time, high.SessionID}
	where := `organization = $1 AND unfinished = $2
AND (sort_time, session_id) >= ($3, $4) AND (sort_time, session_id) < ($5, $6)`
	if p.q.Filter != (capture.Filter{Status: p.q.Filter.Status}) {
		holds, values := p.selected.holds(len(args)+1, p.q.Filter)
		where += ` AND ` + holds
		args = append(args, values...)
	}
	var page bodies
	from := `FROM capture_row /*+ INDEXED BY capture_row_unfinished */ WHERE ` + where +
		` ORDER BY sort_time, session_id, athlete`
	if err := p.t.Do(page.read(p.q.Include, from, args...)); err != nil {
		return false, err
	}
	if int64(len(page.ends)) != span.Matches {
		return false, nil
	}
	return true, p.take(&page, span.Rest, span.Rest+want)
}

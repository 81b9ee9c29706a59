package store

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/kinebase/kinebase/internal/store/db"

	"github.com/cespare/xxhash/v2"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/organization"
)

// Captures gives a page on the wire. Total and rows come from one snapshot: the
// counts of the list, the changes not folded into them yet, and the rows at the
// place that the counts point to.
func (s *Store) Captures(ctx context.Context, sc organization.Scope, q capture.Query) (capture.Answer, error) {
	org := sc.Organization
	key := answerKey{org, q}
	moment, exact, err := s.engine.Moment(ctx)
	if err != nil {
		return capture.Answer{}, db.ToFault(err)
	}
	if !exact {
		a, _, err := s.page(ctx, key)
		return a, db.ToFault(err)
	}
	if a, ok := s.answers.now(key, moment); ok {
		return a, nil
	}
	flight := runningKey{key, moment}
	r, mine := s.answers.join(flight)
	if !mine {
		select {
		case <-r.done:
			if r.err == nil || fault.Is(r.err, fault.BadRequest) {
				return r.answer, r.err
			}
			a, _, err := s.page(ctx, key) // the other caller may have gone away
			return a, db.ToFault(err)
		case <-ctx.Done():
			return capture.Answer{}, db.ToFault(ctx.Err())
		}
	}
	defer s.answers.leave(flight, r)
	var changes int64
	r.err = errors.New("the page was not made") // what others hear if page panics
	r.answer, changes, err = s.page(ctx, key)
	r.err = db.ToFault(err)
	if err == nil {
		s.answers.seen(org, moment, changes)
	}
	return r.answer, r.err
}

// page makes an answer, or finds it under the organization's number of changes,
// which it also gives.
func (s *Store) page(ctx context.Context, key answerKey) (a capture.Answer, changes int64, err error) {
	x, err := s.textsFor(ctx, key)
	if err != nil {
		return a, 0, err
	}
	if x != nil {
		defer s.finder.leave(x)
	}
	err = s.engine.Read(ctx, key.org, func(t db.Tx) error {
		p := pager{s: s, t: t, org: key.org, q: key.query, texts: x}
		if err := p.readState(); err != nil {
			return err
		}
		changes = p.changes
		if known, ok := s.answers.at(key, changes); ok {
			a = known
			return nil
		}
		if err := p.readPage(); err != nil {
			return err
		}
		size := 64
		for _, row := range p.rows {
			size += len(row) + 1
		}
		body := capture.AppendPage(make([]byte, 0, size), p.rows, p.total, p.all, p.q)
		a = capture.Answer{Body: body, Tag: tag(changes, body)}
		return nil
	})
	if err == nil {
		s.answers.put(key, changes, a)
	}
	return a, changes, err
}

// tag names an answer by its bytes. The number of changes alone would not do: two
// organizations have the same ones, and so has a store that was restored and then
// changed otherwise.
func tag(version int64, body []byte) string {
	return strconv.FormatInt(version, 36) + "-" + strconv.FormatUint(xxhash.Sum64(body), 36)
}

// pager makes one page in one snapshot.
type pager struct {
	s       *Store
	t       db.Tx
	org     db.ID
	athlete db.ID // the zero id: the organization's list
	q       capture.Query
	texts   *texts // when something is searched for, or rows may be in memory
	read    map[*textBlock]*search.Block

	changes  int64 // how often the organization's answers have changed
	list     listState
	delta    []byte // the changes that are not folded yet
	selected selection
	pending  tally.Pending
	cut      edge // where the query's range begins

	total int64 // captures
	all   int64 // rows
	rows  [][]byte
}

// listState is a list's row; born is 0 when it has none.
type listState struct{ born, generation, changes int64 }

func readList(org, athlete db.ID, l *listState) db.Statement {
	*l = listState{}
	return db.Each(func(r db.Rows) error { return r.Scan(&l.born, &l.generation, &l.changes) },
		`SELECT born, generation, changes FROM list WHERE organization = $1 AND athlete = $2`, org, athlete)
}

// readState reads what is needed to know whether an answer is known already.
func (p *pager) readState() error {
	if p.q.AthleteID != "" {
		var ok bool
		if p.athlete, ok = organization.ParseID(p.q.AthleteID); !ok {
			return noSuchFilter()
		}
	}
	var deltas int64
	statements := []db.Statement{readList(p.org, db.ID{}, &p.list), db.Each(func(r db.Rows) error {
		deltas++
		p.delta = append(p.delta, r.Raw(0)...)
		return nil
	}, `SELECT changes FROM list_delta WHERE organization = $1`, p.org)}
	var own listState
	exists := 0
	if p.athlete != (db.ID{}) {
		statements = append(statements, readList(p.org, p.athlete, &own), db.Each(func(db.Rows) error {
			exists++
			return nil
		}, `SELECT 1 FROM athlete WHERE organization = $1 AND id = $2`, p.org, p.athlete))
	}
	if err := p.t.Do(statements...); err != nil {
		return err
	}
	p.changes = p.list.changes + deltas
	if deltas >= manyDeltas {
		p.s.folder.changed(p.org, 0)
	}
	if p.athlete != (db.ID{}) {
		if exists == 0 {
			return noSuchFilter()
		}
		if p.q.Search == "" { // a search goes through the organization's blocks
			p.list = own
		}
	}
	return nil
}

// manyDeltas are so many that whoever wrote them may be gone: a reader asks for
// the fold itself.
const manyDeltas = 64

func noSuchFilter() error { return fault.New(fault.BadRequest, "athlete_id not found") }

// readPage reads the total and the rows.
func (p *pager) readPage() error {
	if err := p.readList(); err != nil {
		return err
	}
	if p.q.Oldest {
		slices.Reverse(p.rows)
	}
	return nil
}

// part is which rows of the p.all in the list's order the page has: from one on so many, none past the end. The
// oldest first are those as far from the other end, to be turned round.
func (p *pager) part() (from, want int64) {
	want = max(0, min(int64(p.q.Limit), p.all-p.q.Offset))
	if p.q.Oldest {
		return max(0, p.all-p.q.Offset-want), want
	}
	return p.q.Offset, want
}

// readList reads the total and the rows of the page, in the list's order.
func (p *pager) readList() (err error) {
	if p.selected, err = p.s.selectCombinations(p.t, p.org, p.q.Filter); err != nil {
		return err
	}
	if p.q.Search != "" {
		return p.readFound(p.texts)
	}
	if p.athlete != (db.ID{}) && p.list.born == 0 {
		return p.readShort()
	}
	changes, err := tally.ParseChanges(nil, p.delta)
	if err != nil {
		return err
	}
	p.pending = tally.PendingOf(changes, p.athlete)
	list, err := p.s.loadList(p.t, listKey{p.org, p.athlete, p.list.born}, p.list.generation)
	if err != nil {
		return err
	}
	count, before, err := p.countRange(list)
	if err != nil {
		return err
	}
	p.total, p.all = count.Captures, count.Rows
	from, want := p.part()
	if want == 0 {
		return nil
	}
	if from == 0 && p.selected.set == nil {
		return p.readRows(tally.Span{Low: p.q.Captured.Low(), Open: true}, false, want)
	}
	span := list.Span(p.selected.set, p.pending, before+from, want)
	if along, err := p.alongStatus(list, span); err != nil {
		return err
	} else if along {
		if whole, err := p.readUnfinished(span, want); err != nil || whole {
			return err
		}
	}
	if p.texts != nil {
		if whole, err := p.readHeld(p.texts, span, changes, want); err != nil || whole {
			return err
		}
	}
	span = p.cut.shorten(span)
	if err := p.readRows(span, p.sparse(span), want); err != nil {
		return err
	}
	if int64(len(p.rows)) != want {
		return errors.New("the counts of a list do not fit its rows")
	}
	return nil
}

// sparse says whether to look the selected rows up by combination rather than
// to walk along all rows of the span and keep the selected ones.
func (p *pager) sparse(span tally.Span) bool {
	n := int64(len(p.selected.numbers))
	return p.selected.set != nil && p.athlete == (db.ID{}) && n <= maxList && n*seek+span.Matches*fetch < span.Rows*walk
}

// inStretch is the condition that a row lies in a stretch of the list: from the place on that $2 and $3 are, and before
// the one that $4 and $5 are.
const inStretch = ` AND (sort_time, session_id) >= ($2, $3) AND (sort_time, session_id) < ($4, $5)`

// alongList has PostgreSQL read such a stretch along the list where nothing bounds the number of rows; SQLite does not
// get to read it. PostgreSQL takes two comparisons of pairs for a ninth of the list, and would rather look through the
// whole of another index for that, if it has all columns asked for. Two bounds of one column it takes for a small part.
const alongList = `
/*+ -- */ AND sort_time >= $2 AND sort_time <= $4
`

// readRows reads the rows of a span.
func (p *pager) readRows(span tally.Span, sparse bool, want int64) error {
	high := span.High
	if span.Open {
		high = tally.Last
	}
	// along the table itself
	where, order, index := `organization = $1`, `sort_time, session_id, athlete`, `NOT INDEXED`
	args := []any{p.org, span.Low.Time, span.Low.SessionID, high.Time, high.SessionID, want, span.Rest}
	if p.athlete != (db.ID{}) {
		args = append(args, p.athlete)
		where += ` AND athlete = $8`
		index = `INDEXED BY capture_row_athlete`
	}
	switch {
	case p.selected.set == nil:
	case sparse:
		in, values := p.selected.list(len(args)+1, p.q.Filter)
		index = `INDEXED BY capture_row_combination`
		where += ` AND combination IN (` + in + `)`
		order = `+sort_time, session_id, athlete` // the plus keeps PostgreSQL from walking the list
		args = append(args, values...)
	default:
		holds, values := p.selected.holds(len(args)+1, p.q.Filter)
		where += ` AND ` + holds
		args = append(args, values...)
	}
	var page bodies
	if err := p.t.Do(page.read(p.q.Include, `FROM capture_row /*+ `+index+` */ WHERE `+where+
		inStretch+` ORDER BY `+order+
		` LIMIT $6 OFFSET $7`, args...)); err != nil {
		return err
	}
	return p.take(&page, 0, int64(len(page.ends)))
}

// bodies are rows as they are read: their bytes one behind the other.
type bodies struct {
	all  []byte
	ends []int
	of   []rowOf // when something is to be included
}

// read reads rows; from is the rest of the statement.
func (b *bodies) read(include capture.Include, from string, args ...any) db.Statement {
	columns := `body`
	if include.Rows() {
		columns = `body, session_id, athlete`
	}
	return db.Each(func(r db.Rows) error {
		if include.Rows() {
			var body []byte
			var row rowOf
			if err := r.Scan(&body, &row.session, &row.athlete); err != nil {
				return err
			}
			b.of = append(b.of, row)
		}
		b.all = append(b.all, r.Raw(0)...)
		b.ends = append(b.ends, len(b.all))
		return nil
	}, `SELECT `+columns+` `+from, args...)
}

// take makes rows from…to those of the page.
func (p *pager) take(b *bodies, from, to int64) error {
	p.rows = make([][]byte, 0, to-from)
	for i := from; i < to; i++ {
		start := 0
		if i > 0 {
			start = b.ends[i-1]
		}
		p.rows = append(p.rows, b.all[start:b.ends[i]:b.ends[i]])
	}
	if b.of != nil {
		b.of = b.of[from:to]
	}
	return p.include(b.of)
}

// include puts into the rows what the query wants to have in them.
func (p *pager) include(of []rowOf) error {
	if !p.q.Include.Rows() || len(p.rows) == 0 {
		return nil
	}
	more, err := included(p.t, p.org, p.q.Include, of)
	if err != nil {
		return err
	}
	for i, row := range p.rows {
		p.rows[i] = capture.AppendRow(nil, row, p.q.Include, &more[i])
	}
	return nil
}

// loadList gives the counts of a list at the snapshot's generation.
func (s *Store) loadList(t db.Tx, key listKey, generation int64) (*tally.List, error) {
	if key.born == 0 {
		return tally.NewList(0, nil), nil
	}
	exact, older := s.lists.get(key, generation)
	if exact != nil {
		return exact, nil
	}
	since := int64(0)
	if older != nil {
		since = older.Generation
	}
	var blocks []tally.Block
	if err := t.Do(db.Each(func(r db.Rows) error {
		var b tally.Block
		err := r.Scan(&b.ID, &b.Low.Time, &b.Low.SessionID, &b.Counts)
		blocks = append(blocks, b)
		return err
	}, `SELECT id, sort_time, session_id, counts FROM list_block WHERE organization = $1 AND athlete = $2 AND generation > $3`, key.org, key.athlete, since)); err != nil {
		return nil, err
	}
	if older == nil {
		older = tally.NewList(0, nil)
	}
	list := older.With(generation, blocks)
	s.lists.put(key, list)
	return list, nil
}

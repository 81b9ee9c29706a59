package store

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
)

// picked is a capture of the page, and how many rows of the list it takes.
type picked struct {
	key   capture.Key
	rows  int64
	block *search.Block // nil when it must be looked up
	at    int           // in the block
}

// difference is what waiting changes make of what is known of a block.
type difference struct {
	rows, docs int64
	come       []int // of loose.docs
}

// differences lays the waiting changes onto the blocks that they will be folded into; the
// key is nil where there are no blocks yet.
func (p *pager) differences(x *texts, r *hits, q *search.Query, l *loose) (map[*textBlock]*difference, error) {
	all := map[*textBlock]*difference{}
	of := func(b *textBlock) *difference {
		if all[b] == nil {
			all[b] = new(difference)
		}
		return all[b]
	}
	for key := range l.changed {
		b := x.at(key)
		if b == nil || !r.matches[b.of].Any(b.place) {
			continue
		}
		texts, err := p.textsOf(x, b)
		if err != nil {
			return nil, err
		}
		if i, ok := texts.Find(key); ok && r.matches[b.of].Has(b.place, i) {
			d := of(b)
			d.docs--
			d.rows -= texts.Rows(q, i)
		}
	}
	for i := range l.docs {
		d := of(x.at(l.docs[i].Key))
		d.docs++
		d.rows += l.rows[i]
		d.come = append(d.come, i)
	}
	return all, nil
}

// readMatches adds up the total and reads the rows.
func (p *pager) readMatches(x *texts, r *hits, q *search.Query, l *loose) error {
	differences, err := p.differences(x, r, q, l)
	if err != nil {
		return err
	}
	rows := make(map[*segment]int64, len(x.segments)) // nil stands for what has no blocks yet
	for _, s := range x.segments {
		p.total += r.matches[s].Docs
		rows[s] = r.matches[s].Rows
	}
	for b, d := range differences {
		p.total += d.docs
		rows[b.segment()] += d.rows
	}
	for _, n := range rows {
		p.all += n
	}
	f := finding{p: p, x: x, r: r, q: q, l: l, differences: differences}
	if p.q.Captured.Given() {
		count, before, err := f.countRange(p.q.Captured)
		if err != nil {
			return err
		}
		p.total, p.all = count.Captures, count.Rows
		f.offset = before
	}
	from, want := p.part()
	if want == 0 {
		return nil
	}
	f.offset += from
	f.want = want
	segments := x.segments
	if len(segments) == 0 {
		segments = []*segment{nil}
	}
	for _, s := range segments {
		if f.passes(rows[s]) {
			continue
		}
		if err := f.segment(s); err != nil {
			return err
		}
		if f.done {
			break
		}
	}
	return p.readPicked(x, f.page, f.touched, f.offset-f.seen, f.want)
}

// segment is that of a block, nil for no block.
func (b *textBlock) segment() *segment {
	if b == nil {
		return nil
	}
	return b.of
}

// finding looks for the captures of a page among those that match.
type finding struct {
	p           *pager
	x           *texts
	r           *hits
	q           *search.Query
	l           *loose
	differences map[*textBlock]*difference
	offset      int64 // rows of the whole list before the page
	want        int64 // rows

	page      []picked
	seen, got int64 // rows before the page's first capture; of picked ones
	touched   int   // blocks
	done      bool
}

// passes goes over as many rows where the page does not begin in them.
func (f *finding) passes(rows int64) bool {
	if rows == 0 || len(f.page) == 0 && f.seen+rows <= f.offset {
		f.seen += rows
		return true
	}
	return false
}

// segment picks captures of a segment.
func (f *finding) segment(s *segment) error {
	if s == nil {
		f.take(pick(nil, nil, f.q, f.l, f.differences[nil]))
		return nil
	}
	m := &f.r.matches[s].Match
	for _, b := range s.blocks {
		d := f.differences[b]
		if d == nil && !m.Any(b.place) {
			continue
		}
		texts, err := f.p.textsOf(f.x, b)
		if err != nil {
			return err
		}
		rows := m.RowsOf(f.q, b.place, texts)
		if d != nil {
			rows += d.rows
		}
		if f.passes(rows) {
			continue
		}
		if f.take(pick(texts, m.All(b.place), f.q, f.l, d)); f.done {
			break
		}
	}
	return nil
}

// take adds the captures of a block.
func (f *finding) take(list []picked) {
	f.touched++
	for _, one := range list {
		if len(f.page) == 0 && f.seen+one.rows <= f.offset {
			f.seen += one.rows
			continue
		}
		f.page = append(f.page, one)
		if f.got += one.rows; f.got-(f.offset-f.seen) >= f.want {
			f.done = true
			return
		}
	}
}

// pick gives the captures of a block that match, in the list's order.
func pick(b *search.Block, match iter.Seq[int], q *search.Query, l *loose, d *difference) []picked {
	var list []picked
	if b != nil {
		for i := range match {
			if key := b.Key(i); d == nil && len(l.changed) == 0 || !l.changed[key] {
				list = append(list, picked{key, b.Rows(q, i), b, i})
			}
		}
	}
	if d == nil || len(d.come) == 0 {
		return list
	}
	for _, i := range d.come {
		list = append(list, picked{key: l.docs[i].Key, rows: l.rows[i]})
	}
	slices.SortFunc(list, func(a, b picked) int { return a.key.Compare(b.key) })
	return list
}

var writeChunkKeys = keyParameters(2, writeChunk)

// keyParameters lists n pairs of parameters for places in the list, from the first on.
func keyParameters(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "(CAST($%d AS bigint), CAST($%d AS text))", first+2*i, first+2*i+1)
	}
	return b.String()
}

// pickedRow is a row of a picked capture.
type pickedRow struct {
	place int // in the page
	of    rowOf
	body  []byte
}

// readPicked gives the rows of the captures of a page, passing over the first few: those whose patterns are held
// from memory, the others from the database.
func (p *pager) readPicked(x *texts, page []picked, blocks int, rest, want int64) error {
	list, missing := p.remembered(x, page)
	if len(missing) > 0 {
		var err error
		if list, err = p.lookUp(list, page, missing, blocks); err != nil {
			return err
		}
		slices.SortFunc(list, func(a, b pickedRow) int {
			if a.place != b.place {
				return a.place - b.place
			}
			return bytes.Compare(a.of.athlete[:], b.of.athlete[:])
		})
	}
	if int64(len(list)) < rest+want {
		return errors.New("the texts of a list do not fit its rows")
	}
	var of []rowOf
	for _, one := range list[rest : rest+want] {
		p.rows = append(p.rows, one.body)
		of = append(of, one.of)
	}
	return p.include(of)
}

// remembered makes the rows of the captures whose patterns are held, in their order, and gives the places of
// the others.
func (p *pager) remembered(x *texts, page []picked) (list []pickedRow, missing map[string]int) {
	list = make([]pickedRow, 0, len(page))
	var athletes []uint32
	var all []byte
	add := func(place int, pattern string, athlete db.ID) {
		if p.athlete != (db.ID{}) && athlete != p.athlete {
			return
		}
		who, key, begin := "", page[place].key, len(all)
		if athlete != (db.ID{}) {
			who = athlete.String()
		}
		all = key.AppendRow(all, pattern, who)
		list = append(list, pickedRow{place, rowOf{key.SessionID, athlete}, all[begin:len(all):len(all)]})
	}
	for i, one := range page {
		if one.block == nil || one.block.Pattern(one.at) == 0 {
			if missing == nil {
				missing = make(map[string]int, len(page)-i)
			}
			missing[one.key.SessionID] = i
			continue
		}
		pattern := x.patterns.Text(one.block.Pattern(one.at))
		athletes = one.block.Athletes(athletes[:0], one.at)
		for _, n := range athletes {
			add(i, pattern, x.people.ID(n))
		}
		if len(athletes) == 0 {
			add(i, pattern, db.ID{})
		}
	}
	return list, missing
}

// lookUp adds the rows of captures that it reads: all rows between the first and the last where they lie close
// together, else those of each capture alone.
func (p *pager) lookUp(list []pickedRow, page []picked, missing map[string]int, blocks int) ([]pickedRow, error) {
	take := func(r db.Rows) error {
		var one pickedRow
		if err := r.Scan(&one.of.session, &one.of.athlete, &one.body); err != nil {
			return err
		}
		i, ok := missing[one.of.session]
		if one.place = i; ok && (p.athlete == (db.ID{}) || one.of.athlete == p.athlete) {
			list = append(list, one)
		}
		return nil
	}
	keys := make([]capture.Key, 0, len(missing))
	for i := range page {
		if _, ok := missing[page[i].key.SessionID]; ok {
			keys = append(keys, page[i].key)
		}
	}
	if len(keys) > len(page)/2 && blocks <= 1+len(keys)/32 {
		first, last := keys[0], keys[len(keys)-1]
		err := p.t.Do(db.Each(take,
			`SELECT session_id, athlete, body FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1 AND (sort_time, session_id) >= ($2, $3) AND (sort_time, session_id) <= ($4, $5)`+alongList,
			p.org, first.Time, first.SessionID, last.Time, last.SessionID))
		return list, err
	}
	var statements []db.Statement
	for part := range slices.Chunk(keys, writeChunk) {
		args := append(make([]any, 0, 2*writeChunk+1), p.org)
		for i := range writeChunk { // the last one fills it up, so that the statement has one text
			key := part[min(i, len(part)-1)]
			args = append(args, key.Time, key.SessionID)
		}
		statements = append(statements,
			db.Each(take, `SELECT session_id, athlete, body FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1 AND (sort_time, session_id) IN (VALUES `+writeChunkKeys+`)`, args...))
	}
	err := p.t.Do(statements...)
	return list, err
}

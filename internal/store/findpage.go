package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/search"
)

// picked is a capture of the page, and how many rows of the list it takes.
type picked struct {
	key  capture.Key
	rows int64
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
		if b == nil || r.matches[b.slot].Docs == 0 {
			continue
		}
		if err := p.loadOne(x, b); err != nil {
			return nil, err
		}
		if i, ok := b.texts.Find(key); ok && r.matches[b.slot].Has(i) {
			d := of(b)
			d.docs--
			d.rows -= b.texts.Rows(q, i)
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

// loadOne reads the texts of a block that is not in memory.
func (p *pager) loadOne(x *texts, b *textBlock) error {
	if b.texts != nil {
		return nil
	}
	i := slices.Index(x.order, b)
	return p.load(x, i, i+1)
}

// readMatches adds up the total and reads the rows.
func (p *pager) readMatches(x *texts, r *hits, q *search.Query, l *loose) error {
	differences, err := p.differences(x, r, q, l)
	if err != nil {
		return err
	}
	for _, b := range x.order {
		p.total += r.matches[b.slot].Docs
		p.all += r.matches[b.slot].Rows
	}
	for _, d := range differences {
		p.total += d.docs
		p.all += d.rows
	}
	if p.q.Offset >= p.all {
		return nil
	}
	want := min(int64(p.q.Limit), p.all-p.q.Offset)
	var page []picked
	var seen, got int64 // rows before the page's first capture; of picked ones
	blocks := x.order
	if len(blocks) == 0 {
		blocks = []*textBlock{nil}
	}
	touched := 0
	for _, b := range blocks {
		var m blockMatch
		rows := int64(0)
		if b != nil {
			m = r.matches[b.slot]
			rows = m.Rows
		}
		d := differences[b]
		if d != nil {
			rows += d.rows
		}
		if rows == 0 || len(page) == 0 && seen+rows <= p.q.Offset {
			seen += rows
			continue
		}
		touched++
		if b != nil {
			if err := p.loadOne(x, b); err != nil {
				return err
			}
		}
		for _, pick := range pick(b, &m, q, l, d) {
			if len(page) == 0 && seen+pick.rows <= p.q.Offset {
				seen += pick.rows
				continue
			}
			page = append(page, pick)
			if got += pick.rows; got-(p.q.Offset-seen) >= want {
				break
			}
		}
		if got-(p.q.Offset-seen) >= want {
			break
		}
	}
	return p.readPicked(page, touched, p.q.Offset-seen, want)
}

// pick gives the captures of a block that match, in the list's order.
func pick(b *textBlock, m *blockMatch, q *search.Query, l *loose, d *difference) []picked {
	var list []picked
	if b != nil {
		for i := range b.texts.Len() {
			if !m.Has(i) {
				continue
			}
			if key := b.texts.Key(i); d == nil && len(l.changed) == 0 || !l.changed[key] {
				list = append(list, picked{key, b.texts.Rows(q, i)})
			}
		}
	}
	if d == nil || len(d.come) == 0 {
		return list
	}
	for _, i := range d.come {
		list = append(list, picked{l.docs[i].Key, l.rows[i]})
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

// readPicked reads the rows of the captures of a page, passing over the first few. Where
// they lie close together all rows between are read; else each capture is looked up.
func (p *pager) readPicked(page []picked, blocks int, rest, want int64) error {
	place := make(map[string]int, len(page))
	for i := range page {
		place[page[i].key.SessionID] = i
	}
	type row struct {
		place int
		of    rowOf
		body  []byte
	}
	list := make([]row, 0, len(page))
	take := func(r rows) error {
		var one row
		if err := r.Scan(&one.of.session, &one.of.athlete, &one.body); err != nil {
			return err
		}
		i, ok := place[one.of.session]
		if one.place = i; ok && (p.athlete == (id{}) || one.of.athlete == p.athlete) {
			list = append(list, one)
		}
		return nil
	}
	var statements []statement
	if blocks <= 1+len(page)/32 {
		first, last := page[0].key, page[len(page)-1].key
		statements = append(statements, each(take, `SELECT session_id, athlete, body FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1 AND (sort_time, session_id) >= ($2, $3) AND (sort_time, session_id) <= ($4, $5)`,
			p.org, first.Time, first.SessionID, last.Time, last.SessionID))
	} else {
		for part := range slices.Chunk(page, writeChunk) {
			args := append(make([]any, 0, 2*writeChunk+1), p.org)
			for i := range writeChunk { // the last one fills it up, so that the statement has one text
				key := part[min(i, len(part)-1)].key
				args = append(args, key.Time, key.SessionID)
			}
			statements = append(statements, each(take, `SELECT session_id, athlete, body FROM capture_row /*+ NOT INDEXED */ WHERE organization = $1 AND (sort_time, session_id) IN (VALUES `+writeChunkKeys+`)`, args...))
		}
	}
	if err := p.t.do(statements...); err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b row) int {
		if a.place != b.place {
			return a.place - b.place
		}
		return bytes.Compare(a.of.athlete[:], b.of.athlete[:])
	})
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

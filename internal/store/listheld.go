package store

import (
	"context"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/store/tally"
)

// Where an organization's texts are in memory, for somebody searches it, the rows of a filtered page are made from
// there too: in the database they lie among those that do not pass the filter, or each on a page of its own.

// textsFor gives the texts that a query needs, for the caller's turn: for a search always, for a filtered page if
// they are in memory and nobody has them just now; else nil.
func (s *Store) textsFor(ctx context.Context, key answerKey) (*texts, error) {
	switch q := key.query; {
	case q.Search != "":
		s.searched(key.org)
		return s.finder.enter(ctx, key.org)
	case q.Filter != (capture.Filter{}) && q.AthleteID == "":
		return s.finder.idle(key.org), nil
	}
	return nil, nil
}

// readHeld makes the rows of a span from memory. whole is false where they are not all in memory, or a waiting
// change is about a capture among them: they are to be read then.
func (p *pager) readHeld(x *texts, span tally.Span, changes []tally.Change, want int64) (whole bool, err error) {
	if x.people == nil || x.born != p.list.born {
		return false, nil
	}
	within := func(k capture.Key) bool { return k.Compare(span.Low) >= 0 && (span.Open || k.Compare(span.High) < 0) }
	for i := range changes {
		if within(changes[i].Key) {
			return false, nil
		}
	}
	if err := p.refreshBlocks(x); err != nil {
		return false, err
	}
	first := x.at(span.Low)
	if first == nil || first.low != span.Low {
		return false, nil
	}
	everybody := search.Query{One: -1}
	page, rest, got := make([]picked, 0, want), span.Rest, int64(0)
	for _, b := range x.order[first.at:] {
		if !b.fresh {
			if b.of.texts == nil {
				return false, nil
			}
			if err := p.hold(x, b.of); err != nil {
				return false, err
			}
			x.makeRoom(p.s.finder.limit, b.of)
			if !b.fresh {
				return false, nil
			}
		}
		for i := range b.texts.Len() {
			if !p.selected.set.Has(b.texts.Combination(i)) {
				continue
			}
			rows := b.texts.Rows(&everybody, i)
			if len(page) == 0 && rows <= rest {
				rest -= rows
				continue
			}
			key := b.texts.Key(i)
			if !within(key) {
				return false, nil
			}
			page = append(page, picked{key, rows, b.texts, i})
			if got += rows; got-rest >= want {
				return true, p.readPicked(x, page, len(page), rest, want)
			}
		}
	}
	return false, nil
}

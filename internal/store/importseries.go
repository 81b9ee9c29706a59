package store

import (
	"cmp"
	"context"
	"time"

	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// An import that has the database to itself writes many parts in one transaction, and the captures of
// all of them in the order of the tables. Nobody waits for it; and when somebody comes, it ends with
// the part that it is at.

// Series gives the store's way to take long imports; nil on PostgreSQL, which writes rows to its log
// and not pages, and has no use for long transactions.
func (s *Store) Series() manifest.Series {
	if _, ok := s.lite(); !ok {
		return nil
	}
	return s
}

// seriesRecords end a transaction: what is told of each of them is held until it is committed, and lines that
// repeat what is there already hold nothing back that would end it.
const seriesRecords = 50_000

// ImportSeries writes the parts that next gives in one transaction; see manifest.Series.
func (s *Store) ImportSeries(ctx context.Context, sc organization.Scope, next func() []manifest.Record,
	told func([]manifest.Outcome)) (begun bool, err error) {
	org := sc.Organization
	e, ok := s.lite()
	if !ok || e.Crowded() {
		return false, nil
	}
	// The changes of lists are counted after each transaction, by the import itself: it would be ended by
	// the work behind the scenes that waits for it.
	s.folder.held.Add(1)
	defer s.folder.held.Add(-1)
	var records, pages int
	pages, err = e.Long(ctx, org, s.writing(ctx, func(w *writeTx) error {
		w.sheaf = newSheaf(s.sheafBytes)
		i := importing{s: s, w: w, now: s.now().UTC().Truncate(time.Millisecond)}
		for part := next(); len(part) > 0; part = next() {
			i.outcomes = make([]manifest.Outcome, 0, len(part))
			if err := i.all(part); err != nil {
				return err
			}
			told(i.outcomes)
			records += len(part)
			if w.sheaf.full() || records >= cmp.Or(s.seriesMost, seriesRecords) || e.Crowded() {
				break
			}
		}
		return w.sheaf.write(w)
	}))
	if err != nil {
		return true, db.ToFault(err)
	}
	s.engine.Filled(ctx, records)
	s.foldRest(ctx)
	e.Shorten(pages)
	return true, nil
}

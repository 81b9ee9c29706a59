package db

import "context"

// seriesCache is the page cache of a series, in KiB: the pages that its rows go to.
const seriesCache = 24 << 10

// Long is bulk for a series of writes that has the database to itself: with a larger cache, and with a log
// that is copied when the caller says so (shorten). pages is the length of the log after the commit.
func (e *SQLite) Long(ctx context.Context, org ID, fn func(*Write) error) (pages int, err error) {
	e.importing.Add(1)
	defer e.importing.Add(-1)
	err = e.Bulk(ctx, org, func(w *Write) error {
		if err := w.Do(cacheSize(seriesCache)); err != nil {
			return err
		}
		err := fn(w)
		if small := w.Do(cacheSize(writerCache)); err == nil {
			err = small
		}
		w.Then(func() { pages = e.walPages })
		return err
	})
	return pages, err
}

// Shorten copies a log of so many pages into the database if it is long.
func (e *SQLite) Shorten(pages int) {
	if pages < longPages {
		return
	}
	if err := e.checkpoint(true); err != nil {
		e.log.Debug("the log is copied into the database later", "error", err)
	}
}

// Crowded says whether somebody else uses the database, or waits for it in this process.
func (e *SQLite) Crowded() bool { return len(e.queue) > 0 || !e.presence.alone() }

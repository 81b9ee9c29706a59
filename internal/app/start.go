package app

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/store"
)

// retryEvery is how long a start waits before it asks again for what was away.
const retryEvery = time.Second

// The reasons that /readyz gives while a start waits.
const (
	databaseAway = "the database cannot be reached"
	bucketAway   = "the bucket cannot be reached"
)

// await opens what may not be up yet. While it cannot be reached, /readyz says so, and it
// is tried again for as long as is configured. Any other error ends the start at once.
func await[T any](ctx context.Context, a *App, reason string, open func() (T, error)) (T, error) {
	var over <-chan time.Time
	for {
		opened, err := open()
		if err == nil || !fault.IsAway(err) || a.config.StartWait == 0 || ctx.Err() != nil {
			a.front.wait("")
			return opened, err
		}
		a.front.wait(reason)
		if over == nil {
			over = a.retry(a.config.StartWait)
			a.log.Warn(reason+"; it is tried again", "for", a.config.StartWait, "error", err)
		}
		select {
		case <-a.retry(retryEvery):
		case <-over:
			a.log.Error(reason+"; the start is given up", "waited", a.config.StartWait, "setting",
				"KINEBASE_START_WAIT")
			return opened, err
		case <-ctx.Done():
			return opened, ctx.Err()
		}
	}
}

func (a *App) openStore(ctx context.Context) (*store.Store, error) {
	return await(ctx, a, databaseAway, func() (*store.Store, error) {
		return store.Open(ctx, store.Options{
			Data: a.config.Data, DatabaseURL: a.config.DatabaseURL.Reveal(),
			ExportStorage: a.config.ExportStorage, FileStorage: a.config.FileStorage, ChangesKeep: a.config.ChangesKeep,
			AuditKeep:   a.config.AuditKeep,
			SearchBytes: int(a.config.SearchMemory), Log: a.log, Timer: a.databaseTimer, Ahead: true,
			Calls: a.calls.database,
		})
	})
}

func (a *App) openFiles(ctx context.Context) (*Files, error) {
	return await(ctx, a, bucketAway, func() (*Files, error) { return openFiles(ctx, a.config, a.log, a.bucketTimer) })
}

package jobs

import (
	"context"
	"maps"
	"slices"
	"time"
)

// On PostgreSQL the library does not announce a job that follows another within a tenth of a second. It would have each
// queue polled for those, by a statement that locks what it finds. One look at all queues, which announces what it
// finds, costs an idle server and its database a fifth of that.

// unannouncedEvery is how often a server looks for jobs that were not announced.
const unannouncedEvery = time.Second

// announceWaiting announces the queues in which jobs wait, to all servers, at each tick.
func (o Options) announceWaiting(ctx context.Context, tick <-chan time.Time) {
	names := slices.Collect(maps.Keys(queues(o)))
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
		// A database that does not answer is asked again at the next tick. The calls that need it report it.
		_, _ = o.Postgres.Exec(ctx, `SELECT pg_notify(current_schema() || '.`+insertTopic+`', json_build_object('queue', q)::text)
FROM unnest($1::text[]) AS q
WHERE EXISTS (SELECT 1 FROM river_job WHERE state = 'available' AND queue = q AND scheduled_at <= now())`, names)
	}
}

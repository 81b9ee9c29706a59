// Package jobs does the work that the store's transactions ask for: files are read,
// reservations end, what belongs to nobody is erased. The queue is River's; what
// is true stands in the store's own rows, which every worker asks first, so that a
// job may come twice, late, or after its capture has gone.
package jobs

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"golang.org/x/sync/semaphore"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
	"github.com/kinebase/kinebase/webhook"
)

// Options are what workers work with.
type Options struct {
	SQLite   *sql.DB       // the queue's database: one of the two
	Postgres *pgxpool.Pool // the other one
	// Await waits until there may be new jobs in SQLite, and names their queues; none
	// means that it may be any.
	Await func(context.Context) ([]string, error)

	// Owner says that the database role owns the queue's tables: then the library rebuilds their
	// indexes every night.
	Owner    bool
	Database *breaker.Breaker // of the store; nil on SQLite

	Organizations organization.Store // for what is done for all of them
	Leases        job.Leases
	Readings      upload.Readings
	Uploads       upload.Store
	Pieces        upload.Pieces
	Files         upload.Files
	Composer      upload.Composer // of Files; nil where they make no file of others
	// Tidy removes what was left of files that were never whole; nil where a file has its name
	// from the first, as in a bucket.
	Tidy      func() (removed int, err error)
	Bucket    *breaker.Breaker // of Files, while it is open work waits; nil where files are on a disk
	Reader    upload.Reader
	Library   upload.Library
	Landings  upload.Landings // nil where files come to this server itself
	Exports   export.Builder
	Copies    export.FileBuilder
	Results   export.Results
	Webhooks  webhook.Deliverer
	Sender    webhook.Sender          // nil: nothing is delivered
	Downloads *export.ActiveDownloads // what the interface of this server writes; nil: nothing

	Workers int // files that are read at the same time; 0: none is read here, and no export built
	// ReadTime is the most that reading one file takes, whatever it is.
	ReadTime time.Duration
	// ExportBudget is the memory, in bytes, that a result must fit to be given out.
	ExportBudget int64
	// LookEvery is the time between two looks for landed files (default 1 s).
	LookEvery time.Duration
	// WaitEvery is the time between two looks for videos that are still to come (default 15 s).
	WaitEvery time.Duration
	Log       *slog.Logger
	// Calls counts jobs by their works; nil: nothing does.
	Calls *telemetry.Calls
}

// Jobs are running workers.
type Jobs struct {
	cancel   context.CancelFunc
	running  sync.WaitGroup
	stop     func(context.Context) error // nil until the queue has started
	landings *landingPoller              // nil where files come to this server itself
	files    *storing
	abandon  context.CancelFunc // gives files back that are being stored
}

// BucketLost says whether the bucket does not answer, or the last look into it failed;
// false without one.
func (j *Jobs) BucketLost() bool {
	return j.landings != nil && (j.landings.lost.Load() || j.landings.Bucket.Open())
}

// The times of the queue. A step that a dead worker had begun is begun again by
// another within them.
const (
	stepTime    = 15 * time.Second
	rescueAfter = 16 * time.Second
	keepDone    = time.Hour
	stopTime    = 10 * time.Second
)

// fetchPause is how long a server that has taken files from the queue waits before it looks
// for more. By the library's own, 100 ms, it would never begin more than ten times as many files
// a second as it has workers.
const fetchPause = 10 * time.Millisecond

// pollEvery is how often each queue is polled for jobs that nobody announced, which is for what was overlooked: the
// store announces every job on SQLite, and announceWaiting on PostgreSQL what the library does not.
const pollEvery = 5 * time.Second

// retryStart is the wait before the queue is started again after a failed start.
const retryStart = 5 * time.Second

// Start starts workers, which Close ends. A database that cannot be written to at the
// time, for its disk is full, keeps nobody from reading: the queue then starts later.
func Start(ctx context.Context, o Options) (*Jobs, error) {
	if o.LookEvery == 0 {
		o.LookEvery = time.Second
	}
	if o.Downloads == nil {
		o.Downloads = new(export.ActiveDownloads)
	}
	direct := o.Files
	if o.Bucket != nil {
		o.Files = steady{o.Files, o.Bucket}
	}
	files := &storing{room: semaphore.NewWeighted(int64(storedAtOnce * o.Workers))}
	var abandon context.CancelFunc
	files.ctx, abandon = context.WithCancel(context.WithoutCancel(ctx))
	workers := river.NewWorkers()
	river.AddWorker(workers, &processor{Options: o, storing: files})
	river.AddWorker(workers, &recomputer{Recompute: Recompute{Library: o.Library, Files: o.Files, Reader: o.Reader},
		atOnce: max(1, o.Workers), limit: o.ReadTime + slack, log: o.Log,
		places: map[organization.ID]upload.Outdated{}})
	watch := func(ctx context.Context, j job.Job) (time.Duration, error) { return o.Leases.Watch(ctx, j.Watched()) }
	river.AddWorker(workers, &pollWorker[watching]{ask: watch})
	river.AddWorker(workers, &pollWorker[watchingBuild]{ask: watch})
	river.AddWorker(workers, &pollWorker[watchingCopy]{ask: watch})
	river.AddWorker(workers, &pollWorker[watchingPiece]{ask: watch})
	river.AddWorker(workers, &gatherer{Options: o})
	river.AddWorker(workers, &pollWorker[expiring]{ask: about(o.Readings.Expire)})
	river.AddWorker(workers, &eraser{readings: o.Readings, files: direct})
	river.AddWorker(workers, &builder{Options: o, direct: direct, turns: semaphore.NewWeighted(buildTurn)})
	river.AddWorker(workers, &pollWorker[forgetting]{ask: about(o.Exports.ForgetResult)})
	river.AddWorker(workers, &fileBuilder{Options: o, room: semaphore.NewWeighted(copyRoom)})
	if o.Sender != nil {
		river.AddWorker(workers, &deliverer{hooks: o.Webhooks, sender: o.Sender})
	}
	start := func() (func(context.Context) error, error) {
		if o.Postgres != nil {
			return run(ctx, riverpgxv5.New(o.Postgres), workers, o)
		}
		return run(ctx, listeningTo(o.SQLite, o, slices.Collect(maps.Keys(queues(o)))), workers, o)
	}
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j := &Jobs{cancel: cancel, files: files, abandon: abandon}
	var err error
	if j.stop, err = start(); err != nil {
		o.Log.Warn("the queue cannot be started; it is tried again", "error", err)
		j.running.Go(func() { j.stop = started(working, start) })
	}
	round := time.NewTicker(searchEvery)
	j.running.Go(func() { defer round.Stop(); o.search(working, round.C) })
	j.running.Go(func() { o.measure(working) })
	if o.Postgres != nil {
		waiting := time.NewTicker(unannouncedEvery)
		j.running.Go(func() { defer waiting.Stop(); o.announceWaiting(working, waiting.C) })
	}
	hour := time.NewTicker(recomputeEvery)
	j.running.Go(func() { defer hour.Stop(); o.recompute(working, hour.C) })
	if o.Landings != nil {
		look := time.NewTicker(o.LookEvery)
		j.landings = &landingPoller{Options: o}
		j.running.Go(func() { defer look.Stop(); j.landings.loop(working, look.C) })
	}
	return j, nil
}

// started starts the queue as soon as that is possible; nil when the time is up.
func started(ctx context.Context, start func() (func(context.Context) error, error)) func(context.Context) error {
	tick := time.NewTicker(retryStart)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if stop, err := start(); err == nil {
			return stop
		}
	}
}

// queues are those that this server works for.
func queues(o Options) map[string]river.QueueConfig {
	all := map[string]river.QueueConfig{job.Quick: {MaxWorkers: 4}}
	if o.Sender != nil {
		all[job.Webhooks] = river.QueueConfig{MaxWorkers: deliverers}
	}
	if o.Workers > 0 {
		all[job.Slow] = river.QueueConfig{MaxWorkers: o.Workers, FetchCooldown: fetchPause}
		all[job.Exports] = river.QueueConfig{MaxWorkers: builders}
		all[job.Copies] = river.QueueConfig{MaxWorkers: fileBuilders}
	}
	return all
}

// run starts a client of the queue on either database.
func run[T any](ctx context.Context, driver riverdriver.Driver[T], workers *river.Workers,
	o Options) (func(context.Context) error, error) {
	var reindex river.PeriodicSchedule // nil: every night
	if !o.Owner {
		reindex = river.NeverSchedule()
	}
	client, err := river.NewClient(driver, &river.Config{
		ReindexerSchedule:           reindex,
		Queues:                      queues(o),
		Workers:                     workers,
		Logger:                      slog.New(warnOnly{o.Log.Handler(), o.Database}),
		ErrorHandler:                failures{o.Log},
		JobTimeout:                  stepTime,
		RescueStuckJobsAfter:        rescueAfter,
		RetryPolicy:                 patience{},
		CompletedJobRetentionPeriod: keepDone,
		CancelledJobRetentionPeriod: keepDone,
		FetchPollInterval:           pollEvery,
		Middleware:                  []rivertype.Middleware{river.WorkerMiddlewareFunc(o.counted)},
	})
	if err != nil {
		return nil, err
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("the queue: %w", err)
	}
	return client.StopAndCancel, nil
}

// Failed tells a job that has failed from one that is put off, or is about what a neighbour does not answer:
// that has figures of its own.
func Failed(err error) bool {
	return !errors.Is(err, new(river.JobSnoozeError)) && !errors.Is(err, new(river.JobCancelError)) &&
		!breaker.Silent(err) && !errors.Is(err, context.Canceled)
}

var errPanic = errors.New("a panic")

// counted counts a job.
func (o Options) counted(ctx context.Context, j *rivertype.JobRow, work func(context.Context) error) error {
	var about struct {
		Trace string `json:"trace"`
	}
	if bytes.Contains(j.EncodedArgs, []byte(`"trace"`)) && json.Unmarshal(j.EncodedArgs, &about) == nil {
		ctx = telemetry.Under(ctx, about.Trace)
	}
	ctx, call := o.Calls.Begin(ctx, j.Kind)
	err := errPanic
	defer func() { call.End(err) }()
	err = work(ctx)
	return err
}

// Close ends the workers: what they are at is given back, and goes on elsewhere or
// after the next start.
func (j *Jobs) Close() error {
	j.cancel()
	j.running.Wait()
	defer j.files.files.Wait()
	defer j.abandon()
	if j.stop == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	return j.stop(ctx)
}

// patience decides when a failed job is tried again: soon at first, then every minute.
type patience struct{}

func (patience) NextRetry(j *rivertype.JobRow) time.Time {
	return time.Now().Add(min(time.Minute, time.Duration(len(j.Errors)+1)*time.Second))
}

// failures tells the log of jobs that fail. They are tried again.
type failures struct{ log *slog.Logger }

func (f failures) HandleError(_ context.Context, j *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	if breaker.Silent(err) { // the database or the bucket, which was told when it began
		return nil
	}
	f.log.Warn("a job failed; it is tried again", "work", j.Kind, "attempt", j.Attempt, "error", err)
	return nil
}

func (f failures) HandlePanic(_ context.Context, j *rivertype.JobRow, p any, trace string) *river.ErrorHandlerResult {
	f.log.Error("panic in a job; it is tried again", "work", j.Kind, "panic", fmt.Sprint(p), "stack", trace)
	return nil
}

// warnOnly drops the queue's messages below a warning, which come every second. While the
// database does not answer it drops everything.
type warnOnly struct {
	slog.Handler
	database *breaker.Breaker
}

func (h warnOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && !h.database.Open() && h.Handler.Enabled(ctx, level)
}

func (h warnOnly) WithAttrs(a []slog.Attr) slog.Handler {
	return warnOnly{h.Handler.WithAttrs(a), h.database}
}
func (h warnOnly) WithGroup(name string) slog.Handler {
	return warnOnly{h.Handler.WithGroup(name), h.database}
}

// scope is in whose name a job acts.
func scope(j job.Job) organization.Scope { return organization.In(j.Organization) }

// again has the job come once more after a while, if wait is above 0.
func again(wait time.Duration, err error) error {
	switch {
	case err != nil:
		return err
	case wait > 0:
		return river.JobSnooze(wait)
	}
	return nil
}

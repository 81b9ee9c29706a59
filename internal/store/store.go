// Package store keeps everything in a database: an embedded SQLite file or
// PostgreSQL, with the same SQL text. One file a noun; list.go and fold.go make
// the list of captures quick at any length.
package store

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
	people "github.com/kinebase/kinebase/person"
	"github.com/kinebase/kinebase/upload"
)

// Store implements the ports of all nouns.
var (
	_ organization.Store      = (*Store)(nil)
	_ organization.TokenStore = (*Store)(nil)
	_ athlete.Store           = (*Store)(nil)
	_ capture.Store           = (*Store)(nil)
	_ export.Store            = (*Store)(nil)
	_ export.Requests         = (*Store)(nil)
	_ export.Results          = (*Store)(nil)
	_ export.Builder          = (*Store)(nil)
	_ feed.Store              = (*Store)(nil)
	_ upload.Store            = (*Store)(nil)
	_ job.Leases              = (*Store)(nil)
	_ upload.Readings         = (*Store)(nil)
	_ manifest.Store          = (*Store)(nil)
)

// Options say where the data is.
type Options struct {
	Data        string       // the folder of the SQLite file; made when it is not there
	DatabaseURL string       // postgres://…; when set, Data is not used
	Log         *slog.Logger // nil for none

	// AnswerBytes bounds the memory of remembered answers (default 16 MiB),
	// TallyBytes that of the counts of lists (default 24 MiB).
	AnswerBytes, TallyBytes int
	// SearchBytes bounds the memory of the texts that captures are found by (default
	// 192 MiB, which is about 1.7 million captures). It is taken once somebody searches.
	SearchBytes int
	// FoldAfter is how long changes of lists wait to be folded (default 250 ms).
	FoldAfter time.Duration
	// ExportStorage is how many bytes the results of one organization may take
	// (default export.Storage).
	ExportStorage int64
	// FileStorage is how many bytes the files of one organization's captures may take;
	// 0: there is no bound.
	FileStorage int64
	// ChangesKeep is how long a deletion stays in the feed of changes (default feed.Keep).
	ChangesKeep time.Duration

	// AuditKeep is how long entries of the audit log are kept (default audit.Keep).
	AuditKeep time.Duration

	// Timer is the clock of what is waited for an answer of PostgreSQL; time.AfterFunc when
	// nil.
	Timer breaker.Timer

	// Calls counts the calls of the database; nil: nothing does.
	Calls *telemetry.Calls

	// Ahead has the athletes of large organizations read before anybody lists them, and the
	// texts of those that were searched lately before anybody searches.
	Ahead bool

	restoring bool // the store is being restored by this process
}

// Store is an open database.
type Store struct {
	options Options
	engine  db.Engine
	log     *slog.Logger
	now     func() time.Time

	tokens       remembered[organization.SecretHash, rememberedToken]
	tenants      remembered[string, namedTenant]
	ended        remembered[people.Key, int64]
	combinations combinationCache
	lists        listCache
	answers      answerCache
	finder       finder
	rosters      finder // of the athletes' lists
	folder       folder
	uses         tokenUses
	searches     searches
	latest       latestMoment
	watchers     watchers     // of the feed of changes
	many         atomic.Int64 // reservations that would be more captures than there may be
	full         atomic.Int64 // files and reservations that found no room
	spent        atomic.Int64 // exports that found no room for a result
	streamed     atomic.Int64 // up to which number of a transaction the whole audit log was streamed
	columnSets   columnSets
	sheafBytes   int // what a series of an import holds back; 0: sheafBytes
	seriesMost   int // records that end a series; 0: seriesRecords

	background context.Context // ends with the store
	stop       context.CancelFunc
	running    sync.WaitGroup
}

// Open opens the database, brings it to the newest version and starts the work
// behind the scenes, which Close ends. It waits while another process migrates. The
// error is a fault.Away while a PostgreSQL cannot be reached or is starting.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.AnswerBytes == 0 {
		o.AnswerBytes = 16 << 20
	}
	if o.TallyBytes == 0 {
		o.TallyBytes = 24 << 20
	}
	if o.SearchBytes == 0 {
		o.SearchBytes = 192 << 20
	}
	if o.AuditKeep == 0 {
		o.AuditKeep = audit.Keep
	}
	if o.ChangesKeep == 0 {
		o.ChangesKeep = feed.Keep
	}
	if o.FoldAfter == 0 {
		o.FoldAfter = 250 * time.Millisecond
	}
	s := &Store{options: o, log: o.Log, now: time.Now}
	s.lists.limit = o.TallyBytes
	s.answers.limit = o.AnswerBytes
	s.finder.limit, s.rosters.limit = o.SearchBytes, o.SearchBytes
	s.finder.most, s.rosters.wide = search.SegmentBlocks, wideAthletes
	s.folder = folder{after: o.FoldAfter, wake: make(chan struct{}, 1), dirty: map[db.ID]*backlog{}}
	var err error
	s.engine, err = db.Open(ctx, db.Options{Folder: o.Data, URL: o.DatabaseURL, Log: o.Log, Timer: o.Timer,
		Gather: delta})
	if err != nil {
		if o.DatabaseURL != "" && db.Away(err) {
			err = fault.Away(err)
		}
		return nil, err
	}
	if o.Calls != nil {
		s.engine = counted{s.engine, o.Calls}
	}
	if err := s.recall(ctx); err != nil {
		if o.DatabaseURL != "" && (db.Away(err) || breaker.Silent(err)) {
			err = fault.Away(err)
		}
		return nil, errors.Join(err, s.engine.Close())
	}
	if err := s.whole(ctx); err != nil {
		return nil, errors.Join(err, s.engine.Close())
	}
	background, stop := context.WithCancel(context.Background())
	s.background, s.stop = background, stop
	s.running.Go(func() { s.foldLoop(background) })
	s.running.Go(func() { s.upkeepLoop(background) })
	s.running.Go(func() { s.watchLoop(background) })
	if o.Ahead {
		s.running.Go(func() { s.warmAll(background) })
		s.running.Go(func() { s.readAhead(background) })
	}
	return s, nil
}

// clock tells the time, for what is done in transactions.
func (s *Store) clock() time.Time { return s.now() }

// Close ends the work behind the scenes, writes what is still in memory and
// closes the database.
func (s *Store) Close() error {
	s.stop()
	s.running.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	s.foldRest(ctx)
	err := errors.Join(s.flushUses(ctx), s.flushSearches(ctx))
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	return errors.Join(err, s.engine.Close())
}

// Ready says whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	var n int64
	return db.ToFault(s.engine.Once(ctx, db.ID{}, db.One(db.Into(&n), `SELECT 1`)))
}

// Work that may wait is done now and then: often what is short, and seldom what looks
// at every organization.
const (
	upkeepEvery = 30 * time.Second
	roundEvery  = 20 // as many upkeeps
)

func (s *Store) upkeepLoop(ctx context.Context) {
	tick := time.NewTicker(upkeepEvery)
	defer tick.Stop()
	often := []func(context.Context) error{s.Mark, s.flushUses, s.flushSearches, s.engine.Tidy}
	seldom := append([]func(context.Context) error{s.forgetAnswers, s.forgetDeletions, s.forgetAudit,
		s.forgetDeliveries, s.forgetEnded, s.eraseLate, s.sweep, s.renderOutdated, s.countUncounted,
		s.noteUsage}, often...)
	first := []func(context.Context) error{s.renderOutdated, s.countUncounted}
	if s.options.Ahead { // a server, which may be stopped before the first round
		first = append(first, s.noteUsage)
	}
	s.upkeep(ctx, first...)
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		jobs := often
		if n%roundEvery == 0 {
			jobs = seldom
		}
		s.upkeep(ctx, jobs...)
	}
}

func (s *Store) upkeep(ctx context.Context, jobs ...func(context.Context) error) {
	for _, job := range jobs {
		if err := job(ctx); err != nil && ctx.Err() == nil && !breaker.Silent(err) {
			s.log.Warn("upkeep failed; it is tried again", "error", err)
		}
	}
}

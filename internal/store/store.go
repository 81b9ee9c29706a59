// Package store keeps everything in a database: an embedded SQLite file or
// PostgreSQL, with the same SQL text. One file a noun; list.go and fold.go make
// the list of captures quick at any length.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/kinebase/kinebase/athlete"
	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/export"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/feed"
	"github.com/kinebase/kinebase/internal/store/search"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
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

	// Ahead has the athletes of large organizations read before anybody lists them, and the
	// texts of those that were searched lately before anybody searches.
	Ahead bool

	restoring bool // the store is being restored by this process

	arrange func(engine) // what a test changes of the engine, before anybody uses it
}

// Store is an open database.
type Store struct {
	options Options
	engine  engine
	log     *slog.Logger
	now     func() time.Time

	tokens       tokenCache
	combinations combinationCache
	lists        listCache
	answers      answerCache
	finder       finder
	rosters      finder // of the athletes' lists
	folder       folder
	uses         tokenUses
	searches     searches
	latest       latestMoment
	alone        bool         // see Alone
	watchers     watchers     // of the feed of changes
	many         atomic.Int64 // reservations that would be more captures than there may be
	full         atomic.Int64 // files and reservations that found no room
	sheafBytes   int          // what a series of an import holds back; 0: sheafBytes
	seriesMost   int          // records that end a series; 0: seriesRecords

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
	s.folder = folder{after: o.FoldAfter, wake: make(chan struct{}, 1), dirty: map[id]*backlog{}}
	if err := s.open(ctx, o); err != nil {
		if o.DatabaseURL != "" && away(err) {
			err = fault.Away(err)
		}
		return nil, err
	}
	if o.arrange != nil {
		o.arrange(s.engine)
	}
	if err := s.recall(ctx); err != nil {
		if o.DatabaseURL != "" && (away(err) || breaker.Silent(err)) {
			err = fault.Away(err)
		}
		return nil, errors.Join(err, s.engine.close())
	}
	if err := s.whole(ctx); err != nil {
		return nil, errors.Join(err, s.engine.close())
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

func (s *Store) open(ctx context.Context, o Options) error {
	if o.DatabaseURL != "" {
		var err error
		if s.alone, err = preparePostgres(ctx, o.DatabaseURL, o.Log); err != nil {
			return fmt.Errorf("the database: %w", err)
		}
		e, err := openPostgresEngine(ctx, o, s.folder.changed)
		if err != nil {
			return err
		}
		e.now, e.onFeed = s.clock, s.watchers.ring
		s.engine = e
		return nil
	}
	if o.Data == "" {
		return errors.New("neither a data folder nor a database URL is given")
	}
	dir, err := filepath.Abs(o.Data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("the data folder cannot be made: in %s, something is a file where a folder should be", dir)
	} else if err != nil {
		return fmt.Errorf("the data folder cannot be made: %w", err)
	}
	here := present(dir) // before it is waited for anything, so that a long import makes room
	if err := migrateSQLite(ctx, dir, o.Log); err != nil {
		return errors.Join(explainFolder(dir, err), here.end())
	}
	if err := private(dir); err != nil {
		return errors.Join(fmt.Errorf("the data folder %s: %w", dir, err), here.end())
	}
	e, err := openSQLiteEngine(dir, here, o.Log, s.folder.changed)
	if err != nil {
		return explainFolder(dir, err)
	}
	e.now, e.onFeed = s.clock, s.watchers.ring
	s.engine = e
	return nil
}

// clock tells the time, for what is done in transactions.
func (s *Store) clock() time.Time { return s.now() }

// explainFolder says which folder could not be used, and in words that its
// database is none.
func explainFolder(dir string, err error) error {
	if errors.Is(err, sqlite3.NOTADB) {
		return fmt.Errorf("the file %s is not a database, or it is damaged; if it is somebody else's, name another folder", filepath.Join(dir, FileName))
	}
	return fmt.Errorf("the data folder %s: %w", dir, err)
}

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
	return errors.Join(err, s.engine.close())
}

// Ready says whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	var n int64
	return toFault(s.engine.once(ctx, id{}, one(into(&n), `SELECT 1`)))
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
	often := []func(context.Context) error{s.Mark, s.flushUses, s.flushSearches, s.engine.tidy}
	seldom := append([]func(context.Context) error{s.forgetAnswers, s.forgetDeletions, s.forgetAudit, s.eraseLate, s.sweep}, often...)
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
		for _, job := range jobs {
			if err := job(ctx); err != nil && ctx.Err() == nil && !breaker.Silent(err) {
				s.log.Warn("upkeep failed; it is tried again", "error", err)
			}
		}
	}
}

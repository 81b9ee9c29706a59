package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/breaker"
	"github.com/kinebase/kinebase/turns"
)

// SQLite is an embedded database in one file: one writer, several readers
// that can only query, and two connections of their own for the checkpoints and
// for watching what other processes commit. The page caches are about 16 MiB
// for the writer and 8 MiB for each reader; everything else is the operating
// system's.
type SQLite struct {
	path    string
	log     *slog.Logger
	mapping *mapping
	bell    *bell
	gather  func(org ID, notes []byte) Statement

	reads   *turns.Line[ID] // to the readers
	writes  *turns.Line[ID] // into the queue
	queue   chan *writing
	stopped chan struct{}
	writer  *sqliteConn // the write loop's alone

	readers chan *sqliteConn
	count   int

	watchLock sync.Mutex
	watch     *sqliteConn

	checkpointLock sync.Mutex
	checkpointer   *sqliteConn
	checkpoints    chan bool // true: down to nothing
	checkpointed   chan struct{}
	walPages       int // the log's length after the last commit; the write loop's alone

	presence  *presence
	importing atomic.Int32 // series of imports that run

	closing sync.RWMutex
	closed  bool
}

// Messages for callers that are refused a turn.
const (
	busyReading = "The server is busy with reading for others. Try again in a moment."
	busyWriting = "The server is busy with writing for others. Nothing was changed."
)

// FileName is the name of the database in the data folder.
const FileName = "kinebase.db"

// writerCache is the page cache of the writer, in KiB.
const writerCache = 16 << 10

func cacheSize(kib int) Statement { return Exec(fmt.Sprintf("PRAGMA cache_size = -%d", kib)) }

// writerPragmas hold for every connection that writes. A commit is on the disk
// (FULL) before anybody hears of it, and what is deleted is overwritten.
var writerPragmas = []string{
	"busy_timeout = 10000",
	"journal_mode = WAL",
	"synchronous = FULL",
	"foreign_keys = ON",
	"secure_delete = ON",
	"wal_autocheckpoint = 0",
	fmt.Sprintf("cache_size = -%d", writerCache),
	"temp_store = MEMORY",
}

func (e *SQLite) openWriter() (*sqliteConn, error) {
	// It is opened as database/sql would open it, for that is how the queue gets to
	// speak to it.
	connector, err := new(sqlite.SQLite).OpenConnector(fileURI(e.path))
	if err != nil {
		return nil, err
	}
	lent, err := mappedConnector{connector, e.mapping}.connect(context.Background())
	if err != nil {
		return nil, err
	}
	g, err := derive(lent.conn, func(c sqlite.Conn) (*sqliteSession, error) { return newSession(c.Raw()), nil })
	if err != nil {
		return nil, errors.Join(err, lent.Close())
	}
	c := &sqliteConn{part: g}
	if err = c.setUp(writerPragmas); err == nil {
		c.queue, err = newSQLiteQueue(lent)
	}
	if err != nil {
		return c.prepared(err)
	}
	return c.prepared(c.part.Do(func(s *sqliteSession) error {
		s.conn.WALHook(func(_ *sqlite3.Conn, _ string, pages int) error {
			e.walPages = pages
			return nil
		})
		return s.conn.BusyHandler(patience(time.Now))
	}))
}

// patience waits ten seconds for another transaction. SQLite's own way of waiting
// looks ever more seldom, in the end every 100 ms, and so hardly ever finds the gap
// between two transactions of an import. A process that was kept from running, with a
// transaction of its own open, has hardly looked when its ten seconds are over: it looks
// for as long as it takes to do so often enough, a minute at the most.
func patience(now func() time.Time) func(context.Context, int) bool {
	var begun time.Time
	return func(_ context.Context, count int) bool {
		if count == 0 {
			begun = now()
		}
		<-time.After(500 * time.Microsecond)
		waited := now().Sub(begun)
		return waited < 10*time.Second || count < 2000 && waited < time.Minute
	}
}

func (e *SQLite) openReader(cache int) (*sqliteConn, error) {
	return openSQLite(e.mapping, fileURI(e.path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI,
		"busy_timeout = 10000", "query_only = ON", fmt.Sprintf("cache_size = -%d", cache), "temp_store = MEMORY")
}

func (e *SQLite) openServing() (*sqliteConn, error) { return e.openReader(8192) }
func (e *SQLite) openWatch() (*sqliteConn, error)   { return e.openReader(64) }

func (e *SQLite) openCheckpointer() (*sqliteConn, error) {
	return openSQLite(e.mapping, fileURI(e.path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI,
		"busy_timeout = 50", "synchronous = FULL", "secure_delete = ON", "wal_autocheckpoint = 0", "cache_size = -64")
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "vfs=" + scrubber}).String()
}

// openSQLiteFolder makes the folder where there is none, migrates and opens its database.
func openSQLiteFolder(ctx context.Context, o Options) (*SQLite, error) {
	dir, err := filepath.Abs(o.Folder)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("the data folder cannot be made: in %s, something is a file where a folder should be",
			dir)
	} else if err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w", err)
	}
	here := present(dir) // before it is waited for anything, so that a long import makes room
	if err := migrateSQLite(ctx, dir, o.Log); err != nil {
		return nil, errors.Join(explainFolder(dir, err), here.end())
	}
	if err := private(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("the data folder %s: %w", dir, err), here.end())
	}
	e, err := openSQLiteEngine(dir, here, o)
	if err != nil {
		return nil, explainFolder(dir, err)
	}
	return e, nil
}

// explainFolder says which folder could not be used, and in words that its
// database is none.
func explainFolder(dir string, err error) error {
	if errors.Is(err, sqlite3.NOTADB) {
		return fmt.Errorf("the file %s is not a database, or it is damaged; if it is somebody else's, name "+
			"another folder", filepath.Join(dir, FileName))
	}
	return fmt.Errorf("the data folder %s: %w", dir, err)
}

// openSQLiteEngine opens the database of a data folder that is migrated already.
func openSQLiteEngine(dir string, p *presence, o Options) (*SQLite, error) {
	path := filepath.Join(dir, FileName)
	e := &SQLite{
		path: path, log: o.Log, mapping: newMapping(path, o.Log), bell: newBell(), gather: o.Gather,
		presence: p, queue: make(chan *writing, maxGroup), stopped: make(chan struct{}),
		checkpoints: make(chan bool, 1), checkpointed: make(chan struct{}),
		count: max(2, min(4, runtime.GOMAXPROCS(0)+1)),
	}
	e.readers = make(chan *sqliteConn, e.count)
	e.reads = turns.NewPlaces[ID](int64(e.count), turns.ToRead)
	e.writes = turns.NewPlaces[ID](maxGroup, turns.ToWrite)
	var err error
	if e.writer, err = e.openWriter(); err != nil {
		return nil, err
	}
	if e.watch, err = e.openWatch(); err == nil {
		e.checkpointer, err = e.openCheckpointer()
	}
	for i := 0; i < e.count && err == nil; i++ {
		var c *sqliteConn
		if c, err = e.openServing(); err == nil {
			e.readers <- c
		}
	}
	if err != nil {
		return nil, errors.Join(err, e.closeConnections())
	}
	go e.writeLoop()
	go e.checkpointLoop()
	return e, nil
}

func (e *SQLite) Read(ctx context.Context, org ID, fn func(Tx) error) error {
	return e.withReader(ctx, org, func(c *sqliteConn) error { return snapshot(c, fn) })
}

func snapshot(c *sqliteConn, fn func(Tx) error) error {
	if err := c.Do(Exec("BEGIN")); err != nil {
		return err
	}
	err := Guard(func() error { return fn(c) })
	return errors.Join(err, c.Do(Exec("COMMIT")))
}

// Aside reads on a connection of its own.
func (e *SQLite) Aside(_ context.Context, _ ID, fn func(Tx) error) error {
	c, err := e.openReader(512)
	if err != nil {
		return err
	}
	return errors.Join(snapshot(c, fn), c.Close())
}

// Once reads with statements that do not depend on each other.
func (e *SQLite) Once(ctx context.Context, org ID, statements ...Statement) error {
	if len(statements) > 1 {
		return e.Read(ctx, org, func(t Tx) error { return t.Do(statements...) })
	}
	return e.withReader(ctx, org, func(c *sqliteConn) error { return c.Do(statements...) })
}

func (e *SQLite) withReader(ctx context.Context, org ID, fn func(*sqliteConn) error) error {
	if err := e.reads.Wait(ctx, org, 1, busyReading); err != nil {
		return err
	}
	defer e.reads.Put(org, 1)
	select {
	case c := <-e.readers:
		defer func() { e.readers <- c }()
		if err := renew(&c, e.openServing); err != nil {
			return err
		}
		return fn(c)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *SQLite) Write(ctx context.Context, org ID, fn func(*Write) error) error {
	// Work that has begun is finished: a caller that goes away must not roll back the
	// work of the others in its group. Its work is dropped only before it begins.
	return e.enqueue(&writing{ctx: ctx, org: org, fn: fn, done: make(chan error, 1)})
}

func (e *SQLite) enqueue(op *writing) error {
	late, stop := e.writes.Late(op.ctx)
	defer stop()
	if err := e.writes.Wait(op.ctx, op.org, 1, busyWriting); err != nil {
		return err
	}
	op.place = true
	e.closing.RLock()
	if e.closed {
		e.closing.RUnlock()
		e.writes.Put(op.org, 1)
		return os.ErrClosed
	}
	e.queue <- op
	e.closing.RUnlock()
	select {
	case err := <-op.done:
		return err
	case <-late:
		if op.begun.CompareAndSwap(false, true) {
			return turns.Refuse(busyWriting)
		}
	}
	return <-op.done
}

// Bulk has a transaction of its own, for a savepoint keeps a copy of every page that changes: of
// an import these would be a hundred megabytes.
func (e *SQLite) Bulk(ctx context.Context, org ID, fn func(*Write) error) error {
	return e.enqueue(&writing{ctx: ctx, org: org, fn: fn, alone: true, done: make(chan error, 1)})
}

// BulkRecords is how many records of an import go into one transaction.
func (e *SQLite) BulkRecords() int { return 5000 }

// Fold has the writer's transaction to itself: beside others it would see their
// rows, but not yet their changes, which are written at the end of a group.
func (e *SQLite) Fold(ctx context.Context, org ID, fn func(Tx) error) error {
	return e.enqueue(&writing{ctx: ctx, org: org, alone: true, done: make(chan error, 1),
		fn: func(w *Write) error { return fn(w) }})
}

// exclude has nothing to keep apart where there is a single writer. But the next
// transaction of an import follows so closely that a server in another process,
// which can only look whether the file is free, would hardly ever find it so: a
// moment is left to it (see patience).
func (e *SQLite) exclude(w *Write) error {
	w.after = append(w.after, func() { <-time.After(3 * time.Millisecond) })
	return nil
}

// number has nothing to do where there is a single writer.
func (e *SQLite) number(*Write) error { return nil }

func (e *SQLite) line(*Write) error { return nil }

// Moment is SQLite's own number of what other connections, of this process or
// of another, have committed: the watching connection never writes.
func (e *SQLite) Moment(context.Context) (uint64, bool, error) {
	e.watchLock.Lock()
	defer e.watchLock.Unlock()
	if e.watch == nil {
		return 0, false, os.ErrClosed
	}
	if err := renew(&e.watch, e.openWatch); err != nil {
		return 0, false, err
	}
	var n int64
	err := e.watch.Do(One(Into(&n), "PRAGMA data_version"))
	return uint64(n), err == nil, err
}

func (e *SQLite) Close() error {
	e.closing.Lock()
	already := e.closed
	e.closed = true
	e.closing.Unlock()
	if already {
		return nil
	}
	close(e.queue)
	<-e.stopped
	close(e.checkpoints)
	<-e.checkpointed
	return e.closeConnections()
}

func (e *SQLite) closeConnections() error {
	errs := []error{e.presence.end()}
	shut := func(c *sqliteConn) {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	for len(e.readers) > 0 {
		shut(<-e.readers)
	}
	e.watchLock.Lock()
	shut(e.watch)
	e.watch = nil
	e.watchLock.Unlock()
	shut(e.checkpointer)
	shut(e.writer) // the last one to close copies the log into the file
	return errors.Join(errs...)
}

// Filled does nothing: SQLite looks keys up however many rows there are.
func (e *SQLite) Filled(context.Context, int) {}

// Breaker is nil: there is no server that could be silent.
func (e *SQLite) Breaker() *breaker.Breaker { return nil }

// OneRole is false: SQLite has no roles.
func (e *SQLite) OneRole() bool { return false }

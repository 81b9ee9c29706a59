package store

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
	"time"

	"github.com/ncruces/go-sqlite3"
	sqlite "github.com/ncruces/go-sqlite3/driver"

	"github.com/kinebase/kinebase/turns"
)

// sqliteEngine is an embedded database in one file: one writer, several readers
// that can only query, and two connections of their own for the checkpoints and
// for watching what other processes commit. The page caches are about 16 MiB
// for the writer and 8 MiB for each reader; everything else is the operating
// system's.
type sqliteEngine struct {
	path     string
	log      *slog.Logger
	mapping  *mapping
	bell     *bell
	onChange func(org id, entries int)
	onFeed   func(id)
	now      func() time.Time // the store's clock

	reads   *turns.Line[id] // to the readers
	writes  *turns.Line[id] // into the queue
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

func cacheSize(kib int) statement { return exec(fmt.Sprintf("PRAGMA cache_size = -%d", kib)) }

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

func (e *sqliteEngine) openWriter() (*sqliteConn, error) {
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
	return c.prepared(c.part.do(func(s *sqliteSession) error {
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

func (e *sqliteEngine) openReader(cache int) (*sqliteConn, error) {
	return openSQLite(e.mapping, fileURI(e.path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI,
		"busy_timeout = 10000", "query_only = ON", fmt.Sprintf("cache_size = -%d", cache), "temp_store = MEMORY")
}

func (e *sqliteEngine) openServing() (*sqliteConn, error) { return e.openReader(8192) }
func (e *sqliteEngine) openWatch() (*sqliteConn, error)   { return e.openReader(64) }

func (e *sqliteEngine) openCheckpointer() (*sqliteConn, error) {
	return openSQLite(e.mapping, fileURI(e.path), sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI,
		"busy_timeout = 50", "synchronous = FULL", "secure_delete = ON", "wal_autocheckpoint = 0", "cache_size = -64")
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "vfs=" + scrubber}).String()
}

// openSQLiteEngine opens the database of a data folder that is migrated already.
func openSQLiteEngine(dir string, p *presence, log *slog.Logger, onChange func(id, int)) (*sqliteEngine, error) {
	e := &sqliteEngine{
		path: filepath.Join(dir, FileName), log: log, mapping: newMapping(filepath.Join(dir, FileName), log), bell: newBell(), onChange: onChange,
		presence: p, queue: make(chan *writing, maxGroup), stopped: make(chan struct{}),
		checkpoints: make(chan bool, 1), checkpointed: make(chan struct{}),
		count: max(2, min(4, runtime.GOMAXPROCS(0)+1)),
	}
	e.readers = make(chan *sqliteConn, e.count)
	e.reads = turns.NewPlaces[id](int64(e.count), turns.ToRead)
	e.writes = turns.NewPlaces[id](maxGroup, turns.ToWrite)
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

func (e *sqliteEngine) read(ctx context.Context, org id, fn func(tx) error) error {
	return e.withReader(ctx, org, func(c *sqliteConn) error { return snapshot(c, fn) })
}

func snapshot(c *sqliteConn, fn func(tx) error) error {
	if err := c.do(exec("BEGIN")); err != nil {
		return err
	}
	err := guard(func() error { return fn(c) })
	return errors.Join(err, c.do(exec("COMMIT")))
}

func (e *sqliteEngine) aside(_ context.Context, _ id, fn func(tx) error) error {
	c, err := e.openReader(512)
	if err != nil {
		return err
	}
	return errors.Join(snapshot(c, fn), c.close())
}

func (e *sqliteEngine) once(ctx context.Context, org id, statements ...statement) error {
	if len(statements) > 1 {
		return e.read(ctx, org, func(t tx) error { return t.do(statements...) })
	}
	return e.withReader(ctx, org, func(c *sqliteConn) error { return c.do(statements...) })
}

func (e *sqliteEngine) withReader(ctx context.Context, org id, fn func(*sqliteConn) error) error {
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

func (e *sqliteEngine) write(ctx context.Context, org id, fn func(*writeTx) error) error {
	// Work that has begun is finished: a caller that goes away must not roll back the
	// work of the others in its group. Its work is dropped only before it begins.
	return e.enqueue(&writing{ctx: ctx, org: org, fn: fn, done: make(chan error, 1)})
}

func (e *sqliteEngine) enqueue(op *writing) error {
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

// bulk has a transaction of its own, for a savepoint keeps a copy of every page that changes: of
// an import these would be a hundred megabytes.
func (e *sqliteEngine) bulk(ctx context.Context, org id, fn func(*writeTx) error) error {
	return e.enqueue(&writing{ctx: ctx, org: org, fn: fn, alone: true, done: make(chan error, 1)})
}

func (e *sqliteEngine) bulkRecords() int { return 5000 }

// fold has the writer's transaction to itself: beside others it would see their
// rows, but not yet their changes, which are written at the end of a group.
func (e *sqliteEngine) fold(ctx context.Context, org id, fn func(tx) error) error {
	return e.enqueue(&writing{ctx: ctx, org: org, alone: true, done: make(chan error, 1),
		fn: func(w *writeTx) error { return fn(w) }})
}

// exclude has nothing to keep apart where there is a single writer. But the next
// transaction of an import follows so closely that a server in another process,
// which can only look whether the file is free, would hardly ever find it so: a
// moment is left to it (see patience).
func (e *sqliteEngine) exclude(w *writeTx) error {
	w.after = append(w.after, func() { <-time.After(3 * time.Millisecond) })
	return nil
}

// number has nothing to do where there is a single writer.
func (e *sqliteEngine) number(*writeTx) error { return nil }

func (e *sqliteEngine) line(*writeTx) error { return nil }

// moment is SQLite's own number of what other connections, of this process or
// of another, have committed: the watching connection never writes.
func (e *sqliteEngine) moment(context.Context) (uint64, bool, error) {
	e.watchLock.Lock()
	defer e.watchLock.Unlock()
	if e.watch == nil {
		return 0, false, os.ErrClosed
	}
	if err := renew(&e.watch, e.openWatch); err != nil {
		return 0, false, err
	}
	var n int64
	err := e.watch.do(one(into(&n), "PRAGMA data_version"))
	return uint64(n), err == nil, err
}

func (e *sqliteEngine) close() error {
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

func (e *sqliteEngine) closeConnections() error {
	errs := []error{e.presence.end()}
	shut := func(c *sqliteConn) {
		if c != nil {
			errs = append(errs, c.close())
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

// filled does nothing: SQLite looks keys up however many rows there are.
func (e *sqliteEngine) filled(context.Context, int) {}

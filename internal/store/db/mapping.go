package db

import (
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// All connections to a database share the index of its log, which SQLite keeps in a file
// (kinebase.db-shm) that is mapped into memory. When that file is cut, or a block of it
// cannot be had, touching the memory is no error that a call returns: the system sends
// SIGBUS, which ends a process. Here it becomes an error of the call. What SQLite has in
// memory of the connection cannot be trusted from then on, and the index as others see it
// may lack entries, so no connection is used any longer: the files of all are closed,
// which releases every lock, and the next user opens another. The first one that opens
// then has the file to itself, and SQLite rebuilds the index from the log.

// errMapped is what calls give whose connection is of no use any longer. errFault is that
// of the call that SQLite did not come to the end of, which may have been done.
var (
	errMapped = errors.Join(sqlite3.IOERR,
		errors.New("SQLite did not come to the end of a call, and every connection is opened again"))
	errFault = errors.Join(errMapped)
)

// mapping is what the connections of this process to one database share.
type mapping struct {
	log *slog.Logger

	mu     sync.RWMutex // held for reading while SQLite runs, for writing while all files are closed
	age    atomic.Int64 // how often that was done
	failed atomic.Bool  // it is to be done
	healed time.Time    // when it was done last
	path   string
	size   atomic.Int64 // of the file, as far as was seen
}

// healPause is the least time between two failures that are mended. Each one loses the
// memory of a connection.
const healPause = time.Second

func newMapping(path string, log *slog.Logger) *mapping { return &mapping{path: path, log: log} }

// region is what the file grows by.
const region = 32 << 10

// cut says whether the file is smaller than it was. The next one who opens it would make
// it longer again, with nothing in it, and nobody would hear of what is missing.
func (m *mapping) cut() bool {
	file, err := os.Stat(m.path + "-shm")
	if err != nil { // the last connection takes it away
		m.size.Store(0)
		return false
	}
	size := file.Size()
	return size%region != 0 || size < m.size.Swap(size)
}

// Messages of failures in the log.
const (
	saysMemory = "the shared memory of the database failed: its file that ends in -shm was cut, " +
		"or the disk has no room for it; all connections are opened again"
	saysPanic = "SQLite did not come to the end of a call; all connections are opened again"
)

// fail has all connections given up, and logs why.
func (m *mapping) fail(message string, details ...any) {
	if m.failed.Swap(true) {
		return
	}
	m.log.Error(message, details...)
	go m.heal()
}

// renew empties the file if nobody else has it, as SQLite's first connection does.
func (m *mapping) renew() {
	m.size.Store(0)
	file, err := os.OpenFile(m.path+"-shm", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }()
	if lockByte(file, inUse) {
		_ = file.Truncate(0)
	}
}

// inUse is the byte of the file that every connection holds a lock on: SQLite's WAL
// format, "WAL-Index Locks", calls it the dead man switch.
const inUse = 128

// heal closes the files of all connections. Users of SQLite are waited for: nobody opens a
// file of the database before the last one has closed it.
func (m *mapping) heal() {
	if wait := healPause - time.Since(m.healed); wait > 0 {
		<-time.After(wait)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	closeFiles(m.path)
	m.renew()
	m.age.Add(1)
	m.healed = time.Now()
	m.failed.Store(false)
}

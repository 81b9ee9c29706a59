// Package backup says what a backup of a whole store is: the rows of one snapshot, every
// file that they name, and beside all backups of a store a list of what was erased, so that
// a restore erases it again. It knows places and stores by ports alone.
//
//	owner.json                      which store the place belongs to
//	files/NAME                      files of captures, shared by all backups; a name never has other bytes
//	backups/ID/rows.ndjson.gz       the rows
//	backups/ID/files.ndjson.gz      the files that they name, with sizes and checksums
//	backups/ID/manifest.json        written last: without it there is no backup
//	erased/00000001.json            what was erased, in the order in which it was noted
//
// docs/adr/0031-backups.md has the reasons.
package backup

import (
	"context"
	"errors"
	"io"

	"github.com/kinebase/kinebase/upload"
)

// Place keeps backups: a folder or a bucket. What Put says is there is whole and durable.
type Place interface {
	upload.Files
	// List calls each for every file whose name begins with prefix, in no order that means
	// anything. An error of each ends it and is given back.
	List(ctx context.Context, prefix string, each func(name string, size int64) error) error
}

// Source is a store that is backed up. Servers may be at work on it.
type Source interface {
	// Identity names the store, for as long as it or a restored one lives.
	Identity(ctx context.Context) (string, error)
	// Exclusive runs f while no other process runs one under the same name; ErrElsewhere, without
	// having run it, when another one does.
	Exclusive(ctx context.Context, name string, f func() error) error
	// Dump writes the rows of one snapshot.
	Dump(ctx context.Context, w *RowWriter) (Snapshot, error)
	// Standing says what became of a file that a snapshot names.
	Standing(ctx context.Context, f File) (Standing, error)
	// Arrived gives the name of the file of a capture that waited for one; "" while it waits
	// and when it is gone.
	Arrived(ctx context.Context, organization, session string) (string, error)
	// Erasures gives what was erased after the positions of a list, and moves the list on.
	Erasures(ctx context.Context, l *List) ([]Erasure, error)
	// HoldDeletions has the store keep every deletion until the list of a place has it, from now on. A place that was
	// given up is refused.
	HoldDeletions(ctx context.Context, place string) error
	// GiveUpPlace ends that for good, and says whether the store knew the place.
	GiveUpPlace(ctx context.Context, place string) (known bool, err error)
	// TookDeletions says that the list of a place is complete up to positions, by organization.
	TookDeletions(ctx context.Context, place string, through map[string]int64) error
}

// Locks of Exclusive.
const (
	LockBackup   = "backup"
	LockErasures = "erasures"
)

// ErrElsewhere says that another process does what was asked for.
var ErrElsewhere = errors.New("another process is at it")

// Snapshot is what is known of the rows of a snapshot beside themselves.
type Snapshot struct {
	Engine  string // that the rows were read from, for people
	Schema  int64  // the version of the tables
	Number  int64  // the last number of a change that anybody had
	Files   []File // that rows name
	Waiting []File // captures that wait for a file; without a name
}

// File is a file that a row names.
type File struct {
	Organization string
	Session      string // the capture that it is of
	Name         string
	Original     bool // it is the file that was sent, of which the others are made
	Export       bool // only the result of an export names it
}

// Standing is what became of a file after a snapshot that names it.
type Standing int

// The standings.
const (
	Named    Standing = iota // it is named still
	Replaced                 // what named it is there, and names another one
	Erased                   // what named it is gone
)

// Loader is an empty store that a backup is brought into.
type Loader interface {
	// Load brings the rows in; it refuses a store that is not empty. Its own changes come behind the position taken,
	// the last one of which the list of erasures knows. Until Finish nobody can open the store.
	Load(ctx context.Context, m Manifest, taken int64, rows *RowReader) error
	// EraseAgain erases what was erased after the backup was made, and says how many objects
	// that were and what has to be done by hand. It comes after the rows and the files,
	// before any row changes.
	EraseAgain(ctx context.Context, erasures []Erasure) (n int, left []string, err error)
	// Expect says whether a capture waits for its file still, and notes the name of it.
	Expect(ctx context.Context, f File) (waits bool, err error)
	// Arrive gives a capture that waits for its file this one.
	Arrive(ctx context.Context, f File, size int64, sum string) error
	// MakeAgain has what was made of a capture's file made again.
	MakeAgain(ctx context.Context, f File) error
	// Finish lets servers open the store.
	Finish(ctx context.Context) error
}

// Damaged says that a backup, or the list of erasures, is not whole.
type Damaged struct{ Reason string }

func (d *Damaged) Error() string { return "the backup cannot be used: " + d.Reason }

// readAll reads a file of a place of at most limit bytes.
func readAll(ctx context.Context, p Place, name string, limit int64) (data []byte, err error) {
	f, err := p.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if f.Size() > limit {
		return nil, &Damaged{name + " is larger than it can be"}
	}
	data = make([]byte, f.Size())
	_, err = io.ReadFull(io.NewSectionReader(f, 0, f.Size()), data)
	return data, err
}

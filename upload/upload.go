// Package upload knows how the file of a capture comes in and what becomes of it:
// the reservation and its form, the arrival, the attempts to read the file, and
// the names under which its bytes are kept.
package upload

import (
	"context"
	"io"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// The times of an upload's life.
const (
	// Window is how long a reservation waits for its file.
	Window = 30 * time.Minute
)

// Reservation is a place that is kept for a file.
type Reservation struct {
	// Capture is what will be stored: awaiting_upload, of the source "api". Its
	// SessionID is set by the store: the group and the number in it.
	Capture   capture.Capture
	Group     string    // a lower-case UUID
	FileName  string    // as the caller calls the file
	FileSize  int64     // bytes, as the caller says; 0: it does not
	Resumable bool      // it may come in pieces, for longer than the window
	Camera    []byte    // camera_configuration as JSON, never interpreted; nil when absent
	TimeGiven bool      // capture_time was given: the file does not know better
	Expires   time.Time // end of the window, to the millisecond
}

// Form is an HTML form by which a file is sent: every field, then the file in a
// field named "file", as multipart/form-data by POST.
type Form struct {
	URL    string
	Fields map[string]string
}

// Forms makes the form of a reservation.
type Forms interface {
	Form(ctx context.Context, s organization.Scope, r Reservation) (Form, error)
}

// File is an open file of Files: its bytes anywhere, and how many there are.
type File interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Files keeps files under names. A name is used once and its bytes never change.
// Names are made of slash-separated parts that are safe on any file system.
type Files interface {
	// Put keeps everything that r gives, durably once it returns nil; an error leaves
	// nothing behind. size is -1 when it is not known.
	Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error)
	// Open gives a file; ErrNoFile when there is none.
	Open(ctx context.Context, name string) (File, error)
	// Erase removes a file; one that is not there is no error.
	Erase(ctx context.Context, name string) error
}

// Stored is what is known of the file of a capture. Names are those of Files, ""
// where there is no such file.
type Stored struct {
	Capture  capture.Capture
	FileName string // "" for a capture that never had a file
	TimeFrom TimeSource
	Expires  time.Time // of the reservation
	Original string    // the file as it came
	Size     int64     // of the original, in bytes
	SHA256   string    // of the original, in hex; "" when it was not computed
	Derived  string    // what a video processor made of it
	Table    string    // the motion table, a row a frame
	Samples  string    // the table of channels that have several samples a frame
	Info     []byte    // frames.Info as JSON; nil until the file has been read
	Camera   string    // camera_configuration of the reservation as JSON; "" where there is none
	Rate     float64   // the frame rate by which somebody corrected the file's; 0: it was not
	Version  int64     // changes with every change of anything here
	// Processing is how far the worker is that reads the file.
	Processing Processing
}

// Store keeps what is known of the files of captures: it takes reservations and the files that
// come in for them.
type Store interface {
	// Stored gives it; fault.NotFound when the organization has no such capture.
	Stored(ctx context.Context, s organization.Scope, sessionID string) (Stored, error)
	// Reserve keeps a place and gives the reservation with its session id. Unknown
	// athletes are a fault.BadRequest, a group that exists with other athletes or
	// another source a fault.Conflict, an organization that is full ErrNoRoom.
	Reserve(ctx context.Context, s organization.Scope, r Reservation, once *organization.Once[Reservation]) (
		Reservation, error)
	// Expect says that a file for the capture is being stored under the name, which
	// is erased at the time given unless Arrive or the like has made it the capture's.
	// Said again it names another time. fault.NotFound: there is no such capture; fault.Conflict: it is not
	// waiting for a file.
	Expect(ctx context.Context, s organization.Scope, sessionID, name string, until time.Time) error
	// Room is what the organization's files take, and may take. Arrive asks again for
	// itself; this is what can be said before the first byte is read.
	Room(ctx context.Context, s organization.Scope) (Room, error)
	// Arrive makes a stored file the capture's and asks for it to be processed. The
	// faults are those of Expect, and ErrNoRoom; the name is then erased at once.
	Arrive(ctx context.Context, s organization.Scope, sessionID, name string, size int64, sha256 string) error
	// TurnAway ends a capture that still waits for its file in status error, with the
	// reason, a text for people: its file came and was not taken.
	TurnAway(ctx context.Context, s organization.Scope, sessionID, reason string) error
	// Forget has names that were expected erased now.
	Forget(ctx context.Context, s organization.Scope, names ...string) error
	// ExpectBrought is Expect for names of a capture that is yet to be brought.
	ExpectBrought(ctx context.Context, s organization.Scope, sessionID string, until time.Time, names ...string) error
	// Bring stores a capture together with its file, read or not, as an import has
	// it; names were expected before. Of a capture that exists, what the file tells is
	// replaced, and of the rest only what b.Capture has. ErrNoRoom when its files do not
	// fit beside all others of the organization.
	Bring(ctx context.Context, s organization.Scope, b Brought) error
}

// Brought is a capture with its file, as an import stores it.
type Brought struct {
	Capture  capture.Capture // Completed or Error
	FileName string
	Original string
	Size     int64
	SHA256   string
	Outcome
}

// Outcome is what reading a file gave.
type Outcome struct {
	Derived string
	Table   string
	Samples string
	// DerivedBytes are those of Derived, TableBytes those of Table and Samples together.
	DerivedBytes, TableBytes int64

	Info []byte     // frames.Info as JSON
	Rate float64    // frames a second; 0: the file does not tell
	Made *time.Time // when the movement was recorded, where the file knows
}

// Work is one attempt to read a capture's file.
type Work struct {
	Stored
	Held   job.Held
	Deaths int // of readers in earlier attempts
	// Renew says that the file was read before, and that its tables are only to be
	// given the names that they would have now.
	Renew bool
}

// Readings is where workers take files to be read and say what became of them. Every verb on a Work that has
// been taken over by another worker, or whose capture is gone, is job.ErrLost.
type Readings interface {
	// Claim takes the capture's file. With wait above 0 somebody else has it, and it
	// is worth asking again after that; with neither there is nothing to do.
	Claim(ctx context.Context, s organization.Scope, sessionID string) (w *Work, wait time.Duration, err error)
	// Tell says which part of the work is done, from 0 to 1, for whoever asks how far it is.
	Tell(ctx context.Context, s organization.Scope, w *Work, done float64) error
	// ExpectMade is Store.Expect for the names of what was made of the file.
	ExpectMade(ctx context.Context, s organization.Scope, w *Work, until time.Time, names ...string) error
	// Finish completes the capture, or renews its tables when it was complete.
	Finish(ctx context.Context, s organization.Scope, w *Work, o Outcome) error
	// Fail ends the capture in status error with the reason, a text for people.
	Fail(ctx context.Context, s organization.Scope, w *Work, reason string) error
	// Release gives the work back, to be taken again not before the time given. died
	// says that the file brought its reader down; the third time is a Fail with why.
	Release(ctx context.Context, s organization.Scope, w *Work, again time.Time, died bool, why string) error
	// Expire ends a reservation whose window has passed without a file; with wait
	// above 0 it is to be asked again after that.
	Expire(ctx context.Context, s organization.Scope, sessionID string) (wait time.Duration, err error)
	// Unmeasured gives captures with files whose bytes are not known, in the order of
	// their session ids, from the one after the given; at most limit of them.
	Unmeasured(ctx context.Context, s organization.Scope, after string, limit int) ([]Stored, error)
	// Measured says what the files of one of them weigh; it is not heard when they have
	// been replaced since.
	Measured(ctx context.Context, s organization.Scope, of Stored, derivedBytes, tableBytes int64) error
	// Erasable gives names of files that are to be erased now, at most limit of them.
	Erasable(ctx context.Context, s organization.Scope, limit int) ([]string, error)
	// Erased says that they are gone.
	Erased(ctx context.Context, s organization.Scope, names []string) error
}

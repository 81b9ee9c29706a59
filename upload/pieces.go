package upload

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// A file may come in pieces, over several connections and to several servers. Each piece is a file of its
// own, which is kept as soon as it has come. When all have come, a worker makes one file of them, which
// arrives as any other.

// The bounds of pieces.
const (
	// PieceBytes is how large a piece is at most: what is lost when a server dies while one comes.
	PieceBytes = 16 << 20
	// MaxPieces is how many pieces a file may have.
	MaxPieces = 10_000
	// PieceGrace is how much longer pieces are kept than more is waited for.
	PieceGrace = 5 * time.Minute
)

// ErrOffset says that a piece begins elsewhere than where the last one ended: another request has brought something
// meanwhile. The error around it is a fault.Conflict.
var ErrOffset = errors.New("the piece does not begin where the last one ended")

// Misplaced is ErrOffset with where the file is and where the piece begins.
func Misplaced(received, at int64) error {
	if received == at { // and nothing more is to come
		return fault.Wrap(ErrOffset, fault.Conflict, "the file has come already, all %d bytes of it", received)
	}
	return fault.Wrap(ErrOffset, fault.Conflict,
		"%d bytes have come, and these begin at %d; ask with HEAD where to go on", received, at)
}

// Overdue is the fault.Gone of a file that nobody waits for any more.
func Overdue() error {
	return fault.New(fault.Gone, "The time for uploading has passed; reserve another upload.")
}

// Ended is the fault.Gone of a capture that has no file and waits for none any more, with what its status error says;
// "" where it has another status.
func Ended(why string) error {
	const advice = "Reserve another upload."
	if why == "" {
		why = "The capture waits for no file."
	}
	return fault.New(fault.Gone, "%s %s", strings.TrimSpace(strings.TrimSuffix(why, advice)), advice)
}

// TooLong is the fault.PayloadTooLarge of a file that is longer than was said.
func TooLong(said int64) error {
	return fault.New(fault.PayloadTooLarge, "The file was announced with %d bytes, and more have come.", said)
}

// Piece is one of them.
type Piece struct {
	Name string // in Files
	Size int64
}

// Composer makes one file of others where they lie, without their bytes going through this program.
type Composer interface {
	// Compose makes a file of pieces, one behind the other. done is false, and nothing was made, where the storage
	// cannot make it of these. ErrNoFile when one of them is not there. The name was expected: an error leaves
	// nothing behind that Files.Erase does not find.
	Compose(ctx context.Context, name string, pieces []Piece) (done bool, err error)
}

// Partial is how far a file has come that comes in pieces.
type Partial struct {
	Received int64
	Size     int64     // of the whole file; 0 before the first piece
	Expires  time.Time // until when more is waited for; zero before the first piece
	Arrived  bool      // the file is the capture's, or being made of its pieces
}

// Gathering is the work of making one file of the pieces.
type Gathering struct {
	Held   job.Held
	Pieces []Piece
	Size   int64
}

// Pieces keeps what has come of files that come in pieces.
type Pieces interface {
	// Partial gives how far the capture's file has come. fault.NotFound: there is no such capture;
	// fault.Gone: it does not wait for a file any more, and has none that came in pieces.
	Partial(ctx context.Context, s organization.Scope, sessionID string) (Partial, error)
	// Receive takes pieces that begin at a place of a file of so many bytes; their names were expected. More
	// is then waited for until the time given. The faults are those of Store.Expect, ErrOffset, fault.Gone
	// when nobody waits any more, and fault.PayloadTooLarge for too many pieces. It gives how many bytes have
	// come.
	Receive(ctx context.Context, s organization.Scope, sessionID string, at, size int64, pieces []Piece,
		until time.Time) (int64, error)
	// Incomplete is how many bytes have come, in the organization, of files that are not whole yet.
	Incomplete(ctx context.Context, s organization.Scope) (int64, error)
	// ClaimPieces takes the pieces of a file that has come; wait and nil are as in Readings.Claim.
	ClaimPieces(ctx context.Context, s organization.Scope, sessionID string) (g *Gathering, wait time.Duration,
		err error)
	// ReleasePieces gives them back, to be taken again not before the time given.
	ReleasePieces(ctx context.Context, s organization.Scope, g *Gathering, again time.Time) error
}

// Joined reads pieces one after the other. One of another length than it should have is an error.
type Joined struct {
	ctx   context.Context
	files Files
	left  []Piece
	open  File
	at    int64
}

// Join makes such a reader.
func Join(ctx context.Context, files Files, pieces []Piece) *Joined {
	return &Joined{ctx: ctx, files: files, left: pieces}
}

// Read reads.
func (j *Joined) Read(p []byte) (int, error) {
	for {
		if len(j.left) == 0 {
			return 0, io.EOF
		}
		piece := j.left[0]
		if j.open == nil {
			f, err := j.files.Open(j.ctx, piece.Name)
			if err != nil {
				return 0, err
			}
			if j.open, j.at = f, 0; f.Size() != piece.Size {
				return 0, errors.New("a piece of an upload has another length than came")
			}
		}
		if rest := piece.Size - j.at; rest > 0 {
			n, err := j.open.ReadAt(p[:min(int64(len(p)), rest)], j.at)
			if j.at += int64(n); n > 0 {
				return n, nil
			}
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		if err := j.Close(); err != nil {
			return 0, err
		}
		j.left = j.left[1:]
	}
}

// Close closes the piece that is open.
func (j *Joined) Close() error {
	if j.open == nil {
		return nil
	}
	err := j.open.Close()
	j.open = nil
	return err
}

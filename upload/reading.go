package upload

import (
	"context"
	"errors"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/organization"
)

// Reading is what reading a file gave, before it is stored. The files are
// temporary: they are gone once they are closed.
type Reading struct {
	Info      []byte // frames.Info as JSON
	Rate      float64
	Made      *time.Time
	Table     File   // nil for a video
	Samples   File   // nil when no channel has several samples a frame
	Derived   File   // nil when no video processor made anything
	Extension string // of the derived file, with its dot
}

// Close gives the files back.
func (r *Reading) Close() error {
	var errs []error
	for _, f := range []File{r.Table, r.Samples, r.Derived} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	return errors.Join(errs...)
}

// Source is what is known of a file that is to be read.
type Source struct {
	Name     string   // tells the kind of the file by its ending
	Athletes []string // whose movement it has
	Height   float64  // of the one athlete, in m; 0 where it is not known
	// As is the movement that the recording is measured as after it is read; nil where it is not measured.
	As *Measured
	// Tell hears which part of a video is done, from 0 to 1, as often as the video processor says it; it may be nil.
	Tell func(done float64)

	Views       []View       // the videos of a camera file
	Calibration *Calibration // of their cameras together; nil where each has its own
	Sync        string       // how the clocks of the cameras are compared; "" as the video processor is told to
}

// Reader reads motion files, which may be anything that somebody has sent.
type Reader interface {
	// Read reads a file of the organization, and measures it as Measure does where the source says as
	// what. The error is an *Unreadable when the file is to blame, and a *Died when it brought its
	// reader down.
	Read(ctx context.Context, s organization.Scope, of Source, f File) (*Reading, error)
	// Measure finds in a recording that was read what the library of movements has for its
	// movement. info is frames.Info as JSON in which nothing was found yet, and comes back with what was; table and
	// samples are nil where the recording has none. What brings a reader down is told as the
	// reason for which all is withheld.
	Measure(ctx context.Context, s organization.Scope, m Measured, info []byte, table, samples File) ([]byte, error)
}

// Measured is as what a recording is measured: the labels of its capture, as they are
// compared, its handedness, and the rate to which it was corrected, in frames a second; 0 for its own.
type Measured struct {
	Activity   string  `json:"activity"`
	Movement   string  `json:"movement"`
	Handedness string  `json:"handedness,omitempty"`
	Rate       float64 `json:"rate,omitempty"`
	// Own is how the organization calls points; nil where it has no names of its own.
	Own *movement.MarkerSet `json:"own,omitempty"`
}

// MeasuredAs gives it for a capture.
func MeasuredAs(c capture.Capture, rate float64) Measured {
	m := Measured{Rate: rate, Handedness: c.Dimensions["handedness"]}
	if c.Activity != nil {
		m.Activity = capture.Fold(*c.Activity)
	}
	if c.Movement != nil {
		m.Movement = capture.Fold(*c.Movement)
	}
	return m
}

// Unreadable says why a file cannot be read and what to do, to people.
type Unreadable struct{ Reason string }

func (u *Unreadable) Error() string { return u.Reason }

// Damaged says that a stored file does not have the bytes that were stored, and which.
type Damaged struct{ Reason string }

func (d *Damaged) Error() string { return d.Reason }

// Died says that a file brought its reader down, and how, to people.
type Died struct{ Reason string }

func (d *Died) Error() string { return d.Reason }

// Stopped says that a reader or a video processor ended by a signal that asks programs to
// end. A service manager that stops a server sends one to all its processes, so the file is
// not to blame, unless that happens again and again: a command may send it to itself.
type Stopped struct{ Reason string }

func (s *Stopped) Error() string { return s.Reason }

// MaxStops is how many attempts at a file may end with Stopped before each of them counts
// as a death.
const MaxStops = 3

// Landing is a file that has come into the landing room of a bucket.
type Landing struct {
	Organization string
	SessionID    string
	Name         string // in the bucket
	ETag         string // of these very bytes
	Size         int64
	At           time.Time
}

// Landings looks into the landing room.
type Landings interface {
	// Landed calls each for everything that is there.
	Landed(ctx context.Context, each func(Landing) error) error
	// Adopt makes a file of Files of a landing. When other bytes have landed over it
	// meanwhile that is ErrChanged, and when it is gone ErrNoFile.
	Adopt(ctx context.Context, l Landing, name string) error
	// Drop removes a landing unread.
	Drop(ctx context.Context, l Landing) error
}

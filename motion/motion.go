// Package motion knows recordings of movement as files hold them: which kinds of
// files there are, what a file says about itself, and all of its numbers.
//
// Each format has a package of its own below this one (c3d, trc, sto, bvh, table,
// video), which knows nothing of the others and keeps everything that is particular
// to the format.
// This package is what they have in common, in one shape and one language.
package motion

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// Header is what can be told of a recording without reading its frames into
// memory. Where a file disagrees with itself, a warning says so and the value
// here is the one that holds.
type Header struct {
	Format Kind
	// frames a second (Hz), 0 when the file does not tell; the shortest decimal that the file's own number
	// reads back to
	Rate       float64
	Frames     int      // frames really there; at least 1 but in a table without rows
	FirstFrame int      // number of the first of them, as the file counts: often 1, sometimes 0 or 185
	Points     []string // labels of the points, in the file's order, no two alike; a prefix ("Ann:LASI") is kept
	// the prefixes that occur, without the colon, in order of first use; may be names of people
	Prefixes       []string
	Rotations      []string // labels of rotations, in the file's order, no two alike
	Angles         []string // names of joint angles, no two alike
	Analogs        []string // labels of the analog channels, in the file's order, no two alike
	AnalogPerFrame int      // samples of each channel during one frame; of no meaning without channels
	// samples a second of each channel (Hz); 0 without channels, or when the file does not tell
	AnalogRate float64
	Unit       string    // unit of the coordinates as the file writes it ("mm", "mete"); "" when it does not
	Metres     float64   // length of that unit in metres (0.001 for mm); 0 when it is not known
	Video      *Video    // what is known of the pictures; nil when the file is no video
	Warnings   []Warning // everything that is odd about the file, in the order found

	vectors bool // points are no positions, and so without a unit of length
}

// Warning is one oddity of a file that could be read nevertheless.
type Warning = quality.Warning

// Unreadable is the error for a file that cannot be read: why, where, and what
// to do about it. Its text is made for the person who has the file.
type Unreadable = quality.Unreadable

// Recording is one recorded movement with all its numbers.
type Recording = record.Recording

// Video is what a file of pictures says of them.
type Video = record.Video

// ErrNoReader is wrapped by the error of ReadHeader for a kind of file that
// cannot be read, by its name alone.
var ErrNoReader = errors.New("there is no reader for this kind of file")

// ReadHeader reads the header of a file of size bytes, whose name tells its kind.
// Of a C3D file only header and parameters are read, of a video its index, of text
// every line, one after another. Memory is bounded by the size of the file, whatever it says
// about itself, and does not grow with the number of frames.
//
// The error is an *Unreadable when the file is to blame, wraps ErrNoReader when
// its kind cannot be read (yet), and is r's own when reading failed.
func ReadHeader(name string, r io.ReaderAt, size int64) (Header, error) {
	kind, c, err := codecOf(name)
	if err != nil {
		return Header{}, err
	}
	h, err := c.header(r, size)
	if err != nil {
		return Header{}, misnamed(err, kind, r, size)
	}
	h.Format = kind
	h.Metres = settleUnit(h.Unit, len(h.Points) > 0 && !h.vectors, &h.Warnings)
	return h, nil
}

// Read reads a file of size bytes, whose name tells its kind, with all its
// numbers. Memory is at most ten times the file's size, whatever it says about
// itself. The errors are those of ReadHeader.
func Read(name string, r io.ReaderAt, size int64) (*Recording, error) {
	kind, c, err := codecOf(name)
	if err != nil {
		return nil, err
	}
	rec, err := c.read(r, size)
	if err != nil {
		return nil, misnamed(err, kind, r, size)
	}
	lengths := slices.ContainsFunc(rec.Points, func(p record.Point) bool { return p.Quantity == record.Position })
	rec.Metres = settleUnit(rec.Unit, lengths, (*[]Warning)(&rec.Warnings))
	return rec, nil
}

// codecOf finds what reads files of this name.
func codecOf(name string) (Kind, codec, error) {
	kind, ok := KindOf(name)
	if !ok {
		return kind, codec{}, fmt.Errorf("%w: the name has none of the endings of motion files", ErrNoReader)
	}
	c := kinds[kind]
	if c.header == nil {
		return kind, c, fmt.Errorf("%w: %s files cannot be read yet", ErrNoReader, kind.Extension())
	}
	return kind, c, nil
}

// misnamed gives a better hint when the file is of another kind than its name says.
func misnamed(err error, kind Kind, r io.ReaderAt, size int64) error {
	var unreadable *Unreadable
	if !errors.As(err, &unreadable) {
		return err
	}
	really, ok := sniff(r, size)
	if !ok || really == kind || really == MP4 && kind == MOV { // both begin alike, and are read alike
		return err
	}
	article := "a"
	if really == MP4 {
		article = "an"
	}
	better := *unreadable
	better.Hint = fmt.Sprintf("It looks like %s %s file: give its name the ending %s.", article, really,
		really.Extension())
	return &better
}

// settleUnit finds the length of the unit of the coordinates in metres, and notes
// it when there are coordinates and it cannot.
func settleUnit(unit string, coordinates bool, warnings *[]Warning) float64 {
	metres, ok := units.Metres(unit)
	if !coordinates {
		return metres
	}
	w := (*quality.Warnings)(warnings)
	switch {
	case ok:
		if units.Cut(unit) {
			w.Add(quality.UnitCut, "The file writes its unit of length as %q, which was taken for %g m.", unit, metres)
		}
	case unit == "":
		w.Add(quality.UnitMissing, "The file does not say in which unit its coordinates are.")
	default:
		w.Add(quality.UnitUnknown,
			"The file's unit of length, %q, is not known, so its coordinates cannot be converted.", unit)
	}
	return metres
}

// Package record is the one shape that every codec reads a motion file into and
// writes one out of. It stands below the codecs, so that they need not know
// package motion, which offers these types under its own name.
//
// Numbers are those of the file, as 32-bit floating point in the file's own unit, and
// as 64-bit beside it where 32 bits cannot hold them: positions on the globe, clocks,
// counters. Nothing is converted on the way in, and what makes metres of them
// stands beside them. All values of a channel lie behind one another, because
// what is asked of a recording is nearly always the course of one channel.
package record

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
)

// Recording is one recorded movement, or a stretch of it.
type Recording struct {
	// frames a second (Hz); 0 when the file does not tell; of frames that are not evenly spaced only what the
	// file states
	Rate       float64
	Frames     int       // frames that every channel has values for
	FirstFrame int       // number of the first of them, as the file counts
	Start      float64   // time of the first frame in seconds, on the clock that Events use
	Times      []float64 // time of each frame in seconds; nil when they are evenly spaced, see Time

	Unit   string  // unit of positions as the file writes it; "" when it does not
	Metres float64 // length of that unit in metres; 0 when it is not known

	Points    []Point
	Rotations []Rotation
	Angles    []Channel // joint angles, in degrees whatever the file has
	Analogs   []Channel // everything else that has one value at a time
	Events    []Event   // in the order of the file
	Metrics   []Metric  // in the order of the file
	Subjects  []string  // who or what was recorded, as the file calls them; may be names of people
	Video     *Video    // what is known of the pictures; nil when the file is no video

	// Plates are the force platforms, in the order of the file, and PlateZero the numbers of
	// the first and last frame in which, by the file, nobody stood on one; 0, 0 when it
	// names none.
	Plates    []Plate
	PlateZero [2]int

	// Bones are pairs of places in Points that hang together, the one nearer to the
	// root first; nil when the file does not say what does.
	Bones [][2]int

	// Up is the axis of the positions that points upwards, such as +z; "" when the
	// file does not tell.
	Up string

	// Recorded is when the movement was recorded, by what a table says above its rows; zero
	// where it does not tell. Of a video see Video.Created.
	Recorded time.Time

	// ResidualStep is what residuals are counted in: a C3D file has them as whole
	// multiples of its scale factor. 0 when there are none.
	ResidualStep float32

	// Doubts are those about the numbers of these frames; Warnings tells them, but only of the
	// stretch that was read.
	Doubts Doubts

	Warnings quality.Warnings // everything that is odd about the file, in the order found
}

// Quantity is what the three numbers of a point are.
type Quantity string

// The quantities. Only positions are in the recording's unit.
const (
	Position Quantity = "position"
	Angle    Quantity = "angle"
	Force    Quantity = "force"
	Moment   Quantity = "moment"
	Power    Quantity = "power"
	Scalar   Quantity = "scalar"
	Vector   Quantity = "vector" // three numbers of which the file does not say what they are
)

// Point is three numbers a frame: where a marker or a joint was, or a result that
// the capture software computed and stored among the markers.
type Point struct {
	Name     string // no two points of a subject share one
	Subject  string // what stood before the colon of its label ("Ann:LASI"); "" when nothing did
	Quantity Quantity
	Unit     string // of the numbers, where it is not the recording's; "" when it is or is unknown

	X, Y, Z []float32 // one for each frame; where one is NaN all three are: the point was not seen

	// Wide has the same numbers in 64 bits; nil where 32 hold them.
	Wide *[3][]float64

	// of the reconstruction, in the recording's unit; NaN where the point was not seen; nil when the file has
	// none
	Residual []float32
	Cameras  []uint8 // the cameras that saw it, bit 0 for the first of at most 7; nil when the file does not tell
}

// Label is the name with its subject, as files write it.
func (p *Point) Label() string {
	if p.Subject == "" {
		return p.Name
	}
	return p.Subject + ":" + p.Name
}

// Missing says whether the point was not seen in a frame, counted from 0.
func (p *Point) Missing(frame int) bool { return isNaN(p.X[frame]) }

// Infinite says whether a number of the point in a frame, counted from 0, is beyond
// all bounds, as what is computed can be.
func (p *Point) Infinite(frame int) bool {
	infinite := func(v float32) bool { return v-v != 0 && !isNaN(v) }
	return infinite(p.X[frame]) || infinite(p.Y[frame]) || infinite(p.Z[frame])
}

// Settle makes a point that lacks one of its three numbers in a frame, or has an
// infinite one, missing there: where it was is then not known.
func (p *Point) Settle() {
	for i, x := range p.X {
		// Taken from itself only a finite number is nothing. Two of them could be
		// infinite as a sum.
		if y, z := p.Y[i], p.Z[i]; x-x != 0 || y-y != 0 || z-z != 0 {
			p.X[i], p.Y[i], p.Z[i] = NaN32, NaN32, NaN32
			if p.Wide != nil {
				p.Wide[0][i], p.Wide[1][i], p.Wide[2][i] = math.NaN(), math.NaN(), math.NaN()
			}
		}
	}
}

// Channel is one number at a time, once or several times a frame.
type Channel struct {
	Name     string // no two channels of a kind share one
	Unit     string // as the file writes it; "" when it does not
	Rate     float64
	PerFrame int       // samples during one frame, at least 1
	Values   []float32 // PerFrame for each frame; NaN where there is none
	Wide     []float64 // the same numbers in 64 bits; nil where 32 hold them
}

// Rotation is the place and orientation of a body: the upper three rows of the
// 4×4 matrix that takes it there, and how far it is to be relied on.
type Rotation struct {
	Name    string
	Subject string
	Rate    float64
	// PerFrame is the number of matrices during one frame, at least 1.
	PerFrame int
	// Matrix has the elements row by row, Matrix[4*r+c] those of row r and column
	// c, each PerFrame times for each frame; all 16 are NaN where there is none.
	Matrix [16][]float32
	// Reliability is from 0 to 1, NaN where there is no matrix; nil when the file
	// has none.
	Reliability []float32
}

// Event is a moment that somebody or some program marked.
type Event struct {
	Label       string
	Context     Context
	Time        float64 // seconds, on the clock of Recording.Start
	Subject     string
	Description string
}

// Metric is one number about the whole recording that some program computed, such as
// the cadence of a walk.
type Metric struct {
	Name        string // several may share one
	Context     Context
	Subject     string
	Unit        string // as the file writes it; "" when it does not
	Description string
	Value       float64 // finite
}

// Context is the side of the body that an event or a metric is about.
type Context string

// The contexts. Others are kept as the file writes them.
const (
	Left    Context = "left"
	Right   Context = "right"
	General Context = "general"
)

// ContextOf reads the name of a side as a file writes it.
func ContextOf(name string) Context {
	switch lower := Context(strings.ToLower(name)); lower {
	case Left, Right, General:
		return lower
	}
	return Context(name)
}

// Video is what a file of pictures says of them.
type Video struct {
	Width, Height int     // pixels, as stored
	Rotation      int     // degrees clockwise by which a player must turn them: 0, 90, 180 or 270
	Duration      float64 // seconds that the pictures last, edits aside
	Variable      bool    // the pictures are not evenly spaced in time
	Fragmented    bool    // the index of the pictures is spread over the file
	Edits         []Edit  // the parts that are to be shown, in their order; none means all of it
	Codec         string  // four characters, such as avc1

	// Created is when the recording was made, in UTC: as the camera's own date has it,
	// which states its zone, else as the header does, where the format demands UTC and
	// not every camera keeps to that. Zero when neither says.
	Created time.Time
}

// Edit is one part of a video that is to be shown.
type Edit struct {
	Start    float64 // where in the pictures it begins, in seconds; negative for a part without pictures
	Duration float64 // seconds
}

// Time gives the time of a frame, counted from 0, in seconds. Without a rate and
// without times it is the time of the first frame.
func (r *Recording) Time(frame int) float64 {
	switch {
	case r.Times != nil:
		return r.Times[frame]
	case r.Rate > 0:
		return r.Start + float64(frame)/r.Rate
	}
	return r.Start
}

// Duration is the time that the frames take in seconds, the last one included; where
// they have times of their own, that from the earliest to the latest.
func (r *Recording) Duration() float64 {
	switch {
	case r.Frames == 0:
		return 0
	case len(r.Times) > 0:
		return slices.Max(r.Times) - slices.Min(r.Times)
	case r.Rate > 0:
		return float64(r.Frames) / r.Rate
	}
	return r.Time(r.Frames-1) - r.Time(0)
}

// NaN32 is what stands where a value is missing.
var NaN32 = float32(math.NaN())

func isNaN(f float32) bool { return f != f }

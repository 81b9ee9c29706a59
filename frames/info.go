// Package frames knows the motion of a capture as a table: a row a frame, columns
// with names, units and kinds; the answer of GET /captures/{id}/motion; and the Parquet
// file that it is kept in.
package frames

import (
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/record"
)

// Info is what is known of a recording beside its numbers, as it is kept with the
// capture and shown. Pointers and empty lists are what the file does not tell.
type Info struct {
	Format     string   `json:"format"`      // the kind of the file: c3d, trc, …
	Rate       *float64 `json:"rate"`        // frames a second, as the file states it
	Frames     int      `json:"frames"`      // rows of the table
	FirstFrame int      `json:"first_frame"` // number of the first row, as the file counts
	Start      float64  `json:"start"`       // time of the first row in seconds, on the clock of the events
	// seconds, the last frame included; of uneven frames from the earliest to the latest
	Duration float64   `json:"duration"`
	Even     bool      `json:"even"`   // the frames are evenly spaced: their times follow from start and rate
	Unit     string    `json:"unit"`   // of lengths, as the file writes it
	Metres   float64   `json:"metres"` // length of that unit; 0 when it is not known: lengths then stay in it
	Channels []Channel `json:"channels"`
	Events   []Event   `json:"events"`
	Metrics  []Metric  `json:"metrics"` // nil in what was stored before there were any
	Warnings []Warning `json:"warnings"`
	Subjects []string  `json:"subjects"`

	// Bones are pairs of channels that hang together, by their names, the one nearer
	// to the root first. What was stored before there were any has none.
	Bones [][2]string `json:"bones"`
	Up    string      `json:"up"` // the axis that points upwards, such as +z; "" when the file does not tell

	// Unknown is what motion of a video does not know of its points: UnknownScale,
	// UnknownDepth. What was stored before there was any has none.
	Unknown []string `json:"unknown"`

	// Plates are the force platforms, in the order of the file; nil in what was stored
	// before there were any. PlateZero is the numbers of the first and last frame in which,
	// by the file, nobody stood on one; nil when it names none.
	Plates    []Plate `json:"force_plates"`
	PlateZero *[2]int `json:"force_plate_zero"`

	// Computed is what was found by the definitions of the library of movements; nil where
	// nobody has looked yet.
	Computed *Computed `json:"computed"`

	Video *Video `json:"video"`
}

// Filmed says whether the recording was made of videos: of one, or of several cameras, for each of which a channel
// sync_offset_NAME has by how many seconds its clock is ahead. The points without a subject are then those of the one
// who is filmed, and person2 and so on are others who are seen.
func (i *Info) Filmed() bool {
	return i.Video != nil || slices.ContainsFunc(i.Channels, func(c Channel) bool {
		return strings.HasPrefix(c.Name, "sync_offset_") && c.Unit == "s"
	})
}

// Quantities that motion of a video may lack.
const (
	UnknownScale = "scale" // how long its metres are
	UnknownDepth = "depth" // how far things are from the camera
)

// Plate is a force platform: what the file says of its geometry, and the names of the
// channels that have what it measured, in the order of its type.
type Plate struct {
	record.Plate
	Channels []string `json:"channels"`
}

// Channel is a point, a joint angle, an analog channel or a rotation, and the
// columns that hold its numbers.
type Channel struct {
	Name    string  `json:"name"` // no two alike in a recording, whatever their kind
	Kind    string  `json:"kind"` // see the kinds below
	Subject *string `json:"subject"`
	// of the numbers as they are given out: m for positions, deg for angles; "" when it is not known
	Unit     string   `json:"unit"`
	Rate     *float64 `json:"rate"`      // samples a second; null when the file does not tell
	PerFrame int      `json:"per_frame"` // samples during one frame, at least 1
	Missing  float64  `json:"missing"`   // part of the samples that are missing, in per cent
	Columns  []string `json:"columns"`
	Bits     int      `json:"bits,omitzero"` // 64 where its numbers have as many, for 32 cannot hold them; else 0
}

// Wide says whether the numbers have 64 bits.
func (c *Channel) Wide() bool { return c.Bits == 64 }

// The kinds of channels. Of the points that are no positions the kind says what
// their three numbers are.
const (
	KindPoint    = "point"
	KindAngle    = "angle"
	KindForce    = "force"
	KindMoment   = "moment"
	KindPower    = "power"
	KindScalar   = "scalar"
	KindVector   = "vector"
	KindAnalog   = "analog"
	KindRotation = "rotation"
)

// Event is a moment that was marked.
type Event struct {
	Label       string  `json:"label"`
	Context     string  `json:"context"` // left, right, general, or as the file has it; "" for none
	Time        float64 `json:"time"`    // seconds
	Frame       *int    `json:"frame"`   // the row nearest in time, from 0; null when it lies outside the recording
	Subject     string  `json:"subject"`
	Description string  `json:"description"`
}

// Metric is one number about the whole recording, as the file has it: neither a
// corrected rate nor metres change it.
type Metric struct {
	Name        string  `json:"name"`
	Context     string  `json:"context"` // left, right, general, or as the file has it; "" for none
	Subject     string  `json:"subject"`
	Unit        string  `json:"unit"` // as the file writes it
	Description string  `json:"description"`
	Value       float64 `json:"value"`
}

// Warning is one oddity of the file.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Video is what is known of the pictures.
type Video struct {
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Rotation int     `json:"rotation"` // degrees clockwise
	Codec    string  `json:"codec"`
	Variable bool    `json:"variable"` // pictures are not evenly spaced in time
	Duration float64 `json:"duration"` // seconds
}

package c3d

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// File is a C3D file whose header has been read, and of which any stretch of
// frames can be.
type File struct {
	*Header
	r io.ReaderAt

	calibration []calibration // of each analog channel
	quantities  []quantity    // of each point
	events      []record.Event
	metrics     []record.Metric
	plates      []record.Plate // force platforms
	plateZero   [2]int
	pieces      [][]byte // what readers of frames read into, kept from one stretch to the next
}

// Open reads the header of a C3D file of that many bytes and everything else that
// is not a frame. Errors are those of ReadHeader.
func Open(r io.ReaderAt, size int64) (*File, error) {
	h, err := ReadHeader(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{Header: h, r: r}
	f.calibration = h.calibrate()
	f.quantities = h.quantities()
	f.events = h.events()
	f.metrics = h.metrics()
	f.plates, f.plateZero = h.plates()
	return f, nil
}

// Read reads a whole C3D file of that many bytes.
func Read(r io.ReaderAt, size int64) (*record.Recording, error) {
	f, err := Open(r, size)
	if err != nil {
		return nil, err
	}
	return f.Stretch(0, f.Header.Frames)
}

// Stretch reads n frames from the one at place from on, counted from 0. Memory is
// that of the frames asked for and one piece of the file: a file of any size can
// be gone through a stretch at a time. Events, subjects and warnings are those of
// the whole file, but for those that tell the doubts about the numbers of these
// frames. A stretch that reaches beyond the file is a fault of the caller.
func (f *File) Stretch(from, n int) (*record.Recording, error) {
	if from < 0 || n < 0 || from > f.Header.Frames-n {
		return nil, fmt.Errorf("frames %d to %d were asked of a C3D file of %d", from, from+n-1, f.Header.Frames)
	}
	rec := f.frame(from, n)
	if err := f.readFrames(rec, from, n); err != nil {
		return nil, err
	}
	if f.Real {
		rec.Doubts.Beyond = f.beyond(rec.Analogs)
		rec.Doubts.Look(rec.Analogs)
	}
	rec.Doubts.Tell(&rec.Warnings)
	if err := f.readRotations(rec, from, n); err != nil {
		return nil, err
	}
	return rec, nil
}

// Start is when a file whose first frame has that number begins, in seconds, by the rate
// that it has or is said to have. Frame 1 is at 0 s, wherever the file begins: events are
// timed so. A file that begins with a frame 0 begins at 0 s.
func Start(first int, rate float64) float64 { return float64(max(0, first-1)) / rate }

// frame makes a recording of n frames without their values.
func (f *File) frame(from, n int) *record.Recording {
	h := f.Header
	rec := &record.Recording{
		Rate: h.Rate, Frames: n, FirstFrame: h.FirstFrame + from, Unit: h.Unit,
		Events: slices.Clone(f.events), Metrics: slices.Clone(f.metrics), Plates: f.plates, PlateZero: f.plateZero,
		Subjects: h.subjects(), Warnings: slices.Clone(h.Warnings),
		ResidualStep: float32(h.Scale), Up: h.up(),
	}
	if h.Rate > 0 {
		rec.Start = float64(max(0, h.FirstFrame-1)+from) / h.Rate
	}
	points := make([]float32, 4*n*len(h.Points))
	column := func(n int) []float32 {
		c := points[:n:n]
		points = points[n:]
		return c
	}
	cameras := make([]uint8, n*len(h.Points))
	rec.Points = make([]record.Point, len(h.Points))
	for i, name := range h.Points {
		p := &rec.Points[i]
		p.Subject, p.Name = label.Split(name)
		p.Quantity, p.Unit = f.quantities[i].kind, f.quantities[i].unit
		p.X, p.Y, p.Z, p.Residual = column(n), column(n), column(n), column(n)
		p.Cameras = cameras[i*n : (i+1)*n : (i+1)*n]
	}
	per := h.AnalogPerFrame
	samples := make([]float32, n*per*len(h.Analogs))
	rec.Analogs = make([]record.Channel, len(h.Analogs))
	for i, name := range h.Analogs {
		rec.Analogs[i] = record.Channel{
			Name: name, Unit: f.calibration[i].unit, Rate: h.AnalogRate, PerFrame: per,
			Values: samples[i*n*per : (i+1)*n*per : (i+1)*n*per],
		}
	}
	return rec
}

// fetch reads exactly len(buf) bytes of frames. A file that has become shorter
// since it was opened is to blame, a disk that fails is not.
func (f *File) fetch(buf []byte, offset int64) error {
	got, err := readAt(f.r, buf, offset)
	if err != nil {
		return fmt.Errorf("reading the C3D frames: %w", err)
	}
	if got < len(buf) {
		return &quality.Unreadable{Reason: "The file ends within its frames, though it was longer when it was opened",
			Offset: offset + int64(got), Hint: quality.CopyAgain}
	}
	return nil
}

// subjects are the names in the group SUBJECTS, and the prefixes of labels that
// it does not have.
func (h *Header) subjects() []string {
	var all []string
	for _, name := range append(h.texts("SUBJECTS", "NAMES"), h.Prefixes...) {
		if name != "" && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// up is the axis that points upwards on the screen of the program that wrote the
// file, POINT:Y_SCREEN, as the formats of screens have it: +Z, -Y, or Y alone.
func (h *Header) up() string {
	for _, text := range h.texts("POINT", "Y_SCREEN") {
		text = strings.ToLower(strings.TrimSpace(text))
		if len(text) == 1 {
			text = "+" + text
		}
		if len(text) == 2 && strings.Contains("+-", text[:1]) && strings.Contains("xyz", text[1:]) {
			return text
		}
	}
	return ""
}

// quantity is what a point is, with its unit where that is not the recording's.
type quantity struct {
	kind record.Quantity
	unit string
}

// kinds are the lists of points that are no positions, and the word for one of each
// that POINT:TYPE_GROUPS has.
var kinds = []struct {
	list, singular, units string
	kind                  record.Quantity
}{
	{"ANGLES", "ANGLE", "ANGLE_UNITS", record.Angle},
	{"FORCES", "FORCE", "FORCE_UNITS", record.Force},
	{"MOMENTS", "MOMENT", "MOMENT_UNITS", record.Moment},
	{"POWERS", "POWER", "POWER_UNITS", record.Power},
	{"SCALARS", "SCALAR", "SCALAR_UNITS", record.Scalar},
}

// quantities finds the results of models among the points: POINT:ANGLES lists the
// labels of those that are angles, as they stand in POINT:LABELS, so that of points
// of one label it means all. POINT:ANGLE_UNITS has their unit, or one for each; and so on.
// POINT:TYPE_GROUPS could name other groups; in the files seen it repeats these.
func (h *Header) quantities() []quantity {
	listed := map[string]quantity{}
	for _, k := range kinds {
		names, units := h.texts("POINT", k.list), h.texts("POINT", k.units)
		for i, name := range names {
			q := quantity{kind: k.kind}
			switch {
			case len(units) == len(names):
				q.unit = units[i]
			case len(units) > 0:
				q.unit = units[0]
			}
			if name != "" {
				listed[name] = q
			}
		}
	}
	labels := h.texts("POINT", "LABELS")
	all := make([]quantity, len(h.Points))
	for i := range all {
		all[i].kind = record.Position
		if i < len(labels) {
			if q, ok := listed[labels[i]]; ok {
				all[i] = q
			}
		}
	}
	return all
}

// finite says whether a factor can be calculated with.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

package motion

import (
	"fmt"
	"io"
	"slices"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// File is a motion file that is gone through a stretch of frames at a time. Of a
// C3D file only the stretch asked for is in memory, whatever its length; a file of
// any other kind is read whole when it is opened.
type File struct {
	Kind   Kind
	Frames int

	head *Recording // everything but numbers
	c3d  *c3d.File
	all  *Recording

	corrected *correction // nil: by the file's own rate
}

// Open opens a file of size bytes, whose name tells its kind. The errors are those
// of ReadHeader.
func Open(name string, r io.ReaderAt, size int64) (*File, error) {
	kind, _, err := codecOf(name)
	if err != nil {
		return nil, err
	}
	if kind != C3D {
		rec, err := Read(name, r, size)
		if err != nil {
			return nil, err
		}
		return &File{Kind: kind, Frames: rec.Frames, all: rec}, nil
	}
	file, err := c3d.Open(r, size)
	if err != nil {
		return nil, misnamed(err, kind, r, size)
	}
	head, err := file.Stretch(0, 0)
	if err != nil {
		return nil, err
	}
	lengths := slices.ContainsFunc(head.Points, func(p record.Point) bool { return p.Quantity == record.Position })
	head.Metres = settleUnit(head.Unit, lengths, (*[]Warning)(&head.Warnings))
	return &File{Kind: kind, Frames: file.Frames, head: head, c3d: file}, nil
}

// Stretch gives n frames from the one at place from on, counted from 0. Start and
// FirstFrame are those of its first frame; events, subjects and warnings are those
// of the whole file but for what Nowhere counts. What it gives is only to be read, and good until the file's
// own reader is closed.
func (f *File) Stretch(from, n int) (*Recording, error) {
	if from < 0 || n < 0 || from > f.Frames-n {
		return nil, fmt.Errorf("frames %d to %d were asked of a recording of %d", from, from+n-1, f.Frames)
	}
	rec, err := f.stretch(from, n)
	if err != nil || f.corrected == nil {
		return rec, err
	}
	return f.corrected.apply(rec, from), nil
}

func (f *File) stretch(from, n int) (*Recording, error) {
	if f.all != nil {
		return part(f.all, from, n), nil
	}
	rec, err := f.c3d.Stretch(from, n)
	if err != nil {
		return nil, err
	}
	rec.Metres, rec.Warnings = f.head.Metres, f.head.Warnings
	return rec, nil
}

// part is a stretch of a recording in memory, which shares its numbers.
func part(whole *Recording, from, n int) *Recording {
	if from == 0 && n == whole.Frames {
		return whole
	}
	rec := *whole
	rec.Frames, rec.FirstFrame = n, whole.FirstFrame+from
	if from < whole.Frames {
		rec.Start = whole.Time(from)
	}
	if whole.Times != nil {
		rec.Times = whole.Times[from : from+n]
	}
	cut := func(values []float32, per int) []float32 { return stretch(values, from*per, n*per) }
	rec.Points = slices.Clone(whole.Points)
	for i := range rec.Points {
		p := &rec.Points[i]
		p.X, p.Y, p.Z, p.Residual = cut(p.X, 1), cut(p.Y, 1), cut(p.Z, 1), cut(p.Residual, 1)
		p.Cameras = stretch(p.Cameras, from, n)
		if w := p.Wide; w != nil {
			p.Wide = &[3][]float64{stretch(w[0], from, n), stretch(w[1], from, n), stretch(w[2], from, n)}
		}
	}
	rec.Rotations = slices.Clone(whole.Rotations)
	for i := range rec.Rotations {
		r := &rec.Rotations[i]
		for c := range r.Matrix {
			r.Matrix[c] = cut(r.Matrix[c], r.PerFrame)
		}
		r.Reliability = cut(r.Reliability, r.PerFrame)
	}
	rec.Angles, rec.Analogs = slices.Clone(whole.Angles), slices.Clone(whole.Analogs)
	for _, channels := range [][]record.Channel{rec.Angles, rec.Analogs} {
		for i := range channels {
			c := &channels[i]
			c.Values, c.Wide = cut(c.Values, c.PerFrame), stretch(c.Wide, from*c.PerFrame, n*c.PerFrame)
		}
	}
	return &rec
}

// stretch gives n of some values, none where there are none at all.
func stretch[T any](values []T, from, n int) []T {
	if values == nil {
		return nil
	}
	return values[from : from+n]
}

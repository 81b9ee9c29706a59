package sto

import (
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// Read reads a storage file of that many bytes with all its numbers. Errors are
// those of ReadHeader.
//
// The coordinates of a model in a file that says inDegrees become joint angles in
// degrees, but for those named as translations, which are metres; which columns are
// coordinates, title and names tell. All others are channels without a unit.
// Quaternions (w, x, y, z) become rotations, and Vec3 points: positions if the file
// states a unit.
func Read(r io.Reader, size int64) (*record.Recording, error) {
	columns := text.NewColumns(0, size)
	h, rows, err := read(r, columns)
	if err != nil {
		return nil, err
	}
	rec := &record.Recording{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: 1, Start: h.Start, Times: rows.times, Unit: h.Unit,
		Warnings: h.Warnings,
	}
	unit := h.units()
	for i, name := range h.Columns {
		switch h.Type {
		case Vec3:
			p := record.Point{Quantity: record.Vector}
			columns.Place(&p, 3*i)
			if h.Unit != "" {
				p.Quantity = record.Position
			}
			p.Subject, p.Name = label.Split(name)
			p.Settle()
			rec.Points = append(rec.Points, p)
		case Quaternion:
			rec.Rotations = append(rec.Rotations, rotation(name, rec, columns, 4*i))
		default:
			c := record.Channel{Name: name, Rate: h.Rate, PerFrame: 1, Values: columns.Column(i), Wide: columns.Wide(i)}
			if c.Unit = unit(name); c.Unit == "deg" {
				h.degrees(&c, &rec.Warnings)
				rec.Angles = append(rec.Angles, c)
			} else {
				rec.Analogs = append(rec.Analogs, c)
			}
		}
	}
	if h.uncounted != nil {
		rec.Analogs = append(rec.Analogs, record.Column(h.timeLabel(), h.uncounted, h.Rate))
	}
	rec.Subjects = label.Prefixes(h.Columns)
	if h.Type == Double {
		rec.Subjects = nil
	}
	return rec, nil
}

// Kinds says which columns Read makes of the names: points, rotations, angles and
// channels.
func (h *Header) Kinds() (points, rotations, angles, analogs []string) {
	if h.uncounted != nil {
		defer func() { analogs = append(analogs, h.timeLabel()) }()
	}
	switch h.Type {
	case Vec3:
		return h.Columns, nil, nil, nil
	case Quaternion:
		return nil, h.Columns, nil, nil
	}
	unit := h.units()
	for _, name := range h.Columns {
		if unit(name) == "deg" {
			angles = append(angles, name)
		} else {
			analogs = append(analogs, name)
		}
	}
	return nil, nil, angles, analogs
}

// degrees makes degrees of an angle.
func (h *Header) degrees(c *record.Channel, warnings *quality.Warnings) {
	if !h.Degrees {
		warnings.AddTooLarge(c.Convert(func(v float64) float64 { return v * 180 / math.Pi }), c.Name, "deg")
	}
}

// rotation makes matrices of quaternions, whose length does not matter; one
// without a direction is missing.
func rotation(name string, rec *record.Recording, columns *text.Columns, at int) record.Rotation {
	r := record.Rotation{Rate: rec.Rate, PerFrame: 1}
	r.Subject, r.Name = label.Split(name)
	for i := range r.Matrix {
		r.Matrix[i] = make([]float32, rec.Frames)
	}
	ws, xs, ys, zs := columns.Column(at), columns.Column(at+1), columns.Column(at+2), columns.Column(at+3)
	for f := range rec.Frames {
		w, x, y, z := float64(ws[f]), float64(xs[f]), float64(ys[f]), float64(zs[f])
		n := 2 / (w*w + x*x + y*y + z*z)
		m := [16]float64{
			1 - n*(y*y+z*z), n * (x*y - z*w), n * (x*z + y*w), 0,
			n * (x*y + z*w), 1 - n*(x*x+z*z), n * (y*z - x*w), 0,
			n * (x*z - y*w), n * (y*z + x*w), 1 - n*(x*x+y*y), 0,
			0, 0, 0, 1,
		}
		for i, v := range m {
			if n-n != 0 { // one of the four is missing, or all are 0
				v = math.NaN()
			}
			r.Matrix[i][f] = float32(v)
		}
	}
	return r
}

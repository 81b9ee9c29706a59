package motion

import (
	"io"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/trc"
)

// readC3D puts the header of a C3D file into the common shape.
func readC3D(r io.ReaderAt, size int64) (Header, error) {
	h, err := c3d.ReadHeader(r, size)
	if err != nil {
		return Header{}, err
	}
	return Header{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: h.FirstFrame,
		Points: h.Points, Prefixes: h.Prefixes, Unit: h.Unit,
		Analogs: h.Analogs, AnalogPerFrame: h.AnalogPerFrame, AnalogRate: h.AnalogRate,
		Warnings: h.Warnings,
	}, nil
}

func readWholeTRC(r io.ReaderAt, size int64) (*Recording, error) {
	return trc.Read(io.NewSectionReader(r, 0, size), size)
}

// readTRC puts the header of a TRC file into the common shape.
func readTRC(r io.ReaderAt, size int64) (Header, error) {
	h, err := trc.ReadHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return Header{}, err
	}
	return Header{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: h.FirstFrame,
		Points: h.AllPoints(), Prefixes: label.Prefixes(h.Points), Unit: h.Unit,
		Warnings: h.Warnings,
	}, nil
}

package motion

import (
	"io"

	"github.com/kinebase/kinebase/motion/bvh"
	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/sto"
	"github.com/kinebase/kinebase/motion/table"
	"github.com/kinebase/kinebase/motion/trc"
	"github.com/kinebase/kinebase/motion/video"
)

// readC3D puts the header of a C3D file into the common shape.
func readC3D(r io.ReaderAt, size int64) (Header, error) {
	h, err := c3d.ReadHeader(r, size)
	if err != nil {
		return Header{}, err
	}
	return Header{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: h.FirstFrame,
		Points: h.Points, Prefixes: h.Prefixes, Unit: h.Unit, Rotations: h.Rotations,
		Analogs: h.Analogs, AnalogPerFrame: h.AnalogPerFrame, AnalogRate: h.AnalogRate,
		Warnings: h.Warnings,
	}, nil
}

// stream is a codec that reads a file from its beginning to its end.
func stream(read func(r io.Reader, size int64) (*record.Recording, error)) func(r io.ReaderAt, size int64) (*Recording,
	error) {
	return func(r io.ReaderAt, size int64) (*Recording, error) {
		return read(io.NewSectionReader(r, 0, size), size)
	}
}

// rows is a codec of rows of numbers, in which some numbers may stand for none.
func rows(read func(r io.Reader, size int64) (*record.Recording, error)) func(r io.ReaderAt, size int64) (*Recording,
	error) {
	return func(r io.ReaderAt, size int64) (*Recording, error) {
		rec, err := stream(read)(r, size)
		if err == nil {
			rec.ClearPlaceholders()
			rec.TellOrigin()
		}
		return rec, err
	}
}

// readTRC puts the header of a TRC file into the common shape.
func readTRC(r io.ReaderAt, size int64) (Header, error) {
	h, err := trc.ReadHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return Header{}, err
	}
	return Header{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: h.FirstFrame,
		Points: h.AllPoints(), Prefixes: label.Prefixes(h.Points), Unit: h.Unit, Analogs: h.Analogs(),
		AnalogPerFrame: 1, AnalogRate: h.Rate,
		Warnings: h.Warnings,
	}, nil
}

// readSTO puts the header of a storage or motion file into the common shape.
func readSTO(r io.ReaderAt, size int64) (Header, error) {
	h, err := sto.ReadHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return Header{}, err
	}
	out := Header{Rate: h.Rate, Frames: h.Frames, FirstFrame: 1, Unit: h.Unit, AnalogPerFrame: 1, AnalogRate: h.Rate,
		Warnings: h.Warnings}
	out.Points, out.Rotations, out.Angles, out.Analogs = h.Kinds()
	out.Prefixes, out.vectors = label.Prefixes(out.Points), h.Unit == ""
	return out, nil
}

// readBVH puts the header of a BVH file into the common shape.
func readBVH(r io.ReaderAt, size int64) (Header, error) {
	h, err := bvh.ReadHeader(io.NewSectionReader(r, 0, size))
	if err != nil {
		return Header{}, err
	}
	return Header{
		Rate: h.Rate, Frames: h.Frames, FirstFrame: 1, Points: h.Points(), Prefixes: label.Prefixes(h.Points()),
		Angles:         h.Angles(),
		AnalogPerFrame: 1, Warnings: h.Warnings,
	}, nil
}

// readCSV reads a table for its header alone: what its columns are, only all of
// their cells tell.
func readCSV(r io.ReaderAt, size int64) (Header, error) {
	rec, err := readTable(r, size)
	if err != nil {
		return Header{}, err
	}
	return headerOf(rec), nil
}

// readTable reads a table, whose rows have a rate where their times scatter about one.
func readTable(r io.ReaderAt, size int64) (*Recording, error) {
	rec, err := table.Read(r, size)
	if err != nil {
		return nil, err
	}
	rec.ClearPlaceholders()
	rec.TellOrigin()
	if rec.Rate > 0 || rec.Times == nil {
		return rec, nil
	}
	rec.Rate = record.Nominal(rec.Times)
	for _, channels := range [][]record.Channel{rec.Angles, rec.Analogs} {
		for i := range channels {
			channels[i].Rate = rec.Rate * float64(max(1, channels[i].PerFrame))
		}
	}
	return rec, nil
}

// readVideo puts what is known of a video into the common shape.
func readVideo(r io.ReaderAt, size int64) (Header, error) {
	rec, err := video.Read(r, size)
	if err != nil {
		return Header{}, err
	}
	return headerOf(rec), nil
}

// headerOf is the header of a recording, for formats that have none of their own.
func headerOf(rec *Recording) Header {
	h := Header{
		Rate: rec.Rate, Frames: rec.Frames, FirstFrame: rec.FirstFrame, Unit: rec.Unit,
		Video: rec.Video, Warnings: rec.Warnings, AnalogPerFrame: 1, vectors: true,
	}
	for i := range rec.Points {
		h.Points = append(h.Points, rec.Points[i].Label())
		h.vectors = h.vectors && rec.Points[i].Quantity != record.Position
	}
	h.Prefixes = label.Prefixes(h.Points)
	for _, r := range rec.Rotations {
		h.Rotations = append(h.Rotations, r.Name)
	}
	for _, c := range rec.Angles {
		h.Angles = append(h.Angles, c.Name)
	}
	for _, c := range rec.Analogs {
		h.Analogs = append(h.Analogs, c.Name)
		h.AnalogPerFrame, h.AnalogRate = c.PerFrame, c.Rate
	}
	return h
}

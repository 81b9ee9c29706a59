package trc

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/kinebase/kinebase/motion/record"
)

// Write writes the positions of a recording as a TRC file, in the recording's unit
// and with as many digits as every number needs to be read back the same. What a
// TRC file has no place for is left out: everything but positions. name is what the
// file is to be called; it stands in its first line.
//
// The error says why a recording does not fit, or is w's own.
func Write(w io.Writer, name string, rec *record.Recording) error {
	var points []*record.Point
	for i := range rec.Points {
		p := &rec.Points[i]
		if p.Quantity != record.Position && p.Quantity != "" {
			continue
		}
		if len(p.X) != rec.Frames || len(p.Y) != rec.Frames || len(p.Z) != rec.Frames {
			return fmt.Errorf("the point %q has not as many values as the recording has frames", p.Name)
		}
		points = append(points, p)
	}
	if len(points) == 0 || rec.Frames == 0 {
		return fmt.Errorf("the recording has no positions, and a TRC file has nothing else")
	}
	b := bufio.NewWriter(w)
	head(b, name, rec, points)
	var row []byte
	for f := range rec.Frames {
		row = strconv.AppendInt(row[:0], int64(rec.FirstFrame+f), 10)
		row = append(row, '\t')
		if f == 0 || timed(rec) { // else nobody knows when it was
			row = strconv.AppendFloat(row, rec.Time(f), 'f', -1, 64)
		}
		for _, p := range points {
			v, bits := p.At(f)
			for _, v := range v {
				if row = append(row, '\t'); v == v {
					row = strconv.AppendFloat(row, v, 'f', -1, bits)
				}
			}
		}
		if _, err := b.Write(append(row, '\n')); err != nil {
			return fmt.Errorf("writing the TRC file: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the TRC file: %w", err)
	}
	return nil
}

// head writes the lines above the rows. Errors stay in b until it is flushed.
func head(b *bufio.Writer, name string, rec *record.Recording, points []*record.Point) {
	rate := strconv.FormatFloat(rec.Rate, 'f', -1, 64)
	fmt.Fprintf(b, "PathFileType\t4\t(X/Y/Z)\t%s\n", word(name))
	fmt.Fprint(b, "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"+
		"OrigNumFrames\n")
	fmt.Fprintf(b, "%s\t%s\t%d\t%d\t%s\t%s\t%d\t%d\n", rate, rate, rec.Frames, len(points), word(rec.Unit), rate,
		rec.FirstFrame, rec.Frames)
	fmt.Fprintf(b, "Frame#\t%s", timeName(rec))
	for _, p := range points {
		fmt.Fprintf(b, "\t%s\t\t", word(p.Label()))
	}
	fmt.Fprint(b, "\n\t")
	for i := range points {
		fmt.Fprintf(b, "\tX%d\tY%d\tZ%d", i+1, i+1, i+1)
	}
	fmt.Fprint(b, "\n\n")
}

// timeName is what stands above the times. Those that could be read as something other
// than seconds have their unit there, though not every program reads it.
func timeName(rec *record.Recording) string {
	r := rows{times: []float64{rec.Time(0)}, from: float64(rec.FirstFrame), to: float64(rec.FirstFrame)}
	for f := 1; f < rec.Frames && timed(rec); f++ {
		r.times, r.to = append(r.times, rec.Time(f)), float64(rec.FirstFrame+f)
	}
	count := (&Header{rate: rec.Rate}).count(&r)
	if count.PerSecond != 1 || count.Told == record.Untold || count.Told == record.Doubtful {
		return "Time (s)"
	}
	return "Time"
}

// timed says whether it is known when each frame was.
func timed(rec *record.Recording) bool { return rec.Times != nil || rec.Rate > 0 }

// word keeps what a person called something from being taken for more than a cell.
func word(s string) string { return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(s) }

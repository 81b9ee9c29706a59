package bvh

import (
	"math"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// pose is where a joint is and how the things that hang on it are turned.
type pose struct {
	at   [3]float64
	turn [9]float64 // row by row
}

var upright = [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}

// place computes where every joint is in every frame. A joint is at its offset
// in the axes of the one above; what hangs on it is turned by its turns, the first
// of which is the outermost. The places of a root are counted from its offset, as
// the descriptions of the format have it. Other joints seldom have places, and the
// programs that write them repeat the offset there: they stand instead of it.
func (h *Header) place(columns *text.Columns) []record.Point {
	points := make([]record.Point, len(h.Joints))
	values := make([][][]float32, len(h.Joints)) // of each channel of each joint
	column := 0
	for i, j := range h.Joints {
		p := &points[i]
		p.Subject, p.Name = label.Split(j.Name)
		p.Quantity = record.Position
		p.X, p.Y, p.Z = make([]float32, h.Frames), make([]float32, h.Frames), make([]float32, h.Frames)
		for range j.Channels {
			values[i] = append(values[i], columns.Column(column))
			column++
		}
	}
	poses := make([]pose, len(h.Joints))
	nowhere := 0
	for f := range h.Frames {
		for i := range h.Joints {
			j := &h.Joints[i]
			above := pose{turn: upright}
			if j.Parent >= 0 {
				above = poses[j.Parent]
			}
			poses[i] = j.stand(above, values[i], f)
			p := &points[i]
			p.X[f], p.Y[f], p.Z[f] = float32(poses[i].at[0]), float32(poses[i].at[1]), float32(poses[i].at[2])
			if p.Infinite(f) {
				nowhere++
			}
		}
	}
	for i := range points {
		points[i].Settle()
	}
	if nowhere > 0 {
		h.Warnings.Add(quality.ValuesNotNumbers,
			"In %s places a joint would be further off than a number can tell; it was taken for missing there.",
			quality.Thousands(int64(nowhere)))
	}
	return points
}

// stand gives the pose of a joint in a frame. A missing number makes the joint and
// all that hangs on it missing.
func (j *Joint) stand(above pose, values [][]float32, frame int) pose {
	offset, turn := j.Offset, above.turn
	for i, c := range j.Channels {
		v := float64(values[i][frame])
		switch {
		case c.Turn:
			turn = about(turn, c.Axis, v)
		case j.Parent < 0:
			offset[c.Axis] += v
		default:
			offset[c.Axis] = v
		}
	}
	here := pose{at: above.at, turn: turn}
	for row := range 3 {
		for column := range 3 {
			here.at[row] += above.turn[3*row+column] * offset[column]
		}
	}
	return here
}

// about turns further, about one of the turned axes, by an angle in degrees.
func about(m [9]float64, axis int, degrees float64) [9]float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	a, b := (axis+1)%3, (axis+2)%3
	for row := 0; row < 9; row += 3 {
		m[row+a], m[row+b] = m[row+a]*cos+m[row+b]*sin, m[row+b]*cos-m[row+a]*sin
	}
	return m
}

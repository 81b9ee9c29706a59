package c3d

import (
	"encoding/binary"
	"slices"

	"github.com/kinebase/kinebase/motion/record"
)

// plates writes the group of the force platforms.
func (o *output) plates(e *encoder) {
	plates := o.rec.Plates[:min(len(o.rec.Plates), mostPlates)]
	width := 6
	for _, p := range plates {
		width = max(width, len(p.Channels))
	}
	var types, channels []int
	var corners, origins, matrices []float32
	for _, p := range plates {
		types = append(types, p.Type)
		for _, c := range p.Corners {
			corners = appendReals(corners, c[:])
		}
		origins = appendReals(origins, p.Origin[:])
		row := make([]int, width)
		for i, place := range p.Channels {
			row[i] = place + 1
		}
		channels = append(channels, row...)
		matrix := make([]float32, 0, 36)
		if matrix = appendReals(matrix, p.Matrix); len(matrix) != 36 {
			matrix = make([]float32, 36)
		}
		matrices = append(matrices, matrix...)
	}
	n := len(plates)
	e.group(plateGroups[0])
	e.int("USED", n)
	e.ints("TYPE", types, n)
	e.ints("ZERO", o.rec.PlateZero[:], 2)
	e.numbers("CORNERS", corners, 3, 4, n)
	e.numbers("ORIGIN", origins, 3, n)
	e.ints("CHANNEL", channels, width, n)
	if slices.ContainsFunc(plates, func(p record.Plate) bool { return p.Type == 4 }) {
		e.numbers("CAL_MATRIX", matrices, 6, 6, n)
	}
}

func appendReals(to []float32, values []float64) []float32 {
	for _, v := range values {
		to = append(to, float32(v))
	}
	return to
}

// numbers writes real numbers with these dimensions.
func (e *encoder) numbers(name string, values []float32, dimensions ...int) {
	data, _ := binary.Append(nil, binary.LittleEndian, values) // which fails for types without a size alone
	e.add(name, Real, dimensions, data)
}

// ints writes integers of 16 bits with these dimensions.
func (e *encoder) ints(name string, values []int, dimensions ...int) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint16(data, uint16(v))
	}
	e.add(name, Int, dimensions, data)
}

package frames

import (
	"math"
	"strconv"
)

// Numbers are those of a column: of 32 bits, or of 64 where 32 cannot hold them. NaN is
// what is missing.
type Numbers struct {
	Narrow []float32
	Wide   []float64 // not nil where the numbers are wide; Narrow is then nil
}

// Len is how many there are.
func (n Numbers) Len() int { return len(n.Narrow) + len(n.Wide) }

// Bits is how many bits each has, 32 or 64.
func (n Numbers) Bits() int {
	if n.Wide != nil {
		return 64
	}
	return 32
}

// At gives one of them. Its shortest decimal of as many bits as it has is what is
// written of it.
func (n Numbers) At(i int) float64 {
	if n.Wide != nil {
		return n.Wide[i]
	}
	return float64(n.Narrow[i])
}

// Slice gives those from one place to before another.
func (n Numbers) Slice(from, to int) Numbers {
	if n.Wide != nil {
		return Numbers{Wide: n.Wide[from:to]}
	}
	return Numbers{Narrow: n.Narrow[from:to]}
}

// Scale makes metres of them.
func (n Numbers) Scale(factor float64) {
	if factor == 1 {
		return
	}
	for i, v := range n.Narrow {
		n.Narrow[i] = float32(float64(v) * factor)
	}
	for i, v := range n.Wide {
		n.Wide[i] = v * factor
	}
}

// appendTo appends one as a decimal.
func (n Numbers) appendTo(b []byte, i int, missing string) []byte {
	if n.Wide != nil {
		return AppendNumber(b, n.Wide[i], 64, missing)
	}
	return AppendNumber(b, float64(n.Narrow[i]), 32, missing)
}

// numbers makes room for so many of so many bits, of which there are none yet.
func numbers(bits, room int) Numbers {
	if bits == 64 {
		return Numbers{Wide: make([]float64, 0, room)}
	}
	return Numbers{Narrow: make([]float32, 0, room)}
}

// pick appends those at from, from+every and so on before to.
func (n Numbers) pick(of Numbers, from, to, every int) Numbers {
	return Numbers{pick(n.Narrow, of.Narrow, from, to, every), pick(n.Wide, of.Wide, from, to, every)}
}

func pick[T any](to, of []T, from, end, every int) []T {
	if of == nil {
		return to
	}
	for i := from; i < end; i += every {
		to = append(to, of[i])
	}
	return to
}

// absent is how many of them are missing, or infinite, which is no measurement either.
func (n Numbers) absent() int64 { return absent(n.Narrow) + absent(n.Wide) }

func absent[T float32 | float64](values []T) (count int64) {
	for _, v := range values {
		if v-v != 0 {
			count++
		}
	}
	return count
}

// spread lays them, per a frame, over rows of which there are more a frame, and NaN
// between. room is used for it.
func (n Numbers) spread(room Numbers, per, rows int) Numbers {
	if n.Wide != nil {
		return Numbers{Wide: spread(room.Wide, n.Wide, per, rows)}
	}
	return Numbers{Narrow: spread(room.Narrow, n.Narrow, per, rows)}
}

func spread[T float32 | float64](room, values []T, per, rows int) []T {
	room = room[:0]
	for range len(values) / per * rows {
		room = append(room, T(math.NaN()))
	}
	for i, v := range values {
		room[i/per*rows+i%per*rows/per] = v
	}
	return room
}

// Widen gives the 64-bit number nearest to the decimal that is written of a 32-bit one.
func Widen(v float32) float64 {
	if v-v != 0 {
		return float64(v)
	}
	wide, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil { // a decimal of a number always can be read
		return float64(v)
	}
	return wide
}

package c3d

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Processor is the kind of machine whose numbers a file holds: the order of the
// bytes and the form of the floating-point numbers.
type Processor byte

// The processors, by the values that byte 4 of the parameter section has.
const (
	Intel Processor = 84 // little-endian, IEEE 754
	DEC   Processor = 85 // little-endian words, VAX F floating point
	MIPS  Processor = 86 // big-endian, IEEE 754
)

// String gives the processor's name.
func (p Processor) String() string {
	switch p {
	case Intel:
		return "Intel"
	case DEC:
		return "DEC"
	case MIPS:
		return "MIPS"
	}
	return "unknown processor " + strconv.Itoa(int(p))
}

func (p Processor) known() bool { return p == Intel || p == DEC || p == MIPS }

// Word decodes a 16-bit integer without sign. Counts and pointers are stored so,
// though the format was born with signed ones: a file of 40,000 frames is legal.
func (p Processor) Word(b []byte) uint16 {
	if p == MIPS {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

// Float decodes a 32-bit floating-point number.
//
// The VAX F format holds its high word first, both words little-endian. Sign,
// 8 bits of exponent and 23 of fraction follow as in IEEE 754, but the exponent
// is biased by 128 and the hidden bit stands behind the point, so that the same
// bits mean a quarter of the IEEE number. There are no infinities or NaNs in it,
// and an exponent of 0 is 0.
func (p Processor) Float(b []byte) float64 {
	switch p {
	case MIPS:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	case DEC:
		bits := uint32(binary.LittleEndian.Uint16(b))<<16 | uint32(binary.LittleEndian.Uint16(b[2:]))
		exponent := int(bits >> 23 & 0xff)
		if exponent == 0 {
			return 0
		}
		number := math.Ldexp(float64(bits&(1<<23-1)|1<<23), exponent-128-24)
		if bits>>31 == 1 {
			return -number
		}
		return number
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// decimal gives the shortest decimal number that reads back to the same 32-bit
// float: a rate stored as 65.0533 is 65.0533 to everyone, and not the
// 65.05332946777344 that its 64-bit value would print as.
func decimal(f float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	if err != nil {
		return f
	}
	return short
}

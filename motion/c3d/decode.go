package c3d

import (
	"encoding/binary"
	"math"

	"github.com/kinebase/kinebase/motion/record"
)

// plain turns the numbers of frames, in place, into those of an Intel processor,
// so that one loop serves all three.
func plain(b []byte, p Processor, real bool) {
	switch {
	case p == MIPS && real:
		for ; len(b) >= 4; b = b[4:] {
			binary.LittleEndian.PutUint32(b, binary.BigEndian.Uint32(b))
		}
	case p == MIPS:
		for ; len(b) >= 2; b = b[2:] {
			b[0], b[1] = b[1], b[0]
		}
	case p == DEC && real:
		for ; len(b) >= 4; b = b[4:] {
			binary.LittleEndian.PutUint32(b, vax(binary.LittleEndian.Uint32(b)))
		}
	}
}

// vax gives the IEEE bits of a VAX F number: its words change places and its
// exponent goes down by two, see Processor.Float.
func vax(b uint32) uint32 {
	b = b<<16 | b>>16
	switch exponent := b >> 23 & 0xff; {
	case exponent > 2:
		return b - 2<<23
	case exponent == 0:
		return 0
	default: // smaller than IEEE can hold with all digits
		f := float32(math.Ldexp(float64(b&(1<<23-1)|1<<23), int(exponent)-128-24))
		return math.Float32bits(f) | b&(1<<31)
	}
}

// columns is where a run of frames of one point goes.
type columns struct {
	x, y, z, residual []float32
	cameras           []uint8
}

// occluded is what Cortex writes for each coordinate of a marker that was not seen.
const occluded = 9_999_999

// unseen says whether the coordinates are a sign that a marker was not seen: any of them that of
// Cortex, or all three a placeholder of another program.
func unseen(x, y, z float32) bool {
	return x == occluded || y == occluded || z == occluded || placeholder(x, y, z)
}

// placeholder says whether the coordinates are all the same negative placeholder.
func placeholder(x, y, z float32) bool { return x < 0 && x == y && y == z && record.Placeholder(x) }

// fromReal decodes a point from frames of floating point, the first of which
// begins with src; size is that of a frame. The fourth number is a whole one,
// negative for a point that was not seen (some programs write it as 16 bits without
// a sign, 65535 for -1), else with the cameras in its high and
// the residual in its low byte, as in files of integers. It gives all cameras that
// occur, and how often a point was seen at a place that is none.
func (c columns) fromReal(src []byte, size int, scale float32) (seen uint8, nowhere int) {
	x, y, z, residual, cameras := c.x, c.y[:len(c.x)], c.z[:len(c.x)], c.residual[:len(c.x)], c.cameras[:len(c.x)]
	at := 0
	for i := range x {
		b := (*[16]byte)(src[at:])
		at += size
		px := math.Float32frombits(binary.LittleEndian.Uint32(b[0:]))
		py := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		pz := math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
		w := math.Float32frombits(binary.LittleEndian.Uint32(b[12:]))
		// x-x is not 0 when x is infinite or not a number, and a sum with such an x is
		// so too. A sum of three finite numbers seldom is.
		sum := px + py + pz
		gone := w < 0 || w >= 1<<15 && w < 1<<16 || unseen(px, py, pz)
		if gone || sum-sum != 0 && (px-px != 0 || py-py != 0 || pz-pz != 0) {
			if !gone {
				nowhere++
			}
			x[i], y[i], z[i], residual[i], cameras[i] = record.NaN32, record.NaN32, record.NaN32, record.NaN32, 0
			continue
		}
		x[i], y[i], z[i] = px, py, pz
		if !(w < 1<<15) {
			residual[i], cameras[i] = record.NaN32, 0
			continue
		}
		word := int32(w)
		residual[i], cameras[i] = float32(word&0xff)*scale, uint8(word>>8)
		seen |= uint8(word >> 8)
	}
	return seen, nowhere
}

// fromInt is fromReal for frames of integers.
func (c columns) fromInt(src []byte, size int, scale float32) (seen uint8) {
	x, y, z, residual, cameras := c.x, c.y[:len(c.x)], c.z[:len(c.x)], c.residual[:len(c.x)], c.cameras[:len(c.x)]
	at := 0
	for i := range x {
		four := binary.LittleEndian.Uint64(src[at:])
		at += size
		word := int16(four >> 48)
		px, py, pz := float32(int16(four))*scale, float32(int16(four>>16))*scale, float32(int16(four>>32))*scale
		if word < 0 || placeholder(px, py, pz) {
			x[i], y[i], z[i], residual[i], cameras[i] = record.NaN32, record.NaN32, record.NaN32, record.NaN32, 0
			continue
		}
		x[i], y[i], z[i] = px, py, pz
		residual[i], cameras[i] = float32(word&0xff)*scale, uint8(word>>8)
		seen |= uint8(word >> 8)
	}
	return seen
}

// The samples of one channel stand gap bytes apart during a frame of per samples,
// and size bytes from one frame to the next; src begins with the first.

// fromReal decodes floating-point samples. One that is infinite, in the file or through its
// scale, is no measurement; it gives how many are. One that is not a number is missing.
func (c calibration) fromReal(values []float32, src []byte, size, gap, per int) (infinite int) {
	for start := 0; len(values) >= per; start, values = start+size, values[per:] {
		at := start
		for s := range values[:per] {
			raw := math.Float32frombits(binary.LittleEndian.Uint32(src[at:]))
			at += gap
			v := float32((float64(raw) - c.offset) * c.scale)
			if v-v != 0 {
				v = measured(v, &infinite)
			}
			values[s] = v
		}
	}
	return infinite
}

// fromInt decodes integers with a sign.
func (c calibration) fromInt(values []float32, src []byte, size, gap, per int) {
	for start := 0; len(values) >= per; start, values = start+size, values[per:] {
		at := start
		for s := range values[:per] {
			raw := int16(binary.LittleEndian.Uint16(src[at:]))
			at += gap
			values[s] = float32((float64(raw) - c.offset) * c.scale)
		}
	}
}

// fromUnsigned decodes integers without a sign.
func (c calibration) fromUnsigned(values []float32, src []byte, size, gap, per int) {
	for start := 0; len(values) >= per; start, values = start+size, values[per:] {
		at := start
		for s := range values[:per] {
			raw := binary.LittleEndian.Uint16(src[at:])
			at += gap
			values[s] = float32((float64(raw) - c.offset) * c.scale)
		}
	}
}

// Channels stand side by side, so four at a time are decoded of one or two loads:
// the channels of cal and to, in this order, the first of which begins with src.

// fourReals is fromReal for four channels; it gives how many samples of each are infinite.
func fourReals(cal []calibration, to [4][]float32, src []byte, size, gap, per int) (infinite [4]int) {
	v0, v1, v2, v3 := to[0], to[1][:len(to[0])], to[2][:len(to[0])], to[3][:len(to[0])]
	c0, c1, c2, c3 := cal[0], cal[1], cal[2], cal[3]
	at, left := 0, per
	for i := range v0 {
		b := (*[16]byte)(src[at:])
		at += gap
		if left--; left == 0 {
			at, left = at+size-gap*per, per
		}
		low, high := binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint64(b[8:])
		w := float32((float64(math.Float32frombits(uint32(low))) - c0.offset) * c0.scale)
		x := float32((float64(math.Float32frombits(uint32(low>>32))) - c1.offset) * c1.scale)
		y := float32((float64(math.Float32frombits(uint32(high))) - c2.offset) * c2.scale)
		z := float32((float64(math.Float32frombits(uint32(high>>32))) - c3.offset) * c3.scale)
		if none := (w - w) + (x - x) + (y - y) + (z - z); none != 0 {
			w, x = measured(w, &infinite[0]), measured(x, &infinite[1])
			y, z = measured(y, &infinite[2]), measured(z, &infinite[3])
		}
		v0[i], v1[i], v2[i], v3[i] = w, x, y, z
	}
	return infinite
}

// measured makes a sample missing that is infinite, and counts it, or not a number.
func measured(v float32, infinite *int) float32 {
	if v-v == 0 {
		return v
	}
	if v == v {
		*infinite++
	}
	return record.NaN32
}

// fourInts is fromInt or fromUnsigned for four channels.
func fourInts(cal []calibration, to [4][]float32, src []byte, size, gap, per int) {
	v0, v1, v2, v3 := to[0], to[1][:len(to[0])], to[2][:len(to[0])], to[3][:len(to[0])]
	c0, c1, c2, c3 := cal[0], cal[1], cal[2], cal[3]
	sign := uint16(1 << 15) // turned over and taken away again, it extends itself
	if c0.unsigned {
		sign = 0
	}
	raw := func(bits uint16) float64 { return float64(int32(bits^sign) - int32(sign)) }
	at, left := 0, per
	for i := range v0 {
		four := binary.LittleEndian.Uint64(src[at:])
		at += gap
		if left--; left == 0 {
			at, left = at+size-gap*per, per
		}
		v0[i] = float32((raw(uint16(four)) - c0.offset) * c0.scale)
		v1[i] = float32((raw(uint16(four>>16)) - c1.offset) * c1.scale)
		v2[i] = float32((raw(uint16(four>>32)) - c2.offset) * c2.scale)
		v3[i] = float32((raw(uint16(four>>48)) - c3.offset) * c3.scale)
	}
}

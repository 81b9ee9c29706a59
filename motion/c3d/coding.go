package c3d

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// The sign of the scale factor says whether numbers are integers or floating point, and some
// programs write the wrong one into both of its places. Then the other coding makes the file end
// where its frames end, and the numbers tell as well: integers that are read as floating point
// are next to nothing, or beyond all bounds.

// recoded gives the first reading by the other coding than the scale factors state, where it ends
// where the file ends, with nothing but zeros behind, and the numbers bear it.
func (h *Header) recoded(r io.ReaderAt, size int64, layouts []layout, claims []claim) (reading, bool, error) {
	if slices.ContainsFunc(layouts, func(l layout) bool { return l.real != layouts[0].real }) {
		return reading{}, false, nil
	}
	for _, l := range layouts {
		l.real = !l.real
		for _, c := range claims {
			if c.frames < 2 || !l.fits(c.frames, size) {
				continue
			}
			end := l.start + c.frames*l.frameSize()
			rest := make([]byte, size-end)
			n, err := readAt(r, rest, end)
			if err != nil {
				return reading{}, false, fmt.Errorf("reading the end of the C3D file: %w", err)
			}
			if len(bytes.Trim(rest[:n], "\x00")) > 0 {
				continue
			}
			floats, err := h.areFloats(r, l.start, end)
			if err != nil {
				return reading{}, false, err
			}
			if floats == l.real {
				return reading{l, c.frames, true}, true, nil
			}
		}
	}
	return reading{}, false, nil
}

// areFloats says whether the numbers between two places can be those of measurements in floating
// point: nearly all are 0, or neither next to nothing nor beyond all bounds, and some are not 0.
func (h *Header) areFloats(r io.ReaderAt, from, to int64) (bool, error) {
	b := make([]byte, min(to-from, 1<<16)&^3)
	n, err := readAt(r, b, from)
	if err != nil {
		return false, fmt.Errorf("reading the frames of the C3D file: %w", err)
	}
	b = b[:n&^3]
	plain(b, h.Processor, true)
	odd, some := 0, 0
	for w := b; len(w) >= 4; w = w[4:] {
		v := math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(w))))
		switch {
		case v == 0 || v != v:
		case v < 1e-12 || v > 1e12:
			odd++
		default:
			some++
		}
	}
	return some > 0 && 20*odd < some, nil
}

// unpadded takes the frames off a number that the length of the file tells alone which are nothing
// but the zeros that fill its last block. No point is at 0, 0, 0 that was seen.
func unpadded(r io.ReaderAt, l layout, frames int64) (int64, error) {
	if l.points == 0 {
		return frames, nil
	}
	b := make([]byte, l.frameSize())
	for filled := int64(0); frames > 1 && filled+l.frameSize() < block; filled += l.frameSize() {
		n, err := readAt(r, b, l.start+(frames-1)*l.frameSize())
		if err != nil {
			return 0, fmt.Errorf("reading the end of the C3D file: %w", err)
		}
		if len(bytes.Trim(b[:n], "\x00")) > 0 {
			break
		}
		frames--
	}
	return frames, nil
}

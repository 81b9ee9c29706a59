package c3d

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
)

// The sign of the scale factor says whether numbers are integers or floating point, and some
// programs write the wrong one into both of its places. Then the other coding makes the file end
// where its frames end, and the numbers tell as well: integers that are read as floating point
// are next to nothing, or beyond all bounds.

// recoded gives the first reading by the other coding than the scale factors state, where it ends
// where the file ends, with nothing but zeros behind, and the numbers bear it.
func (h *Header) recoded(r io.ReaderAt, size int64, layouts []layout, claims []claim) (reading, bool, error) {
	if h.isOurs() || slices.ContainsFunc(layouts, func(l layout) bool { return l.real != layouts[0].real }) {
		return reading{}, false, nil
	}
	for _, l := range layouts {
		l.real = !l.real
		for _, c := range claims {
			if !l.fits(c.frames, size) {
				continue
			}
			end := l.start + c.frames*l.frameSize()
			if clean, err := zerosFrom(r, end, size); err != nil || !clean {
				if err != nil {
					return reading{}, false, err
				}
				continue
			}
			b, err := h.floats(r, l.start, end)
			if err != nil {
				return reading{}, false, err
			}
			odd, some := measurements(b)
			switch floats := some > 0 && 20*odd < some; {
			case floats == l.real:
				return reading{l, c.frames, true}, true, nil
			case !l.real && !l.areWhole(b): // stated as floating point, of which the file has too few bytes
				return reading{}, false, uncoded(l.start, true)
			}
		}
	}
	return reading{}, false, nil
}

// zerosFrom says whether nothing but zeros is in a file from a place on.
func zerosFrom(r io.ReaderAt, from, size int64) (bool, error) {
	rest := make([]byte, size-from)
	n, err := readAt(r, rest, from)
	if err != nil {
		return false, fmt.Errorf("reading the end of the C3D file: %w", err)
	}
	return len(bytes.Trim(rest[:n], "\x00")) == 0, nil
}

// floats gives the bytes between two places, those of the first 64 KiB, as floating point of an
// Intel processor.
func (h *Header) floats(r io.ReaderAt, from, to int64) ([]byte, error) {
	b := make([]byte, min(to-from, 1<<16)&^3)
	n, err := readAt(r, b, from)
	if err != nil {
		return nil, fmt.Errorf("reading the frames of the C3D file: %w", err)
	}
	b = b[:n&^3]
	plain(b, h.Processor, true)
	return b, nil
}

// measurements counts the numbers in floating point that nobody measures, for they are next to
// nothing or beyond all bounds, and those that may be measured; 0 is neither.
func measurements(b []byte) (odd, some int) {
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
	return odd, some
}

// settleCoding looks at the numbers of a reading whose frames end where the file ends by the other
// coding too, as a few frames do that share the last block with zeros. What is said to be floating
// point, and is integers by its numbers, is read as these, or refused where nothing tells.
func (h *Header) settleCoding(r io.ReaderAt, size int64, found reading, claims []claim) (reading, error) {
	other, fits := found, false
	other.real, other.clean = !found.real, false
	for _, c := range claims {
		if c.frames != found.frames || !other.fits(c.frames, size) {
			continue
		}
		clean, err := zerosFrom(r, other.start+c.frames*other.frameSize(), size)
		if err != nil {
			return found, err
		}
		fits, other.clean = true, clean
	}
	ints := found
	if found.real {
		ints = other
	}
	if !fits || !found.real && found.clean || h.isOurs() {
		return found, nil
	}
	b, err := h.floats(r, found.start, found.start+found.frames*ints.frameSize())
	if err != nil {
		return found, err
	}
	odd, some := measurements(b) // nearly all are measured, and some are, in floating point
	floats, whole := some > 0 && 20*odd < some, found.areWhole(b)
	switch {
	case odd+some == 0, found.real && whole && (floats || !other.clean), found.real && found.clean && !other.clean:
		return found, nil
	case found.real && !floats && other.clean:
		return other, nil
	case found.real && (!floats || other.clean), !found.real && floats && whole:
		return found, uncoded(found.start, found.real)
	}
	return found, nil
}

// software is what Kinebase writes into the files that it makes, which are coded as they say, whatever
// numbers they have.
const software = "Kinebase"

func (h *Header) isOurs() bool {
	return slices.Contains(h.texts("MANUFACTURER", "SOFTWARE"), software)
}

// uncoded is the error for numbers of which nothing tells whether they are as the header calls them.
func uncoded(start int64, real bool) error {
	return &quality.Unreadable{
		Reason: fmt.Sprintf("The header calls the numbers %s, but they may be %s, and the length of the file does not "+
			"tell", coding(real), coding(!real)),
		Offset: start, Hint: quality.ExportAgain,
	}
}

// areWhole says whether the fourth numbers of points in frames of floating point are whole, as
// residuals and cameras are, and those of integers hardly ever.
func (l layout) areWhole(b []byte) bool {
	size := 4 * (4*l.points + l.analog)
	for ; len(b) > 0 && size > 0; b = b[min(size, len(b)):] {
		for p := 0; p < l.points && len(b) >= 16*p+16; p++ {
			w := math.Float32frombits(binary.LittleEndian.Uint32(b[16*p+12:]))
			if w != float32(math.Trunc(float64(w))) || w < -1<<15 || w >= 1<<16 {
				return false
			}
		}
	}
	return true
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

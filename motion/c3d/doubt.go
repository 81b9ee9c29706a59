package c3d

import (
	"bytes"
	"fmt"
	"io"

	"github.com/kinebase/kinebase/motion/quality"
)

// Header and parameters may contradict each other about the analog samples in ways that no other
// reading settles: no rates, other names than channels. Then the bytes behind the frames and
// those of the last one show whether the frames were found. A frame of a wrong size puts
// every number but those of the first frame in the wrong place.

// doubtful refuses a layout about whose analog samples the file contradicts itself, where the
// block behind the frames holds numbers, where the bytes left over make a larger frame of each,
// where it seems to be cut short, or where the last frame is nothing but the zeros that fill the last block.
func (h *Header) doubtful(r io.ReaderAt, size int64, l layout, frames int64) error {
	if frames < 2 {
		return nil
	}
	strong, weak := h.contradicted(l)
	if !strong && !weak {
		return nil
	}
	end := l.start + frames*l.frameSize()
	rest := make([]byte, max(0, min(size-end, block)))
	if _, err := readAt(r, rest, end); err != nil {
		return fmt.Errorf("reading the end of the C3D file: %w", err)
	}
	last := make([]byte, min(l.frameSize(), 1<<20))
	if _, err := readAt(r, last, end-int64(len(last))); err != nil {
		return fmt.Errorf("reading the last frame of the C3D file: %w", err)
	}
	numbers := strong && len(bytes.Trim(rest, "\x00")) > 0
	if size-end > block {
		numbers = len(bytes.Trim(rest, "\x00")) > 0 && h.larger(size, l, frames)
	}
	claims := deliberate(h.claims())
	cut := strong && len(claims) > 0 && claims[0].frames > frames // as a file of smaller frames seems to be
	if !numbers && !cut && len(bytes.Trim(last, "\x00")) > 0 && !h.mixed(l) {
		return nil
	}
	return &quality.Unreadable{
		Reason: fmt.Sprintf("Header, parameters and names count the analog channels differently, and %d samples a "+
			"frame do not fit what the file holds", l.analog),
		Offset: l.start, Hint: quality.ExportAgain,
	}
}

// larger says whether the file ends where frames with more samples would end.
func (h *Header) larger(size int64, l layout, frames int64) bool {
	width := int64(2)
	if l.real {
		width = 4
	}
	more := l
	more.analog += int((size - l.start - frames*l.frameSize()) / (frames * width))
	return more.analog > l.analog && more.fits(frames, size)
}

// mixed says whether the samples of a frame can be shared out neither to the channels that ANALOG:USED counts
// nor to those that have names, or ANALOG:USED counts channels that the samples of a frame cannot be shared
// out to, and the names others that they can be, several to each, which the header does not say.
func (h *Header) mixed(l layout) bool {
	names := len(h.texts("ANALOG", "LABELS"))
	used, ok := h.Parameter("ANALOG", "USED").Count()
	if ok && names > 0 && l.analog%names != 0 && (used == 0 || l.analog%int(used) != 0) {
		return true
	}
	per, stated := h.perByRates(), int(h.raw.perFrame)
	if ok && names > 0 && int(used) != names && per > 0 && l.analog%per != 0 && (stated == 0 || l.analog%stated != 0) {
		return true // neither the rates nor the header say how many samples there are of each
	}
	return ok && names > 0 && int(used) != names && (used == 0 || l.analog%int(used) != 0) && l.analog > names &&
		l.analog%names == 0 &&
		l.analog/names != stated
}

// contradicted says whether header, parameters and names do not all say the same of the analog
// samples of a layout: strongly where one of them must be wrong, weakly where one may only be
// incomplete.
func (h *Header) contradicted(l layout) (strong, weak bool) {
	names := len(h.texts("ANALOG", "LABELS"))
	used, ok := h.Parameter("ANALOG", "USED").Count()
	per := h.perByRates()
	switch {
	case ok && used > 0 && per > 0 && int(used) == names && int(used)*per == l.analog: // the groups agree with it
		return false, false
	case int(h.raw.analog) != l.analog, ok && int(used) != names && (names == 0 || used == 0):
		strong = true
	case ok && per > 0:
		strong = int(used)*per != l.analog
	case ok && used > 0:
		strong = l.analog%int(used) != 0 || l.analog == 0 || l.analog/int(used) != int(h.raw.perFrame)
	case ok:
		strong = l.analog != 0
	default:
		strong = names > 0 && l.analog == 0
	}
	return strong, ok && int(used) != names
}

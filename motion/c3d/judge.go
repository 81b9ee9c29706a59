package c3d

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/kinebase/kinebase/motion/quality"
)

// reading is a layout under which so many frames end where the file ends.
type reading struct {
	layout
	frames int64
	clean  bool // nothing but zeros is behind them
}

// judge gives the first reading that ends where the file ends; 0 frames when none does.
func (h *Header) judge(r io.ReaderAt, size int64, layouts []layout, claims []claim) (layout, int64, error) {
	var all []reading
	for _, l := range layouts {
		for _, c := range claims {
			if !l.fits(c.frames, size) {
				continue
			}
			end := l.start + c.frames*l.frameSize()
			rest := make([]byte, size-end)
			n, err := readAt(r, rest, end)
			if err != nil {
				return l, 0, fmt.Errorf("reading the end of the C3D file: %w", err)
			}
			clean := len(bytes.Trim(rest[:n], "\x00")) == 0
			if !clean && c.frames == int64(h.raw.last)-int64(h.raw.first)+1 && h.raw.last == 1<<16-1 {
				continue // the counter stopped at its end, and frames go on
			}
			all = append(all, reading{l, c.frames, clean})
			break
		}
	}
	if !slices.ContainsFunc(all, func(one reading) bool { return one.clean }) {
		other, ok, err := h.recoded(r, size, layouts, claims)
		if err != nil {
			return layout{}, 0, err
		}
		if ok {
			return other.layout, other.frames, nil
		}
	}
	if len(all) == 0 {
		return layout{}, 0, nil
	}
	found := all[0]
	for _, other := range all {
		if other.clean {
			found = other
			break
		}
	}
	rival, ok := h.rival(found, all)
	switch {
	case !ok:
	case found.per == 0 || found.analog%found.per != 0: // the header contradicts itself
		found = rival
	default:
		return found.layout, 0, contested(found.layout, rival.layout)
	}
	found, err := h.settleCoding(r, size, found, claims)
	return found.layout, found.frames, err
}

// rival gives another reading that fits as well as the header's and differs from it in
// the analog samples alone, where ANALOG:USED, the names and the rates agree about it.
func (h *Header) rival(found reading, all []reading) (reading, bool) {
	used, ok := h.Parameter("ANALOG", "USED").Count()
	per := h.perByRates()
	if !ok || per == 0 || found.analog != int(h.raw.analog) || len(h.texts("ANALOG", "LABELS")) != int(used) {
		return reading{}, false
	}
	for _, other := range all {
		if other.clean == found.clean && other.start == found.start && other.points == found.points &&
			other.real == found.real &&
			other.analog != found.analog && other.analog == int(used)*per {
			return other, true
		}
	}
	return reading{}, false
}

// undecided is the error for a file of which header and parameters count the analog
// samples differently, and whose length bears out neither: a wrong guess would make
// wrong numbers of every frame but the first.
func (h *Header) undecided(layouts []layout) error {
	if h.Parameter("ANALOG", "USED") == nil {
		return nil
	}
	for _, l := range layouts[1:] {
		first := layouts[0]
		if l.points == first.points && l.real == first.real && l.analog != first.analog {
			return contested(first, l)
		}
	}
	return nil
}

func contested(header, parameters layout) error {
	return &quality.Unreadable{
		Reason: fmt.Sprintf("The header counts %d analog samples a frame and the parameters %d, and the length of "+
			"the file does not tell which is right", header.analog, parameters.analog),
		Offset: header.start, Hint: quality.ExportAgain,
	}
}

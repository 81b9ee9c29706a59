package text

import (
	"bytes"

	"github.com/kinebase/kinebase/motion/quality"
)

// Beyond counts the cells of a file with numbers that nothing measures: infinite ones, and
// those that 32 bits cannot hold. They are missing, and told.
type Beyond struct{ count, at int }

// Note takes a figure that was read in a line into account.
func (b *Beyond) Note(f Figure, line int) {
	if !f.Beyond {
		return
	}
	if b.count++; b.count == 1 {
		b.at = line
	}
}

// Report warns of them, if there are any.
func (b *Beyond) Report(w *quality.Warnings) {
	if b.count > 0 {
		w.Add(quality.ValuesNotNumbers,
			"%s cells hold a number that is infinite or beyond 3.4e38, which is as good as infinite in 32 bits; they "+
				"were taken for missing, and the first is in line %s.",
			quality.Thousands(int64(b.count)), quality.Thousands(int64(b.at)))
	}
}

// IsInfinite says whether a cell is a word or a sign for infinity, with a sign in front or
// without one, as programs print it.
func IsInfinite(cell []byte) bool {
	cell = bytes.TrimLeft(bytes.TrimSpace(cell), "+-−")
	return bytes.EqualFold(cell, []byte("inf")) || bytes.EqualFold(cell, []byte("infinity")) ||
		bytes.Equal(cell, []byte("∞")) || len(cell) >= 6 && bytes.EqualFold(cell[:6], []byte("1.#inf"))
}

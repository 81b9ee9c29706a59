package trc

import (
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// rows is what is remembered of the rows while they stream by.
type rows struct {
	count       int
	first, last float64   // frame numbers
	times       []float64 // NaN where a row has none
	from, to    float64   // the frame numbers of the first and last row that have one
	timeless    int       // rows without a time
	jumps       int       // rows whose number does not follow the one before
	ragged      int       // rows with another number of cells than the names ask for
	raggedAt    int       // line of the first of them
	skipped     int       // lines that are no rows
	skippedAt   int
	widest      int    // cells of the row that reaches furthest
	short       bool   // the row read last has too few cells
	table       *table // nil when only the header is asked for
}

// readRows streams all rows, and settles everything that only they can tell.
func (h *Header) readRows(l *text.Lines, t *table) error {
	r, want := rows{table: t}, 2+3*len(h.Points)
	if t != nil {
		for i := range 3 * len(h.Points) {
			t.columns.About(i, h.Points[i/3], h.Unit)
		}
	}
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := r.add(line, l.Number(), want); err != nil {
			return err
		}
	}
	if r.count == 0 {
		return &quality.Unreadable{
			Reason: "The file has a header but no row of a frame behind it", Line: max(1, l.Number()), Hint: quality.ExportAgain,
		}
	}
	h.Frames, h.FirstFrame, h.FirstTime = r.count, int(r.first), math.NaN()
	if r.count > 0 {
		h.FirstTime = r.times[0]
	}
	h.settleTimes(r)
	h.report(r, want, !l.Ended() && r.short)
	if l.Doubled() {
		h.Warnings.Add(quality.LineEndsDoubled, "Its lines end in CR CR LF, as a program leaves them that ends lines twice; every line was read once.")
	}
	return nil
}

// add takes one line into account.
func (r *rows) add(line []byte, number int, want int) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	numberCell, timeCell, width, last := split(line)
	frame, ok := count(numberCell)
	if !ok {
		// The names of the axes begin with empty cells and come before all rows.
		if r.count > 0 || len(numberCell) > 0 {
			if r.skipped++; r.skipped == 1 {
				r.skippedAt = number
			}
		}
		return nil
	}
	if r.count == 0 {
		r.first = frame
	} else if frame != r.last+1 {
		r.jumps++
	}
	r.count, r.last = r.count+1, frame
	seconds, ok := text.Seconds(timeCell, 1)
	if ok {
		if r.timeless == r.count-1 {
			r.from = frame
		}
		r.to = frame
	} else {
		r.timeless++
		seconds = math.NaN()
	}
	r.times = append(r.times, seconds)
	// A tab behind the last cell is how many programs end a row.
	r.short = width < want
	if r.short || width > want && last > want || width > want+1 {
		if r.ragged++; r.ragged == 1 {
			r.raggedAt = number
		}
	}
	r.widest = max(r.widest, last)
	if r.table == nil {
		return nil
	}
	return r.table.add(line, number)
}

// split gives the first two cells of a row, how many cells it has, and how many
// up to the last that is not empty.
func split(line []byte) (first, second []byte, width, last int) {
	if bytes.IndexByte(line, '\t') < 0 {
		fields := bytes.Fields(line)
		if len(fields) > 1 {
			second = fields[1]
		}
		return fields[0], second, len(fields), len(fields)
	}
	first, rest, _ := bytes.Cut(line, []byte("\t"))
	second, _, _ = bytes.Cut(rest, []byte("\t"))
	width = bytes.Count(line, []byte("\t")) + 1
	last = bytes.Count(bytes.TrimRight(line, "\t \x00"), []byte("\t")) + 1
	return bytes.TrimSpace(first), bytes.TrimSpace(second), width, last
}

// settleTimes finds rate and start, and the times of rows that are not even. The
// header's rate is held against the times by the numbers of the frames, and believed,
// since times are often rounded to a millisecond. But every row is a frame: where the
// file leaves frames out, the rate is that of the rows.
func (h *Header) settleTimes(r rows) {
	first, last := record.Known(r.times)
	paces, seconds := last-first, 0.0
	if first >= 0 {
		seconds = r.times[last] - r.times[first]
	}
	measured := record.RateOf(paces, seconds)
	if h.Rate = h.rate; h.rate == 0 {
		h.Rate = measured
	}
	rec := &record.Recording{Rate: h.Rate}
	h.times = record.Uneven(r.times, rec)
	h.Warnings = append(h.Warnings, rec.Warnings...)
	if h.times != nil {
		h.Rate = h.rate
	}
	numbered := (r.to - r.from) / h.rate // seconds, by the numbers of the frames
	switch {
	case h.rate == 0 && h.Rate == 0:
		h.Warnings.Add(quality.RateMissing, "The header has no usable DataRate, and the times of the rows do not tell it.")
	case h.rate == 0:
		h.Warnings.Add(quality.RateMissing, "The header has no usable DataRate; by the times of the rows it is %g Hz.", h.Rate)
	case h.times == nil && r.jumps > 0 && measured > 0 && !record.Holds(h.rate, paces, seconds):
		h.Rate = measured
		h.Warnings.Add(quality.RateDisagrees, "DataRate is %g Hz, but frames are left out and by the times of the rows there are %g to a second, which was used.", h.rate, measured)
	case numbered > 0 && seconds > 0 && math.Abs(seconds-numbered) > max(0.0015, disagree*numbered):
		h.Warnings.Add(quality.RateDisagrees, "DataRate is %g Hz, but by the times of the rows it is %g Hz; DataRate was used.", h.rate, record.RoundRate((r.to-r.from)/seconds))
	}
	switch {
	case h.times != nil:
		h.begins = h.times[0]
	case first >= 0:
		if h.begins = r.times[first]; first > 0 && h.Rate > 0 { // the rows before have no time of their own
			h.begins -= float64(first) / h.Rate
		}
	case h.Rate > 0:
		h.begins = float64(max(0, h.FirstFrame-1)) / h.Rate
	}
}

// disagree is by which part of the time a rate may be off before it is told: DataRate
// often has few digits.
const disagree = 1e-4

// report notes everything else that the rows contradict.
func (h *Header) report(r rows, want int, cut bool) {
	if h.announced != r.count {
		h.Warnings.Add(quality.FramesDisagree, "%s, but the file has %s rows of frames.", stated("NumFrames", h.announced), quality.Thousands(int64(r.count)))
	}
	if h.start >= 0 && float64(h.start) != r.first {
		h.Warnings.Add(quality.FirstDisagrees, "OrigDataStartFrame is %d, but the first row is frame %d.", h.start, h.FirstFrame)
	}
	if r.jumps > 0 {
		h.Warnings.Add(quality.FramesJump, "%s rows do not have the frame number that follows the row before.", quality.Thousands(int64(r.jumps)))
	}
	if cut {
		h.Warnings.Add(quality.CutShort, "The last row stops before its end, so the file was probably cut.")
	}
	if r.ragged > 0 {
		h.Warnings.Add(quality.RowsRagged, "%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.",
			quality.Thousands(int64(r.ragged)), quality.Thousands(int64(r.count)), want, r.raggedAt)
	}
	if h.Unnamed = (max(0, r.widest-want) + 2) / 3; h.Unnamed > 0 {
		h.Warnings.Add(quality.PointsUnnamed, "Some rows have numbers for %d more markers than there are names.", h.Unnamed)
	}
	if r.timeless > 0 {
		h.Warnings.Add(quality.TimesMissing, "%s rows have no readable time.", quality.Thousands(int64(r.timeless)))
	}
	if r.skipped > 0 {
		h.Warnings.Add(quality.RowsSkipped, "%s lines do not begin with a frame number and were skipped; the first is line %d.", quality.Thousands(int64(r.skipped)), r.skippedAt)
	}
}

// count reads the number of a frame: whole, though some write it as 185.0.
func count(b []byte) (float64, bool) {
	f, ok := text.Number(b)
	return f, ok && f == math.Trunc(f) && math.Abs(f) < 1<<31
}

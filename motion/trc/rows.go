package trc

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"

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
	widestAt    int    // its line
	separator   byte   // of cells
	short       bool   // the row read last has too few cells
	table       *table // nil when only the header is asked for
}

// readRows streams all rows, and settles everything that only they can tell.
func (h *Header) readRows(l *text.Lines, t *table) error {
	r, want := rows{table: t, separator: h.separator}, 2+3*len(h.Points)
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
	if err := h.misplaced(r, want); err != nil {
		return err
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
	if len(bytes.TrimSpace(bytes.Trim(line, " \t,;"))) == 0 {
		return nil
	}
	numberCell, timeCell, width, last := r.split(line)
	frame, ok := count(numberCell)
	if !ok {
		// The names of the axes begin with empty cells and come before all rows.
		if r.count > 0 || len(numberCell) > 0 && !axes(line) {
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
	if last > r.widest {
		r.widest, r.widestAt = last, number
	}
	if r.table == nil {
		return nil
	}
	return r.table.add(line, number, r.next(line))
}

// split gives the first two cells of a row, how many cells it has, and how many
// up to the last that is not empty.
func (r *rows) split(line []byte) (first, second []byte, width, last int) {
	if bytes.IndexByte(line, '\t') < 0 && (r.separator == ',' || r.separator == ';') {
		for next, rest := text.Split(r.separator), line; len(rest) > 0; width++ {
			var cell []byte
			cell, rest = next(rest)
			cell, _ = text.Unquote(cell)
			switch width {
			case 0:
				first = cell
			case 1:
				second = cell
			}
			if len(cell) > 0 {
				last = width + 1
			}
		}
		return first, second, width, last
	}
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

// next gives what takes the next cell off a line.
func (r *rows) next(line []byte) func([]byte) (cell, rest []byte) {
	if bytes.IndexByte(line, '\t') < 0 && (r.separator == ',' || r.separator == ';') {
		return text.Split(r.separator)
	}
	return text.Splitter(line)
}

// axes says whether a line names the axes: X1, Y1, Z1, X2 and so on.
func axes(line []byte) bool {
	words := bytes.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' || r == '"' })
	for _, word := range words {
		if !bytes.ContainsAny(word[:1], "xyzXYZ") || len(bytes.Trim(word[1:], "0123456789")) > 0 {
			return false
		}
	}
	return len(words) > 0
}

// misplaced is the error for rows of which nobody knows which cell is of which marker.
func (h *Header) misplaced(r rows, want int) error {
	reason, at := "", r.widestAt
	switch {
	case h.separator == ',' && r.widest > want:
		reason = "Commas separate the cells, and rows have more of them than the names ask for, perhaps for decimal commas"
	case h.shifted && r.widest < want && r.ragged == r.count:
		reason, at = "The markers' names do not stand above every third column, and no row has cells for all of them, so it is not known which number belongs to which", r.raggedAt
	default:
		return nil
	}
	return &quality.Unreadable{Reason: reason, Line: at, Hint: quality.ExportAgain}
}

// settleTimes finds rate and start, and the times of rows that are not even. The
// header's rate is held against the times by the numbers of the frames, and believed,
// since times are often rounded to a millisecond, unless they disagree grossly. But every row is a frame: where the
// file leaves frames out, the rate is that of the rows.
func (h *Header) settleTimes(r rows) {
	first, last := record.Known(r.times)
	paces, seconds := last-first, 0.0
	if first >= 0 {
		seconds = r.times[last] - r.times[first]
	}
	numbered := (r.to - r.from) / h.rate // seconds, by the numbers of the frames
	perSecond := 1.0
	if h.rate > 0 && r.steady(first, last) {
		if perSecond = r.perSecond(h.rate, seconds, numbered); perSecond == 1 {
			perSecond = r.perSecond(h.rate, seconds, float64(paces)/h.rate)
		}
	}
	if perSecond != 1 {
		for i := range r.times {
			r.times[i] /= perSecond
		}
		seconds /= perSecond
		h.Warnings.Add(quality.RateDisagrees, "By DataRate, %g Hz, the times of the rows are no seconds, but count %g a second, and were taken so.", h.rate, perSecond)
	}
	measured := record.RateOf(paces, seconds)
	if h.Rate = h.rate; h.rate == 0 {
		h.Rate = measured
	}
	rec := &record.Recording{Rate: h.Rate}
	h.times = record.Uneven(r.times, rec)
	h.Warnings = append(h.Warnings, rec.Warnings...)
	if h.times != nil {
		measured = record.Nominal(h.times)
		h.Rate = cmp.Or(h.rate, measured)
	}
	grossly := first >= 0 && far(seconds, numbered, r.times[last]) && perSecond == 1
	if h.times != nil { // every row is a frame, whatever its number
		end := h.times[len(h.times)-1]
		grossly = far(end-h.times[0], float64(len(h.times)-1)/h.rate, end)
	}
	switch {
	case h.rate == 0 && h.Rate == 0:
		h.Warnings.Add(quality.RateMissing, "The header has no usable DataRate, and the times of the rows do not tell it.")
	case h.rate == 0:
		h.Warnings.Add(quality.RateMissing, "The header has no usable DataRate; by the times of the rows it is %g Hz.", h.Rate)
	case h.times == nil && r.jumps > 0 && measured > 0 && !record.Holds(h.rate, paces, seconds):
		h.Rate = measured
		h.Warnings.Add(quality.RateDisagrees, "DataRate is %g Hz, but frames are left out and by the times of the rows there are %g to a second, which was used.", h.rate, measured)
	case grossly && measured > 0:
		h.Rate = measured
		h.Warnings.Add(quality.RateDisagrees, "DataRate is %g Hz, but by the times of the rows it is %g Hz, which was used.", h.rate, measured)
	case grossly && h.times != nil && paceIsNot(h.times, h.rate):
		h.Rate = 0
		h.Warnings.Add(quality.RateDisagrees, "DataRate is %g Hz, which the times of the rows do not bear, and these have no pace that could be used instead.", h.rate)
	case perSecond == 1 && numbered > 0 && seconds > 0 && math.Abs(seconds-numbered) > max(0.0015, disagree*numbered):
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

// far says whether seconds up to a time are off those that are stated by more than times
// are rounded to, in text or in memory.
func far(seconds, stated, end float64) bool {
	const digits = 1.0 / (1 << 50) // of a number of 64 bits, but for its last
	return math.Abs(seconds-stated) > max(0.002, gross*stated, digits*math.Abs(end))
}

// paceIsNot says whether most rows follow one another at one pace, as they do on both
// sides of a gap, and that is not the pace of a rate, by more than times are rounded to.
func paceIsNot(times []float64, rate float64) bool {
	var steps []float64
	for i := 1; i < len(times); i++ {
		steps = append(steps, times[i]-times[i-1])
	}
	if len(steps) == 0 {
		return false
	}
	slices.Sort(steps)
	pace, alike := steps[len(steps)/2], 0
	apart := max(0.002, gross*pace)
	for _, step := range steps {
		if math.Abs(step-pace) <= apart {
			alike++
		}
	}
	return 2*alike > len(steps) && math.Abs(pace-1/rate) > max(0.002, gross/rate)
}

// gross is by which part of the time a rate is off that the times cannot be rounded to.
const gross = 0.1

// steady says whether the times go forwards and scatter about one pace. In another unit
// than seconds they cannot be even to what is rounded off of seconds.
func (r *rows) steady(first, last int) bool {
	if last <= first || !(r.times[last] > r.times[first]) {
		return false
	}
	pace := (r.times[last] - r.times[first]) / float64(last-first)
	for i, t := range r.times {
		if math.Abs(t-r.times[first]-float64(i-first)*pace) > 0.42*pace {
			return false
		}
	}
	return true
}

// perSecond is how many of what the times count make a second: 1,000 or 1,000,000 where
// as milliseconds or microseconds they fit the rate, the rate itself where they are the
// numbers of the frames, else 1.
func (r *rows) perSecond(rate, seconds, numbered float64) float64 {
	for _, many := range []float64{1e3, 1e6} {
		if math.Abs(seconds/many-numbered) <= gross*numbered {
			return many
		}
	}
	if first, last := record.Known(r.times); rate > 1+gross && seconds == r.to-r.from && math.Abs(r.times[first]-r.from) <= 1 && last > first {
		return rate
	}
	return 1
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

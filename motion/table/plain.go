package table

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
	"github.com/kinebase/kinebase/motion/units"
)

// plain is a table with one line of names.
type plain struct {
	*source
	export           bool     // it has the shape of an export
	names            []string // of all columns, without their units
	units            []string
	data             []int   // the columns that hold numbers to keep
	time, frame, fps int     // columns, -1 where there is none
	keys             []int   // the columns that tell one recording from another
	perSecond        float64 // how much of the time column makes a second
	clock            string  // the unit of the time column as the file writes it, "" where it does not
	timed            bool    // a time was read

	columns *text.Columns
	times   []float64
	rows    int
	held    int // rows of nothing but separators behind the last one
	first   int // number of the first frame
	rate    float64
	key     string
	others  int // rows of other recordings
	jumps   int
	last    float64 // number of the row before
	ragged  garbled
	words   []garbled // by place in data
	rec     *record.Recording
}

// readPlain reads a table whose line of names has been read.
func (s *source) readPlain(names []string) (*record.Recording, error) {
	p := &plain{source: s, time: -1, frame: -1, fps: -1, perSecond: 1, first: 1, rec: &record.Recording{FirstFrame: 1}}
	numbers := 0
	for _, name := range names {
		if _, ok := text.Number([]byte(name)); ok {
			numbers++
		}
	}
	if numbers > 0 && numbers >= len(names)-1 {
		return nil, &quality.Unreadable{Reason: "The first line has numbers where the names of the columns should stand", Line: s.lines.Number(), Hint: "Add a line of names above the numbers."}
	}
	p.head(names)
	p.roles()
	p.timeUnit()
	if len(p.data) == 0 {
		return nil, &quality.Unreadable{Reason: "The table has no column of measurements", Line: s.lines.Number(), Hint: "Check what kind of file it is, or export it again."}
	}
	p.columns, p.words = text.NewColumns(len(p.data), s.size), make([]garbled, len(p.data))
	p.digits()
	for {
		line, err := s.lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if blank(line) {
			p.empty(line)
			continue
		}
		if err := p.add(s.split(line), s.lines.Number()); err != nil {
			return nil, err
		}
	}
	if p.rows == 0 {
		return nil, &quality.Unreadable{Reason: "The table has names but no row of numbers", Line: s.lines.Number(), Hint: quality.ExportAgain}
	}
	return p.settle(), nil
}

// digits says of every column what tells which of its digits count.
func (p *plain) digits() {
	for i, at := range p.data {
		p.columns.About(i, p.names[at], p.units[at])
	}
	for i := 0; p.export && i < len(p.data); i++ {
		if name, ok := p.three(i); ok && meaning(name) == record.Position {
			for k := range 3 {
				p.columns.About(i+k, p.names[p.data[i+k]], "m") // as exports are
			}
		}
	}
}

// add takes one row into account.
func (p *plain) add(cells [][]byte, line int) error {
	cell := func(i int) []byte {
		if i < 0 || i >= len(cells) {
			return nil
		}
		return cells[i]
	}
	if p.unitsRow(cells) {
		return nil
	}
	if err := p.release(line); err != nil {
		return err
	}
	if len(p.keys) > 0 {
		key := ""
		for _, i := range p.keys {
			key += string(cell(i)) + "\x00"
		}
		if p.rows == 0 {
			p.key = key
		} else if key != p.key {
			p.others++
			return nil
		}
	}
	if n, ok := text.Number(cell(p.frame)); ok && math.Abs(n) < 1<<31 {
		if p.rows == 0 {
			p.first = int(n)
		} else if n != p.last+1 {
			p.jumps++
		}
		p.last = n
	}
	seconds, ok := p.seconds(cell(p.time))
	if !ok {
		seconds = math.NaN()
	}
	p.times = append(p.times, seconds)
	if rate, ok := text.Number(cell(p.fps)); ok && p.rows == 0 && record.Usable(rate) {
		p.rate = rate
	}
	for column, i := range p.data {
		v, ok := text.Cell(cell(i))
		if !ok {
			p.words[column].note(line)
		}
		if v == v {
			p.columns.Set(column, v)
		}
	}
	if len(cells) < len(p.names) || len(cells) > len(p.names) && !blank(cells[len(p.names)]) {
		p.ragged.note(line)
	}
	p.rows++
	return p.columns.EndRow(line)
}

// settle makes a recording of what was read.
func (p *plain) settle() *record.Recording {
	rec := p.rec
	rec.Frames, rec.FirstFrame = p.rows, p.first
	p.settleTimes()
	p.settleColumns()
	if _, known := units.PerSecond(p.clock); !known && p.clock != "" {
		rec.Warnings.Add(quality.TimeUnitUnknown, "The times are in %q, which is no unit of time that is known; they were taken for seconds.", p.clock)
	}
	if p.others > 0 {
		rec.Warnings.Add(quality.CapturesSeveral, "%s rows are of other recordings or athletes than the first, and were left out.", quality.Thousands(int64(p.others)))
	}
	if p.jumps > 0 {
		rec.Warnings.Add(quality.FramesJump, "%s rows do not have the frame number that follows the row before.", quality.Thousands(int64(p.jumps)))
	}
	if p.ragged.count > 0 {
		rec.Warnings.Add(quality.RowsRagged, "%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.",
			quality.Thousands(int64(p.ragged.count)), quality.Thousands(int64(p.rows)), len(p.names), p.ragged.at)
	}
	return rec
}

// settleTimes finds rate and start. The rate that an export states is taken where the
// times bear it; beside times that are not even it is all that there is.
func (p *plain) settleTimes() {
	rec := p.rec
	first, last := record.Known(p.times)
	paces, seconds := 0, 0.0
	if first >= 0 {
		paces, seconds = last-first, p.times[last]-p.times[first]
		rec.Start = p.times[first]
	}
	measured := record.RateOf(paces, seconds)
	if rec.Rate = p.rate; p.rate == 0 {
		rec.Rate = measured
	}
	if rec.Rate == 0 && (p.rows > 1 || p.time < 0) {
		rec.Warnings.Add(quality.RateMissing, "The table has no times, or none that tell how many rows there are to a second.")
	}
	if rec.Times = record.Uneven(p.times, rec); rec.Times != nil {
		rec.Rate = p.rate
		return
	}
	if measured > 0 && !record.Holds(rec.Rate, paces, seconds) {
		rec.Warnings.Add(quality.RateDisagrees, "The column fps says %g Hz, but by the times of the rows it is %g Hz, which was used.", rec.Rate, measured)
		rec.Rate = measured
	}
	if first > 0 && rec.Rate > 0 { // the rows before have no time of their own
		rec.Start -= float64(first) / rec.Rate
	}
}

// settleColumns makes points of columns in threes, and channels of the others.
func (p *plain) settleColumns() {
	rec := p.rec
	var bad garbled
	var wordy int
	var names []string // of channels
	var points []string
	var lengths lengths
	if p.export {
		lengths.adopt("m") // exports are in metres
	}
	for i := 0; i < len(p.data); i++ {
		if name, ok := p.three(i); ok {
			var point record.Point
			p.columns.Place(&point, i)
			lengths.place(&point, p.unit(i), meaning(name))
			point.Settle()
			points = append(points, name)
			rec.Points = append(rec.Points, point)
			for _, w := range p.words[i : i+3] {
				bad.count, bad.at = bad.count+w.count, max(bad.at, w.at)
			}
			i += 2
			continue
		}
		values := p.columns.Column(i)
		if p.words[i].count > 0 && !slices.ContainsFunc(values, func(v float32) bool { return v == v }) {
			wordy++
			continue
		}
		bad.count, bad.at = bad.count+p.words[i].count, max(bad.at, p.words[i].at)
		name := p.names[p.data[i]]
		if event, ok := p.event(values); ok {
			rec.Events = append(rec.Events, record.Event{Label: name, Time: event})
			continue
		}
		names = append(names, name)
		rec.Analogs = append(rec.Analogs, record.Channel{Unit: p.units[p.data[i]], Rate: rec.Rate, PerFrame: 1, Values: values, Wide: p.columns.Wide(i)})
	}
	lengths.settle(rec)
	p.name(points, names)
	bad.report(&rec.Warnings)
	if wordy > 0 {
		rec.Warnings.Add(quality.SectionsSkipped, "%d columns hold words and no numbers, and were left out.", wordy)
	}
}

// name gives points and channels their names, no two alike.
func (p *plain) name(points, channels []string) {
	rec := p.rec
	distinct, _, again := label.Distinct(points, len(points))
	for i, name := range distinct {
		rec.Points[i].Subject, rec.Points[i].Name = label.Split(name)
	}
	rec.Subjects = label.Prefixes(distinct)
	distinct, unnamed, repeated := label.Distinct(channels, len(channels))
	for i, name := range distinct {
		rec.Analogs[i].Name = name
	}
	// Angles are told by their unit, once they have their names.
	rec.Angles, rec.Analogs = angles(rec.Analogs)
	if repeated += again; repeated > 0 {
		rec.Warnings.Add(quality.LabelsRepeated, "%d columns have a name that another has already; they are told apart by _2, _3 and so on.", repeated)
	}
	if unnamed > 0 {
		rec.Warnings.Add(quality.LabelsMissing, "%d columns have no name; they are called unnamed_ and their number.", unnamed)
	}
}

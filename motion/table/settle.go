package table

import (
	"slices"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
	"github.com/kinebase/kinebase/motion/units"
)

// settle makes a recording of what was read.
func (p *plain) settle() (*record.Recording, error) {
	rec := p.rec
	rec.Frames, rec.FirstFrame = p.rows, p.first
	if err := p.settleClocks(); err != nil {
		return nil, err
	}
	p.rateColumn()
	if err := p.settleTimes(); err != nil {
		return nil, err
	}
	if err := p.settleColumns(p.measured()); err != nil {
		return nil, err
	}
	if _, known := units.PerSecond(p.timeIn); !known && p.timeIn != "" && p.clock == nil {
		rec.Warnings.Add(quality.TimeUnitUnknown,
			"The times are in %q, which is no unit of time that is known; they were taken for seconds.", p.timeIn)
	}
	if p.others > 0 {
		rec.Warnings.Add(quality.CapturesSeveral,
			"%s rows are of other recordings or athletes than the first, and were left out.",
			quality.Thousands(int64(p.others)))
	}
	if p.jumps > 0 {
		rec.Warnings.Add(quality.FramesJump, "%s rows do not have the frame number that follows the row before.",
			quality.Thousands(int64(p.jumps)))
	}
	if p.ragged.count > 0 {
		rec.Warnings.Add(quality.RowsRagged,
			"%s of the %s rows do not have the %d cells that the names ask for; the first is line %d.",
			quality.Thousands(int64(p.ragged.count)), quality.Thousands(int64(p.rows)), len(p.names), p.ragged.at)
	}
	p.tellMarks()
	p.layout.settings.recorded.tell(rec)
	if len(p.clocks) == 0 {
		p.layout.settings.tellCounts(p.rows, &rec.Warnings)
	}
	p.layout.settings.tellScaling(&rec.Warnings)
	p.tellGaps()
	p.tellLayout()
	p.tellAbove()
	p.tellBelow(&rec.Warnings)
	return rec, nil
}

// tellLayout warns of what is odd about names and times.
func (p *plain) tellLayout() {
	w := &p.rec.Warnings
	p.layout.tellSignals(w)
	if n := p.layout.runs; n > 1 {
		w.Add(quality.CapturesSeveral,
			"The table has %d recordings side by side, with times of their own; the columns of all were kept, each "+
				"with the name of its recording.", n)
	}
	if p.layout.shifted > 0 {
		w.Add(quality.NamesShifted,
			"The names above line %d do not stand above the first of their columns, but all equally far behind it; "+
				"they were taken in their order.", p.layout.line)
	}
	if more := p.layout.more; more > 0 {
		w.Add(quality.RowsRagged,
			"The rows have %d cells more than the %d names in line %d; they were kept as columns without a name.", more,
			len(p.names)-more, p.layout.line)
	}
	if n := p.layout.above; n > 0 {
		w.Add(quality.SectionsSkipped,
			"%d lines of numbers, from line %d on, stand above the names in line %d and were not read.",
			n, p.layout.aboveAt, p.layout.line)
	}
	if p.untimed.count > 0 {
		w.Add(quality.TimesMissing, "%s rows have a time that cannot be read; the first is line %d.",
			quality.Thousands(int64(p.untimed.count)), p.untimed.at)
	}
}

// settleTimes finds rate and start. A rate that the file states is taken where the
// times bear it; beside times that are not even it is all that there is.
func (p *plain) settleTimes() error {
	rec := p.rec
	p.joinDates()
	p.days()
	p.settleFine()
	p.settleCount()
	first, last := record.Known(p.times)
	paces, seconds := 0, 0.0
	if first >= 0 {
		paces, seconds = last-first, p.times[last]-p.times[first]
		rec.Start = p.times[first]
	}
	measured := record.RateOfTimes(p.times)
	p.stated(paces, seconds)
	if rec.Rate = p.rate; p.rate == 0 {
		rec.Rate = measured
	}
	if rec.Rate == 0 && (p.rows > 1 || p.time < 0) {
		rec.Warnings.Add(quality.RateMissing,
			"The table has no times, or none that tell how many rows there are to a second.")
	}
	if rec.Times = record.Uneven(p.times, rec); first < 0 {
		p.byNumbers()
	}
	if err := p.begunAgain(); err != nil {
		return err
	}
	if rec.Times != nil {
		rec.Rate = p.bearable(paces, seconds)
		return nil
	}
	if measured > 0 && !record.Holds(rec.Rate, paces, seconds) {
		what := "The column fps"
		if !p.export {
			what = "The file"
		}
		rec.Warnings.Add(quality.RateDisagrees,
			"%s says %g Hz, but by the times of the rows it is %g Hz, which was used.", what, rec.Rate, measured)
		rec.Rate = measured
	}
	if first > 0 && rec.Rate > 0 { // the rows before have no time of their own
		rec.Start -= float64(first) / rec.Rate
	}
	return nil
}

// begunAgain refuses a table in which the times, or the numbers of the frames where there are no
// times, begin again: nothing says how the recordings in it follow one another. What Kinebase
// wrote tells its frames by their numbers.
func (p *plain) begunAgain() error {
	if p.export || p.part || p.known.long {
		return nil
	}
	if p.restarted > 0 {
		return record.Below("The numbers of the frames begin again at the first of them", p.restarted)
	}
	return p.order.Restarted(p.rec.Times)
}

// series is one column of a table once all rows were read.
type series struct {
	name, unit string
	values     []float32
	wide       []float64 // the same numbers in 64 bits; nil where 32 hold them
	words      garbled   // cells that are no numbers
	perFrame   int       // 0 for one
	alone      bool      // it is no part of a point
	vector     bool      // it is no part of a position
}

// bare gives the columns of measurements without their numbers.
func (p *plain) bare() []series {
	all := make([]series, len(p.data))
	for k, i := range p.data {
		all[k] = series{name: p.names[i], unit: p.units[i], words: p.words[k], vector: i < len(p.layout.vectors) &&
			p.layout.vectors[i]}
	}
	return all
}

// measured gives the columns of measurements with their numbers.
func (p *plain) measured() []series {
	if p.several != nil {
		return append(p.several, p.uncertain...)
	}
	all := p.bare()
	take(all, p.columns)
	if p.rated >= 0 {
		all = slices.Delete(all, p.rated, p.rated+1)
	}
	return append(all, p.uncertain...)
}

// take gives columns their numbers.
func take(all []series, columns *text.Columns) {
	for i := 0; i < len(all); i++ {
		if _, ok := three(all, i); !ok {
			all[i].values, all[i].wide = columns.Column(i), columns.Wide(i)
			continue
		}
		var point record.Point
		columns.Place(&point, i)
		all[i].values, all[i+1].values, all[i+2].values = point.X, point.Y, point.Z
		for k := range 3 {
			if point.Wide != nil {
				all[i+k].wide = point.Wide[k]
			}
		}
		i += 2
	}
}

// wideOf gives the numbers of a point in 64 bits, nil where 32 bits hold all three.
func wideOf(columns []series) *[3][]float64 {
	if columns[0].wide == nil && columns[1].wide == nil && columns[2].wide == nil {
		return nil
	}
	var all [3][]float64
	for k, c := range columns {
		if all[k] = c.wide; c.wide == nil {
			for _, v := range c.values {
				all[k] = append(all[k], float64(v))
			}
		}
	}
	return &all
}

// settleColumns makes points of columns in threes, and channels of the others.
func (p *plain) settleColumns(all []series) error {
	rec := p.rec
	var bad garbled
	var wordy, numbers int
	var names []string // of channels
	var points []string
	var lengths lengths
	if unit := p.lengthUnit(); unit != "" {
		lengths.adopt(unit)
	}
	for i := 0; i < len(all); i++ {
		if name, ok := three(all, i); ok {
			point := record.Point{X: all[i].values, Y: all[i+1].values, Z: all[i+2].values, Wide: wideOf(all[i : i+3])}
			named := meaning(name)
			if all[i].vector {
				named = record.Vector
			}
			lengths.place(&point, unitOfThree(all[i:i+3]), named)
			if p.layout.zeros {
				unseen(&point)
			}
			point.Settle()
			points = append(points, name)
			rec.Points = append(rec.Points, point)
			for _, c := range all[i : i+3] {
				bad.merge(c.words)
			}
			numbers++
			i += 2
			continue
		}
		c := &all[i]
		known := slices.ContainsFunc(c.values, func(v float32) bool { return v == v })
		if c.words.count > 0 && !known {
			wordy++
			continue
		}
		if known {
			numbers++
		}
		bad.merge(c.words)
		if event, ok := p.event(c.values); ok {
			rec.Events = append(rec.Events, record.Event{Label: c.name, Time: event})
			continue
		}
		names = append(names, c.name)
		perFrame := max(1, c.perFrame)
		rec.Analogs = append(rec.Analogs, record.Channel{Unit: c.unit, Rate: rec.Rate * float64(perFrame),
			PerFrame: perFrame, Values: c.values, Wide: c.wide})
	}
	if numbers == 0 && !p.export && !p.part { // what Kinebase wrote may have only what is missing
		return noMeasurements(p.layout.line)
	}
	lengths.settle(rec)
	p.name(points, names)
	bad.report(&rec.Warnings)
	if wordy > 0 {
		rec.Warnings.Add(quality.SectionsSkipped, "%d columns hold words and no numbers, and were left out.", wordy)
	}
	return nil
}

// unseen makes a point missing where it is at the very origin, where the system puts points
// that it has not seen.
func unseen(p *record.Point) {
	for i := range p.X {
		if p.X[i] == 0 && p.Y[i] == 0 && p.Z[i] == 0 {
			p.X[i] = record.NaN32 // the others follow
		}
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
	rec.Angles, rec.Analogs = angles(rec.Analogs, &rec.Warnings)
	if repeated += again; repeated > 0 {
		rec.Warnings.Add(quality.LabelsRepeated,
			"%d columns have a name that another has already; they are told apart by _2, _3 and so on.", repeated)
	}
	if unnamed > 0 {
		rec.Warnings.Add(quality.LabelsMissing, "%d columns have no name; they are called unnamed_ and their number.",
			unnamed)
	}
}

package table

import (
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// settle makes a recording of the sections. The frames are those of the first
// section that has one row for each; the others are laid beside it by their frame
// numbers.
func (n *nexus) settle() (*record.Recording, error) {
	rec := n.rec
	if len(n.parts) == 0 {
		return nil, &quality.Unreadable{Reason: "The file has no row of numbers", Line: n.number,
			Hint: quality.ExportAgain}
	}
	n.renumber()
	main := n.parts[0]
	for _, p := range n.parts {
		if p.perFrame < main.perFrame {
			main = p
		}
	}
	rec.Rate, rec.FirstFrame, rec.Frames = main.rate/float64(main.perFrame), main.first, main.rows/main.perFrame
	rec.Start = float64(max(0, rec.FirstFrame-1)) / rec.Rate
	var lengths lengths
	for _, p := range n.parts { // results of a model stand before the markers, and are brought to their unit
		if p.title == trajectories && len(p.units) > 0 && lengths.unit == "" {
			lengths.adopt(p.units[0])
		}
	}
	for _, p := range n.parts {
		p.words.report(&rec.Warnings)
		if p.uneven || p.first != main.first || p.rows/p.perFrame != rec.Frames || p.rows%p.perFrame != 0 {
			rec.Warnings.Add(quality.FramesDisagree,
				"The section %s has %s rows from frame %d on, which does not make %s frames from %d on; they were "+
					"laid beside those of the others by the numbers of their frames.",
				p.title, quality.Thousands(int64(p.rows)), p.first, quality.Thousands(int64(rec.Frames)),
				rec.FirstFrame)
		}
		if rate := rec.Rate * float64(p.perFrame); p.rate < 0.99*rate || p.rate > 1.01*rate {
			rec.Warnings.Add(quality.RateDisagrees, "The section %s is said to have %g rows a second, but has %g.",
				p.title, p.rate, rate)
		}
		// A section whose rows fill not even half of the frames belongs to others, and
		// laying it beside these could take any amount of memory.
		if int64(rec.Frames)*int64(p.perFrame) > 2*int64(p.rows)+1000 {
			rec.Warnings.Add(quality.SectionsSkipped,
				"The section %s does not fit the frames of the others and was left out.", p.title)
			continue
		}
		n.take(p, main, &lengths)
	}
	lengths.settle(rec)
	n.name()
	if rec.Frames == 0 {
		return nil, &quality.Unreadable{Reason: "The file has not one whole frame", Line: n.number,
			Hint: quality.ExportAgain}
	}
	return rec, nil
}

// renumber brings the rows of older files, which every section numbers by itself at its
// own rate, to the frames of the slowest section.
func (n *nexus) renumber() {
	slowest := n.parts[0].rate
	for _, p := range n.parts {
		slowest = min(slowest, p.rate)
	}
	for _, p := range n.parts {
		if many := math.Round(p.rate / slowest); p.old && many > 1 && many <= 1000 &&
			math.Abs(p.rate/slowest-many) < 0.01 && p.first > 0 {
			p.perFrame = int(many)
			p.uneven = p.uneven || (p.first-1)%p.perFrame != 0
			p.first = (p.first-1)/p.perFrame + 1
		}
	}
}

// take makes points and channels of a section.
func (n *nexus) take(p, main *part, lengths *lengths) {
	rec := n.rec
	later, frames := (p.first-main.first)*p.perFrame, rec.Frames*p.perFrame
	for i := 0; i < len(p.names); i++ {
		if p.perFrame == 1 && i+2 < len(p.names) && p.names[i] == "X" && p.names[i+1] == "Y" && p.names[i+2] == "Z" &&
			p.things[i] == p.things[i+2] && p.things[i] != "" {
			point := record.Point{Name: p.things[i]}
			p.columns.Place(&point, i)
			point.X, point.Y, point.Z = fit(point.X, later, frames), fit(point.Y, later, frames),
				fit(point.Z, later, frames)
			if w := point.Wide; w != nil {
				point.Wide = &[3][]float64{fit(w[0], later, frames), fit(w[1], later, frames), fit(w[2], later, frames)}
			}
			if q := quantityOf(p.units[i]); p.title != trajectories && q != record.Position {
				point.Quantity, point.Unit = q, p.units[i]
			} else {
				lengths.position(&point, p.units[i])
			}
			point.Settle()
			rec.Points = append(rec.Points, point)
			i += 2
			continue
		}
		name := strings.TrimSpace(p.things[i] + " " + p.names[i])
		channel := record.Channel{Name: name, Unit: p.units[i], Rate: rec.Rate * float64(p.perFrame),
			PerFrame: p.perFrame}
		channel.Values, channel.Wide = fit(p.columns.Column(i), later, frames), fit(p.columns.Wide(i), later, frames)
		rec.Analogs = append(rec.Analogs, channel)
	}
}

// fit lays values beside others that begin so many places later, and are n; none where
// there are none at all.
func fit[T float32 | float64](values []T, later, n int) []T {
	if values == nil || later == 0 && len(values) == n {
		return values
	}
	fitted := make([]T, n)
	for i := range fitted {
		if at := i - later; at >= 0 && at < len(values) {
			fitted[i] = values[at]
		} else {
			fitted[i] = T(math.NaN())
		}
	}
	return fitted
}

// quantityOf tells by its unit what three numbers are.
func quantityOf(unit string) record.Quantity {
	if _, ok := units.Metres(unit); ok {
		return record.Position
	}
	if _, ok := units.Degrees(unit); ok {
		return record.Angle
	}
	switch strings.ToLower(marks.Replace(unit)) {
	case "n", "kn", "newton", "newtons", "n/kg", "n/bw", "%bw":
		return record.Force
	case "nmm", "nm", "nmm/kg", "nm/kg":
		return record.Moment
	case "w", "watt", "watts", "w/kg":
		return record.Power
	}
	return record.Vector
}

// marks are what may stand between the parts of a unit: N.mm, N·m.
var marks = strings.NewReplacer(".", "", "·", "", "*", "", " ", "")

// name gives everything names, no two alike, and takes subjects off.
func (n *nexus) name() {
	rec := n.rec
	names := make([]string, len(rec.Points))
	for i := range rec.Points {
		names[i] = rec.Points[i].Name
	}
	names, _, again := label.Distinct(names, len(names))
	for i, name := range names {
		rec.Points[i].Subject, rec.Points[i].Name = label.Split(name)
	}
	rec.Subjects = label.Prefixes(names)
	names = make([]string, len(rec.Analogs))
	for i, c := range rec.Analogs {
		names[i] = c.Name
	}
	names, unnamed, repeated := label.Distinct(names, len(names))
	for i, name := range names {
		rec.Analogs[i].Name = name
	}
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

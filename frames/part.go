package frames

import (
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/motion"
)

// Part is some rows and columns of a table as they are given out: lengths in metres
// wherever the unit of the file is known.
type Part struct {
	Rate            *float64 // frames a second; nil when nobody knows
	From, To, Every int      // rows, half-open, and the step
	PerFrame        int      // rows a frame of the table that they are of
	Unit            string   // of the lengths here: m, or what the file says when nobody knows its length
	Metres          float64  // length of that unit: 1, or 0 when it is not known
	Start           float64  // time of frame 0 in seconds, by the rate
	FirstFrame      int      // number of frame 0, as the file counts
	Names           []string
	Frames          []int64   // the frame of each row, which in a table of samples several have
	Time            []float64 // seconds, NaN where nobody knows
	Columns         []Numbers // one for each name
	Units           []string  // of each; "" where it is not known; nil when nobody needs them
}

// Part reads every n-th of the rows [from, to) of a table whose file has the
// info, as stored; rate is the one by which somebody corrected it, 0 for nobody.
// Rows outside the table and a step below 1 are a fault.BadRequest, and so is more
// than MaxValues.
func (t *Table) Part(info Info, rate float64, columns []string, from, to, every int) (*Part, error) {
	switch {
	case from < 0 || from > t.Rows():
		return nil, fault.New(fault.BadRequest, "from must be between 0 and %d, the number of frames", t.Rows())
	case to < from || to > t.Rows():
		return nil, fault.New(fault.BadRequest, "to must be between from and %d, the number of frames", t.Rows())
	case every < 1:
		return nil, fault.New(fault.BadRequest, "every must be at least 1")
	}
	rows := (to - from + every - 1) / every
	if err := Limit(rows, max(1, len(columns))); err != nil {
		return nil, err
	}
	shown, per := info.Corrected(rate), t.PerFrame()
	p := shown.bare(from, to, every, per)
	p.Names, p.Columns = columns, make([]Numbers, len(columns))
	p.Frames, p.Time = make([]int64, 0, rows), make([]float64, 0, rows)
	s, err := t.Scan(columns)
	if err != nil {
		return nil, err
	}
	slab := make([]float32, rows*len(columns))
	for i := range p.Columns {
		if s.Columns[i].Wide != nil {
			p.Columns[i] = numbers(64, rows)
		} else {
			p.Columns[i].Narrow = slab[i*rows : i*rows : (i+1)*rows]
		}
	}
	for i, g := range t.Groups() {
		first := max(0, from-g.From)
		if late := first - (from - g.From); late > 0 { // the first row here that is a step from from
			first = (every - late%every) % every
		}
		last := min(g.Rows, to-g.From)
		if first >= last {
			continue
		}
		if err := s.Read(i); err != nil {
			return nil, err
		}
		for row := first; row < last; row += every {
			place, at := g.From+row, s.Time[row]
			if rate > 0 {
				at = shown.Start + float64(place)/(rate*float64(per))
			}
			p.Frames, p.Time = append(p.Frames, int64(place/per)), append(p.Time, at)
		}
		for c, values := range s.Columns {
			p.Columns[c] = p.Columns[c].pick(values, first, last, every)
		}
	}
	for i, name := range columns {
		c, place := info.column(name)
		p.Columns[i].Scale(info.factor(c, name, place))
	}
	p.Units = shown.units(columns)
	return p, nil
}

// units gives the unit of the numbers of each column as they are given out.
func (i *Info) units(columns []string) []string {
	names, measures := i.Measures()
	known := make(map[string]string, len(names))
	for at, name := range names {
		known[name] = measures[at].Unit
	}
	units := make([]string, len(columns))
	for at, name := range columns {
		units[at] = known[name]
	}
	return units
}

// bare is a part without its rows.
func (i *Info) bare(from, to, every, per int) *Part {
	p := &Part{Rate: i.Rate, From: from, To: to, Every: every, PerFrame: per, Unit: i.Unit, Start: i.Start,
		FirstFrame: i.FirstFrame}
	if i.Metres > 0 {
		p.Unit, p.Metres = "m", 1
	}
	return p
}

// part makes one of a stretch of a recording that begins at a frame, with all its
// columns.
func (i *Info) part(rec *motion.Recording, from int, times *clock) *Part {
	p := i.bare(from, from+rec.Frames, 1, 1)
	for row := range rec.Frames {
		p.Frames, p.Time = append(p.Frames, int64(from+row)), append(p.Time, times.at(from+row))
	}
	all := runs(rec, nil)
	for n := range i.Channels {
		c := &i.Channels[n]
		for place, name := range c.Columns {
			r := all[len(p.Names)]
			values := numbers(r.Bits(), rec.Frames).pick(r.Numbers, 0, rec.Frames*r.per, r.per)
			values.Scale(i.factor(c, name, place))
			p.Names, p.Columns = append(p.Names, name), append(p.Columns, values)
		}
	}
	return p
}

package table

import (
	"math"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// three says whether a column and the next two are x, y and z of one thing, in one
// unit.
func (p *plain) three(i int) (string, bool) {
	if i+2 >= len(p.data) {
		return "", false
	}
	var base, unit string
	for k, axis := range []string{"x", "y", "z"} {
		name := p.names[p.data[i+k]]
		rest, ok := strings.CutSuffix(strings.ToLower(name), axis)
		if !ok || len(rest) < 2 || !strings.ContainsAny(rest[len(rest)-1:], "_. -:") || len(rest) != len(name)-1 {
			return "", false
		}
		own := strings.TrimSpace(name[:len(rest)-1])
		if k > 0 && own != base || own == "" {
			return "", false
		}
		base = own
		switch own := p.units[p.data[i+k]]; {
		case unit == "":
			unit = own
		case own != "" && !strings.EqualFold(own, unit):
			return "", false
		}
	}
	return base, true
}

// meaning guesses by its name what three numbers are. What is not said to be
// something else is taken for a position: that is what tables mostly hold.
func meaning(name string) record.Quantity {
	lower := strings.ToLower(name)
	for _, other := range []string{"force", "moment", "torque", "angle", "velocity", "accel", "gyro", "mag", "power"} {
		if strings.Contains(lower, other) {
			return record.Vector
		}
	}
	return record.Position
}

// lengths brings the positions of a table to one unit: a recording has one.
type lengths struct {
	unit      string
	metres    float64 // its length, 0 where it is not known
	converted int     // points that were in another
	from      string  // which, that of the first of them
	strange   int     // points in a unit that is not known
	as        string  // which, that of the first of them
}

// adopt makes a unit the one that positions are in.
func (l *lengths) adopt(unit string) {
	l.unit = unit
	l.metres, _ = units.Metres(unit)
}

// place says what the three numbers of a point are: its unit tells, if it has one,
// and else its name, by which it would be what named says.
func (l *lengths) place(p *record.Point, unit string, named record.Quantity) {
	switch p.Quantity = quantityOf(unit); {
	case unit == "":
		p.Quantity = named
	case p.Quantity == record.Position:
		l.position(p, unit)
	default:
		p.Unit = unit
		if named == record.Position && !units.Known(unit) {
			if l.strange++; l.strange == 1 {
				l.as = unit
			}
		}
	}
}

// position makes a position of a point, in the unit of the others. Where that cannot
// be, it is three numbers in a unit of their own.
func (l *lengths) position(p *record.Point, unit string) {
	p.Quantity = record.Position
	metres, _ := units.Metres(unit)
	switch {
	case unit == "" || strings.EqualFold(unit, l.unit):
	case l.unit == "":
		l.adopt(unit)
	case metres == 0 || l.metres == 0:
		p.Quantity, p.Unit = record.Vector, unit
	case metres != l.metres:
		p.Convert(func(v float64) float64 { return v * metres / l.metres })
		if l.converted++; l.converted == 1 {
			l.from = unit
		}
	}
}

// settle gives a recording the unit, and warns of what is odd about it.
func (l *lengths) settle(rec *record.Recording) {
	if len(rec.Points) > 0 {
		rec.Unit = l.unit
	}
	if l.converted > 0 {
		rec.Warnings.Add(quality.UnitsDiffer, "The positions are in several units of length; %s of them, the first of which is in %q, were converted to %q.",
			quality.Thousands(int64(l.converted)), l.from, l.unit)
	}
	if l.strange > 0 {
		rec.Warnings.Add(quality.UnitUnknown, "%s columns in threes, the first of which are in %q, have a unit that is not known; they were not taken for positions.",
			quality.Thousands(int64(l.strange)), l.as)
	}
}

// event recognises a column of an export that counts frames from an event, which
// is 0 at it, and gives its time.
func (p *plain) event(values []float32) (time float64, ok bool) {
	if !p.export || len(values) < 2 || p.rec.Rate == 0 || p.rec.Times != nil {
		return 0, false
	}
	for i, v := range values {
		if v != values[0]+float32(i) || float64(v) != math.Trunc(float64(v)) {
			return 0, false
		}
	}
	return p.rec.Start - float64(values[0])/p.rec.Rate, true
}

// angles takes the channels in degrees or radians out of the others, and makes
// degrees of them.
func angles(all []record.Channel) (angles, others []record.Channel) {
	for _, c := range all {
		degrees, ok := units.Degrees(c.Unit)
		if !ok {
			others = append(others, c)
			continue
		}
		if degrees != 1 {
			c.Convert(func(v float64) float64 { return v * degrees })
		}
		c.Unit = "deg"
		angles = append(angles, c)
	}
	return angles, others
}

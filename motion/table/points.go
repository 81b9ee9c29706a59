package table

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/units"
)

// three says whether a column and the next two are x, y and z of one thing, in one
// unit. With a w beside them they are the parts of a quaternion, and are not.
func three(all []series, i int) (string, bool) {
	if i+2 >= len(all) {
		return "", false
	}
	var base, unit string
	for k, axis := range []string{"x", "y", "z"} {
		c := &all[i+k]
		own, ok := axisOf(c.name, axis)
		if !ok || k > 0 && own != base || c.alone {
			return "", false
		}
		base = own
		switch {
		case unit == "":
			unit = c.unit
		case c.unit != "" && !strings.EqualFold(c.unit, unit):
			return "", false
		}
	}
	for _, beside := range []int{i - 1, i + 3} {
		if beside >= 0 && beside < len(all) {
			if own, ok := axisOf(all[beside].name, "w"); ok && own == base {
				return "", false
			}
		}
	}
	return base, true
}

// axisOf takes an axis off a name: LASI of LASI_x.
func axisOf(name, axis string) (string, bool) {
	rest, ok := strings.CutSuffix(strings.ToLower(name), axis)
	if !ok || len(rest) < 2 || !strings.ContainsAny(rest[len(rest)-1:], "_. -:") || len(rest) != len(name)-1 {
		return "", false
	}
	own := strings.TrimSpace(name[:len(rest)-1])
	return own, own != ""
}

// unitOfThree is the unit of the columns of a point.
func unitOfThree(columns []series) string {
	for _, c := range columns {
		if c.unit != "" {
			return c.unit
		}
	}
	return ""
}

// meaning guesses by its name what three numbers are. What is not said to be
// something else is taken for a position: that is what tables mostly hold.
func meaning(name string) record.Quantity {
	lower := strings.ToLower(name)
	for _, other := range []string{"force", "moment", "torque", "angle", "velocity", "accel", "gyro", "mag", "power",
		"freeacc", "rotation", "quat", "euler", "orientation"} {
		if strings.Contains(lower, other) {
			return record.Vector
		}
	}
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains([]string{"acc", "accl", "accn", "linacc", "gyr", "vel", "velo", "speed", "grf", "grav",
			"gravity", "jerk", "impulse", "momentum", "omega", "rot", "ang", "eul", "rpy", "emg",
			"strain", "pressure"}, part) {
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
	beyond    int     // numbers that are too large for it
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
		l.beyond += p.Convert(func(v float64) float64 { return v * metres / l.metres })
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
		rec.Warnings.Add(quality.UnitsDiffer,
			"The positions are in several units of length; %s of them, the first of which is in %q, were "+
				"converted to %q.",
			quality.Thousands(int64(l.converted)), l.from, l.unit)
	}
	rec.Warnings.AddTooLarge(l.beyond, "the positions", l.unit)
	if l.strange > 0 {
		rec.Warnings.Add(quality.UnitUnknown,
			"%s columns in threes, the first of which are in %q, have a unit that is not known; they were not taken "+
				"for positions.",
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
func angles(all []record.Channel, warnings *quality.Warnings) (angles, others []record.Channel) {
	for _, c := range all {
		degrees, ok := units.Degrees(c.Unit)
		if !ok {
			others = append(others, c)
			continue
		}
		if degrees != 1 {
			warnings.AddTooLarge(c.Convert(func(v float64) float64 { return v * degrees }), c.Name, "deg")
		}
		c.Unit = "deg"
		angles = append(angles, c)
	}
	return angles, others
}

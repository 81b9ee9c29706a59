package frames

// Measure is what is known of the numbers of a column: what makes metres of them
// where they are lengths of a known unit, else 1, and the unit that they then have,
// "" when it is not known.
type Measure struct {
	Factor float64
	Unit   string
}

// Measures gives it for every column of the motion table, in their order, beside
// the names.
func (i *Info) Measures() (names []string, measures []Measure) {
	for n := range i.Channels {
		c := &i.Channels[n]
		for place, name := range c.Columns {
			m := Measure{i.factor(c, name, place), c.Unit}
			if c.Kind == KindRotation && m.Factor != 1 {
				m.Unit = "m" // of its place; the rest of a rotation has no unit
			}
			names, measures = append(names, name), append(measures, m)
		}
	}
	return names, measures
}

package table

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/text"
	"github.com/kinebase/kinebase/motion/units"
)

// head takes the names of the columns apart into names and units.
//
// An export has no units, and its brackets belong to the names; so do those of a part
// of a recording, which begins like many another table, unless there is a unit in
// them. Where two columns differ in the brackets alone, these are units or none are.
func (p *plain) head(names []string) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	p.export = slices.Contains(lower, "sessionid") && slices.Contains(lower, "frame") && slices.Contains(lower, "time")
	part := len(names) > 1 && names[0] == "frame" && names[1] == "time"
	first, shared, strange := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, name := range names {
		bare, unit := unitOf(name)
		if other, ok := first[bare]; ok && other != name {
			shared[bare] = true
		}
		first[bare] = name
		if unit != "" && !units.Known(unit) {
			strange[bare] = true
		}
	}
	for _, name := range names {
		bare, unit := unitOf(name)
		switch {
		case p.export:
			bare, unit = unguarded(name), ""
		case strange[bare] && (shared[bare] || part):
			bare, unit = name, ""
		}
		if part {
			bare = unguarded(bare)
		}
		p.names, p.units = append(p.names, bare), append(p.units, unit)
	}
}

// unguarded takes off the apostrophe that a CSV of Kinebase has before what a
// spreadsheet would run as a formula.
func unguarded(name string) string {
	if len(name) > 1 && name[0] == '\'' && strings.IndexByte("=+-@", name[1]) >= 0 {
		return name[1:]
	}
	return name
}

// roles finds out what the columns are. In an export, the measurements begin
// behind the column time; before it stands whose recording a row is of.
func (p *plain) roles() {
	for i, name := range p.names {
		name = strings.ToLower(name)
		switch {
		case p.export && p.time >= 0:
			p.data = append(p.data, i)
		case p.time < 0 && isTime(name):
			p.time = i
		case p.frame < 0 && slices.Contains([]string{"frame", "frame#", "frames", "frame_number", "frame number"}, name):
			p.frame = i
		case p.export && name == "fps":
			p.fps = i
		case p.export && (name == "sessionid" || name == "athleteid"):
			p.keys = append(p.keys, i)
		case !p.export:
			p.data = append(p.data, i)
		}
	}
}

// isTime says whether a column of this name, in small letters, has the times of the
// rows: time, timestamp_ms. One called time_min is as likely a least time.
func isTime(name string) bool {
	if slices.Contains([]string{"time", "t", "seconds", "timestamp"}, name) {
		return true
	}
	word, unit, _ := strings.Cut(name, "_")
	perSecond, known := units.PerSecond(unit)
	return known && perSecond >= 1 && (word == "time" || word == "timestamp")
}

// timeUnit finds in what the times are: what stands in brackets or in the row of
// units says it, else the name.
func (p *plain) timeUnit() {
	if p.time < 0 {
		return
	}
	if p.clock = p.units[p.time]; p.clock == "" {
		name := strings.ToLower(p.names[p.time])
		if _, p.clock, _ = strings.Cut(name, "_"); name == "seconds" {
			p.clock = name
		}
	}
	p.perSecond = 1
	if perSecond, known := units.PerSecond(p.clock); known {
		p.perSecond = perSecond
	}
}

// seconds reads a time. Where nothing says in what times are, they are seconds, but
// for those of a clock that counts thousandths, millionths or billionths of a second
// since 1970, which as seconds would lie tens of thousands of years ahead.
func (p *plain) seconds(cell []byte) (float64, bool) {
	if p.timed {
		return text.Seconds(cell, p.perSecond)
	}
	n, ok := text.Number(cell)
	p.timed = ok
	for _, perSecond := range []float64{1e3, 1e6, 1e9} {
		if since := n / perSecond; ok && p.clock == "" && since >= 1e9 && since < 1e10 { // 2001 to 2286
			p.perSecond = perSecond
		}
	}
	return text.Seconds(cell, p.perSecond)
}

// unitsRow takes a row of units under the names: one with words in it and no
// number.
func (p *plain) unitsRow(cells [][]byte) bool {
	if p.rows > 0 || p.export {
		return false
	}
	filled := 0
	for _, cell := range cells {
		if _, ok := text.Number(cell); ok || len(cell) > 24 {
			return false
		}
		if v, ok := text.Cell(cell); v != v && ok {
			continue // empty, or NaN
		}
		filled++
	}
	if filled == 0 {
		return false
	}
	for i, cell := range cells {
		if i < len(p.units) && len(cell) > 0 {
			p.units[i] = strings.Trim(label.Clean(cell), "()[]")
		}
	}
	p.timeUnit()
	p.held = 0 // rows above the units are none
	return true
}

// unit is that of the column and the next two, which are a point.
func (p *plain) unit(i int) string {
	for _, column := range p.data[i : i+3] {
		if unit := p.units[column]; unit != "" {
			return unit
		}
	}
	return ""
}

// empty holds a row back that has no more than separators. It is a frame if a filled
// row follows; a line without a separator never is.
func (p *plain) empty(line []byte) {
	if seps := bytes.Count(line, []byte{p.sep}); seps > 0 && seps >= len(p.names)-1 {
		p.held++
	}
}

// release adds the rows that were held back, in a table in which nothing but its
// place tells which frame a row is.
func (p *plain) release(line int) error {
	if p.time >= 0 || p.frame >= 0 {
		p.held = 0
	}
	for ; p.held > 0; p.held-- {
		p.times = append(p.times, math.NaN())
		p.rows++
		if err := p.columns.EndRow(line); err != nil {
			return err
		}
	}
	return nil
}

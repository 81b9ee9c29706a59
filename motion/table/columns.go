package table

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/units"
)

// head takes the names of the columns apart into names and units.
//
// An export has no units, and its brackets belong to the names; so do those of a part
// of a recording, which begins like many another table, unless there is a unit in
// them. Where two columns differ in the brackets alone, these are units or none are.
func (p *plain) head(names, below []string) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	p.export = slices.Contains(lower, "sessionid") && slices.Contains(lower, "frame") && slices.Contains(lower, "time")
	p.part = len(names) > 1 && names[0] == "frame" && names[1] == "time"
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
	sets := hasSets(names)
	for i, name := range names {
		bare, unit := unitOf(name)
		if at := strings.LastIndexByte(name, ','); unit == "" && at > 0 && !p.part && units.Known(name[at+1:]) {
			// time,s of Noraxon
			bare, unit = strings.TrimSpace(name[:at]), strings.TrimSpace(name[at+1:])
		}
		switch {
		case p.export:
			bare, unit = unguarded(name), ""
		case strange[bare] && (shared[bare] || p.part):
			bare, unit = name, ""
		}
		if p.part {
			bare = unguarded(bare)
		}
		if i < len(below) && below[i] != "" && !p.export {
			unit = below[i]
		}
		if none, named := p.layout.mark(i, bare, unit, sets); none && !p.export && !p.part {
			if named && bare != name {
				bare = name
			}
			if strings.EqualFold(unit, "raw") {
				p.layout.noPosition(i)
			}
			unit = ""
		}
		if p.layout.settings.euler && unit == "" && strings.Contains(bare, " Rotation_") {
			unit = "deg"
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
	if clock := p.layout.clock; !p.export && p.time < 0 && clock >= 0 &&
		(!slices.Contains(p.layout.words, true) || isClockName(p.names[clock])) &&
		!slices.ContainsFunc(p.names, func(name string) bool { return isTime(strings.ToLower(name)) }) {
		p.time = clock // times of day, whatever they are called
	}
	if at := p.risingTime(); at >= 0 {
		p.time = at
	}
	if clock := p.layout.clock; !p.export && p.time < 0 && clock >= 0 &&
		slices.Contains(wordsOf(p.names[clock]), "time") && !isDuration(p.names[clock]) {
		p.time = clock
	}
	if p.time < 0 { // a date beside it is no measurement
		p.time = slices.IndexFunc(p.names, func(name string) bool { return isTime(strings.ToLower(name)) })
	}
	if len(p.clocks) == 0 {
		p.time = p.finerTime(p.time)
	}
	p.dates.column = p.dateColumn()
	for i, name := range p.names {
		name = strings.ToLower(name)
		switch {
		case p.export && p.time >= 0 && i > p.time:
			p.data = append(p.data, i)
		case i < len(p.layout.dropped) && p.layout.dropped[i]:
		case i == p.time || i == p.dates.column || slices.Contains(p.clocks, i):
		case p.frame < 0 && isFrame(name):
			p.frame = i
		case i == 0 && p.layout.index:
		case p.export && name == "fps":
			p.fps = i
		case p.export && (name == "sessionid" || name == "athleteid"):
			p.keys = append(p.keys, i)
		case !p.export:
			p.data = append(p.data, i)
		}
	}
	p.orderAxes()
}

// orderAxes brings the axes of a thing that stand beside each other in another order, as x, z and y,
// into that of x, y and z.
func (p *plain) orderAxes() {
	for k := 0; k+2 < len(p.data); k++ {
		var of [3]int
		base, seen := "", 0
		for _, i := range p.data[k : k+3] {
			for axis, name := range []string{"x", "y", "z"} {
				if own, ok := axisOf(p.names[i], name); ok && (seen == 0 || own == base) {
					base, of[axis] = own, i
					seen |= 1 << axis
				}
			}
		}
		if seen == 7 {
			copy(p.data[k:], of[:])
			k += 2
		}
	}
}

// isFrame says whether a column of this name, in small letters, has the numbers of the
// frames.
func isFrame(name string) bool {
	return slices.Contains([]string{"frame", "frame#", "frame #", "frames", "frame_number", "frame number", "frame num",
		"frame_num", "frame no", "frame no.", "frame id", "frame_id",
		"frame_idx", "frame index", "frame_index", "framenumber", "field", "field #", "field#", "packetcounter",
		"bildnummer", "bild", "fotograma", "fotogramma", "cuadro", "quadro", "フレーム", "フレーム番号", "帧", "帧号",
		"帧数", "프레임"}, name)
}

// isTime says whether a column of this name, in small letters, has the times of the
// rows: time, timestamp_ms. One called time_min is as likely a least time.
func isTime(name string) bool {
	name = strings.TrimLeft(name, "#%/ ")
	if slices.Contains([]string{"time", "times", "t", "seconds", "timestamp", "timestamps", "time stamp", "time_stamp",
		"sampletimefine", "datetime", "date time", "date/time", "date_time",
		"abs time", "elapsed", "elapsed time", "elapsed_time", "time elapsed", "epoc", "epoch", "zeit", "zeitstempel",
		"uhrzeit", "temps", "heure", "hora", "tiempo", "tempo", "tijd", "tid", "時間", "時刻", "経過時間", "时间", "時間軸",
		"시간"}, name) {
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
	if p.timeIn = p.units[p.time]; p.timeIn == "" {
		name := strings.ToLower(p.names[p.time])
		if word, unit, _ := strings.Cut(name, "_"); word == "time" || word == "timestamp" {
			if _, ok := units.PerSecond(unit); ok {
				p.timeIn = unit
			}
		}
		if p.timeIn == "" && !isTime(name) {
			words := wordsOf(p.names[p.time])
			if p.timeIn = clockUnit(words); p.timeIn == "" {
				p.timeIn = coarseUnit(words)
			}
		}
		switch name {
		case "seconds":
			p.timeIn = name
		case "sampletimefine": // Xsens counts microseconds
			p.timeIn = "us"
		}
	}
	p.perSecond = 1
	if perSecond, known := units.PerSecond(p.timeIn); known {
		p.perSecond = perSecond
	}
}

// seconds reads a time. Where nothing says in what times are, they are seconds, but
// for those of a clock that counts thousandths, millionths or billionths of a second
// since 1970, which as seconds would lie tens of thousands of years ahead.
func (p *plain) seconds(cell []byte) (float64, bool) {
	if p.clock != nil {
		return p.clock.seconds(cell)
	}
	n, ok := p.numerals.number(cell, p.time)
	if !p.timed && ok {
		p.timed = true
		for _, perSecond := range []float64{1e3, 1e6, 1e9} {
			if since := n / perSecond; p.timeIn == "" && since >= 1e9 && since < 1e10 { // 2001 to 2286
				p.perSecond = perSecond
			}
		}
	}
	if !p.timed && isClock(cell) {
		p.timed, p.clock = true, &clock{today: p.dates.today()}
		return p.clock.seconds(cell)
	}
	n = p.fineTime(n) / p.perSecond
	return n, ok && math.Abs(n) <= 1e20
}

// empty holds a row back that has no more than separators. It is a frame if a filled
// row follows; a line without a separator never is.
func (p *plain) empty(line []byte) {
	p.parted = true
	if seps := bytes.Count(line, []byte{p.sep}); seps > 0 && seps >= len(p.names)-1 {
		p.held++
	}
}

// release adds the rows that were held back, in a table in which nothing but its
// place tells which frame a row is.
func (p *plain) release() error {
	if p.time >= 0 || p.frame >= 0 {
		p.held = 0
	}
	for ; p.held > 0; p.held-- {
		p.times = append(p.times, math.NaN())
		p.rows++
		if err := p.columns.EndRow(p.number); err != nil {
			return err
		}
	}
	return nil
}

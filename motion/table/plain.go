package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/text"
)

// plain is a table with a row for each frame.
type plain struct {
	*source
	layout           *layout
	export           bool     // it has the shape of an export
	part             bool     // it has the shape of a part of a recording that Kinebase gives as CSV
	names            []string // of all columns, without their units
	units            []string
	data             []int   // the columns that hold numbers to keep
	time, frame, fps int     // columns, -1 where there is none
	keys             []int   // the columns that tell one recording from another
	clocks           []int   // the columns of times where every sensor has one of its own
	perSecond        float64 // how much of the time column makes a second
	timeIn           string  // the unit of the time column as the file writes it, "" where it does not
	timed            bool    // a time was read
	clock            *clock  // reads times of day; nil where times are numbers
	dates            calendar

	columns   *text.Columns
	times     []float64
	apart     [][]float64 // the times of each of the clocks
	rows      int
	held      int // rows of nothing but separators behind the last one
	first     int // number of the first frame
	rate      float64
	rated     int // place in data of a column that states the rate; -1 where there is none
	key       string
	others    int // rows of other recordings
	jumps     int
	same      int       // rows of the frame before
	within    int       // rows of the last frame so far
	most      int       // rows of the frame that has most
	wrapped   float64   // by how much the counter of fineTime was begun again
	fine      float64   // what it was in the row before
	uncertain []series  // times of which nobody can tell what they count
	last      float64   // number of the row before
	counted   []float64 // one for each row, where there are no times; see keepNumber
	full      float64   // by how much a counter of frames was begun again
	ragged    garbled
	untimed   garbled   // rows whose time cannot be read
	words     []garbled // by place in data
	below               // what is no row of this table
	several   []series  // the columns where sensors have clocks of their own
	order     record.Order
	restarted int // line of the first row whose frame number begins again; 0 for none
	rec       *record.Recording
}

// readPlain reads a table whose first lines were looked at.
func (s *source) readPlain(l *layout) (*record.Recording, error) {
	p := s.plain(l)
	if len(p.data) == 0 {
		return nil, noMeasurements(l.line)
	}
	if err := p.columnRates(); err != nil {
		return nil, err
	}
	if err := p.refuse(); err != nil {
		return nil, err
	}
	p.columns, p.words, p.apart = text.NewColumns(len(p.data), s.size), make([]garbled, len(p.data)),
		make([][]float64, len(p.clocks))
	p.digits()
	s.place, s.number = l.first, s.head[l.first].number
	for {
		line, err := s.next()
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
		if err := p.line(s.split(line)); err != nil {
			return nil, err
		}
	}
	if err := p.settleLast(); err != nil {
		return nil, err
	}
	if p.rows == 0 {
		return nil, &quality.Unreadable{Reason: "The table has names but no row of numbers", Line: s.number,
			Hint: quality.ExportAgain}
	}
	if 2*p.ragged.count > p.rows && p.rows > 1 {
		return nil, &quality.Unreadable{
			Reason: fmt.Sprintf("%s of the %s rows do not have the %d cells that the names ask for, so it cannot be "+
				"told which number belongs to which name",
				quality.Thousands(int64(p.ragged.count)), quality.Thousands(int64(p.rows)), len(p.names)),
			Line: p.ragged.at, Hint: quality.ExportAgain,
		}
	}
	if err := p.crowded(); err != nil {
		return nil, err
	}
	if p.countsSamples() {
		return nil, &quality.Unreadable{
			Reason: fmt.Sprintf("The first row has the number of the other rows, %s, in every column, so it counts "+
				"samples and is no frame", quality.Thousands(int64(p.rows-1))),
			Line: l.line, Hint: "Take the line out, or export without it.",
		}
	}
	return p.settle()
}

func noMeasurements(line int) error {
	return &quality.Unreadable{Reason: "The table has no column of measurements", Line: line,
		Hint: "Check what kind of file it is, or export it again."}
}

// plain takes the columns of a layout.
func (s *source) plain(l *layout) *plain {
	p := &plain{source: s, layout: l, dates: calendar{column: -1, place: map[string]int{}}, time: -1, frame: -1,
		fps: -1, perSecond: 1, first: 1, rec: &record.Recording{FirstFrame: 1}}
	p.skipped = l.sums
	p.head(l.names, l.units)
	p.findClocks()
	p.roles()
	p.timeUnit()
	return p
}

// digits says of every column what tells which of its digits count.
func (p *plain) digits() {
	all := p.bare()
	for i := range all {
		p.columns.About(i, all[i].name, all[i].unit)
	}
	for i := range all {
		if name, ok := three(all, i); ok && meaning(name) == record.Position {
			for k := range 3 {
				if unit := p.lengthUnit(); unit != "" && all[i+k].unit == "" {
					p.columns.About(i+k, all[i+k].name, unit)
				}
			}
		}
	}
}

// lengthUnit is the unit of positions that have none of their own; exports are in metres.
func (p *plain) lengthUnit() string {
	if p.export {
		return "m"
	}
	return p.layout.settings.length
}

// refuse says why a table is no motion: where neither a time nor the number of a frame
// tells its rows apart, but words do, or where its columns describe people.
func (p *plain) refuse() error {
	for i, name := range p.names {
		if !p.export && !p.part && i < len(p.layout.climbs) && p.layout.climbs[i] && isAttempt(name) {
			return &quality.Unreadable{
				Reason: fmt.Sprintf("The table is no motion: its column %q numbers one thing after another, each in "+
					"a row of its own", name),
				Line: p.layout.line, Hint: "Bring what was measured within them as recordings of their own.",
			}
		}
	}
	if p.time >= 0 || p.frame >= 0 || p.export {
		return nil
	}
	people := 0
	for i, name := range p.names {
		if i < len(p.layout.words) && p.layout.words[i] {
			return &quality.Unreadable{
				Reason: fmt.Sprintf("The table is no motion: it has neither times nor numbers of frames, and its "+
					"column %q holds words", name),
				Line: p.layout.line, Hint: "Give the rows a column called time or frame if each is a moment.",
			}
		}
		if isPersonal(name) {
			people++
		}
	}
	if people > 1 {
		return &quality.Unreadable{Reason: "The table is no motion: its columns describe people, and it has neither " +
			"times nor numbers of frames", Line: p.layout.line,
			Hint: "Bring athletes in with a manifest."}
	}
	return nil
}

// isAttempt says whether a column of this name numbers laps, pitches or the like.
func isAttempt(name string) bool {
	words := wordsOf(name)
	rest := slices.DeleteFunc(slices.Clone(words),
		func(w string) bool { return slices.Contains([]string{"no", "nr", "number", "num", "id", "index"}, w) })
	return len(rest) == 1 &&
		slices.Contains([]string{"lap", "laps", "split", "splits", "pitch", "pitches", "pitchno", "shot", "shots",
			"rep", "reps", "repetition", "attempt"}, rest[0]) &&
		!(rest[0] == "pitch" && len(words) == 1) // an angle
}

// isPersonal says whether a column of this name says something of a person.
func isPersonal(name string) bool {
	word, _, _ := strings.Cut(strings.ToLower(name), "_")
	word, _, _ = strings.Cut(word, " ")
	return slices.Contains([]string{"age", "height", "weight", "mass", "bmi", "sex", "gender", "participant", "subject",
		"athlete", "dob", "birthday", "birthdate", "birth", "group", "bodymass"}, word)
}

// line takes a line of the table into account that is not blank.
func (p *plain) line(cells [][]byte) error {
	take, err := p.sort(cells)
	if err != nil || !take {
		return err
	}
	return p.add(cells)
}

// cell gives a cell of a row, nil where there is none.
func cell(cells [][]byte, i int) []byte {
	if i < 0 || i >= len(cells) {
		return nil
	}
	return cells[i]
}

// add takes one row into account.
func (p *plain) add(cells [][]byte) error {
	if err := p.release(); err != nil {
		return err
	}
	p.parted = false
	if len(p.keys) > 0 {
		key := ""
		for _, i := range p.keys {
			key += string(cell(cells, i)) + "\x00"
		}
		if p.rows == 0 {
			p.key = key
		} else if key != p.key {
			p.others++
			return nil
		}
	}
	seconds := math.NaN()
	if p.dates.column >= 0 {
		p.dates.add(cell(cells, p.dates.column), cell(cells, p.time))
		if p.clock != nil {
			p.clock.today = p.dates.today()
		}
	}
	if text := cell(cells, p.time); len(text) > 0 {
		var ok bool
		if seconds, ok = p.seconds(text); !ok {
			seconds = math.NaN()
			if !isMissing(text) {
				p.untimed.note(p.number)
			}
		}
	}
	if p.countFrame(cells, seconds) || p.turnsBack(seconds, cells) {
		return &again{known{told: p.known.told, group: p.known.group, long: true}}
	}
	p.order.Row(seconds, p.rows, p.number)
	p.times = append(p.times, seconds)
	for k, i := range p.clocks {
		t, ok := p.numerals.number(cell(cells, i), i)
		if t /= p.perSecond; !ok || math.Abs(t) > 1e20 {
			t = math.NaN()
		}
		p.apart[k] = append(p.apart[k], t)
	}
	if rate, ok := p.numerals.number(cell(cells, p.fps), -1); ok && p.rows == 0 && record.Usable(rate) {
		p.rate = rate
	}
	for column, i := range p.data {
		if i >= len(cells) {
			break
		}
		if text := cells[i]; len(text) > 0 {
			v, ok := p.numerals.value(text, i)
			if v.Value == v.Value {
				p.columns.Set(column, v)
			} else if !ok {
				p.words[column].note(p.number)
			}
		}
	}
	if len(cells) < len(p.names) || len(cells) > len(p.names) && !blank(bytes.Join(cells[len(p.names):], nil)) {
		p.ragged.note(p.number)
	}
	p.rows++
	return p.columns.EndRow(p.number)
}

// turnsBack says whether the times begin again where the word changes that a row has:
// then the table has one thing below the other.
func (p *plain) turnsBack(seconds float64, cells [][]byte) bool {
	if p.export || p.rows == 0 || len(p.clocks) > 0 || p.known.long || !(seconds < p.times[p.rows-1]) {
		return false
	}
	for i, words := range p.layout.words {
		if words && i != p.time && len(cell(cells, i)) > 0 && !isMinutes(cell(cells, i)) {
			return true
		}
	}
	return false
}

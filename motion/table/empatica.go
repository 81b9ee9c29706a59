package table

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion/label"
)

// A wristband of Empatica (E4) writes a file for each of its sensors, in which no column has a
// name. The first line has the moment of the first sample, in seconds since 1970, and the second
// the samples a second, both once for each column. Which sensor it is only the name of the file
// says (ACC.csv, EDA.csv), which is no part of what is read here. IBI.csv has the moment in the
// place of a name, and seconds since then in the first column.
//
// Described in the file info.txt that Empatica adds to a session.

// wristband gives the layout of a file of one sensor; nil when it is none.
func (s *source) wristband() *layout {
	if len(s.head) < 3 {
		return nil
	}
	rows := s.head[:min(len(s.head), headRows)]
	width := len(rows[0].cells)
	for _, h := range rows {
		if blank(h.text) {
			continue
		}
		if h.remark || len(h.cells) != width || h.shape.count[numeral] != width {
			return nil
		}
	}
	moment, same := repeatedNumber(rows[0].cells)
	hz, sameRate := repeatedNumber(rows[1].cells)
	if !same || !sameRate || !isMoment(moment) || hz < 1 || hz > 1000 || blank(rows[1].text) || blank(rows[2].text) {
		return nil
	}
	l := &layout{first: 2, line: rows[0].number, clock: -1, width: width, names: make([]string, width),
		units: make([]string, width),
		words: make([]bool, width), rising: make([]bool, width), settings: settings{rates: rates{{hz: hz, of: ofRows}}}}
	l.settings.recorded.begin(moment)
	return l
}

// beats takes the moment out of the line of names of a file of heart beats, and says whether it
// is one.
func (s *source) beats() (moment float64, ok bool) {
	if len(s.head) == 0 || len(s.head[0].cells) != 2 {
		return 0, false
	}
	h := &s.head[0]
	moment, ok = repeatedNumber(h.cells[:1])
	if !ok || !isMoment(moment) || !strings.EqualFold(label.Clean(h.cells[1]), "IBI") {
		return 0, false
	}
	h.cells = slices.Clone(h.cells)
	h.cells[0] = []byte("time [s]")
	h.shape = shapeOf(h.cells)
	return moment, true
}

// repeatedNumber is the number that all cells hold.
func repeatedNumber(cells [][]byte) (float64, bool) {
	var n numerals
	first, ok := 0.0, len(cells) > 0
	for i, cell := range cells {
		v, isNumber := n.number(cell, -1)
		if i == 0 {
			first = v
		}
		ok = ok && isNumber && v == first
	}
	return first, ok
}

// isMoment says whether a number can be seconds since 1970 of this century.
func isMoment(v float64) bool { return v >= 978307200 && v < 4102444800 }

// begin takes a moment in seconds since 1970 into account, as one that the file clearly states.
func (r *recorded) begin(moment float64) {
	whole, fraction := math.Modf(moment)
	at := time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000).UTC()
	r.moments[0] = append(r.moments[0], at.Format("2006-01-02 15:04:05.000000Z"))
}

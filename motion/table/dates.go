package table

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion/label"
	"github.com/kinebase/kinebase/motion/quality"
)

// The date of a row may stand in a column of its own beside the time of day. The dates of
// all rows together tell in which order day, month and year are written: a date that can be
// read in one way only, or days that follow one another. Where they do not, the time of
// day alone counts.

// datesMost bounds the days of a recording.
const datesMost = 400

// calendar is the column of dates of a table with times of day.
type calendar struct {
	column int            // -1 where there is none
	seen   []string       // each date once, in the order of the rows
	place  map[string]int // in seen
	rows   []datedTime
	unread int // dates of rows that are none
}

// datedTime is the time of day of a row, and the place of its date; -1 before the first.
type datedTime struct {
	date    int
	seconds float64
}

// dateColumn finds the column of dates beside a column of times of day.
func (p *plain) dateColumn() int {
	if p.export || p.part || p.time < 0 || p.time >= len(p.layout.clocked) || !p.layout.clocked[p.time] {
		return -1
	}
	for i, name := range p.names {
		if i != p.time && isDateName(name) && i < len(p.layout.dated) && p.layout.dated[i] {
			return i
		}
	}
	return -1
}

// isDateName says whether a column of this name may have the dates of the rows.
func isDateName(name string) bool {
	words := wordsOf(name)
	date := slices.ContainsFunc(words,
		func(w string) bool { return slices.Contains([]string{"date", "datum", "fecha", "dato", "data"}, w) })
	return date && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.Contains([]string{"date", "datum", "fecha", "dato", "data", "utc", "gmt", "gps", "local",
			"sample", "recording", "of", "dd", "mm", "yyyy", "yy"}, w)
	})
}

// add takes the date and the time of day of a row into account.
func (d *calendar) add(date, clock []byte) {
	text := label.Clean(date)
	now := datedTime{date: len(d.seen) - 1, seconds: math.NaN()}
	if len(d.rows) > 0 {
		now.date = d.rows[len(d.rows)-1].date
	}
	if text != "" && !isMissing(date) {
		at, ok := d.place[text]
		if !ok && (len(d.seen) == datesMost || len(readingsOf(text)) == 0) {
			d.unread++
		} else if !ok {
			at = len(d.seen)
			d.place[text], d.seen = at, append(d.seen, text)
		}
		if at < len(d.seen) {
			now.date = at
		}
	}
	if m, ok := momentOf(append([]byte("2000-01-01 "), clock...)); ok && m.dated {
		now.seconds = m.seconds - since2000
	}
	d.rows = append(d.rows, now)
}

const since2000 = 946684800 // seconds since 1970

// today is the date of the row read last, "" where none is known.
func (d *calendar) today() string {
	if len(d.rows) == 0 || d.rows[len(d.rows)-1].date < 0 {
		return ""
	}
	return d.seen[d.rows[len(d.rows)-1].date]
}

// joinDates makes seconds since 1970 of the times of day and their dates.
func (p *plain) joinDates() {
	d := &p.dates
	if d.column < 0 || len(d.seen) == 0 || len(d.rows) != len(p.times) || p.clock == nil || p.clock.dated {
		return
	}
	days, ok := d.days()
	if ok && d.unread == 0 {
		if times, ok := d.joined(days); ok {
			p.times = times
			return
		}
	}
	p.rec.Warnings.Add(quality.DatesUnclear,
		"The dates in the column %q, from %q on, cannot be told for certain, or do not fit the times of day beside "+
			"them; only the times of day count.", p.names[d.column], d.seen[0])
}

// joined gives the times of the rows. A time of day that falls back by more than half a
// day while the date stays is one of the next day: some programs write the date of the
// beginning in every row.
func (d *calendar) joined(days []float64) (times []float64, ok bool) {
	last, later, before := math.NaN(), 0.0, datedTime{date: -1, seconds: math.NaN()}
	for _, row := range d.rows {
		if row.date < 0 {
			row.date = 0
		}
		switch {
		case row.date != before.date:
			later = 0
		case row.seconds < before.seconds-day/2:
			later += day
		}
		t := days[row.date] + row.seconds + later
		if math.Abs(t-last) > day/2 { // what is missing is no number, and never further
			return nil, false
		}
		if t == t {
			last, before = t, row
		}
		times = append(times, t)
	}
	return times, true
}

// days gives the beginning of each date in seconds since 1970, false where that cannot be
// told: where the dates may be read in several orders, of which not one alone has days that
// follow one another.
func (d *calendar) days() (days []float64, ok bool) {
	var all, following [][]float64
	for order := range orders {
		own, rising, next := make([]float64, 0, len(d.seen)), true, len(d.seen) > 1
		for i, text := range d.seen {
			t, ok := readingsOf(text)[order]
			if !ok {
				own = nil
				break
			}
			own = append(own, t)
			rising = rising && (i == 0 || t > own[i-1])
			next = next && (i == 0 || t == own[i-1]+day)
		}
		same := func(other []float64) bool { return slices.Equal(other, own) }
		if own == nil || !rising || slices.ContainsFunc(all, same) {
			continue
		}
		if all = append(all, own); next {
			following = append(following, own)
		}
	}
	switch {
	case len(all) == 1:
		return all[0], true
	case len(following) == 1:
		return following[0], true
	}
	return nil, false
}

// order is in which order the parts of a date are written.
type order int

const (
	yearFirst order = iota
	dayFirst
	monthFirst
	inWords
	orders // how many there are
)

// readingsOf gives the beginning of a date in seconds since 1970, in every order in which
// it may be read. With points the day never stands behind the month but in front of it.
func readingsOf(text string) map[order]float64 {
	all := map[order]float64{}
	note := func(o order, form, text string) {
		if t, err := time.Parse(form, text); err == nil && plausible(t) {
			all[o] = float64(t.Unix())
		}
	}
	text = strings.TrimSuffix(strings.TrimSpace(text), ".")
	for _, form := range []string{"2 January 2006", "2 Jan 2006", "January 2 2006", "Jan 2 2006", "2-Jan-2006",
		"2-Jan-06"} {
		note(inWords, form, strings.ReplaceAll(text, ",", ""))
	}
	if kindOf([]byte(text)) == numeral && len(text) == 8 {
		note(yearFirst, "20060102", text)
		note(dayFirst, "02012006", text)
		note(monthFirst, "01022006", text)
		return all
	}
	for _, sign := range []string{"-", "/", "."} {
		parts := strings.Split(text, sign)
		if len(parts) != 3 {
			continue
		}
		year := "2006"
		if len(parts[0]) <= 2 && len(parts[2]) == 2 {
			year = "06"
		}
		if year == "06" || len(parts[0]) == 4 {
			note(yearFirst, year+sign+"1"+sign+"2", text)
		}
		note(dayFirst, "2"+sign+"1"+sign+year, text)
		if sign != "." {
			note(monthFirst, "1"+sign+"2"+sign+year, text)
		}
	}
	return all
}

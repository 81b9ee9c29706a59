package table

import (
	"bytes"
	"math"
	"strings"
	"time"
)

// A clock reads the times of a column that are written as a time of day, with a date
// or without one: 2026-05-13T12:00:00.010Z, 13.05.2026 12:00:00,010, 00:00:00.010,
// 00:59.995. With a date they are seconds since 1970, without one since midnight; a
// time of day that falls back by more than half a day is one of the next day. A date
// between slashes may have the month first or the day, so it only tells one day from
// the next, and the times are those since midnight of the first.
type clock struct {
	dated   bool   // the times have dates
	today   string // the date that a column beside the times has, "" where there is none
	early   bool   // the times have passed midnight, and today has not
	last    float64
	started bool
	days    float64
	date    string // between slashes, of the row before
}

const day = 86400.0

// seconds reads one time.
func (c *clock) seconds(cell []byte) (float64, bool) {
	m, ok := momentOf(cell)
	if !ok {
		return 0, false
	}
	t := m.seconds
	switch {
	case m.dated:
		c.dated = true
	case m.date == "" && c.today != "":
		t += c.beside(t)
	case m.date != "":
		if c.started && m.date != c.date {
			c.days += day
		}
		c.date = m.date
		t += c.days
	default:
		if c.started && t+c.days < c.last-day/2 {
			c.days += day
		}
		t += c.days
	}
	c.started, c.last = true, t
	return t, true
}

// beside gives how many seconds the days before take, where a column beside the times has
// the date. It may be that of the beginning in every row, or change some rows late.
func (c *clock) beside(t float64) float64 {
	changed, falls := c.date != "" && c.today != c.date, c.started && t+c.days < c.last-day/2
	if changed && !c.early || falls && !changed {
		c.days += day
	}
	c.early = falls && !changed || c.early && !changed
	c.date = c.today
	return c.days
}

// moment is one time as it is written.
type moment struct {
	seconds float64
	dated   bool   // since 1970, else since midnight
	date    string // a date between slashes, which may be read in two ways
}

// isClock says whether a cell is a time of day.
func isClock(cell []byte) bool {
	if len(cell) < 5 || len(cell) > 40 || bytes.IndexByte(cell, ':') < 0 && bytes.IndexByte(cell, '.') < 0 {
		return false
	}
	_, ok := momentOf(cell)
	return ok
}

func momentOf(cell []byte) (moment, bool) {
	s := strings.TrimSpace(string(cell))
	if len(s) > 40 {
		return moment{}, false
	}
	date, rest := "", s
	if at := strings.IndexAny(s, "T _"); at >= 6 && strings.ContainsAny(s[:at], "-./") &&
		!strings.Contains(s[:at], ":") {
		date, rest = s[:at], s[at+1:]
	}
	rest, zone, ok := zoneOf(rest)
	if !ok {
		return moment{}, false
	}
	seconds, ok := timeOfDay(rest, date != "")
	if !ok {
		return moment{}, false
	}
	if date == "" {
		return moment{seconds: seconds}, true
	}
	for _, form := range []string{"2006-01-02", "2006/01/02", "2006.01.02", "02.01.2006", "2.1.2006", "02-01-2006",
		"2-Jan-2006", "2/Jan/2006", "2.Jan.2006"} {
		if at, err := time.Parse(form, date); err == nil {
			return moment{seconds: float64(at.Unix()) + seconds - zone, dated: true}, true
		}
	}
	for _, form := range []string{"1/2/2006", "2/1/2006", "1/2/06", "2/1/06"} {
		if _, err := time.Parse(form, date); err == nil {
			return moment{seconds: seconds - zone, date: date}, true
		}
	}
	return moment{}, false
}

// zoneOf takes the zone off a time, which it gives in seconds.
func zoneOf(s string) (rest string, zone float64, ok bool) {
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		return rest, 0, true
	}
	at := strings.LastIndexAny(s, "+-")
	if at < 5 {
		return s, 0, true
	}
	for _, form := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(form, strings.TrimSpace(s[at:])); err == nil {
			_, offset := t.Zone()
			return strings.TrimSpace(s[:at]), float64(offset), true
		}
	}
	return s, 0, false
}

// timeOfDay reads hours, minutes and seconds. Where the hours are left out, the
// seconds must have decimals, for 12:30 may be either.
func timeOfDay(s string, dated bool) (float64, bool) {
	s, later, half := halfDay(s)
	parts := strings.Split(s, ":")
	if len(parts) == 4 && len(parts[3]) == 3 { // 12:00:00:010
		parts = []string{parts[0], parts[1], parts[2] + "." + parts[3]}
	}
	most := 59.0 // minutes
	if len(parts) == 2 && !dated && !half && strings.ContainsAny(parts[1], ".,_") {
		parts, most = append([]string{"0"}, parts...), 99999
	}
	if len(parts) != 3 {
		return 0, false
	}
	whole, decimals, pointed := strings.Cut(strings.NewReplacer(",", ".", "_", ".").Replace(parts[2]), ".")
	hours, ok1 := small(parts[0], 999)
	minutes, ok2 := small(parts[1], most)
	seconds, ok3 := small(whole, 60)
	fraction, ok4 := small(decimals, 999999999)
	if !ok1 || !ok2 || !ok3 || ok4 != pointed || half && (hours < 1 || hours > 12) {
		return 0, false
	}
	if half {
		hours = math.Mod(hours, 12)
	}
	return later + hours*3600 + minutes*60 + seconds + fraction/math.Pow10(len(decimals)), true
}

// halfDay takes AM or PM off a time, and gives by how much later it is.
func halfDay(s string) (rest string, later float64, half bool) {
	if len(s) > 2 {
		rest = strings.TrimSpace(s[:len(s)-2])
		switch strings.ToUpper(s[len(s)-2:]) {
		case "AM":
			return rest, 0, true
		case "PM":
			return rest, day / 2, true
		}
	}
	return s, 0, false
}

// small reads a whole number up to a bound.
func small(s string, most float64) (float64, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0.0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + float64(c-'0')
	}
	return n, n <= most
}

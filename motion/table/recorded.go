package table

import (
	"slices"
	"strings"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// The settings above a table may say when it was recorded: in one value (Capture Start
// Time, TIME_STAMP), or in a date and a time of day (Start Date, Start Time). A date of
// which nobody can tell which number is the month, or without a time of day, is no
// moment.

// recorded is what the settings say of the moment of recording, by how clearly they say it.
type recorded struct {
	moments, dates, clocks [2][]string // of a start or the recording itself; of the file or the test
}

// note takes a setting into account, if it is a date or a time of day.
func (r *recorded) note(name, value, next string) {
	if first, count, _ := strings.Cut(next, " "); kindOf([]byte(count)) == numeral {
		next = first // Qualisys adds a counter
	}
	rank, ok := recordingName(name)
	if !ok {
		return
	}
	date, rest, ok := dateOf(value)
	switch {
	case ok && rest != "":
		r.moments[rank] = append(r.moments[rank], date+" "+rest)
	case ok && isTimeOfDay(next): // TIME_STAMP, 2026-05-13, 12:00:01.123
		r.moments[rank] = append(r.moments[rank], date+" "+next)
	case ok:
		r.dates[rank] = with(r.dates[rank], date)
	case isTimeOfDay(value):
		r.clocks[rank] = with(r.clocks[rank], value)
	}
}

// with adds a text to others, where it is none of them.
func with(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// recordingName says whether a setting may be the moment of recording: 0 where it says so
// itself, 1 where it may be the date of anything.
func recordingName(name string) (rank int, ok bool) {
	if strings.ContainsAny(name, "0123456789") {
		return 0, false
	}
	words := wordsOf(strings.ReplaceAll(name, "starttime", "start time"))
	rank = 1
	for _, w := range words {
		switch w {
		case "export", "exported", "end", "stop", "birth", "birthday", "download", "downloaded", "processed",
			"modified", "created", "saved", "printed", "period", "zone",
			"duration", "total", "elapsed", "moving", "calibration", "expiry", "report", "reference", "local", "opened":
			return 0, false
		case "start", "started", "recorded", "recording", "capture", "captured", "stamp", "timestamp", "acquisition",
			"measured":
			rank = 0
		}
		ok = ok || w == "date" || w == "time" || w == "datetime" || w == "timestamp" || w == "recorded" ||
			w == "datum" || w == "stamp"
	}
	return rank, ok
}

// moment gives the one moment that is stated, and whether its zone is.
func (r *recorded) moment() (at time.Time, zoned, ok bool) {
	for rank := range r.moments {
		values := r.moments[rank]
		if len(values) == 0 && len(r.dates[rank]) == 1 && len(r.clocks[rank]) == 1 {
			values = []string{r.dates[rank][0] + " " + r.clocks[rank][0]}
		}
		for i, value := range values {
			t, z, good := parseMoment(value)
			if !good || i > 0 && !t.Equal(at) {
				return time.Time{}, false, false
			}
			at, zoned, ok = t, z, true
		}
		if ok {
			return at, zoned, true
		}
	}
	return time.Time{}, false, false
}

// tell gives a recording the moment that is stated.
func (r *recorded) tell(rec *record.Recording) {
	at, zoned, ok := r.moment()
	if !ok {
		return
	}
	rec.Recorded = at
	if !zoned {
		rec.Warnings.Add(quality.ZoneMissing,
			"The file says that it was recorded at %s without a time zone; that was taken for UTC.",
			at.Format("2006-01-02 15:04:05"))
	}
}

// dates are the forms of a date that can be read in one way only.
var dates = []string{"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "2 January 2006", "2 Jan 2006", "January 2 2006",
	"Jan 2 2006", "2-Jan-2006"}

// dateOf takes the date off the beginning of a text, and gives it as year, month and day.
// Between slashes or hyphens the day and the month must be told apart by their numbers.
func dateOf(text string) (date, rest string, ok bool) {
	text = strings.TrimSpace(strings.NewReplacer("_", " ", ",", " ").Replace(text))
	if day, after, found := strings.Cut(text, " "); found {
		if _, err := time.Parse("Mon", strings.Trim(day, ".")); err == nil {
			text = strings.TrimSpace(after)
		} else if _, err := time.Parse("Monday", day); err == nil {
			text = strings.TrimSpace(after)
		}
	}
	if at := strings.IndexByte(text, 'T'); at >= 8 && at <= 10 && strings.IndexByte(text, ' ') < 0 {
		text = text[:at] + " " + text[at+1:]
	}
	fields := strings.Fields(text)
	for _, n := range []int{3, 1} {
		if len(fields) < n {
			continue
		}
		begin, rest := strings.Join(fields[:n], " "), strings.Join(fields[n:], " ")
		for _, form := range dates {
			if t, err := time.Parse(form, begin); err == nil && plausible(t) {
				return t.Format(time.DateOnly), rest, true
			}
		}
		for _, sign := range []string{"/", "-"} {
			first, err1 := time.Parse("1"+sign+"2"+sign+"2006", begin)
			second, err2 := time.Parse("2"+sign+"1"+sign+"2006", begin)
			switch {
			case err1 == nil && err2 == nil && !first.Equal(second), err1 != nil && err2 != nil:
			case err1 == nil && plausible(first):
				return first.Format(time.DateOnly), rest, true
			case plausible(second):
				return second.Format(time.DateOnly), rest, true
			}
		}
	}
	return "", "", false
}

// plausible says whether movement was recorded digitally in a year.
func plausible(t time.Time) bool { return t.Year() >= 1980 && t.Year() < 2100 }

// isTimeOfDay says whether a text is a time of day, with a zone or without one.
func isTimeOfDay(text string) bool {
	_, _, ok := parseMoment("2000-01-01 " + text)
	return ok
}

// parseMoment reads a date, as year, month and day, and a time of day behind it: 12:00:01,
// 09.30.02.695 AM, 12:00:01 123, 14:00:01+02:00.
func parseMoment(text string) (at time.Time, zoned, ok bool) {
	date, clock, _ := strings.Cut(text, " ")
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return time.Time{}, false, false
	}
	clock = strings.TrimSpace(clock)
	for _, zone := range []string{"UTC", "GMT"} {
		if rest, cut := strings.CutSuffix(clock, zone); cut {
			clock = strings.TrimSpace(rest) + "Z"
		}
	}
	rest, offset, ok := zoneOf(clock)
	if !ok {
		return time.Time{}, false, false
	}
	zoned = rest != clock
	rest, later, half := halfDay(strings.TrimSpace(rest))
	parts := strings.FieldsFunc(rest, func(r rune) bool { return r == ':' || r == '.' || r == ',' || r == ' ' })
	if len(parts) < 2 || len(parts) > 4 || !strings.ContainsAny(rest, ":.") || len(parts) == 2 &&
		!strings.Contains(rest, ":") {
		return time.Time{}, false, false
	}
	var of [4]float64 // hours, minutes, seconds, fraction
	for i, most := range []float64{23, 59, 59, 999999999} {
		if i < len(parts) {
			if of[i], ok = small(parts[i], most); !ok {
				return time.Time{}, false, false
			}
		}
	}
	if half {
		if of[0] < 1 || of[0] > 12 {
			return time.Time{}, false, false
		}
		of[0] = float64(int(of[0]) % 12)
	}
	nanos := int64(0)
	if len(parts) == 4 {
		nanos = int64(of[3])
		for range 9 - len(parts[3]) {
			nanos *= 10
		}
	}
	seconds := int64(later + of[0]*3600 + of[1]*60 + of[2] - offset)
	return day.Add(time.Duration(seconds)*time.Second + time.Duration(nanos)), zoned, true
}

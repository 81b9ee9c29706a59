package capture

import (
	"strings"
	"time"
)

// The forms of ISO 8601 that are taken, fraction of a second aside. The first is
// by far the most common.
var timeForms = []string{
	"2006-01-02T15:04:05Z07:00",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02T15:04Z0700",
	"2006-01-02T15:04Z07",
}

// ParseTime reads a date and time of ISO 8601, extended form; without a zone it
// is UTC, and seconds may be missing. It gives UTC cut to the millisecond, for
// the list is sorted by what is shown. False for everything else, and for years
// outside 1..9999, which could not be shown.
func ParseTime(s string) (time.Time, bool) {
	t, ok := parseTime(s)
	return t.Truncate(time.Millisecond), ok
}

// parseTime gives the time in UTC, cut to the nanosecond.
func parseTime(s string) (time.Time, bool) {
	// time.Parse is lenient where ISO 8601 is not ("2026-05-13T9:00:00"): the shape
	// is looked at first.
	const shape = "dddd-dd-ddTdd:dd"
	if len(s) < len(shape) || len(s) > 64 {
		return time.Time{}, false
	}
	for i := range len(shape) {
		digit := s[i] >= '0' && s[i] <= '9'
		switch c := shape[i]; {
		case c == 'd' && !digit, c == 'T' && s[i] != 'T' && s[i] != 't' && s[i] != ' ', c != 'd' && c != 'T' &&
			s[i] != c:
			return time.Time{}, false
		}
	}
	if rest := s[len(shape):]; rest != "" && rest[0] == ':' && (len(rest) < 3 || !digits(rest[1:3])) {
		return time.Time{}, false
	}
	if s[10] != 'T' || s[len(s)-1] == 'z' {
		s = s[:10] + "T" + strings.ToUpper(s[11:])
	}
	for _, form := range timeForms {
		t, err := time.Parse(form, s)
		if err != nil {
			continue
		}
		// time.Parse takes zones that are none, such as +24:00 and +00:60.
		if zone := s[max(0, len(s)-6):]; (zone[0] == '+' || zone[0] == '-') && (zone[1:3] > "23" || zone[4:6] > "59") {
			return time.Time{}, false
		}
		t = t.UTC()
		return t, t.Year() >= 1 && t.Year() <= 9999
	}
	return time.Time{}, false
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

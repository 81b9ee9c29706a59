package text

import (
	"strings"

	"github.com/kinebase/kinebase/motion/units"
)

// TimeName says whether a column of this name has the times of the rows, and in which
// unit, "" where the name has none: time, Time (s), TIME [ms], Timestamp_us. One called
// time_min is as likely a least time.
func TimeName(name string) (unit string, ok bool) {
	rest := strings.ToLower(strings.TrimSpace(name))
	for _, word := range []string{"timestamp", "time"} {
		if after, found := strings.CutPrefix(rest, word); found {
			return timeUnit(after)
		}
	}
	return "", false
}

// timeUnit takes the unit out of what stands behind the word time.
func timeUnit(s string) (unit string, ok bool) {
	apart := len(s)
	if s = strings.TrimSpace(s); s == "" {
		return "", true
	}
	for _, brackets := range []string{"()", "[]", "{}", "<>"} {
		if len(s) > 2 && s[0] == brackets[0] && s[len(s)-1] == brackets[1] {
			unit = strings.TrimSpace(s[1 : len(s)-1])
			_, ok = units.PerSecond(unit)
			return unit, ok
		}
	}
	unit = strings.TrimLeft(s, "_-,/. ")
	perSecond, known := units.PerSecond(unit)
	return unit, known && perSecond >= 1 && len(unit) < apart
}

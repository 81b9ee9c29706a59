package capture

import (
	"math"
	"strings"
	"time"
)

// Range is a half-open range of capture time. The zero Range holds every capture, also
// those without a time; any other holds only captures that have one.
type Range struct {
	given     bool
	low, high int64 // Key.Time of the first place in the range and of the first one after it
}

// RangeOf gives the captures from one time on and before another one; nil is no bound. At
// least one of them is given. Bounds are whole microseconds, as keys are.
func RangeOf(from, to *time.Time) Range {
	r := Range{given: true, low: math.MinInt64, high: math.MaxInt64}
	// Keys grow as times fall. The list is in this order, so the first key that is
	// excluded is the one that follows the earliest time.
	if from != nil {
		r.high = -from.UnixMicro() + 1
	}
	if to != nil {
		r.low = -to.UnixMicro() + 1
	}
	return r
}

// Given says whether the range leaves anything out.
func (r Range) Given() bool { return r.given }

// Low is the first place in the list that the range holds.
func (r Range) Low() Key {
	if !r.given {
		return Key{Time: math.MinInt64}
	}
	return Key{Time: r.low}
}

// High is the first place in the list after a range that is given.
func (r Range) High() Key { return Key{Time: r.high} }

// Holds says whether a place in the list lies in the range.
func (r Range) Holds(k Key) bool { return !r.given || k.Time >= r.low && k.Time < r.high }

// ParseBound reads a bound of a Range: what ParseTime reads, or a date, which is its
// midnight in UTC. A time between two microseconds is rounded up, which keeps the same
// captures on either side of it. A blank is refused: in an address it is what is left of the
// plus of a zone that was not escaped, and the time would be another one.
func ParseBound(s string) (time.Time, bool) {
	if strings.Contains(s, " ") {
		return time.Time{}, false
	}
	if len(s) == len(time.DateOnly) {
		s += "T00:00Z"
	}
	t, ok := parseTime(s)
	if !ok {
		return time.Time{}, false
	}
	t = t.Truncate(time.Microsecond)
	if i := strings.IndexAny(s, ".,"); i >= 0 { // a fraction of a second; time.Parse cuts it
		fraction := s[i+1:]
		if end := strings.IndexFunc(fraction, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			fraction = fraction[:end]
		}
		if len(fraction) > 6 && strings.Trim(fraction[6:], "0") != "" {
			t = t.Add(time.Microsecond)
		}
	}
	return t, true
}

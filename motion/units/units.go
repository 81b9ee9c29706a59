// Package units knows the units in which files measure: those of length, time
// and angles, which are converted, and others, which are told from words that are none.
package units

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// lengths are the names of units of length, in small letters, and their length in
// metres. The long ones may be cut, see Metres.
var lengths = map[string]float64{
	"m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1,
	"dm": 0.1, "decimeter": 0.1, "decimeters": 0.1, "decimetre": 0.1, "decimetres": 0.1,
	"cm": 0.01, "centimeter": 0.01, "centimeters": 0.01, "centimetre": 0.01, "centimetres": 0.01,
	"mm": 0.001, "millimeter": 0.001, "millimeters": 0.001, "millimetre": 0.001, "millimetres": 0.001,
	"um": 1e-6, "µm": 1e-6, "μm": 1e-6, "micron": 1e-6, "microns": 1e-6,
	"in": 0.0254, "inch": 0.0254, "inches": 0.0254,
	"ft": 0.3048, "foot": 0.3048, "feet": 0.3048,
}

// Metres gives the length in metres of a unit as files write it, in any case and
// with any padding. C3D keeps it in as many characters as the first writer
// thought enough, so that "mete" is metres and "mill" millimetres: four letters
// that begin one name of a unit and no other length are taken for it.
func Metres(unit string) (float64, bool) {
	unit = plain(unit)
	if metres, ok := lengths[unit]; ok {
		return metres, true
	}
	if len(unit) < 4 {
		return 0, false
	}
	var metres float64
	for name, length := range lengths {
		if !strings.HasPrefix(name, unit) {
			continue
		}
		if metres != 0 && metres != length {
			return 0, false
		}
		metres = length
	}
	return metres, metres != 0
}

// Cut says whether a unit of length is not one of the names themselves.
func Cut(unit string) bool { return lengths[plain(unit)] == 0 }

// times are the names of units of time, and how many of each make a second.
var times = map[float64][]string{
	1:          {"s", "sec", "secs", "second", "seconds", "秒"},
	1e3:        {"ms", "msec", "msecs", "millis", "millisecond", "milliseconds", "ミリ秒", "毫秒"},
	1e6:        {"us", "µs", "μs", "usec", "usecs", "micros", "microsecond", "microseconds"},
	1e9:        {"ns", "nsec", "nsecs", "nanos", "nanosecond", "nanoseconds"},
	1.0 / 60:   {"min", "mins", "minute", "minutes"},
	1.0 / 3600: {"h", "hr", "hrs", "hour", "hours"},
}

// PerSecond gives how many of a unit of time make a second. A unit may be a part or several of
// another one: 1/100 s, 10 ms.
func PerSecond(unit string) (float64, bool) {
	unit = plain(unit)
	if end := strings.LastIndexAny(unit, "0123456789") + 1; end > 0 {
		of, known := PerSecond(unit[end:])
		above, below, _ := strings.Cut(unit[:end], "/")
		n, err := strconv.ParseFloat(above, 64)
		part, err2 := strconv.ParseFloat(cmp.Or(below, "1"), 64)
		if !known || err != nil || err2 != nil || !(n > 0 && n < 1e9 && part > 0 && part < 1e9) {
			return 0, false
		}
		return of * part / n, true
	}
	for many, names := range times {
		if slices.Contains(names, unit) {
			return many, true
		}
	}
	return 0, false
}

// turns are the names of units of angles, and how many degrees each has.
var turns = map[float64][]string{
	1:             {"deg", "degs", "degree", "degrees", "°"},
	180 / math.Pi: {"rad", "rads", "radian", "radians"},
}

// Degrees gives how many degrees a unit of angles has, in any case and with any
// padding; false for what is no unit of angles.
func Degrees(unit string) (float64, bool) {
	unit = plain(unit)
	for degrees, names := range turns {
		if slices.Contains(names, unit) {
			return degrees, true
		}
	}
	return 0, false
}

// others are units that measure neither length nor time nor angles.
var others = []string{
	"rev", "rpm",
	"n", "kn", "newton", "newtons", "lbf", "kgf", "bw", "%bw", "nm", "nmm", "nm/kg", "j", "joule", "joules", "w",
	"watt", "watts", "kw",
	"v", "mv", "uv", "µv", "μv", "volt", "volts", "millivolt", "millivolts", "microvolt", "microvolts", "ma",
	"g", "mg", "kg", "lb", "lbs", "t", "mt", "ut", "µt", "μt", "tesla", "gauss", "hz", "khz", "bpm", "pa", "kpa", "mpa",
	"psi", "bar", "mmhg",
	"%", "%mvc", "mvc", "au", "a.u", "count", "counts", "px", "pixel", "pixels", "°c", "db",
}

// Known says whether a word is a unit, or begins as one made of several does:
// N/kg, m·s, deg/s^2.
func Known(unit string) bool {
	unit = plain(unit)
	if at := strings.IndexAny(unit, "/*·.^²³"); at > 0 && Known(unit[:at]) {
		return true
	}
	if _, ok := Metres(unit); ok {
		return true
	}
	if _, ok := Degrees(unit); ok {
		return true
	}
	_, ok := PerSecond(unit)
	return ok || slices.Contains(others, unit)
}

// plain is a unit without what does not matter of its spelling.
func plain(unit string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(unit), "."))
}

package label

import (
	"strings"
	"unicode"
)

// telling are words of names by which each digit of a number counts: those of places on
// the globe, of clocks and of counters.
var telling = map[string]bool{
	"latitude": true, "longitude": true, "lat": true, "lon": true, "lng": true, "gps": true, "gnss": true,
	"wgs84": true,
	"ecef":  true, "utm": true, "easting": true, "northing": true,
	"time": true, "timestamp": true, "clock": true, "utc": true, "epoch": true, "unix": true, "unixtime": true,
	"ticks": true, "counter": true,
}

// EachDigit says whether a name is one of a place on the globe, a clock or a counter.
func EachDigit(name string) bool {
	if strings.EqualFold(name, "long") { // beside lat; in a longer name it is no longitude
		return true
	}
	words := strings.FieldsFunc(humps(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		if telling[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// humps sets a blank before each capital letter that follows a small one: gpsLat.
func humps(name string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

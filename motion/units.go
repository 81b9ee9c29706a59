package motion

import "strings"

// units are the names of units of length, in small letters, and their length in
// metres. The long ones may be cut, see Metres.
var units = map[string]float64{
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
	if metres, ok := units[unit]; ok {
		return metres, true
	}
	if len(unit) < 4 {
		return 0, false
	}
	var metres float64
	for name, length := range units {
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

// plain is a unit without what does not matter of its spelling.
func plain(unit string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimSpace(unit), "."))
}

// cut says whether a unit is not one of the names themselves.
func cut(unit string) bool { return units[plain(unit)] == 0 }

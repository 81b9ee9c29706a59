package units_test

import (
	"math"
	"testing"

	"github.com/kinebase/kinebase/motion/units"
)

func TestUnitsAreUnderstoodAsFilesWriteThem(t *testing.T) {
	for unit, want := range map[string]float64{
		"mm": 0.001, " MM ": 0.001, "mete": 1, "m": 1, "Meters": 1, "mill": 0.001, "millim": 0.001, "cm": 0.01,
		"cent": 0.01,
		"in":   0.0254, "inch": 0.0254, "ft": 0.3048, "mm.": 0.001,
		"": 0, "mi": 0, "mil": 0, "deg": 0, "parsec": 0, "mmm": 0,
	} {
		if got, ok := units.Metres(unit); got != want || ok != (want != 0) {
			t.Errorf("%q is %v metres (%v), want %v", unit, got, ok, want)
		}
	}
}

func TestAnglesAreKnownHoweverTheyAreWritten(t *testing.T) {
	for unit, want := range map[string]float64{"deg": 1, " Degrees ": 1, "deg.": 1, "°": 1, "RAD": 180 / math.Pi,
		"radians": 180 / math.Pi} {
		if got, ok := units.Degrees(unit); !ok || got != want || !units.Known(unit) {
			t.Errorf("%q has %v degrees, %v", unit, got, ok)
		}
	}
	for _, unit := range []string{"", "d", "m", "rad/s", "deg/s", "grad", "°C"} {
		if got, ok := units.Degrees(unit); ok {
			t.Errorf("%q has %v degrees", unit, got)
		}
	}
}

package text_test

import (
	"testing"

	"github.com/kinebase/kinebase/motion/text"
)

func TestAColumnOfTimesIsToldByItsNameAndSaysItsUnit(t *testing.T) {
	for name, unit := range map[string]string{
		"time": "", "Time": "", " TIME ": "", "timestamp": "", "time (s)": "s", "Time(sec)": "sec", "TIME [ms]": "ms",
		"time_us": "us", "Timestamp, ns": "ns",
		"Time-s": "s", "time {seconds}": "seconds", "time (min)": "min", "time ms": "ms",
	} {
		if got, ok := text.TimeName(name); !ok || got != unit {
			t.Errorf("%q: %q, %v; want %q", name, got, ok, unit)
		}
	}
	for _, name := range []string{"", "t", "times", "timer", "time_min", "time (%)", "Time [frames]", "time of day",
		"time_x", "times2", "time1", "timems", "pelvis_tilt"} {
		if unit, ok := text.TimeName(name); ok {
			t.Errorf("%q is taken for times in %q", name, unit)
		}
	}
}

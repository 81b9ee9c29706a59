package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
)

// TestFirstRowsInWhichNothingWasMeasuredAreRowsWhateverStandsInThem begins a table with rows that
// have a time, and words where the numbers would be.
func TestFirstRowsInWhichNothingWasMeasuredAreRowsWhateverStandsInThem(t *testing.T) {
	const frames = 30
	for _, word := range []string{"no signal", "error", "invalid", "lost", "OFF", "NO DATA", "NO_FIX", "n.d.",
		"overflow", "undef", "x", "...", "Fehler", "Invalid Data"} {
		for _, names := range []string{"Time (s);Acc X (g);Acc Y (g);Acc Z (g)", "Frame;Knee Flex;Hip Flex;Ankle",
			"Time;Fz;Fy;Fx", "Time;Fz"} {
			for _, spoilt := range []int{1, 3, 20} {
				for _, sep := range []string{";", ",", "\t"} {
					text := strings.ReplaceAll(names, ";", sep) + "\n"
					cells := strings.Count(names, ";")
					for i := range frames {
						lead := fmt.Sprintf("%.2f", float64(i)/100)
						if strings.HasPrefix(names, "Frame") {
							lead = fmt.Sprint(i)
						}
						cell := word
						if i >= spoilt {
							cell = fmt.Sprint(i) + ".5"
						}
						text += lead + strings.Repeat(sep+cell, cells) + "\n"
					}
					rec, err := read(text)
					if err != nil {
						if spoilt < frames/2 {
							t.Errorf("%d rows of %q below %q: %v", spoilt, word, names, err)
						}
						continue // refused, which is no wrong number
					}
					label := fmt.Sprintf("%d rows of %q below %q", spoilt, word, names)
					if rec.Frames != frames || rec.Start != 0 || len(rec.Warnings) == 0 {
						t.Errorf("%s: %d frames from %v on, warnings %v", label, rec.Frames, rec.Start, rec.Warnings)
					}
					for _, values := range numbers(rec) {
						for i, v := range values {
							if missing := v != v; missing != (i < spoilt) || !missing && v != float32(i)+0.5 {
								t.Errorf("%s: row %d has %v", label, i, v)
							}
						}
					}
				}
			}
		}
	}
}

// TestALineThatNamesASettingNamesNoColumns stands right above the rows of a table of two columns.
func TestALineThatNamesASettingNamesNoColumns(t *testing.T) {
	rows := "0.00,1.5\n0.01,2.5\n0.02,3.5\n"
	for _, line := range []string{"Sensor ID,1001", "Offset,100", "Gain,2.5", "start,700"} {
		if rec, err := read("Time (s),EMG (mV)\n" + line + "\n" + rows); err == nil {
			t.Errorf("%q: read as %v", line, numbers(rec))
		}
	}
	// Times that are not understood are no names either.
	for _, times := range [][]string{{"14:03:07:0", "14:03:07:5", "14:03:07:10", "14:03:07:15"},
		{"-0:00:02", "-0:00:01", "0:00:00", "0:00:01"}, {"10 AM", "0.01", "0.02", "0.03"}} {
		text := "Time,Force (N)\n"
		for i, at := range times {
			text += fmt.Sprintf("%s,%d\n", at, 700+i)
		}
		if rec, err := read(text); err == nil && (rec.Frames != len(times) || numbers(rec)["Force"] == nil) {
			t.Errorf("%q: %d frames of %v", times, rec.Frames, numbers(rec))
		}
	}
	// A sensor may be called by a number.
	rec := whole(t, "Time,1\n"+rows)
	if got := numbers(rec)["1"]; len(got) != 3 || got[2] != 3.5 || rec.Warnings.Has(quality.CellsUnreadable) {
		t.Errorf("sensor 1 has %v, warnings %v", got, rec.Warnings)
	}
}

func TestUnitsThatLackTheCellAboveTheFramesBelongToTheColumnsBehind(t *testing.T) {
	rec := whole(t, "Frame,Time,Fz,My\nms,N,Nm\n0,0,1,2\n1,5,3,4\n2,10,5,6\n")
	units := map[string]string{}
	for _, a := range rec.Analogs {
		units[a.Name] = a.Unit
	}
	if units["Fz"] != "N" || units["My"] != "Nm" || rec.Rate != 200 {
		t.Errorf("units %v at %v Hz", units, rec.Rate)
	}
}

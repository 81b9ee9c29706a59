package table_test

import (
	"fmt"
	"testing"

	"github.com/kinebase/kinebase/motion/record"
)

// unitsOf gives the units of channels by name.
func unitsOf(rec *record.Recording) map[string]string {
	all := map[string]string{}
	for _, c := range rec.Analogs {
		all[c.Name] = c.Unit
	}
	return all
}

func TestBracketsThatHoldNoUnitGiveNone(t *testing.T) {
	for head, want := range map[string]map[string]string{
		"loggingTime(txt),loggingSample(N),gain(1),weight(N)": {"loggingSample": "", "gain(1)": "", "weight": "N"},
		"t,Sample (N),Steps (N),Force (N)":                    {"Sample": "", "Steps": "", "Force": "N"},
		"t,loggingSample(N),deviceOrientation(Z),quaternionX(R)": {"loggingSample": "", "deviceOrientation": "",
			"quaternionX": ""},
		"t,Trial 1 (N),Sample 2 (N),Row force (N)": {"Trial 1": "N", "Sample 2": "N", "Row force": "N"},
		"t,ECG (raw),Flag (bool),Note (txt)":       {"ECG": "", "Flag": "", "Note": ""},
		"t,Force (left),Force (right),Knee (R)": {"Force (left)": "", "Force (right)": "",
			"Knee (R)": ""},
		"t,Knee (L),Accel (Z),Push (kN)": {"Knee (L)": "", "Accel (Z)": "", "Push": "kN"},
		"t,force[N] left,force[N] right,speed (m/s)": {"force left": "N", "force right": "N",
			"speed": "m/s"},
	} {
		rec := whole(t, lines(head, 9,
			func(i int) string { return fmt.Sprintf("%.2f,%d,%d,3", float64(i)/100, i, 2*i) }))
		got := unitsOf(rec)
		for name, unit := range want {
			if u, ok := got[name]; !ok || u != unit {
				t.Errorf("%s: %q is in %q (%v), want %q; there are %q", head, name, u, ok, unit, got)
			}
		}
	}
	// Forces are newtons beside marks as well: by their name, or because they have fractions.
	rec := whole(t, lines("loggingTime(txt),loggingSample(N),push(N)", 9,
		func(i int) string { return fmt.Sprintf("%.2f,%d,%d.5", float64(i)/100, i, i) }))
	if u := unitsOf(rec); u["push"] != "N" || u["loggingSample"] != "" {
		t.Errorf("units %q", u)
	}
	// Raw numbers are no lengths.
	rec = whole(t, lines("t,head_x (raw),head_y (raw),head_z (raw)",
		9, func(i int) string { return fmt.Sprintf("%.2f,%d,2,3", float64(i)/100, i) }))
	if len(rec.Points) != 1 || rec.Points[0].Quantity == record.Position {
		t.Errorf("points %+v", rec.Points)
	}
}

func TestUnitsThatLackTheCellOfTheTimesStandAboveTheirColumns(t *testing.T) {
	row := func(sep string) func(int) string {
		return func(i int) string { return fmt.Sprintf("%d%s%d.5%s%d.25%s60", 10*i, sep, i, sep, 2*i, sep) }
	}
	for name, text := range map[string]string{
		"blanks": lines("mSec  TORQUE  POSITION  VELOCITY\n      FT-LBS  DEGREES  DEG/SEC", 9, row("  ")),
		"tabs":   lines("mSec\tTORQUE\tPOSITION\tVELOCITY\nFT-LBS\tDEGREES\tDEG/SEC", 9, row("\t")),
		"whole":  lines("mSec\tTORQUE\tPOSITION\tVELOCITY\n\tFT-LBS\tDEGREES\tDEG/SEC", 9, row("\t")),
	} {
		rec := whole(t, text)
		holds(t, rec, 100, 9, map[string][]float64{"TORQUE": {0.5, 1.5}, "POSITION": {0.25, 2.25},
			"VELOCITY": {60, 60}})
		if u := unitsOf(rec); len(rec.Angles) != 1 || rec.Angles[0].Name != "POSITION" || u["VELOCITY"] != "DEG/SEC" ||
			u["TORQUE"] != "FT-LBS" {
			t.Errorf("%s: angles %+v, units %q", name, rec.Angles, u)
		}
	}
	// Fewer units than that tell nothing.
	rec := whole(t, lines("frame,Fx,knee,Fz\nN,deg", 9,
		func(i int) string { return fmt.Sprintf("%d,%d.5,%d.25,60", i, i, 2*i) }))
	holds(t, rec, 0, 9, map[string][]float64{"Fx": {0.5, 1.5}, "knee": {0.25, 2.25}})
	if u := unitsOf(rec); len(rec.Angles) != 0 || u["Fx"] != "" || u["knee"] != "" {
		t.Errorf("angles %+v, units %q", rec.Angles, u)
	}
	rec = whole(t, lines("time  Fx  knee  Fz\nN  deg", 9,
		func(i int) string { return fmt.Sprintf("%.2f  %d.5  %d.25  60", float64(i)/100, i, 2*i) }))
	holds(t, rec, 100, 9, map[string][]float64{"Fx": {0.5, 1.5}, "knee": {0.25, 2.25}})
	if u := unitsOf(rec); len(rec.Angles) != 0 || u["Fx"] != "" || u["Fz"] != "" {
		t.Errorf("angles %+v, units %q", rec.Angles, u)
	}
}

package table_test

import (
	"fmt"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
)

func TestTimesInMinutesAndHoursAreTimes(t *testing.T) {
	for _, name := range []string{"Time (min)", "min", "t_min", "time_min", "TimeMin", "minutes",
		"Elapsed time in minutes", "Time [minutes]"} {
		rec := whole(t, lines(name+",CH1", 60,
			func(i int) string { return fmt.Sprintf("%.9f,%d.5", float64(i)/6000, i) }))
		if holds(t, rec, 100, 60, map[string][]float64{"CH1": {0.5, 1.5}}); rec.Times != nil || len(rec.Analogs) != 1 {
			t.Errorf("%s: %d channels, %v", name, len(rec.Analogs), rec.Warnings)
		}
	}
	for _, name := range []string{"Time (h)", "t_h", "time_hours", "hours", "elapsed_hr"} {
		rec := whole(t, lines(name+",CH1", 60,
			func(i int) string { return fmt.Sprintf("%.12f,%d.5", float64(i)/360000, i) }))
		if holds(t, rec, 100, 60, map[string][]float64{"CH1": {0.5, 1.5}}); len(rec.Analogs) != 1 {
			t.Errorf("%s: %d channels, %v", name, len(rec.Analogs), rec.Warnings)
		}
	}
	// The least of something, a heart rate and what comes later in the row are no times.
	for _, head := range []string{"min,max", "min,mean", "time_min,time_max", "hr,watts", "h,w", "force,min"} {
		rec := whole(t, lines(head, 20, func(i int) string { return fmt.Sprintf("%d.5,%d.25", i, i) }))
		if rec.Rate != 0 || len(rec.Analogs) != 2 || !rec.Warnings.Has(quality.RateMissing) {
			t.Errorf("%s: %v Hz, %d channels", head, rec.Rate, len(rec.Analogs))
		}
	}
	// they fall
	rec := whole(t, lines("min,CH1", 20, func(i int) string { return fmt.Sprintf("%d.5,%d.25", 7*i%5, i) }))
	if rec.Rate != 0 || len(rec.Analogs) != 2 {
		t.Errorf("%v Hz, %d channels", rec.Rate, len(rec.Analogs))
	}
}

func TestTimesAreFoundByPathsAndUnits(t *testing.T) {
	for head, rate := range map[string]float64{"Main.Study.Output.Abscissa.t,Knee": 100, "mSec,Knee": 0.1,
		"ts in ms,Knee": 0.1, "Time  1 - default sample rate (s),Knee": 100,
		"X_Dimension,Time\nX_Value,Knee": 100} {
		rec := whole(t, lines(head, 30, func(i int) string {
			if rate < 1 { // in milliseconds
				return fmt.Sprintf("%d,%d.5", 10000*i, i)
			}
			return fmt.Sprintf("%.3f,%d.5", float64(i)/rate, i)
		}))
		if holds(t, rec, rate, 30, map[string][]float64{"Knee": {0.5, 1.5}}); len(rec.Analogs) != 1 {
			t.Errorf("%q: %d channels", head, len(rec.Analogs))
		}
	}
}

func TestAFinerColumnHasTheTimesWhereOneRepeatsThem(t *testing.T) {
	row := func(form string) func(int) string {
		return func(i int) string { return fmt.Sprintf(form, 32+i/10, float64(i)/10, i) }
	}
	for _, form := range []string{"13/05/2026 15:20:%02d,%.1f,%d.5", "15:20:%02d,%.1f,%d.5"} {
		rec := whole(t, lines("Timestamp,Seconds,Velocity", 40, row(form)))
		if holds(t, rec, 10, 40, map[string][]float64{"Velocity": {0.5, 1.5}}); rec.Times != nil {
			t.Errorf("times %v", rec.Times)
		}
	}
	// Without one, nothing tells how many rows there are to a second.
	rec := whole(t, lines("Timestamp,Distance,Velocity", 40, row("15:20:%02d,%.1f,%d.5")))
	if rec.Rate != 0 || !rec.Warnings.Has(quality.TimesUneven) {
		t.Errorf("%v Hz: %v", rec.Rate, rec.Warnings)
	}
}

func TestRecordingsSideBySideAreToldApart(t *testing.T) {
	for head, names := range map[string][2]string{
		`"Time (s) Run #1","Force (N) Run #1","Time (s) Run #2","Force (N) Run #2"`: {"Force Run #1", "Force Run #2"},
		`"Run 1: Time (s)","Run 1: Force (N)","Run 2: Time (s)","Run 2: Force (N)"`: {"Run 1: Force", "Run 2: Force"},
		`"Trial 1: Time","Trial 1: Force (N)","Trial 2: Time","Trial 2: Force (N)"`: {"Trial 1: Force",
			"Trial 2: Force"},
	} {
		rec := whole(t, lines(head, 30, func(i int) string {
			if i >= 20 {
				return fmt.Sprintf("%.2f,%d.5,,", float64(i)/50, i)
			}
			return fmt.Sprintf("%.2f,%d.5,%[1]f,%[2]d.25", float64(i)/50, i)
		}))
		want := map[string][]float64{names[0]: {0.5, 1.5}, names[1]: {0.25, 1.25}}
		if holds(t, rec, 50, 30, want); rec.Rate != 50 || rec.Frames != 30 ||
			!rec.Warnings.Has(quality.CapturesSeveral) || len(rec.Analogs) != 2 {
			t.Errorf("%s: %d frames at %v Hz, %d channels: %v", head, rec.Frames, rec.Rate, len(rec.Analogs),
				rec.Warnings)
		}
	}
}

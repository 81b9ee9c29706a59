package table_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/motion/record"
)

// names gives the names of channels.
func names(rec *record.Recording) []string {
	var all []string
	for _, c := range rec.Analogs {
		all = append(all, c.Name)
	}
	return all
}

func TestAColumnThatStatesTheRateIsASetting(t *testing.T) {
	const summary = "Name,Sport,Date,Start time,Duration,Total distance (km),Average heart rate (bpm)\nMia " +
		"Lund,RUNNING,13-05-2026,09:30:02,00:30:12,5.61,151\n"
	clock := func(step int) func(int) string {
		return func(i int) string { return fmt.Sprintf("00:%02d:%02d", i*step/60, i*step%60) }
	}
	at := func(rate float64) func(int) string {
		return func(i int) string { return fmt.Sprintf("%.4f", float64(i)/rate) }
	}
	for name, c := range map[string]struct {
		head, first, other string
		time               func(int) string
		rate               float64
	}{
		"in the first row":    {summary + "Sample rate,Time,HR", "1", "", clock(1), 1},
		"behind a blank line": {summary + "\nSample rate,Time,HR", "1", "", clock(1), 1},
		"in every row":        {summary + "Sample rate,Time,HR", "1", "1", clock(1), 1},
		"seconds between":     {summary + "Sample rate,Time,HR", "5", "5", clock(5), 0.2},
		"with its unit":       {"Sampling Rate (Hz),time,HR", "250", "250", at(250), 250},
		"without times":       {"fps,frame,HR", "60", "60", func(i int) string { return fmt.Sprint(i) }, 60},
		"it tells what they are": {"Sample rate,time,HR", "200", "200", func(i int) string { return fmt.Sprint(5 * i) },
			200},
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, lines(c.head, 40, func(i int) string {
				if i > 0 {
					c.first = c.other
				}
				return fmt.Sprintf("%s,%s,%d.5", c.first, c.time(i), 100+i)
			}))
			holds(t, rec, c.rate, 40, map[string][]float64{"HR": {100.5, 101.5}})
			if got := names(rec); !slices.Equal(got, []string{"HR"}) {
				t.Errorf("channels %q", got)
			}
			if want := time.Date(2026, 5, 13, 9, 30, 2, 0, time.UTC); len(c.head) > 60 && !rec.Recorded.Equal(want) {
				t.Errorf("recorded %v", rec.Recorded)
			}
		})
	}
	// What the times do not bear, what changes, and what is no rate of samples, is measured.
	for head, row := range map[string]string{"Sample rate,time,HR": "70,%.2f,%d.5",
		"Frame rate,time,HR": "10%[2]d,%.2[1]f,%[2]d.5", "Stroke rate,time,HR": "100,%.2f,%d.5",
		"Frequency,time,HR": "100,%.2f,%d.5"} {
		rec := whole(t, lines(head, 9, func(i int) string {
			return fmt.Sprintf(row, float64(i)/100, i)
		}))
		if rec.Rate != 100 || len(rec.Analogs) != 2 {
			t.Errorf("%s: %v Hz, channels %q", head, rec.Rate, names(rec))
		}
	}
}

func TestARateWithinASentenceIsRead(t *testing.T) {
	for text, want := range map[string]float64{
		"------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v2.5.0 " +
			"date format M/d/yyyy at 30 Hz  Filter Normal -----------": 30,
		"Exported data @ 100 Hz (all sensors)":         100,
		"# data logged by the phone at 50 Hz":          50,
		"0.5 msec/sample":                              2000,
		"10 ms per sample":                             100,
		"Data low-pass filtered at 6 Hz":               0,
		"Data smoothed at 10 Hz":                       0,
		"Data during vibration at 30 Hz":               0,
		"Data recorded at 100 Hz and filtered at 6 Hz": 0, // which of the two stands for what is not looked for
		"Plate at 100 Hz":                              0,
		"0.5 msec":                                     0,
	} {
		rec := whole(t, text+"\n\n"+lines("ax,ay", 9, func(i int) string { return fmt.Sprintf("%d.5,2", i) }))
		if text == "Data recorded at 100 Hz and filtered at 6 Hz" {
			if rec.Rate != 0 && rec.Rate != 100 {
				t.Errorf("%s: %v Hz", text, rec.Rate)
			}
			continue
		}
		holds(t, rec, want, 9, map[string][]float64{"ax": {0.5, 1.5}})
	}
}

func TestALineOfRatesIsNoLineOfNames(t *testing.T) {
	const names = "EMG 1 Time Series (s),EMG 1 (mV),ACC X Time Series (s),ACC X (G)\n"
	row := func(i int) string {
		if i < 20 {
			return fmt.Sprintf("%.4f,%d.5,%.4f,%d.25", float64(i)/2000, i, float64(i)/200, i)
		}
		return fmt.Sprintf("%.4f,%d.5,,", float64(i)/2000, i)
	}
	for _, rates := range []string{"", "2000 Hz,2000 Hz,200 Hz,200 Hz\n", ",2000 Hz,,200 Hz\n"} {
		rec := whole(t, "Avanti 1 (80001),,,\n"+names+rates+lines("", 200, row)[1:])
		if rec.Rate != 200 || rec.Frames != 20 || len(rec.Analogs) != 2 || rec.Analogs[0].PerFrame != 10 ||
			rec.Analogs[0].Values[199] != 199.5 || rec.Analogs[1].Values[19] != 19.25 {
			t.Errorf("%q: %d frames at %v Hz, channels %+v", rates, rec.Frames, rec.Rate, rec.Analogs)
		}
	}
	// Without times, nothing tells which numbers of two rates belong together.
	if rec, err := read("EMG,ACC\n2000 Hz,200 Hz\n" +
		lines("", 9, func(i int) string { return fmt.Sprintf("%d.5,2", i) })[1:]); err == nil {
		t.Errorf("read: %v Hz, %v", rec.Rate, rec.Warnings)
	}
	holds(t, whole(t, "EMG,ACC\n200 Hz,200 Hz\n"+
		lines("", 9, func(i int) string { return fmt.Sprintf("%d.5,2", i) })[1:]), 200,
		9, map[string][]float64{"EMG": {0.5, 1.5}})
	// It may stand between names and units.
	rec := whole(t, "Time\tForce\tDisp\n10 Hz\t10 Hz\t10 Hz\ns\tkN\tmm\n"+
		lines("", 9, func(i int) string { return fmt.Sprintf("%.1f\t%d.5\t2", float64(i)/10, i) })[1:])
	if holds(t, rec, 10, 9, map[string][]float64{"Force": {0.5, 1.5}}); rec.Analogs[0].Unit != "kN" {
		t.Errorf("force in %q", rec.Analogs[0].Unit)
	}
}

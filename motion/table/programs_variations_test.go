package table_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// bodies writes rigid bodies as Qualisys Track Manager does: of the columns of a body only the first
// has its name.
func bodies(s *sheet) {
	s.line("NO_OF_FRAMES", strconv.Itoa(s.rows))
	s.line("NO_OF_BODIES", strconv.Itoa(len(s.things)))
	s.line("FREQUENCY", strconv.Itoa(int(s.rate)))
	s.line("TIME_STAMP", "2026-05-13", "12:00:01.123")
	s.line("DATA_INCLUDED", "6D")
	s.line(join([]string{"BODY_NAMES"}, s.things)...)
	timed := rapid.Bool().Draw(s.t, "timed")
	var names []string
	if timed {
		names = []string{"Frame", "Time"}
	}
	for _, thing := range s.things {
		names = append(names, thing+" X", "Y", "Z", "Roll", "Pitch", "Yaw", "Residual", "Rot[0]", "Rot[1]")
	}
	s.line(names...)
	for i := range s.rows {
		var cells []string
		if timed {
			cells = []string{strconv.Itoa(i + 1), s.seconds(i)}
		}
		for thing := range s.things {
			for k := range 9 {
				cells = append(cells, s.number(s.values[3*thing+k%3][i]))
			}
		}
		s.line(cells...)
	}
	s.points("")
	for thing, name := range s.things {
		for k, turn := range []string{"Roll", "Pitch", "Yaw", "Residual", "Rot[0]"} {
			s.want[name+" "+turn] = s.values[3*thing+k%3]
		}
	}
}

// labChart writes settings and no line of names, and comments behind some rows.
func labChart(s *sheet) {
	s.trailing = false
	if s.sep == "," {
		s.sep = "\t"
	}
	decimal := func(v float64) string { return s.number(v) }
	interval := strconv.FormatFloat(1/s.rate, 'f', rapid.IntRange(5, 9).Draw(s.t, "digits"), 64)
	s.line("Interval=", strings.Replace(interval, ".", s.point, 1)+" s")
	s.line("ExcelDateTime=", decimal(4.4259599e+04), "04/03/2021 14:22:31.123")
	s.line("TimeFormat=", "StartOfBlock")
	s.line("DateFormat=")
	s.line("ChannelTitle=", "EMG", "Force Fz")
	if rapid.Bool().Draw(s.t, "ranges") {
		s.line("Range=", "10.000 V", "5.000 V")
	}
	if rapid.Bool().Draw(s.t, "units") {
		s.line("UnitName=", "mV", "*")
	}
	comments := rapid.IntRange(0, 5).Draw(s.t, "comments")
	for i := range s.rows {
		cells := []string{s.seconds(i), decimal(s.values[0][i]), decimal(s.values[1][i])}
		if comments > 0 && i%(2+comments) == 1 {
			cells = append(cells, "#* jump")
		}
		s.line(cells...)
	}
	s.want["EMG"], s.want["Force Fz"] = s.values[0], s.values[1]
}

// worded writes dates with the month in a word, as MATLAB does.
func worded(s *sheet) {
	s.trailing, s.sep, s.point = false, ",", "."
	s.rate = rapid.SampledFrom([]float64{50, 100, 200, 250}).Draw(s.t, "whole rate")
	form := rapid.SampledFrom([]string{"02-Jan-2006 15:04:05.000", "2-Jan-2006 15:04:05.000",
		"02/Jan/2006 15:04:05.000"}).Draw(s.t, "form")
	start := time.Date(2026, 5, 31, 23, 59, 58, 0, time.UTC)
	s.line("Timestamp", "X", "Y")
	for i := range s.rows {
		at := start.Add(time.Duration(math.Round(float64(i)/s.rate*1e3)) * time.Millisecond)
		s.line(at.Format(form), s.number(s.values[0][i]), s.number(s.values[1][i]))
	}
	s.want["X"], s.want["Y"] = s.values[0], s.values[1]
}

// The events of an export of Qualisys stand among its settings.
func TestEventsAmongTheSettingsOfQualisysAreEvents(t *testing.T) {
	for name, rows := range map[string]string{
		"times": "Frame\tTime\tA X\tA Y\tA Z\n" +
			"1\t0.00000\t1\t2\t3\n2\t0.01000\t1\t2\t3\n3\t0.02000\t1\t2\t3\n",
		"no lead":              "1\t2\t3\n1\t2\t3\n1\t2\t3\n",
		"a part without times": "Frame\tA X\tA Y\tA Z\n101\t1\t2\t3\n102\t1\t2\t3\n103\t1\t2\t3\n",
	} {
		frame := 2
		if strings.Contains(rows, "101") {
			frame = 102
		}
		text := "NO_OF_FRAMES\t3\nFREQUENCY\t100\nDATA_INCLUDED\t3D\n" +
			fmt.Sprintf("EVENT\tHeel strike\t%d\t%.5f", frame, float64(frame-1)/100) +
			"\nEVENT\t\t5\t0.1\nEVENT\tno time\t5\tx\nMARKER_NAMES\tA\n" + rows
		for _, text := range []string{text, strings.ReplaceAll(text, "\t", ";"),
			strings.ReplaceAll(strings.ReplaceAll(text, ".", ","), "\t", ";")} {
			rec, err := read(text)
			if err != nil {
				t.Fatal(name, err)
			}
			if len(rec.Events) != 1 || rec.Events[0].Label != "Heel strike" ||
				rec.Events[0].Context != record.General ||
				math.Abs(rec.Events[0].Time-rec.Time(1)) > 1e-6 {
				t.Errorf("%s: %+v in a recording from %v s on", name, rec.Events, rec.Start)
			}
		}
	}
}

// Rows of samples that begin late and have no times begin at 0 s, and events lie as far from them as they lay from
// the first of them: the number of that one tells.
func TestEventsOfAnExportOfSamplesThatBeginsLateLieAtTheirRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]int{200, 1000, 1200}).Draw(t, "rate")
		first := rapid.SampledFrom([]int{1, 2, 501, 30_001, 20_000_001}).Draw(t, "first sample")
		row := rapid.IntRange(0, 9).Draw(t, "row of the event")
		form := rapid.SampledFrom([]string{"times", "numbers", "numbers without names", "a setting",
			"nothing"}).Draw(t, "form")
		if form == "nothing" && first == 2 {
			first = 1 // one sample is too few to tell
		}
		var b strings.Builder
		fmt.Fprintf(&b, "NO_OF_SAMPLES\t10\nFREQUENCY\t%d\nDATA_INCLUDED\tANALOG\nEVENT\tjump\t11\t%.6f\n", rate,
			float64(first-1+row)/float64(rate))
		if form == "a setting" {
			fmt.Fprintf(&b, "FIRST_SAMPLE\t%d\n", first)
		}
		b.WriteString("CHANNEL_NAMES\tF1\tF2\n")
		b.WriteString(map[string]string{"times": "SAMPLE\tTIME\tF1\tF2\n", "numbers": "SAMPLE\tF1\tF2\n"}[form])
		for i := range 10 {
			if form != "a setting" && form != "nothing" {
				fmt.Fprintf(&b, "%d\t", first+i)
			}
			if form == "times" {
				fmt.Fprintf(&b, "%.6f\t", float64(first-1+i)/float64(rate))
			}
			fmt.Fprintf(&b, "%d.5\t2.25\n", i)
		}
		text := b.String()
		if rapid.Bool().Draw(t, "decimal commas") {
			text = strings.ReplaceAll(text, ".", ",")
		}
		rec, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Events) != 1 || rec.Rate != float64(rate) {
			t.Fatalf("%+v at %v Hz", rec.Events, rec.Rate)
		}
		if off := math.Abs(rec.Events[0].Time - rec.Time(row)); off > 0.1/float64(rate) &&
			!rec.Warnings.Has(quality.EventsDisagree) {
			t.Fatalf("the event lies %v s from its row: %+v, %v", off, rec.Events, rec.Warnings)
		} else if off > 0.1/float64(rate) && (form != "nothing" || first == 1) {
			t.Fatalf("the event lies %v s from its row, which can be told: %v", off, rec.Warnings)
		}
	})
}

// In an export of samples the number of an event is that of a frame of the cameras; its time counts.
func TestEventsOfAnExportOfSamplesLieAtTheirTimes(t *testing.T) {
	for name, rows := range map[string]string{
		"times":   "SAMPLE\tTIME\tEMG 1\n1\t0.00000\t1.5\n2\t0.00100\t2.5\n3\t0.00200\t3.5\n",
		"no lead": "1.5\n2.5\n3.5\n",
	} {
		rec, err := read("NO_OF_SAMPLES\t3\nTOT_NO_OF_CHAN\t1\nFREQUENCY\t1000\nDATA_INCLUDED\tANALOG\n" +
			"EVENT\tjump\t11\t0.1\nFIRST_SAMPLE\t1\nCHANNEL_NAMES\tEMG 1\n" + rows)
		if err != nil {
			t.Fatal(name, err)
		}
		if len(rec.Events) != 1 || rec.Events[0].Time != 0.1 || rec.Rate != 1000 {
			t.Errorf("%s: %+v at %v Hz", name, rec.Events, rec.Rate)
		}
	}
}

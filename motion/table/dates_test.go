package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// The forms of a date, and whether there is another way to read it.
var dateForms = []struct {
	form  string
	other bool
}{
	{"2006-01-02", false}, {"2006/1/2", false}, {"2006.01.02", false}, {"20060102", false}, {"02.01.2006", false},
	{"2.1.2006", false}, {"2 Jan 2006", false}, {"2-Jan-2006", false},
	{"02/01/2006", true}, {"01/02/2006", true}, {"2-1-2006", true},
	{"02.01.06", true}, {"1/2/06", true},
}

func TestADateBesideATimeOfDayIsJoinedWithItOrTheTimeOfDayCountsWithAWarning(t *testing.T) {
	joined, alone := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.SampledFrom(dateForms).Draw(t, "form")
		first := time.Date(rapid.IntRange(2001, 2031).Draw(t, "year"),
			time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 28).Draw(t, "day"), 0, 0, 0,
			0, time.UTC)
		rate := rapid.SampledFrom([]float64{10, 50, 100, 128}).Draw(t, "rate")
		rows := rapid.IntRange(3, 40).Draw(t, "rows")
		begin := rapid.SampledFrom([]float64{0, 43200, 86399.5, 86399.99, 75000}).Draw(t, "begin")
		stays := rapid.IntRange(0, 4).Draw(t, "the date stays") == 0
		sep, point := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator"), "."
		if sep != "," && rapid.Bool().Draw(t, "comma") {
			point = ","
		}
		half := rapid.Bool().Draw(t, "AM and PM")
		names := []string{rapid.SampledFrom([]string{"Date", "DATE", "Datum", "Date (UTC)", "utc_date",
			"Local Date"}).Draw(t, "name"),
			rapid.SampledFrom([]string{"Time", "time", "Zeit"}).Draw(t, "name of the time"), "ax"}
		swapped := rapid.Bool().Draw(t, "the time first")
		if swapped {
			names[0], names[1] = names[1], names[0]
		}
		var b strings.Builder
		b.WriteString(strings.Join(names, sep) + "\n")
		last := begin
		for i := range rows {
			last = begin + float64(i)/rate
			on, clock := first, last
			if clock >= 86400-1e-9 {
				clock -= 86400
				if !stays {
					on = first.AddDate(0, 0, 1)
				}
			}
			clock = math.Round(clock*1e6) / 1e6
			hours, minutes := int(clock/3600), int(clock/60)%60
			text, ending := "", ""
			if half {
				ending = []string{" AM", " PM"}[hours/12]
				hours = (hours+11)%12 + 1
			}
			text = fmt.Sprintf("%02d:%02d:%09.6f", hours, minutes, math.Mod(clock, 60))
			cells := []string{on.Format(form.form), strings.Replace(text, ".", point, 1) + ending,
				fmt.Sprintf("%d%s25", i, point)}
			if swapped {
				cells[0], cells[1] = cells[1], cells[0]
			}
			b.WriteString(strings.Join(cells, sep) + "\n")
		}
		text := b.String()
		rec, err := read(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(rec.Analogs) != 1 || len(rec.Analogs[0].Values) != rows ||
			rec.Analogs[0].Values[rows-1] != float32(rows-1)+0.25 || math.Abs(rec.Rate-rate) > 1e-4*rate ||
			rec.Times != nil {
			t.Fatalf("%v Hz, %d channels, %v\n%s", rec.Rate, len(rec.Analogs), rec.Warnings, text)
		}
		switch {
		case !rec.Warnings.Has(quality.DatesUnclear):
			if want := float64(first.Unix()) + begin; math.Abs(rec.Start-want) > 1e-4 {
				t.Fatalf("begins at %f, want %f: %v\n%s", rec.Start, want, rec.Warnings, text)
			}
			joined++
		case math.Abs(rec.Start-begin) > 1e-4:
			t.Fatalf("begins at %f, want %f: %v\n%s", rec.Start, begin, rec.Warnings, text)
		default:
			if !form.other {
				t.Fatalf("%s is unclear\n%s", form.form, text)
			}
			alone++
		}
	})
	if t.Logf("%d with dates, %d without", joined, alone); joined < alone {
		t.Errorf("%d recordings have their dates and %d only their times of day", joined, alone)
	}
}

func TestADateThatDoesNotFitIsNoneOfTheTimes(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		start   float64
		unclear bool
	}{
		"the month or the day": {"Date,Time,v\n03/04/2026,12:00:00.00,1\n03/04/2026,12:00:00.01,2\n" +
			"03/04/2026,12:00:00.02,3\n", 43200, true},
		"the same read each way": {"Date,Time,v\n04/04/2026,12:00:00.00,1\n04/04/2026,12:00:00.01,2\n04/04/2026,12:00:00.02,3\n", 1775304000, false},
		"the next day tells": {"Date,Time,v\n03/04/2026,23:59:59.99,1\n04/04/2026,00:00:00.00,2\n" +
			"04/04/2026,00:00:00.01,3\n", 1775260799.99, false},
		"a word": {"Date,Time,v\n2026-05-13,12:00:00.00,1\nMonday,12:00:00.01,2\n" +
			"2026-05-13,12:00:00.02,3\n", 43200, false},
		"empty cells": {"Date,Time,v\n2026-05-13,12:00:00.00,1\n,12:00:00.01,2\n,12:00:00.02,3\n",
			1778673600, false},
		"a zone": {"Date,Time,v\n2026-05-13,12:00:00.00+02:00,1\n2026-05-13,12:00:00.01+02:00,2\n" +
			"2026-05-13,12:00:00.02+02:00,3\n", 1778666400, false},
		"numbers of seconds": {"Date,Time,v\n2026-05-13,0.00,1\n2026-05-13,0.01,2\n2026-05-13,0.02,3\n", 0, false},
	} {
		rec := whole(t, c.text)
		if math.Abs(rec.Start-c.start) > 1e-4 || math.Abs(rec.Rate-100) > 1e-6 ||
			rec.Warnings.Has(quality.DatesUnclear) != c.unclear {
			t.Errorf("%s: from %f at %v Hz: %v", name, rec.Start, rec.Rate, rec.Warnings)
		}
	}
}

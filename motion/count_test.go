package motion_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
)

// uncounted are files of rows at times as they are written, without a unit or with one
// in the name of their column, and with a rate that is stated or not.
func uncounted(times []string, unit string, stated float64) map[string]string {
	name := "time"
	if unit != "" {
		name += " (" + unit + ")"
	}
	sto, csv, rate := "x\n", "", ""
	if stated > 0 {
		rate = strconv.FormatFloat(stated, 'g', -1, 64)
		sto, csv = "x\nDataRate="+rate+"\n", "Sample rate,"+rate+"\n"
	}
	trc := fmt.Sprintf("PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n%s\t%d\t1\tm\n"+
		"Frame#\t%s\tA\t\t\n\t\tX1\tY1\tZ1\n\n", rate, len(times), name)
	sto, csv = sto+"endheader\n"+name+"\tv\n", csv+name+",v,w\n"
	for i, at := range times {
		sto += fmt.Sprintf("%s\t%d\n", at, i)
		csv += fmt.Sprintf("%s,%d,1.5\n", at, i)
		trc += fmt.Sprintf("%d\t%s\t1\t2\t3\n", i+1, at)
	}
	return map[string]string{"a.sto": sto, "a.mot": sto, "a.csv": csv, "a.trc": trc}
}

// keeps wants the times in a column of their own, as they are.
func keeps(t *rapid.T, name string, rec *motion.Recording, times []string) {
	for _, c := range rec.Analogs {
		if !strings.EqualFold(c.Name, "time") {
			continue
		}
		for i, at := range times {
			want, _ := strconv.ParseFloat(at, 64)
			got := float64(c.Values[i])
			if c.Wide != nil {
				got = c.Wide[i]
			}
			if got != want {
				t.Fatalf("%s: row %d of the column is %v, want %v", name, i, got, want)
			}
		}
		return
	}
	t.Fatalf("%s: there is no column of times: %+v", name, rec.Analogs)
}

func TestTimesAreSecondsOrToldFromThemOrAColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.SampledFrom([]float64{0.1, 0.2, 1, 2, 10, 29.97, 50, 60, 100, 120, 240, 500, 1000, 2000}).Draw(t,
			"rate")
		per := rapid.SampledFrom([]float64{1, 1e3, 1e6, 1e9, max(1, rate)}).Draw(t, "counted in a second")
		start := rapid.SampledFrom([]float64{0, 1, 37.5, 1.75e9}).Draw(t, "start")
		whole := rapid.Bool().Draw(t, "whole numbers") && per/rate >= 1
		said := rapid.SampledFrom([]string{"nothing", "rate", "unit"}).Draw(t, "said")
		rows := rapid.IntRange(3, 40).Draw(t, "rows")
		gap := rapid.IntRange(0, 3).Draw(t, "gap") * (rows / 10)
		unit, stated := "", 0.0
		switch {
		case said == "rate":
			stated = rate
		case said == "unit" && per != rate:
			unit = map[float64]string{1: "s", 1e3: "ms", 1e6: "us", 1e9: "ns"}[per]
		}
		if per == rate && per != 1 { // numbers of frames
			start, gap = math.Round(min(start, 37.5)*rate)/rate, 0
		}
		var times []string
		var want []float64
		for i := range rows {
			n := i
			if 2*i > rows {
				n += gap
			}
			at := start + float64(n)/rate
			decimals := 9
			if whole || per == rate {
				decimals = 0
			} else if per > 1 {
				decimals = 3
			}
			times, want = append(times, strconv.FormatFloat(at*per, 'f', decimals, 64)), append(want, at-start)
		}
		for name, text := range uncounted(times, unit, stated) {
			rec := readAlike(t, name, text)
			kept := rec.Times == nil && rec.Start == 0 && rec.Warnings.Has(quality.TimeUnitUnknown)
			wrong := false
			for i, at := range want {
				off := max(0.0025, 1.01/per)
				wrong = wrong || !(math.Abs(rec.Time(i)-rec.Time(0)-at) <= off)
			}
			told := rec.Warnings.Has(quality.TimeUnitUnknown) || rec.Warnings.Has(quality.RateDisagrees)
			switch {
			case wrong && kept && rec.Rate == 0 || kept && rec.Rate == stated && stated > 0 && wrong:
				keeps(t, name, rec, times)
			case wrong && !told:
				t.Fatalf("%s is read wrong in silence, at %v Hz from %v s, %v; warnings %v\n%s", name, rec.Rate,
					rec.Start, rec.Times, rec.Warnings, text)
			case wrong && (said == "rate" || unit != ""):
				t.Fatalf("%s says what tells its times, and is read at %v Hz from %v s, %v; warnings %v\n%s", name,
					rec.Rate, rec.Start, rec.Times, rec.Warnings, text)
			case !wrong && unit != "" && rec.Warnings.Has(quality.TimeUnitUnknown):
				t.Fatalf("%s states the unit of its times; warnings %v\n%s", name, rec.Warnings, text)
			}
		}
	})
}

func readAlike(t *rapid.T, name, text string) *motion.Recording {
	rec, err := motion.Read(name, strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	h, err := motion.ReadHeader(name, strings.NewReader(text), int64(len(text)))
	if err != nil || h.Rate != rec.Rate || len(h.Analogs) != len(rec.Analogs) || len(h.Angles) != len(rec.Angles) {
		t.Fatalf("%s: the header says %+v, %v", name, h, err)
	}
	return rec
}

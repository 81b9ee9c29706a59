package table_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// Logs whose times of day have a decimal comma are read by those times where other signs set cells apart, and refused
// where commas do, however many names there are.
func TestTimesOfDayWithACommaAreOneCellOrRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator")
		form := rapid.SampledFrom([]string{"15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05"}).Draw(t, "form")
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"Time", "Timestamp", "asctime", "Force", "Value",
			"Date"}), 2, 4).Draw(t, "names")
		rows := rapid.IntRange(4, 150).Draw(t, "rows")
		quoted := rapid.Bool().Draw(t, "quoted")
		start := time.Date(2026, 5, 13, 12, 0, rapid.IntRange(0, 58).Draw(t, "second"), 0, time.UTC)
		if sep != "," || quoted {
			names = []string{"Time", "Force"}
		}
		text := strings.Join(names, sep) + "\n"
		for i := range rows {
			at := start.Add(time.Duration(i) * 10 * time.Millisecond)
			cell := at.Format(form) + fmt.Sprintf(",%03d", at.Nanosecond()/1e6)
			if quoted {
				cell = `"` + cell + `"`
			}
			text += fmt.Sprintf("%s%s%d.5\n", cell, sep, i)
		}
		rec, err := read(text)
		if sep == "," && !quoted {
			if err == nil {
				t.Fatalf("%q was read: %+v", strings.SplitN(text, "\n", 3)[:2], rec.Analogs)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Frames != rows || rec.Rate != 100 || rec.Times != nil || len(rec.Analogs) != 1 {
			t.Fatalf("%d frames at %v Hz, %d channels: %v", rec.Frames, rec.Rate, len(rec.Analogs), rec.Warnings)
		}
		for i, v := range rec.Analogs[0].Values {
			if float64(v) != float64(i)+0.5 {
				t.Fatalf("row %d has %v", i, v)
			}
		}
	})
}

// Tables whose rows are numbered without a name have every number under its own name, or are refused.
func TestRowsThatAreNumberedWithoutANameShiftNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{",", ";", "\t", " "}).Draw(t, "separator")
		lead := rapid.SampledFrom([][]string{{"time"}, {"frame"}, {"frame", "time"}, {"Time", "Frame"}, {}}).Draw(t,
			"lead")
		first := rapid.SampledFrom([]int{0, 1, 11, 1000}).Draw(t, "first row")
		step := rapid.SampledFrom([]int{1, 1, 2, 10}).Draw(t, "step")
		quoted := rapid.Bool().Draw(t, "quoted")
		named := rapid.Bool().Draw(t, "a blank name")
		quote := func(s string) string {
			if quoted {
				return `"` + s + `"`
			}
			return s
		}
		var names []string
		if named {
			names = []string{quote("")}
		}
		for _, name := range append(lead, "knee", "hip") {
			names = append(names, quote(name))
		}
		rows := rapid.IntRange(3, 80).Draw(t, "rows")
		text := strings.Join(names, sep) + "\n"
		for i := range rows {
			cells := []string{quote(fmt.Sprint(first + i*step))}
			for _, name := range lead {
				if strings.EqualFold(name, "time") {
					cells = append(cells, fmt.Sprintf("%.2f", float64(i)/100))
				} else {
					cells = append(cells, fmt.Sprint(i+1))
				}
			}
			text += strings.Join(append(cells, fmt.Sprintf("%d.5", i*i%17), fmt.Sprintf("%d.25", 100-i)), sep) + "\n"
		}
		rec, err := read(text)
		if err != nil {
			return
		}
		found := 0
		for _, c := range rec.Analogs {
			for i, v := range c.Values {
				switch {
				case c.Name == "knee" && float64(v) != float64(i*i%17)+0.5,
					c.Name == "hip" && float64(v) != float64(100-i)+0.25:
					t.Fatalf("%q has %v in row %d of %q", c.Name, v, i, text)
				}
			}
			if c.Name == "knee" || c.Name == "hip" {
				found++
			}
		}
		if found != 2 || rec.Rate != 0 && rec.Rate != 100 {
			t.Fatalf("%d of the channels, at %v Hz, of %q", found, rec.Rate, text)
		}
	})
}

// Rows within frames lie at the rate of the rows: that of the frames times the rows of each. Of any other stated rate
// there is a warning.
func TestRowsWithinFramesHaveARateOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		each := rapid.SampledFrom([]int{2, 4, 5, 10, 20}).Draw(t, "rows a frame")
		frames := rapid.IntRange(2, 30).Draw(t, "frames")
		cut := rapid.IntRange(0, each-1).Draw(t, "missing rows of the last frame")
		setting := rapid.SampledFrom([]string{"Frame rate,%d", "Camera rate: %d Hz", "Marker rate (Hz),%d",
			"Rate: %d Hz", "Frequency,%d"}).Draw(t, "setting")
		name := rapid.SampledFrom([]string{"Sub Frame", "Subframe", "SubFrame", "sub_frame"}).Draw(t, "name")
		rate := rapid.SampledFrom([]int{50, 100, 120, 240}).Draw(t, "rate")
		n := frames*each - cut
		text := fmt.Sprintf(setting, rate) + "\nFrame," + name + ",Fx,Fy\n"
		for i := range n {
			text += fmt.Sprintf("%d,%d,%d.5,2.25\n", 1+i/each, i%each, i)
		}
		rec, err := read(text)
		if err != nil {
			return
		}
		if rec.Frames != n {
			t.Fatalf("%d rows of %d", rec.Frames, n)
		}
		told := rec.Warnings.Has(quality.RateDisagrees) || rec.Warnings.Has(quality.RateMissing)
		if want := float64(rate * each); rec.Rate != want && !told {
			t.Fatalf("%v Hz and not %v, without a warning: %v", rec.Rate, want, rec.Warnings)
		}
	})
}

// Names of times and frames in other languages are those of times and frames.
func TestTimesAndFramesAreToldInManyLanguages(t *testing.T) {
	for _, c := range [][3]string{{"フレーム", "時間(秒)", "左膝"}, {"フレーム番号", "時間 (ミリ秒)", "角度"}, {"帧", "时间", "力"},
		{"帧号", "时间(毫秒)", "力"}, {"프레임", "시간", "힘"}, {"Bild", "Zeit [s]", "Knie"}, {"Quadro", "Tempo (ms)", "Joelho"},
		{"Fotograma", "Tiempo (s)", "Rodilla"}, {"Fotogramma", "Tempo", "Ginocchio"}, {"Frame", "Temps (s)", "Genou"}} {
		for _, sep := range []string{",", ";", "\t"} {
			text := strings.Join(c[:], sep) + "\n"
			scale := 0.01
			if strings.Contains(c[1], "ms") || strings.Contains(c[1], "ミリ") || strings.Contains(c[1], "毫") {
				scale = 10
			}
			for i := range 20 {
				text += fmt.Sprintf("%d%s%.2f%s%d.5\n", 5+i, sep, scale*float64(i), sep, i)
			}
			if sep == ";" {
				text = strings.ReplaceAll(text, ".", ",")
			}
			rec := whole(t, text)
			if rec.Rate != 100 || rec.FirstFrame != 5 || len(rec.Analogs) != 1 || rec.Analogs[0].Values[3] != 3.5 {
				t.Errorf("%q: %v Hz from frame %d on, %d channels", c, rec.Rate, rec.FirstFrame, len(rec.Analogs))
			}
		}
	}
}

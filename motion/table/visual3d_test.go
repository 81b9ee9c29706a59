package table_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestSignalsOfVisual3DHaveTheirNamesAndComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{"\t", ",", ";"}).Draw(t, "separator")
		files := []string{`C:\Data\Mia Lund\walk1.c3d`, "/data/Mia/walk 2.c3d",
			"walk3.c3d"}[:rapid.IntRange(1, 3).Draw(t, "files")]
		rows, item := rapid.IntRange(3, 20).Draw(t, "rows"), rapid.IntRange(0, 1).Draw(t, "first item")
		numbered, timed, events := rapid.Bool().Draw(t, "frames"), rapid.Bool().Draw(t, "times"),
			rapid.Bool().Draw(t, "events")
		gap := rapid.SampledFrom([]string{"", "NaN", "nodata"}).Draw(t, "gap")
		type column struct {
			head   [5]string
			name   string // "" where it is not kept
			values []string
		}
		var all []column
		value := func(c, i int) string { return strconv.Itoa(1000*c+i) + ".25" }
		for f, file := range files {
			prefix := ""
			if len(files) > 1 {
				prefix = []string{"walk1 ", "walk 2 ", "walk3 "}[f]
			}
			add := func(name, kind, folder, component, kept string, cell func(c, i int) string) {
				col := column{head: [5]string{file, name, kind, folder, component}, name: kept}
				for i := range rows {
					col.values = append(col.values, cell(len(all)+1, i))
				}
				all = append(all, col)
			}
			if numbered {
				add("FRAMES", "FRAME_NUMBERS", "ORIGINAL", "X", "",
					func(_, i int) string { return strconv.Itoa(i + 7) })
			}
			if timed && f == 0 {
				add("TIME", "FRAME_NUMBERS", "ORIGINAL", "X",
					"", func(_, i int) string { return fmt.Sprintf("%.3f", float64(i)/100) })
			}
			missing := rapid.IntRange(0, rows-1).Draw(t, "missing")
			for k, axis := range axes {
				add("RHIP_ANG", "LINK_MODEL_BASED", "ORIGINAL", axis, prefix+"RHIP_ANG_"+[]string{"x", "y", "z"}[k],
					value)
			}
			for k, axis := range axes {
				add("LASI", "TARGET", "PROCESSED", axis, prefix+"LASI_"+[]string{"x", "y", "z"}[k],
					func(c, i int) string {
						if i == missing {
							return gap
						}
						return value(c, i)
					})
			}
			add("FZ1", "ANALOG", "ORIGINAL", "X", prefix+"FZ1", value)
			if events {
				add("RHS", "EVENT_LABEL", "ORIGINAL", "X", "", func(_, i int) string {
					if i == 0 {
						return "0.25"
					}
					return ""
				})
			}
		}
		var b strings.Builder
		for line := range 5 {
			b.WriteString([]string{"", "", "", "", "ITEM"}[line])
			for _, c := range all {
				b.WriteString(sep + c.head[line])
			}
			b.WriteString("\n")
		}
		for i := range rows {
			b.WriteString(strconv.Itoa(item + i))
			for _, c := range all {
				b.WriteString(sep + c.values[i])
			}
			b.WriteString("\n")
		}
		text := b.String()
		rec, err := read(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		first, rate := item, 0.0
		if numbered {
			first = 7
		}
		if timed {
			rate = 100
		}
		if rec.Frames != rows || rec.FirstFrame != first || rec.Rate != rate || len(rec.Points) != 2*len(files) ||
			len(rec.Analogs) != len(files) ||
			rec.Warnings.Has(quality.CapturesSeveral) != (len(files) > 1) ||
			rec.Warnings.Has(quality.SectionsSkipped) != events {
			t.Fatalf("%d frames from %d on at %v Hz, %d points, %d channels: %v\n%s", rec.Frames, rec.FirstFrame,
				rec.Rate, len(rec.Points), len(rec.Analogs), rec.Warnings, text)
		}
		for _, p := range rec.Points {
			if isMarker := strings.HasSuffix(p.Name, "LASI"); isMarker != (p.Quantity == record.Position) {
				t.Fatalf("%s is a %v\n%s", p.Name, p.Quantity, text)
			}
		}
		got := numbers(rec)
		for _, c := range all {
			if c.name == "" {
				continue
			}
			if len(got[c.name]) != rows {
				t.Fatalf("no %s of %d rows\n%s", c.name, rows, text)
			}
			for i, cell := range c.values {
				want, err := strconv.ParseFloat(cell, 32)
				if err != nil {
					want = math.NaN()
				}
				if v := got[c.name][i]; v != float32(want) && !(v != v && want != want) {
					t.Fatalf("%s is %v in row %d, want %v\n%s", c.name, v, i, want, text)
				}
			}
		}
	})
}

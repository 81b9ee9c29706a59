package motion_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
)

// TestNumbersBeyondAllBoundsAreMissingAndTold writes infinite numbers, and such as 32 bits cannot
// hold, as programs write them, into tables of every kind: they are missing, and a warning counts
// them and names the line of the first.
func TestNumbersBeyondAllBoundsAreMissingAndTold(t *testing.T) {
	signs := []string{"inf", "-inf", "Inf", "+Inf", "INF", "Infinity", "-Infinity", "∞", "-∞", "1.#INF", "-1.#INF00",
		"1e39", "-1E39", "1.7976931348623157e+308", "1e400", "3.4028235e+38", "-3.4028234663852886e+38",
		"1" + strings.Repeat("0", 60)}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"csv", "trc", "sto"}).Draw(t, "kind")
		n := rapid.IntRange(3, 20).Draw(t, "frames")
		rows := make([][4]float64, n)
		for i := range rows {
			rows[i] = [4]float64{float64(i), 2.5, -3, float64(4 * i)}
		}
		lines := strings.SplitAfter(measurement(kind, rows), "\n")
		above := len(lines) - 1 - n
		lost, first, count := map[int]bool{}, 0, 0
		for i := range n - 1 {
			if !rapid.Bool().Draw(t, "lost") {
				continue
			}
			sign := rapid.SampledFrom(signs).Draw(t, "sign")
			at := strings.LastIndexAny(lines[above+i], ",\t")
			lines[above+i] = lines[above+i][:at+1] + sign + "\n"
			if lost[i] = true; first == 0 {
				first = above + i + 1
			}
			count++
		}
		text := strings.Join(lines, "")
		rec := readText(t, kind, text)
		for i := range n {
			got := 0.0
			want := rows[i][3]
			if kind == "trc" {
				got, want = float64(rec.Points[0].Z[i]), rows[i][2]
			} else {
				got = float64(rec.Analogs[0].Values[i])
			}
			if math.IsNaN(got) != lost[i] || !lost[i] && got != want {
				t.Fatalf("frame %d is %v, written %v\n%s", i, got, want, text)
			}
		}
		told := ""
		for _, w := range rec.Warnings {
			if w.Code == quality.ValuesNotNumbers {
				told = w.Message
			}
		}
		if (told != "") != (count > 0) || count > 0 && (!strings.HasPrefix(told, strconv.Itoa(count)+" cells") ||
			!strings.HasSuffix(told, fmt.Sprintf("in line %d.", first))) {
			t.Fatalf("%d are lost, the first in line %d: %v\n%s", count, first, rec.Warnings, text)
		}
	})
}

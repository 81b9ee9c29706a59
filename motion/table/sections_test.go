package table_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestRowsOfASectionThatDoNotFollowOneAnotherAreRefused takes rows out of a section of Nexus: it is
// refused, unless its last frame alone lacks rows or its first frames are gone as a whole.
func TestRowsOfASectionThatDoNotFollowOneAnotherAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames, per := rapid.IntRange(3, 12).Draw(t, "frames"), rapid.SampledFrom([]int{1, 5, 10}).Draw(t,
			"rows a frame")
		out := rapid.IntRange(0, frames*per-1).Draw(t, "row that is left out")
		text := fmt.Sprintf("Devices\n%d\n,,Plate\nFrame,Sub Frame,Fx\n,,N\n", 100*per)
		for i := range frames * per {
			if i != out {
				text += fmt.Sprintf("%d,%d,%d\n", i/per+1, i%per, i)
			}
		}
		rec, err := readText(text)
		whole := per == 1 && out == 0 || out/per == frames-1
		if !whole {
			if !refused(err, "cannot be told when its rows were measured") {
				t.Fatalf("%v\n%s", err, text)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i, v := range rec.Analogs[0].Values[:min(len(rec.Analogs[0].Values), out)] {
			if per > 1 && v != float32(i) {
				t.Fatalf("sample %d is %v\n%s", i, v, text)
			}
		}
		if rec.Rate != 100 {
			t.Fatalf("at %v Hz\n%s", rec.Rate, text)
		}
	})
}

// TestNamesOfASectionBesideTheirColumnsMoveNoNumber has the names of markers in the middle of their
// three columns, or anywhere among them.
func TestNamesOfASectionBesideTheirColumnsMoveNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		markers, by := rapid.IntRange(2, 5).Draw(t, "markers"), rapid.IntRange(0, 2).Draw(t, "by")
		odd := rapid.IntRange(0, 3*markers).Draw(t, "one that stands elsewhere")
		names := make([]string, 2+3*markers)
		even := true
		for m := range markers {
			at := by
			if odd/3 == m {
				at, even = odd%3, even && odd%3 == by
			}
			names[2+3*m+at] = fmt.Sprintf("M%c", 'A'+m)
		}
		text := fmt.Sprintf("Trajectories\n100\n%s\nFrame,Sub Frame%s\n,%s\n", strings.Join(names, ","),
			strings.Repeat(",X,Y,Z", markers), strings.Repeat(",mm", 3*markers))
		for i := range 3 {
			text += fmt.Sprintf("%d,0", i+1)
			for c := range 3 * markers {
				text += fmt.Sprintf(",%d", 10*c+i)
			}
			text += "\n"
		}
		rec, err := readText(text)
		if err != nil {
			if even {
				t.Fatalf("%v\n%s", err, text)
			}
			return
		}
		if len(rec.Points) != markers && even {
			t.Fatalf("%d points of %d\n%s", len(rec.Points), markers, text)
		}
		for _, p := range rec.Points {
			if m := int(p.Name[len("M")] - 'A'); p.X[1] != float32(30*m+1) || p.Z[1] != float32(30*m+21) {
				t.Fatalf("%s is at %v, %v, %v\n%s", p.Name, p.X[1], p.Y[1], p.Z[1], text)
			}
		}
	})
}

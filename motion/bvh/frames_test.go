package bvh_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/bvh"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// counted are frames of an arm of 7 channels, of which no two numbers are alike.
func counted(n int) [][]string {
	all := make([][]string, n)
	for f := range all {
		for c := range 7 {
			all[f] = append(all[f], fmt.Sprintf("%d.%d", f, c+1))
		}
	}
	return all
}

const six = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"

// lines joins the numbers of each frame.
func lines(frames [][]string, sep string) []string {
	all := make([]string, len(frames))
	for f, numbers := range frames {
		all[f] = strings.Join(numbers, sep)
	}
	return all
}

// frameIs says whether a frame of a recording is that one of another, or missing.
func frameIs(rec *record.Recording, f int, want *record.Recording) (same, missing bool) {
	same, missing = true, true
	for i, a := range rec.Angles {
		v := a.Values[f]
		same, missing = same && v == want.Angles[i].Values[f], missing && v != v
	}
	for i, p := range rec.Points {
		q := want.Points[i]
		same = same && p.X[f] == q.X[f] && p.Y[f] == q.Y[f] && p.Z[f] == q.Z[f]
		missing = missing && p.Missing(f)
	}
	return same, missing
}

func TestALineWithTooFewOrTooManyNumbersIsOneLostFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "frames")
		want, err := bvh.Read(strings.NewReader(arm(six, lines(counted(n), " ")...)), 1000)
		if err != nil {
			t.Fatal(err)
		}
		frames, spoiled := counted(n), map[int]bool{}
		for range rapid.IntRange(1, 3).Draw(t, "spoiled") {
			f := rapid.IntRange(0, n-1).Draw(t, "frame")
			if _, done := spoiled[f]; done {
				continue
			}
			at := rapid.IntRange(0, len(frames[f])-1).Draw(t, "number")
			switch more := rapid.IntRange(-2, 3).Draw(t, "more"); {
			case more < 0 && len(frames[f])+more > 0:
				at = min(at, len(frames[f])+more)
				frames[f] = slices.Delete(frames[f], at, at-more)
			case more > 0:
				frames[f] = slices.Insert(frames[f], at, slices.Repeat([]string{"9"}, more)...)
			}
			spoiled[f] = len(frames[f]) != 7
		}
		sep := rapid.SampledFrom([]string{" ", "\t", "  ", ", ", "; "}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n", " \n", "\n\n", "\r"}).Draw(t, "end")
		text := strings.ReplaceAll(arm(six, lines(frames, sep)...), "\n", end)
		rec, err := bvh.Read(strings.NewReader(text), int64(len(text)))
		var unreadable *quality.Unreadable
		if errors.As(err, &unreadable) {
			if len(spoiled)*2 < n {
				t.Errorf("refused though most lines are whole: %v", err)
			}
			return
		}
		if err != nil || rec.Frames != n {
			t.Fatalf("%d frames of %d: %v", rec.Frames, n, err)
		}
		any := false
		for f := range n {
			same, missing := frameIs(rec, f, want)
			if missing != spoiled[f] || !missing && !same {
				t.Errorf("frame %d is missing: %v, the same: %v; its line was spoiled: %v", f, missing, same,
					spoiled[f])
			}
			any = any || spoiled[f]
		}
		if told := rec.Warnings.Has(quality.RowsRagged); told != any {
			t.Errorf("warnings %v", rec.Warnings)
		}
	})
}

// TestASecondRecordingIsRefused appends a skeleton with its motion, or a motion alone, to a file, as
// programs do that open it once more: its lines are no frames of the first.
func TestASecondRecordingIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		frames := rapid.SliceOfN(rapid.Just("1 2 3 4"), 1, 40).Draw(t, "frames")
		text := arm("3 Zrotation Xrotation Yrotation", frames...)
		more := text
		if rapid.Bool().Draw(t, "motion alone") {
			more = text[strings.Index(text, "MOTION"):]
		}
		if rapid.Bool().Draw(t, "small letters") {
			more = strings.ToLower(more)
		}
		text += rapid.SampledFrom([]string{"", "\n", "\r\n \r\n"}).Draw(t, "between") + more
		_, err := bvh.Read(strings.NewReader(text), int64(len(text)))
		var u *quality.Unreadable
		if !errors.As(err, &u) || !strings.Contains(u.Error(), "one recording stands below another") ||
			u.Line <= len(frames) {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}

// TestInfiniteNumbersOfFramesAreMissingAndTold has a number of a frame infinite, or larger than 32
// bits hold: it is missing, and so is what hangs on it, and a warning says so.
func TestInfiniteNumbersOfFramesAreMissingAndTold(t *testing.T) {
	for _, sign := range []string{"inf", "-inf", "1e39", "1.#INF", "3.4028235e38"} {
		rec := whole(t, arm("3 Zrotation Xrotation Yrotation", "1 2 3 4", "5 "+sign+" 7 8"))
		if rec.Points[1].Missing(0) || !rec.Points[len(rec.Points)-1].Missing(1) ||
			!rec.Warnings.Has(quality.ValuesNotNumbers) || rec.Warnings.Has(quality.CellsUnreadable) {
			t.Errorf("%s: %+v", sign, rec.Warnings)
		}
	}
}

// TestAnEndWithoutAPlaceIsNone leaves the OFFSET of an end out, and wants all other numbers as they were.
func TestAnEndWithoutAPlaceIsNone(t *testing.T) {
	good := arm("3 Zrotation Xrotation Yrotation", "1 2 3 4", "5 6 7 8")
	all := whole(t, good)
	at := strings.LastIndex(good, "OFFSET")
	bare := whole(t, good[:at]+good[at+strings.IndexByte(good[at:], '\n'):])
	if len(bare.Points) != len(all.Points)-1 {
		t.Fatalf("%d points of %d", len(bare.Points), len(all.Points))
	}
	for i, p := range bare.Points {
		if p.Name != all.Points[i].Name || !slices.Equal(p.X, all.Points[i].X) {
			t.Errorf("%+v is not %+v", p, all.Points[i])
		}
	}
}

func TestAWarningNamesTheFirstLostLine(t *testing.T) {
	frames := lines(counted(6), " ")
	frames[2] = "1 2 3"
	text := arm(six, frames...)
	rec := whole(t, text)
	want := fmt.Sprintf("1 of the 6 lines of frames do not have the 7 numbers of a frame; each is one frame in which "+
		"everything is missing, and the first is line %d.",
		1+strings.Count(text[:strings.Index(text, "\n1 2 3\n")+1], "\n"))
	if len(rec.Warnings) != 1 || rec.Warnings[0].Message != want {
		t.Errorf("warnings %v, want %q", rec.Warnings, want)
	}
}

func TestFramesOverSeveralLinesHaveTheSameNumbersOrAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "frames")
		want, err := bvh.Read(strings.NewReader(arm(six, lines(counted(n), " ")...)), 1000)
		if err != nil {
			t.Fatal(err)
		}
		numbers := slices.Concat(counted(n)...)
		lost := rapid.SampledFrom([]int{-1, rapid.IntRange(0, len(numbers)-1).Draw(t, "place")}).Draw(t, "lost")
		// Of eight, one of which is lost, nobody can tell that they are no frame.
		long := rapid.IntRange(1, 30).Filter(func(l int) bool { return l != 7 && l != 8 }).Draw(t, "a line")
		eachBegins := rapid.Bool().Draw(t, "each frame begins a line")
		var b strings.Builder
		for i := range numbers {
			if i != lost {
				b.WriteString(numbers[i] + " ")
			}
			if eachBegins && (i%7 == 6 || long < 7 && i%7%long == long-1) || !eachBegins && i%long == long-1 {
				b.WriteString("\n")
			}
		}
		if eachBegins && long > 7 {
			return // a line a frame
		}
		text := strings.Replace(arm(six, b.String()), "Frames: 1", fmt.Sprintf("Frames: %d", n), 1)
		rec, err := bvh.Read(strings.NewReader(text), int64(len(text)))
		var unreadable *quality.Unreadable
		switch {
		case errors.As(err, &unreadable):
			if lost < 0 && (eachBegins || 7*n > 60 && long > 8) {
				t.Errorf("%d numbers a line are refused: %v", long, err)
			}
			return
		case err != nil:
			t.Fatal(err)
		}
		for f := range min(n, rec.Frames) {
			if same, missing := frameIs(rec, f, want); !same && !missing {
				t.Errorf("%d numbers a line, number %d lost: frame %d has other numbers", long, lost, f)
			}
		}
	})
}

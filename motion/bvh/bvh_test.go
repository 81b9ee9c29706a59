package bvh_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/bvh"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// arm is a skeleton of a shoulder, an elbow 10 above it, and a hand 5 beyond that.
func arm(channels string, frames ...string) string {
	return fmt.Sprintf(`HIERARCHY
ROOT Ann:Shoulder
{
	OFFSET 0 100 0
	CHANNELS %s
	JOINT Elbow
	{
		OFFSET 0 10 0
		CHANNELS 1 Zrotation
		End Site
		{
			OFFSET 0 5 0
		}
	}
}
MOTION
Frames: %d
Frame Time: 0.008333
%s
`, channels, len(frames), strings.Join(frames, "\n"))
}

func whole(t *testing.T, text string) *record.Recording {
	t.Helper()
	rec, err := bvh.Read(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// stands wants a point somewhere in a frame.
func stands(t *testing.T, p record.Point, frame int, want [3]float64) {
	t.Helper()
	got := [3]float64{float64(p.X[frame]), float64(p.Y[frame]), float64(p.Z[frame])}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-4 {
			t.Errorf("frame %d: %s is at %v, want %v", frame, p.Label(), got, want)
			return
		}
	}
}

func TestJointsStandWhereTheirTurnsTakeThem(t *testing.T) {
	rec := whole(t, arm("6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
		"0 0 0 0 0 0 0", "1 2 3 0 0 0 0", "0 0 0 90 0 0 0", "0 0 0 0 90 0 0", "0 0 0 0 0 90 0", "0 0 0 0 0 0 90",
		"0 0 0 90 90 0 0", "0 0 0 90 0 0 90"))
	if len(rec.Points) != 3 || rec.Points[0].Subject != "Ann" || rec.Points[0].Name != "Shoulder" ||
		rec.Points[2].Name != "Elbow_end" || rec.Rate != 120 || rec.Frames != 8 {
		t.Fatalf("%d points at %v Hz, %d frames", len(rec.Points), rec.Rate, rec.Frames)
	}
	for f, want := range [][3][3]float64{
		{{0, 100, 0}, {0, 110, 0}, {0, 115, 0}},
		{{1, 102, 3}, {1, 112, 3}, {1, 117, 3}},
		{{0, 100, 0}, {-10, 100, 0}, {-15, 100, 0}}, // y falls to -x
		{{0, 100, 0}, {0, 100, 10}, {0, 100, 15}},   // y rises to z
		{{0, 100, 0}, {0, 110, 0}, {0, 115, 0}},
		{{0, 100, 0}, {0, 110, 0}, {-5, 110, 0}},
		{{0, 100, 0}, {0, 100, 10}, {0, 100, 15}}, // z last: y to z, which turning about z leaves
		{{0, 100, 0}, {-10, 100, 0}, {-10, 95, 0}},
	} {
		for i := range want {
			stands(t, rec.Points[i], f, want[i])
		}
	}
	if !slices.Equal(rec.Bones, [][2]int{{0, 1}, {1, 2}}) {
		t.Errorf("bones %v", rec.Bones)
	}
	var names []string
	for _, a := range rec.Angles {
		names = append(names, a.Name)
	}
	if !slices.Equal(names, []string{"Ann:Shoulder_Zrotation", "Ann:Shoulder_Xrotation", "Ann:Shoulder_Yrotation",
		"Elbow_Zrotation"}) || rec.Angles[3].Values[5] != 90 || rec.Angles[0].Unit != "deg" {
		t.Errorf("angles %q", names)
	}
}

func TestTheOrderOfChannelsIsTheOrderOfTurns(t *testing.T) {
	for order, want := range map[string][3]float64{
		"3 Zrotation Xrotation Yrotation": {0, 100, 10},
		"3 Xrotation Zrotation Yrotation": {-10, 100, 0},
		"3 Yrotation Xrotation Zrotation": {-10, 100, 0},
		"3 xrotation YROTATION Zrotation": {-10, 100, 0},
	} {
		frame := map[byte]string{'Z': "90 90 0 0", 'X': "90 90 0 0", 'Y': "0 90 90 0", 'x': "90 0 90 0"}[order[2]]
		stands(t, whole(t, arm(order, frame)).Points[1], 0, want)
	}
}

func TestPlacesOfOtherJointsStandForTheirOffset(t *testing.T) {
	text := strings.Replace(arm("1 Yrotation", "0 0 11 0 0"), "CHANNELS 1 Zrotation",
		"CHANNELS 4 Xposition Yposition Zposition Zrotation", 1)
	stands(t, whole(t, text).Points[1], 0, [3]float64{0, 111, 0})
}

func TestHoweverItIsWrittenItSaysTheSame(t *testing.T) {
	text := arm("3 Zrotation Xrotation Yrotation", "1 2 3 4", "5 6 7 8")
	want := whole(t, text)
	for name, other := range map[string]string{
		"CR LF":                 strings.ReplaceAll(text, "\n", "\r\n"),
		"blanks for tabs":       strings.ReplaceAll(text, "\t", "  "),
		"tabs behind colons":    strings.NewReplacer("Frames: ", "Frames:\t", "Time: ", "Time:\t").Replace(text),
		"nothing behind colons": strings.NewReplacer("Frames: ", "Frames:", "Time: ", "Time:").Replace(text),
		"braces beside names":   strings.ReplaceAll(strings.ReplaceAll(text, "\n{", " {"), "\n\t{", " {"),
		"frames over lines":     strings.ReplaceAll(text, "1 2 3 4", "1 2\n3 4"),
		"byte order mark":       "\ufeff" + text,
		"blank lines":           strings.ReplaceAll(text, "\n", "\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, other)
			if rec.Frames != 2 || len(rec.Warnings) > 0 || rec.Angles[3].Values[1] != 8 {
				t.Fatalf("%d frames, warnings %v", rec.Frames, rec.Warnings)
			}
			for i, p := range rec.Points {
				if w := want.Points[i]; p.Name != w.Name || !slices.Equal(p.X, w.X) || !slices.Equal(p.Z, w.Z) {
					t.Errorf("%s is at %v, want %v", p.Name, p.X, w.X)
				}
			}
		})
	}
}

func TestOddFilesAreReadWithAWarning(t *testing.T) {
	good := arm("3 Zrotation Xrotation Yrotation", "1 2 3 4", "5 6 7 8")
	for name, c := range map[string]struct {
		text   string
		code   quality.Code
		frames int
	}{
		"more announced": {strings.Replace(good, "Frames: 2", "Frames: 900", 1), quality.FramesDisagree, 2},
		"cut":            {good[:len(good)-4], quality.CutShort, 1},
		"no time":        {strings.Replace(good, "0.008333", "0", 1), quality.RateMissing, 2},
		"a word":         {strings.Replace(good, "6", "six", 1), quality.CellsUnreadable, 2},
		"names repeated": {strings.Replace(good, "Elbow", "Ann:Shoulder", 1), quality.LabelsRepeated, 2},
		"no name":        {strings.Replace(good, "Elbow", "", 1), quality.LabelsMissing, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if rec := whole(t, c.text); !rec.Warnings.Has(c.code) || rec.Frames != c.frames {
				t.Errorf("%d frames, warnings %v", rec.Frames, rec.Warnings)
			}
		})
	}
	rec := whole(t, strings.Replace(good, "6", "NaN", 1))
	if rec.Points[0].Missing(1) || !rec.Points[1].Missing(1) || !rec.Points[2].Missing(1) || rec.Points[1].Missing(0) {
		t.Errorf("a turn is missing, and what hangs on it is %v", rec.Points[1].X)
	}
}

// Numbers that a cell can hold can be turned and added up to one that it cannot.
func TestAJointThatIsFurtherOffThanNumbersReachIsMissing(t *testing.T) {
	const position = "3 Xposition Yposition Zposition"
	for name, text := range map[string]string{
		"by its channels": strings.Replace(arm(position, "0 -3e38 0 0", "1 2 3 4"), "OFFSET 0 100 0",
			"OFFSET 0 -3e38 0", 1),
		"by what it hangs on": strings.Replace(arm(position, "0 3e38 0 0", "1 2 3 4"), "OFFSET 0 10 0",
			"OFFSET 0 3e38 0", 1),
		"by its offset": strings.Replace(arm(position, "0 0 0 0", "1 2 3 4"), "OFFSET 0 10 0", "OFFSET 0 1e308 0",
			1),
	} {
		t.Run(name, func(t *testing.T) {
			rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
				return bvh.Read(strings.NewReader(text), int64(len(text)))
			})
			if rec == nil || !rec.Points[1].Missing(0) || !rec.Warnings.Has(quality.ValuesNotNumbers) {
				t.Fatalf("%+v", rec)
			}
		})
	}
}

func TestATimeOfAFrameThatMayBeMillisecondsOrARateIsNone(t *testing.T) {
	for seconds, want := range map[string]float64{"0.008333": 120, "0.0333333": 30, "0.03333": 30, "0.033367": 29.97,
		"0.00833": 120, "0.008": 125, "0.016": 62.5, "1": 1, "1.9": 0.526316, "2": 0,
		"8.33333": 0, "33.3": 0, "120": 0, "8333": 0, "0": 0, "-1": 0} {
		rec := whole(t, strings.Replace(arm("3 Zrotation Xrotation Yrotation", "1 2 3 4"), "0.008333", seconds, 1))
		if rec.Rate != want || rec.Warnings.Has(quality.RateMissing) != (want == 0) {
			t.Errorf("Frame Time %s is %v Hz, want %v; warnings %v", seconds, rec.Rate, want, rec.Warnings)
		}
	}
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	good := arm("3 Zrotation Xrotation Yrotation", "1 2 3 4")
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "The file is empty (0 bytes)."},
		"something else": {"Frame,Time\n", "it does not begin with HIERARCHY (line 1)."},
		"cut":            {good[:40], "The file ends before"},
		"no motion":      {good[:strings.Index(good, "MOTION")], "The file ends before the word MOTION"},
		"no frame":       {good[:strings.Index(good, "1 2 3")], "not one whole frame"},
		"open braces":    {strings.Replace(good, "}", "", 1), "braces of 1 joints are not closed"},
		"closed braces":  {strings.Replace(good, "}", "}}}}", 1), "A brace is closed that was not opened"},
		"odd channel":    {arm("1 Wrotation", "1 2"), `the channel "Wrotation"`},
		"odd number":     {arm("99 Xrotation", "1 2"), `cannot have "99" channels`},
		"a place twice":  {arm("2 Yposition Yposition", "1 2 3"), `the channel "Yposition" twice`},
		"nowhere":        {strings.Replace(good, "OFFSET 0 10 0", "", 1), `The joint "Elbow" has no OFFSET`},
		"odd offset":     {strings.Replace(good, "OFFSET 0", "OFFSET x", 1), `has "x" for a number (line 4)`},
		"no channels":    {strings.Replace(arm("0", "1"), "CHANNELS 1 Zrotation", "", 1), "so nothing moves"},
		"deep": {"HIERARCHY\nROOT a\n{\n" + strings.Repeat("JOINT a\n{\n", 20_000),
			"more joints than any creature"},
		"mostly ends": {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n" +
			strings.Repeat("END a{}\n", 0) + strings.Repeat("End Site\n{\nOFFSET 0 0 0\n}\n", 30_000) +
			"}\nMOTION\nFrames: 1\nFrame Time: 1\n" + strings.Repeat("1\n", 100_000), "nearly empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := bvh.Read(strings.NewReader(c.text), int64(len(c.text)))
			var u *quality.Unreadable
			if !errors.As(err, &u) || !strings.Contains(u.Error(), c.want) || u.Hint == "" {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
	broken := errors.New("input/output error")
	var u *quality.Unreadable
	if _, err := bvh.Read(io.MultiReader(strings.NewReader(good[:100]), iotest.ErrReader(broken)), 100); !errors.Is(err,
		broken) || errors.As(err, &u) {
		t.Errorf("a failing disk: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(arm("6 Xposition Yposition Zposition Zrotation Xrotation Yrotation", "1 2 3 4 5 6 7", "0 0 0 90 NaN 0 0"))
	f.Add(strings.ReplaceAll(arm("3 Zrotation Xrotation Yrotation", "1 2 3 4"), "\n", "\r\n"))
	f.Add("HIERARCHY ROOT a{\nOFFSET 0 0 0 CHANNELS 1 Xposition}MOTION Frames:1 Frame Time:1 1")
	f.Add("# by hand\nHIERARCHY ROOT a {OFFSET 0 0 0 CHANNELS 1 Xposition // x\n}}\nMOTION\nFrames: 1 # one\nFrame " +
		"Time: 1\n# 1\n1 // 2")
	recordtest.Seeds(f, func(file []byte) { f.Add(string(file)) }, ".bvh")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > recordtest.Most {
			return
		}
		rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
			return bvh.Read(strings.NewReader(text), int64(len(text)))
		})
		if rec == nil {
			return
		}
		h, err := bvh.ReadHeader(strings.NewReader(text))
		if err != nil || rec.Frames != h.Frames || rec.Frames < 1 || len(rec.Points) != len(h.Points()) ||
			len(rec.Angles) != len(h.Angles()) {
			t.Fatalf("%d frames of %d points, and the header: %v", rec.Frames, len(rec.Points), err)
		}
	})
}

func TestATimeOfAFrameWithFewDigitsIsTold(t *testing.T) {
	for seconds, told := range map[string]bool{"0.017": true, "0.03": true, "0.0166": false, "0.01": false,
		"0.04": false, "0.016667": false} {
		rec := whole(t, strings.Replace(arm("3 Zrotation Xrotation Yrotation", "1 2 3 4"), "0.008333", seconds, 1))
		if rec.Warnings.Has(quality.RateDisagrees) != told {
			t.Errorf("Frame Time %s is %v Hz; warnings %v", seconds, rec.Rate, rec.Warnings)
		}
	}
}

func TestATimeOfAFrameThatIsLongerThanRecordingsHaveIsTold(t *testing.T) {
	for seconds, told := range map[string]bool{"1": true, "0.5": true, "1.9": true, "0.4": true, "0.3": false,
		"0.04": false, "2": false} {
		rec := whole(t, strings.Replace(arm("3 Zrotation Xrotation Yrotation", "1 2 3 4"), "0.008333", seconds, 1))
		if rec.Warnings.Has(quality.TimeUnitUnknown) != told {
			t.Errorf("Frame Time %s is %v Hz; warnings %v", seconds, rec.Rate, rec.Warnings)
		}
	}
}

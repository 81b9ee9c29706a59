package bvh_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/bvh"
)

// tokens is a skeleton word by word; | is where a line may end, and ! where it must,
// because a name goes to the end of its line or to a brace.
const tokens = "HIERARCHY|ROOT Left Hip!{|OFFSET 0 1 2|CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation " +
	"Yrotation|JOINT Knee #2!{|OFFSET 0 -40 0|" +
	"CHANNELS 3 Zrotation Xrotation Yrotation|End Site!{|OFFSET 0 -40 0|}|}|JOINT Tail!{|OFFSET 1 0 0|CHANNELS 1 " +
	"Zrotation|}|}|MOTION|Frames: 3|Frame Time: 0.01|"

const numbers = "1 2 3 4 5 6 7 8 9 10\n2 2 3 4 5 6 7 8 9 20\n3 2 3 4 5 6 7 8 9 30\n"

func TestHoweverBracesAndRemarksStandTheSkeletonIsTheSame(t *testing.T) {
	want := whole(t, strings.NewReplacer("|", "\n", "!", "\n").Replace(tokens)+numbers)
	if want.Frames != 3 || len(want.Points) != 4 || want.Points[1].Name != "Knee #2" || len(want.Warnings) > 0 {
		t.Fatalf("%+v", want)
	}
	rapid.Check(t, func(t *rapid.T) {
		remarks := rapid.Bool().Draw(t, "remarks")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "line end")
		remark := func() string {
			if !remarks || rapid.IntRange(0, 3).Draw(t, "remark") > 0 {
				return ""
			}
			return rapid.SampledFrom([]string{" # made by tool", "\t// JOINT {", " // }", " ; 1 2 3", " % 5",
				" # {"}).Draw(t, "words")
		}
		var text strings.Builder
		if remarks {
			text.WriteString(rapid.SampledFrom([]string{"", "# made by tool" + end, "// HIERARCHY" + end + end,
				"  ; a b" + end}).Draw(t, "above"))
		}
		for i, b := range []byte(tokens) {
			next := tokens[min(i+1, len(tokens)-1)]
			brace := next == '{' || next == '}' || i > 0 && (tokens[i-1] == '{' || tokens[i-1] == '}')
			switch b {
			case '!':
				text.WriteString(rapid.SampledFrom([]string{"", " ", remark() + end, end + end + "\t"}).Draw(t,
					"before a brace"))
			case '|':
				between := []string{" ", "\t", remark() + end, end + remark() + end + "  "}
				if brace {
					between = append(between, "")
				}
				text.WriteString(rapid.SampledFrom(between).Draw(t, "between"))
			default:
				text.WriteByte(b)
			}
		}
		if !strings.HasSuffix(text.String(), "\n") {
			text.WriteString(end)
		}
		for _, line := range strings.Split(strings.TrimSpace(numbers), "\n") {
			if remarks && rapid.Bool().Draw(t, "remark between frames") {
				text.WriteString("# frame 2 of 3, 1 2 3 4 5 6 7 8" + end)
			}
			text.WriteString(line)
			if remarks {
				text.WriteString(rapid.SampledFrom([]string{"", " # 11", " // x"}).Draw(t, "behind a frame"))
			}
			text.WriteString(end)
		}
		got, err := bvh.Read(strings.NewReader(text.String()), int64(text.Len()))
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nis not\n%+v\n%s", got, want, text.String())
		}
	})
}

package motion_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion"
)

// inUTF16 writes a text in UTF-16.
func inUTF16(text string, order binary.AppendByteOrder, mark bool) []byte {
	var b []byte
	if mark {
		b = order.AppendUint16(b, 0xfeff)
	}
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestATextIsTheSameInUTF8AndUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"knee", "Ökçe", "膝", "колено", "🦵"}).Draw(t, "name")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
		rows := rapid.IntRange(2, 600).Draw(t, "rows")
		sto := "my trial" + end + "inDegrees=yes" + end + "endheader" + end + "time\t" + name + "_angle\tload" + end
		trc := fmt.Sprintf("PathFileType\t4\t(X/Y/Z)\ta.trc%sDataRate\tNumFrames\tNumMarkers\tUnits%s100\t%d\t1\t"+
			"mm%sFrame#\tTime\t%s\t\t%s\t\tX1\tY1\tZ1%s%s", end, end, rows, end, name, end, end, end)
		csv := "time (s)," + name + ",load" + end
		bvh := fmt.Sprintf("HIERARCHY%sROOT %s%s{%sOFFSET 0 0 0%sCHANNELS 3 Xposition Yposition "+
			"Zposition%s}%sMOTION%sFrames: %d%sFrame Time: 0.01%s", end, name, end, end, end, end, end, end, rows, end,
			end)
		for i := range rows {
			sto += fmt.Sprintf("%.2f\t%d.5\t%d%s", float64(i)/100, i, 2*i, end)
			trc += fmt.Sprintf("%d\t%.2f\t%d\t2\t3%s", i+1, float64(i)/100, i, end)
			csv += fmt.Sprintf("%.2f,%d.5,%d%s", float64(i)/100, i, 2*i, end)
			bvh += fmt.Sprintf("%d 2 3%s", i, end)
		}
		for file, text := range map[string]string{"a.sto": sto, "a.mot": sto, "a.trc": trc, "a.csv": csv,
			"a.bvh": bvh} {
			read := func(raw []byte) *motion.Recording {
				rec, err := motion.Read(file, bytes.NewReader(raw), int64(len(raw)))
				if err != nil {
					t.Fatalf("%s: %v\n%q", file, err, text[:min(300, len(text))])
				}
				return rec
			}
			want := read([]byte(text))
			if want.Frames != rows || want.Rate != 100 {
				t.Fatalf("%s: %d frames at %v Hz, %v", file, want.Frames, want.Rate, want.Warnings)
			}
			for form, raw := range map[string][]byte{
				"UTF-8 with a mark":       append([]byte("\xef\xbb\xbf"), text...),
				"UTF-16LE with a mark":    inUTF16(text, binary.LittleEndian, true),
				"UTF-16LE without a mark": inUTF16(text, binary.LittleEndian, false),
				"UTF-16BE with a mark":    inUTF16(text, binary.BigEndian, true),
				"UTF-16BE without a mark": inUTF16(text, binary.BigEndian, false),
			} {
				if got := read(raw); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s in %s: %+v, want %+v", file, form, got, want)
				}
			}
		}
	})
}

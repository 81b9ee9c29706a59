package table_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/table"
)

func readText(text string) (*record.Recording, error) {
	return table.Read(strings.NewReader(text), int64(len(text)))
}

// refused says whether a file is refused in these words.
func refused(err error, words string) bool {
	var unreadable *quality.Unreadable
	return errors.As(err, &unreadable) && strings.Contains(err.Error(), words)
}

func TestAFileOfAWristbandHasTheRateAndTheMomentAboveItsNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 4).Draw(t, "columns")
		rate := rapid.SampledFrom([]float64{1, 4, 32, 64}).Draw(t, "rate")
		moment := rapid.Int64Range(1.4e9, 1.8e9).Draw(t, "moment")
		rows := rapid.IntRange(1, 100).Draw(t, "rows")
		decimals := rapid.SampledFrom([]int{0, 2, 6}).Draw(t, "decimals")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		var b strings.Builder
		line := func(sep string, cell func(i int) string) {
			for i := range width {
				if i > 0 {
					b.WriteString(sep)
				}
				b.WriteString(cell(i))
			}
			b.WriteString(end)
		}
		line(", ", func(int) string { return fmt.Sprintf("%d.000000", moment) })
		line(", ", func(int) string { return fmt.Sprintf("%.6f", rate) })
		want := make([][]float64, width)
		for range rows {
			line(",", func(i int) string {
				v := math.Round(rapid.Float64Range(-2000, 2000).Draw(t, "v")*math.Pow10(decimals)) / math.Pow10(
					decimals)
				want[i] = append(want[i], v)
				return fmt.Sprintf("%.*f", decimals, v)
			})
		}
		got, err := readText(b.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if got.Rate != rate || got.Frames != rows || got.Times != nil || got.Start != 0 ||
			!got.Recorded.Equal(time.Unix(moment, 0)) || len(got.Analogs) != width || len(got.Points) != 0 {
			t.Fatalf("%v Hz, %d frames, %d channels, recorded %v", got.Rate, got.Frames, len(got.Analogs), got.Recorded)
		}
		for i, c := range got.Analogs {
			for f, v := range want[i] {
				if c.Values[f] != float32(v) {
					t.Fatalf("channel %d in frame %d is %v, want %v", i, f, c.Values[f], v)
				}
			}
		}
	})
}

func TestNumbersWithoutNamesThatAreNoWristbandsAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"two moments":         "1544015600.0,1544015601.0\n32.0,32.0\n1,2\n3,4\n",
		"two rates":           "1544015600.0,1544015600.0\n32.0,64.0\n1,2\n3,4\n",
		"no moment":           "154401.5\n4.0\n1\n2\n",
		"in milliseconds":     "1544015600000\n4.0\n1\n2\n",
		"no rate":             "1544015600.0\n0.0\n1\n2\n",
		"a rate of no sensor": "1544015600.0\n5000.0\n1\n2\n",
		"tags":                "1544015600.12\n1544015634.50\n1544015700.00\n",
		"nothing below":       "1544015600.0\n4.0\n",
		"rows of another":     "1544015600.0,1544015600.0\n32.0,32.0\n1,2,3\n4,5,6\n",
	} {
		if got, err := readText(text); !refused(err, "") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestHeartBeatsOfAWristbandLieAtTheirTimes(t *testing.T) {
	got, err := readText("1544015600.500000, IBI\n3.203491,0.812549\n4.047303,0.843812\n7.125,0.75\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Analogs) != 1 || got.Analogs[0].Name != "IBI" || got.Rate != 0 ||
		!got.Recorded.Equal(time.UnixMilli(1544015600500)) ||
		fmt.Sprint(got.Times) != "[3.203491 4.047303 7.125]" || got.Analogs[0].Values[2] != 0.75 {
		t.Errorf("%+v", got)
	}
}

func TestNumbersInParenthesesAreNegative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sep := rapid.SampledFrom([]string{",", ";", "\t"}).Draw(t, "separator")
		comma := sep == ";" && rapid.Bool().Draw(t, "decimal comma")
		minus := rapid.Bool().Draw(t, "a minus somewhere")
		write := func(v float64) string {
			s := fmt.Sprintf("%.2f", math.Abs(v))
			if comma {
				s = strings.ReplaceAll(s, ".", ",")
			}
			if v < 0 {
				s = rapid.SampledFrom([]string{"(" + s + ")", "( " + s + " )"}).Draw(t, "written")
			}
			return s
		}
		var want []float64
		text, negative := "time"+sep+"force\n", 0
		for i := range rapid.IntRange(3, 30).Draw(t, "rows") {
			v := math.Round(rapid.Float64Range(-900, 900).Draw(t, "v")*100) / 100
			if want = append(want, v); v < 0 {
				negative++
			}
			text += write(float64(i)/100) + sep + write(v) + "\n"
		}
		if minus {
			text += write(float64(len(want))/100) + sep + "-" + write(1) + "\n"
			want = append(want, -1)
		}
		got, err := readText(text)
		if minus && negative > 0 {
			if !refused(err, "parentheses") {
				t.Fatalf("%v\n%s", err, text)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got.Warnings.Has(quality.NegativesBracketed) != (negative > 0) || len(got.Analogs) != 1 {
			t.Fatalf("%v\n%s", got.Warnings, text)
		}
		for i, v := range want {
			if got.Analogs[0].Values[i] != float32(v) {
				t.Fatalf("row %d is %v, want %v\n%s", i, got.Analogs[0].Values[i], v, text)
			}
		}
	})
}

// recordingRows are rows of a recording of its own.
func recordingRows(n int, start, rate float64, frame bool) (lines []string) {
	for i := range n {
		line := fmt.Sprintf("%.4f,%d", start+float64(i)/rate, i%7)
		if frame {
			line = fmt.Sprintf("%d,%d", i+1, i%7)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestRecordingsBelowOneAnotherAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.IntRange(5, 200).Draw(t, "rows of the first")
		second := rapid.IntRange(2, 200).Draw(t, "rows of the second")
		rate := rapid.SampledFrom([]float64{10, 100, 250, 1000}).Draw(t, "rate")
		frame := rapid.Bool().Draw(t, "numbers of frames alone")
		start := rapid.SampledFrom([]float64{0, 12.5, 1.75e9}).Draw(t, "start")
		head := "time,force"
		if frame {
			head = "frame,force"
		}
		lines := append([]string{head}, recordingRows(first, start, rate, frame)...)
		lines = append(lines, recordingRows(second, start, rate, frame)...)
		_, err := readText(strings.Join(lines, "\n") + "\n")
		if !refused(err, "stands below another") || !refused(err, fmt.Sprintf("(line %d)", first+2)) {
			t.Fatalf("%v", err)
		}
	})
}

func TestTimesThatGoBackALittleAreKept(t *testing.T) {
	for name, rows := range map[string][]string{
		"frames that came late": {"0.00,1", "0.01,2", "0.02,3", "0.05,4", "0.06,5", "0.03,6", "0.04,7", "0.07,8"},
		"a corrected clock":     {"5.00,1", "5.01,2", "5.02,3", "5.03,4", "5.005,5", "5.015,6", "5.025,7"},
		"one wrong time":        {"1.00,1", "1.01,2", "0.00,3", "1.03,4", "1.04,5"},
		"a wrong time at last":  {"1.00,1", "1.01,2", "1.02,3", "1.03,4", "0.00,5"},
		"twice the first":       {"0.00,1", "0.00,1", "0.01,2", "0.02,3"},
	} {
		got, err := readText("time,force\n" + strings.Join(rows, "\n") + "\n")
		if err != nil || got.Frames != len(rows) || !got.Warnings.Has(quality.TimesUneven) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
}

func TestACounterThatIsFullBeginsNoRecording(t *testing.T) {
	for _, full := range []int{255, 65535} {
		text := "PacketCounter,force\n"
		for i := range 20 {
			text += fmt.Sprintf("%d,%d\n", (full-9+i)%(full+1), i)
		}
		if got, err := readText(text); err != nil || got.Frames != 20 {
			t.Errorf("%d: %v", full, err)
		}
	}
}

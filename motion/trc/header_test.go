package trc_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/trc"
)

// table is a TRC file to make: a good one of two markers at 50 Hz when zero.
type table struct {
	names  string // line 2
	values string // line 3
	heads  string // line 4
	end    string // of every line
	first  int
	rows   int
	rate   float64 // by which the times run
	row    func(i int, row string) string
}

func (f table) String() string {
	or := func(s *string, other string) {
		if *s == "" {
			*s = other
		}
	}
	or(&f.names, "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames")
	if f.first == 0 {
		f.first = 1
	}
	if f.rows == 0 {
		f.rows = 10
	}
	if f.rate == 0 {
		f.rate = 50
	}
	or(&f.values, fmt.Sprintf("50.00\t50.00\t%d\t2\tmm\t50.00\t%d\t%d", f.rows, f.first, f.rows))
	or(&f.heads, "Frame#\tTime\tLASI\t\t\tRASI\t\t")
	or(&f.end, "\n")
	lines := []string{"PathFileType\t4\t(X/Y/Z)\ttrial.trc", f.names, f.values, f.heads, "\t\tX1\tY1\tZ1\tX2\tY2\tZ2",
		""}
	for i := range f.rows {
		row := fmt.Sprintf("%d\t%.3f\t1.5\t2.5\t3.5\t-1E+01\tNaN\t", f.first+i, float64(f.first+i-1)/f.rate)
		if f.row != nil {
			row = f.row(i, row)
		}
		lines = append(lines, row)
	}
	return strings.Join(lines, f.end) + f.end
}

func header(t *testing.T, text string) *trc.Header {
	t.Helper()
	h, err := trc.ReadHeader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// warned wants exactly these warnings, in any order.
func warned(t *testing.T, h *trc.Header, codes ...quality.Code) {
	t.Helper()
	var got []quality.Code
	for _, w := range h.Warnings {
		got = append(got, w.Code)
	}
	slices.Sort(got)
	slices.Sort(codes)
	if !slices.Equal(got, codes) {
		t.Errorf("warnings %v, want codes %v", h.Warnings, codes)
	}
}

func TestHoweverLinesEndTheFileSaysTheSame(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\r\r\n", "\t\n", "  \r\n"} {
		t.Run(fmt.Sprintf("%q", end), func(t *testing.T) {
			text := table{end: end, first: 3}.String()
			for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)),
				strings.NewReader(strings.TrimRight(text, "\r\n"))} {
				h, err := trc.ReadHeader(r)
				if err != nil {
					t.Fatal(err)
				}
				if end == "\r\r\n" {
					warned(t, h, quality.LineEndsDoubled)
				} else {
					warned(t, h)
				}
				if h.Rate != 50 || h.Frames != 10 || h.FirstFrame != 3 || h.FirstTime != 0.04 || h.Unit != "mm" ||
					!slices.Equal(h.Points, []string{"LASI", "RASI"}) {
					t.Errorf("%+v", h)
				}
			}
		})
	}
}

func TestOddHeadersAreReadWithAWarning(t *testing.T) {
	const names = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits"
	for name, c := range map[string]struct {
		file  table
		codes []quality.Code
	}{
		"values set apart by two tabs": {table{values: " 50.0\t\t  50.0\t\t 10\t\t 2\t\t mm \t 50.0\t 1\t 10"},
			[]quality.Code{quality.HeaderShifted}},
		"values set apart by blanks": {table{names: strings.ReplaceAll(names, "\t", " "), values: "50 50 10 2 mm"},
			nil},
		"padded unit": {table{names: names, values: "50\t50\t10\t2\tmm   \t\t"}, nil},
		"comma for a point": {table{names: names, values: "50,00\t50,00\t10\t2\tmm",
			row: func(_ int, row string) string { return strings.ReplaceAll(row, ".", ",") }}, nil},
		"wrong number of markers": {table{names: names, values: "50\t50\t10\t66\tmm"},
			[]quality.Code{quality.PointsDisagree}},
		"number of frames missing": {table{names: "DataRate\tNumMarkers\tUnits", values: "50\t2\tmm"},
			[]quality.Code{quality.FramesDisagree}},
		"names one column too far": {table{heads: "Frame#\tTime\t\tLASI\t\t\tRASI\t"},
			[]quality.Code{quality.NamesShifted}},
		"names without columns": {table{heads: "Frame#\tTime\tLASI\tRASI"},
			[]quality.Code{quality.NamesShifted}},
		"byte order mark": {table{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			text := c.file.String()
			if name == "byte order mark" {
				text = "\ufeff" + text
			}
			h := header(t, text)
			warned(t, h, c.codes...)
			if h.Rate != 50 || h.Frames != 10 || h.Unit != "mm" || !slices.Equal(h.Points, []string{"LASI", "RASI"}) {
				t.Errorf("%+v", h)
			}
		})
	}
}

func TestRowsReallyThereCount(t *testing.T) {
	h := header(t, table{values: "50\t50\t900\t2\tmm\t50\t1\t900", first: 185, rows: 73}.String())
	warned(t, h, quality.FramesDisagree, quality.FirstDisagrees)
	if h.Frames != 73 || h.FirstFrame != 185 {
		t.Errorf("%d frames from %d", h.Frames, h.FirstFrame)
	}
}

func TestRaggedRowsAreFrames(t *testing.T) {
	for name, c := range map[string]struct {
		row     func(i int, row string) string
		codes   []quality.Code
		unnamed int
	}{
		"short": {func(i int, row string) string { return row[:strings.Index(row, "\t1.5")] },
			[]quality.Code{quality.RowsRagged, quality.CutShort}, 0},
		"one more tab": {func(i int, row string) string { return row + "\t" }, nil, 0},
		"more markers": {func(i int, row string) string { return row + strings.Repeat("\t7", 3*(i%3)) },
			[]quality.Code{quality.RowsRagged, quality.PointsUnnamed}, 2},
		"frame skipped": {func(i int, row string) string { return strings.Replace(row, "10\t", "12\t", 1) },
			[]quality.Code{quality.FramesJump, quality.RateDisagrees}, 0},
		"no time": {func(i int, row string) string { return strings.Replace(row, "\t0.", "\t-.-", 1) },
			[]quality.Code{quality.TimesMissing}, 0},
		"words between": {func(i int, row string) string {
			return row +
				map[bool]string{true: "\nend of trial"}[i == 9]
		}, []quality.Code{quality.RowsSkipped}, 0},
		"blanks, no tab": {func(i int,
			row string) string {
			return strings.TrimSpace(strings.ReplaceAll(row, "\t", "  ")) + " 0"
		}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.TrimSuffix(table{row: c.row}.String(), "\n")
			h := header(t, text)
			warned(t, h, c.codes...)
			if h.Frames != 10 || h.Unnamed != c.unnamed || len(h.Points) != 2 {
				t.Errorf("%d frames, %d points and %d unnamed", h.Frames, len(h.Points), h.Unnamed)
			}
		})
	}
}

func TestTheTimesJudgeTheRate(t *testing.T) {
	h := header(t, table{rate: 60}.String())
	warned(t, h, quality.RateDisagrees)
	if h.Rate != 60 {
		t.Errorf("rate %v: no rounding makes 50 Hz of 60", h.Rate)
	}
	h = header(t, table{rate: 52, rows: 100}.String())
	warned(t, h, quality.RateDisagrees)
	if h.Rate != 50 {
		t.Errorf("rate %v: DataRate is to be believed", h.Rate)
	}
	// Half of one per cent, which is 5 ms a second.
	h = header(t, table{rate: 50.25, rows: 500}.String())
	warned(t, h, quality.RateDisagrees)
	if h.Rate != 50 {
		t.Errorf("rate %v: DataRate is to be believed", h.Rate)
	}
	for _, none := range []string{"0.00\t0\t10\t2\tmm", "\t\t10\t2\tmm", "unknown\t\t10\t2\tmm"} {
		h = header(t, table{values: none + "\t0\t1\t10", rate: 60, rows: 10}.String())
		warned(t, h, quality.RateMissing)
		if math.Abs(h.Rate-60) > 0.1 {
			t.Errorf("rate %v, want 60 by the times", h.Rate)
		}
	}
	h = header(t, table{values: "0\t0\t1\t2\tmm\t0\t1\t1", rows: 1}.String())
	warned(t, h, quality.RateMissing)
	if h.Rate != 0 {
		t.Errorf("rate %v of a single row", h.Rate)
	}
}

func TestTimesRoundedToAMillisecondAreNoContradiction(t *testing.T) {
	for _, rate := range []string{"119.88012", "59.94", "400", "1000"} {
		for rows := 2; rows < 50; rows++ {
			var f float64
			fmt.Sscan(rate, &f)
			h := header(t, table{values: fmt.Sprintf("%s\t%s\t%d\t2\tmm\t%s\t1\t%d", rate, rate, rows, rate, rows),
				rate: f, rows: rows}.String())
			warned(t, h)
		}
	}
}

func TestRepeatedAndMissingNamesAreToldApart(t *testing.T) {
	h := header(t, table{
		values: "50\t50\t10\t4\tmm\t50\t1\t10", heads: "Frame#\tTime\tA\t\t\t\t\t\tA\t\t\tB 1.5\t\t",
		row: func(_ int, row string) string { return row + "\t\t\t\t\t\t" },
	}.String())
	warned(t, h, quality.LabelsMissing, quality.LabelsRepeated)
	if !slices.Equal(h.Points, []string{"A", "unnamed_2", "A_2", "B 1.5"}) {
		t.Errorf("points %q", h.Points)
	}
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	good := table{}.String()
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "The file is empty (0 bytes)."},
		"something else": {"frame,time,x\n1,2,3\n", "first line does not begin with PathFileType (line 1)."},
		"one line":       {good[:20], "The file ends before the names of the header's values (line 1)."},
		"two lines":      {good[:strings.Index(good, "50.00")], "The file ends before the header's values (line 2)."},
		"three lines": {good[:strings.Index(good, "Frame#")],
			"The file ends before the names of the markers (line 3)."},
		"no names": {strings.Replace(good, "Frame#", "LASI", 1), "does not begin with Frame# (line 4)."},
		"no rows":  {good[:strings.Index(good, "\n1\t")], "no row of a frame behind it (line 5)."},
		"an endless line": {good + strings.Repeat("x", 2<<20),
			"longer than 1,048,576 bytes, so this is no table of numbers (line 17)."},
		"an endless title": {strings.Repeat("x", 2<<20), "(line 1)."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := trc.ReadHeader(strings.NewReader(c.text))
			var u *quality.Unreadable
			if !errors.As(err, &u) || !strings.Contains(u.Error(), c.want) || u.Hint == "" {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
}

func TestAFailingDiskIsNotBlamedOnTheFile(t *testing.T) {
	broken := errors.New("input/output error")
	good := table{}.String()
	for n := range good {
		_, err := trc.ReadHeader(io.MultiReader(strings.NewReader(good[:n]), iotest.ErrReader(broken)))
		var u *quality.Unreadable
		if !errors.Is(err, broken) || errors.As(err, &u) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}

func TestAFileCutAnywhereIsReadOrExplained(t *testing.T) {
	good := table{}.String()
	for n := range good {
		sound(t, good[:n])
	}
}

func BenchmarkReadHeader(b *testing.B) {
	text := table{rows: 5000,
		row: func(_ int, row string) string { return row + strings.Repeat("\t-1234.567", 120) }}.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := trc.ReadHeader(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

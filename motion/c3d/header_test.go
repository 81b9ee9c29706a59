package c3d_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
)

// gait is a good small trial that tests spoil in their own ways.
func gait() c3dtest.Options {
	return c3dtest.Options{
		Points: []string{"Ann:LASI", "Ann:RASI", "SACR"}, Analogs: []string{"Fx1", "Fy1", "Fz1"}, PerFrame: 10,
		Frames: 73, First: 185, Rate: 65.0533, Unit: "mm",
	}
}

func header(t *testing.T, file []byte) *c3d.Header {
	t.Helper()
	h, err := c3d.ReadHeader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func unreadable(t *testing.T, file []byte) *quality.Unreadable {
	t.Helper()
	_, err := c3d.ReadHeader(bytes.NewReader(file), int64(len(file)))
	var u *quality.Unreadable
	if !errors.As(err, &u) {
		t.Fatalf("got %v, want it unreadable", err)
	}
	if u.Reason == "" || u.Hint == "" {
		t.Errorf("nobody can act on %q", u)
	}
	return u
}

// warned wants exactly these warnings, in any order.
func warned(t *testing.T, h *c3d.Header, codes ...quality.Code) {
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

func TestAllSixCodingsOfATrialSayTheSame(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		for _, real := range []bool{false, true} {
			t.Run(fmt.Sprint(processor, " real ", real), func(t *testing.T) {
				o := gait()
				o.Processor, o.Real = processor, real
				h := header(t, c3dtest.File(o))
				warned(t, h)
				if h.Processor != processor || h.Real != real || h.Scale != 0.1 || h.Rate != 65.0533 {
					t.Errorf("%v, real %v, scale %v, rate %v", h.Processor, h.Real, h.Scale, h.Rate)
				}
				if h.Frames != 73 || h.FirstFrame != 185 || h.Unit != "mm" {
					t.Errorf("%d frames from %d in %q", h.Frames, h.FirstFrame, h.Unit)
				}
				if !slices.Equal(h.Points, o.Points) || !slices.Equal(h.Prefixes, []string{"Ann"}) ||
					!slices.Equal(h.Analogs, o.Analogs) {
					t.Errorf("points %q, prefixes %q, analogs %q", h.Points, h.Prefixes, h.Analogs)
				}
				if h.AnalogPerFrame != 10 || h.AnalogRate < 650.53 || h.AnalogRate > 650.54 {
					t.Errorf("analog × %d at %v Hz", h.AnalogPerFrame, h.AnalogRate)
				}
			})
		}
	}
}

func TestVAXNumbersAreDecoded(t *testing.T) {
	for _, c := range []struct {
		bytes [4]byte
		want  float64
	}{
		{[4]byte{0x80, 0x40, 0, 0}, 1},
		{[4]byte{0x48, 0x43, 0, 0}, 50},
		{[4]byte{0x80, 0xC0, 0, 0}, -1},
		{[4]byte{0, 0, 0, 0}, 0},
		{[4]byte{0x00, 0x00, 0x12, 0x34}, 0},                      // exponent 0 is 0, whatever the fraction
		{[4]byte{0xFF, 0x7F, 0xFF, 0xFF}, 1.7014117331926443e+38}, // the largest, where IEEE has NaN
		{[4]byte{0x80, 0x00, 0, 0}, 2.938735877055719e-39},        // the smallest
	} {
		if got := c3d.DEC.Float(c.bytes[:]); got != c.want {
			t.Errorf("% X is %v, want %v", c.bytes, got, c.want)
		}
	}
}

func TestTheEndMarkWinsOverAWrongNumberOfBlocks(t *testing.T) {
	for _, blocks := range []int{1, 200} {
		o := gait()
		o.ParameterBlocks = blocks
		o.Points = c3dtest.Many("M", 150)
		h := header(t, c3dtest.File(o))
		warned(t, h, quality.ParameterBlocks)
		if !slices.Equal(h.Points, o.Points) || h.Frames != 73 {
			t.Errorf("announced as %d blocks: %d points, %d frames", blocks, len(h.Points), h.Frames)
		}
	}
}

func TestParametersWithoutAnEndMarkStopAtTheData(t *testing.T) {
	o := gait()
	o.NoEndMark = true
	h := header(t, c3dtest.File(o))
	warned(t, h, quality.ParametersCut)
	if !slices.Equal(h.Points, o.Points) || h.Frames != 73 {
		t.Errorf("points %q, %d frames", h.Points, h.Frames)
	}
}

func TestAMissingPointerToTheDataIsFound(t *testing.T) {
	zero := c3dtest.Parameter{Group: "POINT", Name: "DATA_START", Value: int16(0)}
	noPointer := func(h *c3dtest.Header) { h.Data = 0 }
	for name, spoil := range map[string]func(*c3dtest.Options){
		"parameter": func(o *c3dtest.Options) { o.Add = append(o.Add, zero) },
		"header":    func(o *c3dtest.Options) { o.Header = noPointer },
		"both":      func(o *c3dtest.Options) { o.Add, o.Header = append(o.Add, zero), noPointer },
	} {
		t.Run(name, func(t *testing.T) {
			o := gait()
			good := header(t, c3dtest.File(o))
			spoil(&o)
			h := header(t, c3dtest.File(o))
			warned(t, h, quality.DataStartDisagrees)
			if h.Frames != 73 || h.DataStart != good.DataStart {
				t.Errorf("%d frames at byte %d, want 73 at %d", h.Frames, h.DataStart, good.DataStart)
			}
		})
	}
}

func TestAParameterThatEveryFileShouldHaveIsMissed(t *testing.T) {
	o := gait()
	o.Without = []string{"POINT:RATE", "POINT:FRAMES"}
	h := header(t, c3dtest.File(o))
	warned(t, h, quality.ParameterMissing)
	if last := h.Warnings[len(h.Warnings)-1].Message; !strings.Contains(last, "POINT:RATE, POINT:FRAMES;") ||
		h.Rate != 65.0533 || h.Frames != 73 {
		t.Errorf("%d frames at %v Hz: %s", h.Frames, h.Rate, last)
	}
}

func TestTheHeaderAloneSufficesWithoutGroups(t *testing.T) {
	o := gait()
	o.Without = []string{"POINT", "ANALOG"}
	h := header(t, c3dtest.File(o))
	warned(t, h, quality.GroupMissing, quality.GroupMissing, quality.LabelsMissing, quality.LabelsMissing)
	if h.Frames != 73 || h.Rate != 65.0533 ||
		!slices.Equal(h.Points, []string{"unnamed_1", "unnamed_2", "unnamed_3"}) || len(h.Analogs) != 3 {
		t.Errorf("%d frames at %v Hz, points %q, analogs %q", h.Frames, h.Rate, h.Points, h.Analogs)
	}
}

func TestAFileOfNothingButAnalogsIsRead(t *testing.T) {
	o := gait()
	o.Points, o.Unit = nil, ""
	h := header(t, c3dtest.File(o))
	warned(t, h)
	if len(h.Points) != 0 || len(h.Analogs) != 3 || h.Frames != 73 {
		t.Errorf("points %q, analogs %q, %d frames", h.Points, h.Analogs, h.Frames)
	}
}

func TestMoreThan255NamesGoOnInFurtherParameters(t *testing.T) {
	o := gait()
	o.Points, o.Analogs, o.Frames = c3dtest.Many("P", 300), c3dtest.Many("CH", 600), 3
	h := header(t, c3dtest.File(o))
	warned(t, h)
	if !slices.Equal(h.Points, o.Points) || !slices.Equal(h.Analogs, o.Analogs) {
		t.Errorf("%d points, %d channels", len(h.Points), len(h.Analogs))
	}
}

func TestMoreFramesThan16BitsCanCount(t *testing.T) {
	long := c3dtest.Options{Points: []string{"A"}, Frames: 70_000, First: 1, Unit: "mm"}
	saturated := func(h *c3dtest.Header) { h.Last = 65535 }
	for name, c := range map[string]struct {
		spoil func(*c3dtest.Options)
		codes []quality.Code
	}{
		"wrapped, the trial tells":   {func(o *c3dtest.Options) {}, nil},
		"saturated, the trial tells": {func(o *c3dtest.Options) { o.Header = saturated }, nil},
		"LONG_FRAMES tells": {func(o *c3dtest.Options) {
			o.Without = []string{"TRIAL"}
			o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "LONG_FRAMES", Value: float32(70_000)}}
		}, nil},
		"FRAMES is a real number": {func(o *c3dtest.Options) {
			o.Without = []string{"TRIAL"}
			o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "FRAMES", Value: float32(70_000)}}
		}, nil},
		"only the length tells": {func(o *c3dtest.Options) {
			o.Without, o.Header = []string{"TRIAL", "POINT:FRAMES"}, saturated
			o.Points = c3dtest.Many("P", 64) // a frame takes a block, so that padding cannot look like one
			o.Frames = 65_540
			o.Point = func(int, int) (x, y, z float32) { return 1, 2, 3 }
		}, []quality.Code{quality.FramesDisagree}},
	} {
		t.Run(name, func(t *testing.T) {
			o := long
			c.spoil(&o)
			h := header(t, c3dtest.File(o))
			warned(t, h, c.codes...)
			if h.Frames != o.Frames || h.FirstFrame != 1 {
				t.Errorf("%d frames from %d, want %d from 1", h.Frames, h.FirstFrame, o.Frames)
			}
		})
	}
}

func TestALongFileThatWasCutIsNotTakenForItsWrappedCount(t *testing.T) {
	o := c3dtest.Options{Points: []string{"A"}, Frames: 70_000, First: 1, Unit: "mm", DataBytes: -10_000 * 8}
	h := header(t, c3dtest.File(o))
	warned(t, h, quality.CutShort, quality.FramesDisagree)
	if h.Frames != 60_000 {
		t.Errorf("%d frames, want the 60,000 that are there and not the 4,464 of the header", h.Frames)
	}
}

func TestAFirstFrameBeyond16BitsIsKept(t *testing.T) {
	o := gait()
	o.First = 100_000
	h := header(t, c3dtest.File(o))
	if h.FirstFrame != 100_000 || h.Frames != 73 {
		t.Errorf("%d frames from %d", h.Frames, h.FirstFrame)
	}
}

func TestTheLengthOfTheFileJudgesBetweenCounts(t *testing.T) {
	param := func(group, name string, v any) []c3dtest.Parameter {
		return []c3dtest.Parameter{{Group: group, Name: name, Value: v}}
	}
	for name, c := range map[string]struct {
		spoil  func(*c3dtest.Options)
		codes  []quality.Code
		points int
	}{
		"parameter counts one frame more": {func(o *c3dtest.Options) { o.Add = param("POINT", "FRAMES", int16(74)) },
			[]quality.Code{quality.FramesDisagree}, 3},
		"header counts more frames": {func(o *c3dtest.Options) { o.Header = func(h *c3dtest.Header) { h.Last += 900 } },
			[]quality.Code{quality.FramesDisagree}, 3},
		"header counts backwards": {func(o *c3dtest.Options) { o.Header = func(h *c3dtest.Header) { h.Last = 0 } },
			nil, 3},
		"header counts more points": {func(o *c3dtest.Options) { o.Header = func(h *c3dtest.Header) { h.Points = 30 } },
			[]quality.Code{quality.PointsDisagree}, 3},
		"parameter counts more points": {func(o *c3dtest.Options) { o.Add = param("POINT", "USED", int16(30)) },
			[]quality.Code{quality.PointsDisagree}, 3},
		"parameter calls it integers": {func(o *c3dtest.Options) { o.Add = param("POINT", "SCALE", float32(0.1)) },
			nil, 3},
		"header calls it integers": {func(o *c3dtest.Options) { o.Header = func(h *c3dtest.Header) { h.Scale = 0.1 } },
			[]quality.Code{quality.ScaleDisagrees}, 3},
		"header points elsewhere": {func(o *c3dtest.Options) { o.Header = func(h *c3dtest.Header) { h.Data += 5 } },
			[]quality.Code{quality.DataStartDisagrees}, 3},
		"the file was cut": {func(o *c3dtest.Options) { o.DataBytes = -1000 },
			[]quality.Code{quality.CutShort, quality.FramesDisagree}, 3},
		"something was appended": {func(o *c3dtest.Options) { o.DataBytes = 5000 },
			[]quality.Code{quality.BytesLeftOver}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			o := gait()
			o.Real = true
			c.spoil(&o)
			file := c3dtest.File(o)
			h := header(t, file)
			warned(t, h, c.codes...)
			want := 73
			if o.DataBytes < 0 {
				want -= (-o.DataBytes + int(h.FrameSize) - 1) / int(h.FrameSize)
			}
			if h.Frames != want || len(h.Points) != c.points || !h.Real {
				t.Errorf("%d frames of %d points, real %v; want %d of %d", h.Frames, len(h.Points), h.Real, want,
					c.points)
			}
		})
	}
}

func TestAllParametersAreThereForWhoeverNeedsThem(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := gait()
		o.Processor = processor
		o.Add = []c3dtest.Parameter{
			{Group: "FORCE_PLATFORM", Name: "CHANNEL", Value: []int16{1, -2, 3}},
			{Group: "MANUFACTURER", Name: "COMPANY", Value: "Somebody "},
		}
		h := header(t, c3dtest.File(o))
		if got := h.Parameter("force_platform", "channel").Numbers(); !slices.Equal(got, []float64{1, -2, 3}) {
			t.Errorf("%v: integers %v", processor, got)
		}
		if got := h.Parameter("POINT", "SCALE").Numbers(); len(got) != 1 || float32(got[0]) != 0.1 {
			t.Errorf("%v: real %v", processor, got)
		}
		if got := h.Parameter("MANUFACTURER", "COMPANY").Strings(); !slices.Equal(got, []string{"Somebody"}) {
			t.Errorf("%v: text %q", processor, got)
		}
		if p := h.Parameter("POINT", "NONE"); p != nil || p.Len() != 0 || p.Numbers() != nil || p.Strings() != nil {
			t.Errorf("%v: a parameter that is not there is %v", processor, p)
		}
	}
}

func TestParametersMayHaveSevenDimensions(t *testing.T) {
	o := gait()
	bytes, texts := make([]byte, 2*3*1*2*1*2*2), []byte("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuv")
	for i := range bytes {
		bytes[i] = byte(200 + i)
	}
	seven := []int{2, 3, 1, 2, 1, 2, 2}
	o.Add = []c3dtest.Parameter{
		{Group: "G", Name: "BYTES", Value: c3dtest.Array{Type: c3d.Byte, Dimensions: seven, Data: bytes}},
		{Group: "G", Name: "TEXTS", Value: c3dtest.Array{Type: c3d.Text, Dimensions: seven, Data: texts}},
		{Group: "G", Name: "NONE", Value: c3dtest.Array{Type: c3d.Real, Dimensions: []int{2, 0, 5}}},
		{Group: "G", Name: "AFTER", Value: int16(7)},
	}
	h := header(t, c3dtest.File(o))
	warned(t, h)
	if p := h.Parameter("G", "BYTES"); !slices.Equal(p.Dimensions, seven) || p.Len() != 48 || p.Numbers()[47] != 247 {
		t.Errorf("%+v", p)
	}
	if got := h.Parameter("G", "TEXTS").Strings(); len(got) != 24 || got[0] != "ab" || got[23] != "uv" {
		t.Errorf("texts %q", got)
	}
	if p := h.Parameter("G", "NONE"); p == nil || p.Len() != 0 || h.Parameter("G", "AFTER").Numbers()[0] != 7 {
		t.Errorf("a parameter of no values is %+v", p)
	}
}

func TestRatesAreSettled(t *testing.T) {
	o := gait()
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "RATE", Value: float32(120)}}
	if h := header(t, c3dtest.File(o)); h.Rate != 65.0533 || !h.Warnings.Has(quality.RateDisagrees) {
		t.Errorf("rate %v, warnings %v", h.Rate, h.Warnings)
	}
	o.Header = func(h *c3dtest.Header) { h.Rate = 0 }
	if h := header(t, c3dtest.File(o)); h.Rate != 120 || !h.Warnings.Has(quality.RateDisagrees) {
		t.Errorf("rate %v, warnings %v", h.Rate, h.Warnings)
	}
	o.Without = []string{"POINT:RATE"}
	if h := header(t, c3dtest.File(o)); h.Rate != 0 || !h.Warnings.Has(quality.RateMissing) || h.AnalogRate < 650 {
		t.Errorf("rate %v, analog %v, warnings %v", h.Rate, h.AnalogRate, h.Warnings)
	}
}

func TestAnUnknownProcessorIsGuessedByItsNumbers(t *testing.T) {
	for _, processor := range []c3d.Processor{c3d.Intel, c3d.DEC, c3d.MIPS} {
		o := gait()
		o.Processor, o.ProcessorByte = processor, 7
		h := header(t, c3dtest.File(o))
		warned(t, h, quality.ProcessorUnknown)
		if h.Processor != processor || h.Frames != 73 {
			t.Errorf("%v was taken for %v with %d frames", processor, h.Processor, h.Frames)
		}
	}
}

func TestRepeatedMissingAndSurplusNamesAreWarnedAbout(t *testing.T) {
	o := gait()
	o.Points = []string{"A", "A", "B"}
	h := header(t, c3dtest.File(o))
	warned(t, h, quality.LabelsRepeated)
	if !slices.Equal(h.Points, []string{"A", "A_2", "B"}) {
		t.Errorf("points %q", h.Points)
	}
	o.Add = []c3dtest.Parameter{{Group: "POINT", Name: "LABELS", Value: []string{"A", "B"}},
		{Group: "ANALOG", Name: "LABELS", Value: []string{"1", "2", "3", "4"}}}
	h = header(t, c3dtest.File(o))
	warned(t, h, quality.LabelsMissing, quality.LabelsExtra)
	if !slices.Equal(h.Points, []string{"A", "B", "unnamed_3"}) {
		t.Errorf("points %q", h.Points)
	}
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	good := c3dtest.File(gait())
	start := int(header(t, good).DataStart)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":                {nil, "The file is empty (0 bytes)."},
		"text":                 {[]byte("PathFileType\t4"), "not a C3D file: its second byte is 0x61"},
		"cut in the header":    {good[:300], "ends within its header: it has 300 bytes"},
		"cut after the header": {good[:512], "The header points to parameters in block 2, and the file has 512 bytes"},
		"cut at the data":      {good[:start], "ends before the first of the 73 frames"},
		"cut in frame one":     {good[:start+20], "ends within the first of the 73 frames"},
		"nothing in it":        {c3dtest.File(c3dtest.Options{}), "neither points nor analog channels"},
	} {
		t.Run(name, func(t *testing.T) {
			if u := unreadable(t, c.file); !strings.Contains(u.Error(), c.want) {
				t.Errorf("%q does not say %q", u, c.want)
			}
		})
	}
}

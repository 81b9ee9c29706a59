package motion_test

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
	"github.com/kinebase/kinebase/motion/quality"
)

const table = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n50\t2\t1\tm\nFrame#\tTime\t" +
	"Ann:A\t\t\n\n1\t0\t1\t2\t3\n2\t0.02\t1\t2\t3\n"

func header(t *testing.T, name string, file []byte) motion.Header {
	t.Helper()
	h, err := motion.ReadHeader(name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestEveryFormatComesInOneShape(t *testing.T) {
	h := header(t, "walk/A.TRC", []byte(table))
	if h.Format != motion.TRC || h.Rate != 50 || h.Frames != 2 || h.FirstFrame != 1 || h.Metres != 1 ||
		len(h.Points) != 1 || h.Prefixes[0] != "Ann" {
		t.Errorf("%+v", h)
	}
	h = header(t, "A.c3d", c3dtest.File(c3dtest.Options{Points: []string{"Ann:A"}, Analogs: []string{"Fz"},
		PerFrame: 10, Frames: 2, Rate: 50, Unit: "mm"}))
	if h.Format != motion.C3D || h.Rate != 50 || h.Frames != 2 || h.Metres != 0.001 || len(h.Points) != 1 ||
		h.Prefixes[0] != "Ann" ||
		len(h.Analogs) != 1 || h.AnalogPerFrame != 10 || h.AnalogRate != 500 || len(h.Warnings) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestTheNameTellsTheKind(t *testing.T) {
	for name, want := range map[string]motion.Kind{
		"a.c3d": motion.C3D, "a/b.C3D": motion.C3D, "a.b.Trc": motion.TRC, "a.mot": motion.MOT, "a.sto": motion.STO,
		"a.csv": motion.CSV, "a.bvh": motion.BVH, "a.MP4": motion.MP4, "a.mov": motion.MOV,
	} {
		if kind, ok := motion.KindOf(name); !ok || kind != want {
			t.Errorf("%s is %q, %v", name, kind, ok)
		}
	}
	for _, name := range []string{"", "a", "c3d", "a.c3d.zip", "a.txt", "trc/a", "a.", ".."} {
		if kind, ok := motion.KindOf(name); ok {
			t.Errorf("%q is taken for %s", name, kind)
		}
	}
}

func TestAKindWithoutAReaderIsToldApartFromABadFile(t *testing.T) {
	for _, kind := range motion.Kinds() {
		_, err := motion.ReadHeader("a"+kind.Extension(), strings.NewReader("x"), 1)
		var unreadable *motion.Unreadable
		if kind.Readable() != errors.As(err, &unreadable) || kind.Readable() == errors.Is(err, motion.ErrNoReader) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := motion.ReadHeader("a.txt", strings.NewReader("x"), 1); !errors.Is(err, motion.ErrNoReader) {
		t.Errorf("a file of no kind: %v", err)
	}
}

func TestAMisnamedFileIsRecognised(t *testing.T) {
	_, err := motion.ReadHeader("a.c3d", strings.NewReader(table), int64(len(table)))
	if err == nil || !strings.Contains(err.Error(), "It looks like a TRC file: give its name the ending .trc.") {
		t.Errorf("got %v", err)
	}
	file := c3dtest.File(c3dtest.Options{Points: []string{"A"}})
	_, err = motion.ReadHeader("a.trc", bytes.NewReader(file), int64(len(file)))
	if err == nil || !strings.Contains(err.Error(), "It looks like a C3D file: give its name the ending .c3d.") {
		t.Errorf("got %v", err)
	}
	const begun = "\x00\x00\x00\x10ftypisom\x00\x00\x00\x00" // a video without an index
	_, err = motion.ReadHeader("a.trc", strings.NewReader(begun), int64(len(begun)))
	if err == nil || !strings.Contains(err.Error(), "It looks like an MP4 file: give its name the ending .mp4.") {
		t.Errorf("got %v", err)
	}
	// Another name would not help a damaged video: its own fault has to be told.
	_, err = motion.ReadHeader("a.mov", strings.NewReader(begun), int64(len(begun)))
	if err == nil || strings.Contains(err.Error(), "It looks like") {
		t.Errorf("got %v", err)
	}
}

func TestAnUnknownOrHalfUnitIsWarnedAbout(t *testing.T) {
	for unit, want := range map[string]quality.Code{"": quality.UnitMissing, "furlong": quality.UnitUnknown,
		"mete": quality.UnitCut} {
		h := header(t, "a.c3d", c3dtest.File(c3dtest.Options{Points: []string{"A"}, Unit: unit}))
		if (h.Metres != 0) != (want == quality.UnitCut) || len(h.Warnings) != 1 || h.Warnings[0].Code != want {
			t.Errorf("%q: %v metres, warnings %v", unit, h.Metres, h.Warnings)
		}
	}
}

func TestEveryWarningIsExplainedForPeople(t *testing.T) {
	source, err := os.ReadFile("quality/quality.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code = "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	rows := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| [^|]+ \\| [^|]+\\. \\|$").FindAllStringSubmatch(string(page),
		-1)
	explained := map[string]int{}
	for _, row := range rows {
		explained[row[1]]++
	}
	for _, code := range codes {
		if explained[code[1]] != 1 {
			t.Errorf("docs/formats.md explains %s %d times", code[1], explained[code[1]])
		}
	}
	if len(codes) == 0 || len(rows) != len(codes) {
		t.Errorf("%d codes, %d explanations", len(codes), len(rows))
	}
}

//go:build corpus_motion

package motion_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/corpus"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/quality"
)

func read(t *testing.T, name string) (motion.Header, error) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return motion.ReadHeader(name, f, info.Size())
}

// oddities are all the warnings that each real file gives when it is read whole,
// by their codes: every oddity that the index states is among them, and so is
// what else contradicts itself in these files. Of a file that is not here nothing
// is odd.
var oddities = map[string][]quality.Code{
	"c3d/Eb015pi.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/Eb015pr.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/Eb015si.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/Eb015sr.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/Eb015vi.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/Eb015vr.c3d":                       {quality.LabelsExtra, quality.LabelsExtra},
	"c3d/ADemo1_rewrite_c3d_pc_float.c3d":   {quality.ParameterBlocks},
	"c3d/ADemo1_rewrite_c3d_pc_integer.c3d": {quality.ParameterBlocks},
	"c3d/Dance.c3d": {quality.DataStartDisagrees, quality.FramesDisagree,
		quality.ParameterBlocks},
	"c3d/FP1.C3D": {quality.ParameterBlocks, quality.UnitCut},
	"c3d/MACsample.c3d": {quality.LabelsMissing, quality.LabelsRepeated, quality.ParameterBlocks,
		quality.ScaleDisagrees},
	"c3d/BKINtechnologies.c3d":             {quality.EventsMisnamed},
	"c3d/dynamic.C3D":                      {quality.LabelsRepeated, quality.ParameterMissing, quality.UnitMissing},
	"c3d/PiG_Calibration-FlatFoot-One.c3d": {quality.GroupRepeated},
	"c3d/Gait.c3d":                         {quality.LabelsRepeated},
	"c3d/c3d_test_file_01.c3d":             {quality.AnalogScale}, // ANALOG:SCALE has no values
	"c3d/c3d_test_file_03.c3d":             {quality.AnalogScale},
	"c3d/kinematics_tennis_serve_nan.c3d":  {quality.ValuesNotNumbers},
	"c3d/duplicate_labels.c3d":             {quality.LabelsRepeated},
	"trc/Gait.trc":                         {quality.PointsDisagree, quality.PointsUnnamed, quality.RowsRagged},
	"trc/10002-20130626160334-Unnamed.trc": {quality.PointsUnnamed, quality.RowsRagged},
	"trc/test_file_04.trc":                 {quality.LineEndsDoubled},
	"trc/markers_walk.trc":                 {quality.HeaderShifted},
	"trc/walk_free_01.trc":                 {quality.FirstDisagrees, quality.FramesDisagree},
	"trc/Pose2Sim_markers.trc":             {quality.FirstDisagrees},
	"mot/subject01_walk1_ik.mot":           {quality.AngleUnitMissing, quality.LabelsRepeated},
	"mot/crouch_gait.mot":                  {quality.FramesDisagree},
	"sto/DoublePendulum3D_controls.sto":    {quality.RowsNone},
	"sto/sampleOutputsVec3.sto":            {quality.TimesUneven},
	"bvh/test_freebvh.bvh":                 {quality.UnitMissing}, // the format has none
	"bvh/test_mocapbank.bvh":               {quality.UnitMissing},
	"mp4/sample_edit_list.mp4":             {quality.EditsIgnored, quality.TimesUneven},
	"mp4/edit_list_positive_shift.mp4":     {quality.EditsIgnored},
	"mp4/sample_android_slow_motion.mp4":   {quality.TimesUneven},
	"mov/dolbyVision-hdr.MOV":              {quality.EditsIgnored},
}

func TestRealFilesAreWarnedAboutForWhatIsOddAndNothingElse(t *testing.T) {
	folder, files := corpus.Motion(t)
	there := map[string]bool{}
	for _, f := range files {
		there[f.File] = true
		rec, err := readWhole(t, filepath.Join(folder, f.File))
		var unreadable *motion.Unreadable
		if errors.As(err, &unreadable) {
			if _, odd := oddities[f.File]; odd {
				t.Errorf("%s cannot be read: %v", f.File, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var codes []quality.Code
		for _, w := range rec.Warnings {
			codes = append(codes, w.Code)
		}
		slices.Sort(codes)
		if !slices.Equal(codes, oddities[f.File]) {
			t.Errorf("%s: warnings %v, want %v\n(%s)", f.File, rec.Warnings, oddities[f.File], f.Why)
		}
	}
	for file := range oddities {
		if !there[file] {
			t.Errorf("%s is not in the index", file)
		}
	}
}

func TestRealFilesSayWhatWasMeasuredOfThem(t *testing.T) {
	folder, files := corpus.Motion(t)
	held := map[motion.Kind]int{}
	for _, f := range files {
		kind, known := motion.KindOf(f.File)
		if !known {
			t.Errorf("%s: not taken for a motion file", f.File)
		}
		if !kind.Readable() {
			continue
		}
		t.Run(f.File, func(t *testing.T) {
			held[kind]++
			h, err := read(t, filepath.Join(folder, f.File))
			if strings.Contains(f.Measured, "unreadable") || strings.Contains(f.Measured, "truncated or empty") ||
				strings.Contains(f.Why, "a clear error") {
				var unreadable *motion.Unreadable
				if !errors.As(err, &unreadable) {
					t.Fatalf("got %v, want it unreadable", err)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			switch kind {
			case motion.C3D:
				holdC3D(t, h, f.Measured)
			case motion.TRC:
				holdTRC(t, h, f.Measured)
			case motion.STO, motion.MOT:
				holdSTO(t, h, f.Measured)
			case motion.MP4, motion.MOV:
				holdVideo(t, h, f.Measured)
			case motion.BVH:
				holdBVH(t, h, f.Measured)
			case motion.CSV: // nothing was measured of it but that it is minimal
				if h.Frames != 11 || h.Rate != 10 || !slices.Equal(h.Analogs, []string{"Fx", "Fy", "Fz", "Position"}) {
					t.Errorf("%d rows at %v Hz of %q", h.Frames, h.Rate, h.Analogs)
				}
			}
			for _, w := range h.Warnings {
				t.Logf("%s: %s", w.Code, w.Message)
			}
		})
	}
	for kind, want := range map[motion.Kind]int{motion.C3D: 27, motion.TRC: 14, motion.MOT: 4, motion.STO: 4,
		motion.CSV: 1, motion.BVH: 2, motion.MP4: 7, motion.MOV: 1} {
		if held[kind] < want {
			t.Errorf("only %d %s files were held to their measures", held[kind], kind)
		}
	}
}

// holdC3D compares a header with a row of measures like "proc=PC fmt=int
// points=26 frames=450 first=1 rate=50.0 analog=16 x4 units=mm"; "-" is none.
func holdC3D(t *testing.T, h motion.Header, measured string) {
	t.Helper()
	row := regexp.MustCompile(
		`^proc=\S+ fmt=\S+ points=(\S+) frames=(\S+) first=(\S+) rate=(\S+) analog=(\S+) x(\S+) units=(\S+)$`).
		FindStringSubmatch(measured)
	if row == nil {
		t.Fatalf("measures in an unknown form: %q", measured)
	}
	// The measures have six digits of a rate, the header all that the file has.
	rate, err := strconv.ParseFloat(row[4], 64)
	if err != nil {
		t.Fatal(err)
	}
	if got := strconv.FormatFloat(h.Rate, 'g', 6, 64); got != strconv.FormatFloat(rate, 'g', 6, 64) {
		t.Errorf("rate %v, want %v", h.Rate, rate)
	}
	for i, got := range map[int]int{1: len(h.Points), 2: h.Frames, 3: h.FirstFrame, 5: len(h.Analogs),
		6: h.AnalogPerFrame} {
		want := strings.Replace(row[i], "-", "0", 1)
		if strconv.Itoa(got) != want {
			t.Errorf("got %d, want %s in %q", got, want, measured)
		}
	}
	if want := strings.TrimPrefix(row[7], "-"); h.Unit != want {
		t.Errorf("unit %q, want %q", h.Unit, want)
	}
	if (h.Metres > 0) != (h.Unit != "") {
		t.Errorf("%d points in %q are %v metres each", len(h.Points), h.Unit, h.Metres)
	}
}

// holdTRC compares a header with a row of measures: the third line of the file
// between bars, then the rows really there. A shifted header has empty parts, cut
// where it was measured.
func holdTRC(t *testing.T, h motion.Header, measured string) {
	t.Helper()
	header := strings.TrimPrefix(strings.Fields(measured)[0], "header=")
	parts := slices.DeleteFunc(strings.Split(header, "|"), func(s string) bool { return s == "" })
	rate, err := strconv.ParseFloat(parts[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	if h.Rate != rate {
		t.Errorf("rate %v, want %v", h.Rate, rate)
	}
	frames, first := parts[2], "1"
	if rows := regexp.MustCompile(`rows=(\d+) first=\['(\d+)'`).FindStringSubmatch(measured); rows != nil {
		frames, first = rows[1], rows[2]
	}
	if strconv.Itoa(h.Frames) != frames || strconv.Itoa(h.FirstFrame) != first {
		t.Errorf("%d frames from %d, want %s from %s", h.Frames, h.FirstFrame, frames, first)
	}
	if markers := parts[3]; strconv.Itoa(len(h.Points)) != markers &&
		!quality.Warnings(h.Warnings).Has(quality.PointsDisagree) &&
		!quality.Warnings(h.Warnings).Has(quality.PointsUnnamed) {
		t.Errorf("%d points, NumMarkers %s, and no warning", len(h.Points), markers)
	}
	if len(parts) > 4 && h.Unit != parts[4] {
		t.Errorf("unit %q, want %q", h.Unit, parts[4])
	}
	if !(h.Metres > 0) || math.IsInf(h.Metres, 0) {
		t.Errorf("the unit %q is %v metres", h.Unit, h.Metres)
	}
}

// holdSTO compares a header with a row of measures like "nRows=15 nColumns=11
// inDegrees=yes version=1 DataType=None actual rows=15 cols=11 sep='\t' dupcols=0".
func holdSTO(t *testing.T, h motion.Header, measured string) {
	t.Helper()
	row := regexp.MustCompile(` actual rows=(\d+) cols=(\d+) .* dupcols=(\d+)$`).FindStringSubmatch(measured)
	if row == nil {
		t.Fatalf("measures in an unknown form: %q", measured)
	}
	columns := 1 + len(h.Points) + len(h.Rotations) + len(h.Angles) + len(h.Analogs)
	if strconv.Itoa(h.Frames) != row[1] || strconv.Itoa(columns) != row[2] {
		t.Errorf("%d rows of %d columns, want %s of %s", h.Frames, columns, row[1], row[2])
	}
	if quality.Warnings(h.Warnings).Has(quality.LabelsRepeated) != (row[3] != "0") {
		t.Errorf("%s names are repeated, warnings %v", row[3], h.Warnings)
	}
	if degrees := strings.Contains(measured, "inDegrees=yes"); degrees != (len(h.Angles) > 0) {
		t.Errorf("angles %q", h.Angles)
	}
}

// holdVideo compares a header with a row of measures like "brand=isom tracks=1
// video 1920x1080 rot=0 samples=137 timescale=15360 mediadur=70144 fps=30.0 …"; of
// the fragmented file they were taken without its fragments.
func holdVideo(t *testing.T, h motion.Header, measured string) {
	t.Helper()
	row := regexp.MustCompile(` video (\d+)x(\d+) rot=(\d+) samples=(\d+) .* fps=(\S+) sttsruns=`).FindStringSubmatch(
		measured)
	if row == nil {
		t.Fatalf("measures in an unknown form: %q", measured)
	}
	v := h.Video
	if strconv.Itoa(v.Width) != row[1] || strconv.Itoa(v.Height) != row[2] || strconv.Itoa(v.Rotation) != row[3] {
		t.Errorf("%d × %d, turned by %d°; want %s × %s, %s", v.Width, v.Height, v.Rotation, row[1], row[2], row[3])
	}
	if v.Fragmented {
		if row[4] != "0" || h.Frames != 30 || math.Abs(h.Rate-29.97) > 0.005 {
			t.Errorf("%d frames at %v Hz in fragments", h.Frames, h.Rate)
		}
		return
	}
	rate, err := strconv.ParseFloat(row[5], 64)
	if err != nil || strconv.Itoa(h.Frames) != row[4] || math.Abs(h.Rate-rate) > 1e-4 {
		t.Errorf("%d frames at %v Hz, want %s at %s", h.Frames, h.Rate, row[4], row[5])
	}
}

// holdBVH compares a header with a row of measures like "joints=55 endsites=15
// frames=69 frametime=0.0333333 crlf=False".
func holdBVH(t *testing.T, h motion.Header, measured string) {
	t.Helper()
	row := regexp.MustCompile(`^joints=(\d+) endsites=(\d+) frames=(\d+) frametime=(\S+) `).FindStringSubmatch(measured)
	if row == nil {
		t.Fatalf("measures in an unknown form: %q", measured)
	}
	ends := 0
	for _, name := range h.Points {
		if strings.HasSuffix(name, "_end") {
			ends++
		}
	}
	if strconv.Itoa(len(h.Points)-ends) != row[1] || strconv.Itoa(ends) != row[2] || strconv.Itoa(h.Frames) != row[3] ||
		h.Rate != 30 {
		t.Errorf("%d joints, %d ends, %d frames at %v Hz; want %s, %s, %s at 1/%s", len(h.Points)-ends, ends, h.Frames,
			h.Rate, row[1], row[2], row[3], row[4])
	}
}

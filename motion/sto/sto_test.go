package sto_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/sto"
)

// motionFile is a good one of 5 rows at 100 Hz; head and cells of the rows may be others.
func motionFile(head string, names string, row func(i int) string) string {
	lines := []string{head, "endheader", "time\t" + names}
	for i := range 5 {
		lines = append(lines, fmt.Sprintf("%.2f\t%s", 1+float64(i)/100, row(i)))
	}
	return strings.Join(lines, "\n") + "\n"
}

func whole(t *testing.T, text string) *record.Recording {
	t.Helper()
	rec, err := sto.Read(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func coordinates(i int) string { return fmt.Sprintf("%d\t0.9\t%d.5", i, i) }

func TestCoordinatesAreAnglesInDegrees(t *testing.T) {
	for inDegrees, factor := range map[string]float64{"yes": 1, "no": 180 / math.Pi} {
		rec := whole(t, motionFile("Coordinates\nversion=1\nnRows=5\nnColumns=4\ninDegrees="+inDegrees,
			"knee_angle_r\tpelvis_ty\thip_flexion_l", coordinates))
		if len(rec.Warnings) > 0 || rec.Rate != 100 || rec.Frames != 5 || rec.Start != 1 || rec.FirstFrame != 1 ||
			rec.Times != nil {
			t.Errorf("%d rows from %v s at %v Hz, warnings %v", rec.Frames, rec.Start, rec.Rate, rec.Warnings)
		}
		if len(rec.Angles) != 2 || rec.Angles[1].Name != "hip_flexion_l" || rec.Angles[1].Unit != "deg" ||
			math.Abs(float64(rec.Angles[1].Values[3])-3.5*factor) > 1e-5*factor {
			t.Errorf("angles %+v", rec.Angles)
		}
		if len(rec.Analogs) != 1 || rec.Analogs[0].Unit != "m" || rec.Analogs[0].Values[0] != 0.9 ||
			rec.Analogs[0].Rate != 100 {
			t.Errorf("channels %+v", rec.Analogs)
		}
	}
}

func TestAFullStateIsSortedByItsPaths(t *testing.T) {
	rec := whole(t, motionFile("version=3\ninDegrees=no",
		"/jointset/hip_r/hip_flexion_r/value\t/jointset/hip_r/hip_flexion_r/speed\t/forceset/soleus_r/activation",
		coordinates))
	if len(rec.Angles) != 1 || len(rec.Analogs) != 2 || rec.Analogs[0].Unit != "" || rec.Analogs[0].Values[1] != 0.9 {
		t.Errorf("angles %v, channels %v", rec.Angles, rec.Analogs)
	}
}

func TestOlderHeadersAreUnderstood(t *testing.T) {
	rec := whole(t, motionFile("name walk.mot\ndatacolumns 4\ndatarows 5\nrange 1 1.04\nUnits are S.I. units.\n\n",
		"vx\tvy\tvx", coordinates))
	if len(rec.Analogs) != 3 || rec.Analogs[2].Name != "vx_2" || rec.Analogs[2].Values[4] != 4.5 ||
		len(rec.Warnings) != 1 || !rec.Warnings.Has(quality.LabelsRepeated) {
		t.Errorf("%+v, warnings %v", rec.Analogs, rec.Warnings)
	}
}

func TestCellsMayHoldSeveralNumbers(t *testing.T) {
	for _, cell := range []string{"%d,2,3", "~[%d,2,3]"} {
		rec := whole(t, motionFile("DataType=Vec3\nversion=2\nUnits=m", "Ann:LASI\tAnn:RASI",
			func(i int) string { return fmt.Sprintf(cell+"\tNaN,1,1", i) }))
		if p := rec.Points[0]; len(rec.Points) != 2 || p.Name != "LASI" || p.Quantity != record.Position ||
			p.X[4] != 4 || p.Z[4] != 3 || !rec.Points[1].Missing(2) || len(rec.Warnings) > 0 {
			t.Errorf("%+v, warnings %v", rec.Points, rec.Warnings)
		}
	}
	rec := whole(t, motionFile("DataType=Vec3", "force\tmoment", func(i int) string { return "1,2,3\t4,5,6" }))
	if rec.Points[0].Quantity != record.Vector {
		t.Errorf("numbers without a unit are called %s", rec.Points[0].Quantity)
	}
}

func TestQuaternionsTurnTheAxes(t *testing.T) {
	half := math.Sqrt(0.5)
	for name, c := range map[string]struct {
		quaternion string
		want       [16]float32 // row by row
	}{
		"nothing": {"1,0,0,0", [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		"a quarter about z": {fmt.Sprintf("%.12f,0,0,%.12f", half, half),
			[16]float32{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		"a quarter about x": {fmt.Sprintf("%.12f,%.12f,0,0", half, half),
			[16]float32{1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}},
		"of length two":       {"2,0,0,0", [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
		"half a turn about y": {"0,0,1,0", [16]float32{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, motionFile("DataRate=100.0\nDataType=Quaternion\nversion=3", "pelvis\tthigh\tnone",
				func(int) string { return c.quaternion + "\tNaN,0,0,1\t0,0,0,0" }))
			for i, want := range c.want {
				if got := rec.Rotations[0].Matrix[i][2]; math.Abs(float64(got-want)) > 1e-6 {
					t.Errorf("element %d is %v, want %v", i, got, want)
				}
				for _, r := range rec.Rotations[1:] {
					if got := r.Matrix[i][2]; got == got {
						t.Errorf("%s, which is missing, has %v", r.Name, got)
					}
				}
			}
		})
	}
}

func TestOddTablesAreReadWithAWarning(t *testing.T) {
	good := motionFile("nRows=5", "a\tb\tc", coordinates)
	for name, c := range map[string]struct {
		text string
		code quality.Code
	}{
		"fewer rows":      {strings.Replace(good, "nRows=5", "nRows=6", 1), quality.FramesDisagree},
		"more columns":    {strings.Replace(good, "nRows=5", "nColumns=9", 1), quality.ColumnsDisagree},
		"another rate":    {strings.Replace(good, "nRows=5", "DataRate=50", 1), quality.RateDisagrees},
		"uneven":          {good + "9.00\t1\t2\t3\n", quality.TimesUneven},
		"backwards":       {good + "0.50\t1\t2\t3\n", quality.FramesJump},
		"short row":       {good + "1.05\t1\n", quality.RowsRagged},
		"a word":          {good + "1.05\t1\tx\t3\n", quality.CellsUnreadable},
		"a remark":        {good + "end of file\n", quality.RowsSkipped},
		"no rows":         {good[:strings.Index(good, "1.00")], quality.RowsNone},
		"angles of which": {strings.Replace(good, "\ta\t", "\thip_flexion_r\t", 1), quality.AngleUnitMissing},
	} {
		t.Run(name, func(t *testing.T) {
			if rec := whole(t, c.text); !rec.Warnings.Has(c.code) {
				t.Errorf("warnings %v", rec.Warnings)
			}
		})
	}
	if rec := whole(t, good); len(rec.Warnings) > 0 {
		t.Errorf("nothing is odd, but %v", rec.Warnings)
	}
	rec := whole(t, good+"9.00\t1\t2\t3\n")
	if rec.Rate != 0 || len(rec.Times) != 6 || rec.Time(5) != 9 {
		t.Errorf("uneven rows have the rate %v and the times %v", rec.Rate, rec.Times)
	}
}

func TestANameWithAnotherUnitThanTheFileSaysIsNoAngle(t *testing.T) {
	for head, c := range map[string]struct {
		column string
		angle  bool
	}{
		"inDegrees=yes\n": {"hip_flexion_r (rad)", false}, "inDegrees=no\n": {"hip_flexion_r (deg)", false},
		"inDegrees=yes": {"hip_flexion_r (deg)", true}, "inDegrees=no": {"hip_flexion_r [rad]", true},
		" inDegrees=yes": {"knee_angle_r (%)", false}, " inDegrees=no": {"knee_angle_r", true},
	} {
		text := "x\n" + strings.TrimSpace(head) + "\nendheader\ntime\t" + c.column + "\n0\t1\n0.1\t2\n0.2\t3\n"
		rec := whole(t, text)
		if c.angle != (len(rec.Angles) == 1) || c.angle == rec.Warnings.Has(quality.AngleUnitMissing) {
			t.Errorf("%s %s: %d angles, warnings %v", head, c.column, len(rec.Angles), rec.Warnings)
		}
		if !c.angle && (rec.Analogs[0].Values[1] != 2 || rec.Analogs[0].Unit != "") {
			t.Errorf("%s %s: %v %q", head, c.column, rec.Analogs[0].Values, rec.Analogs[0].Unit)
		}
	}
}

func TestATableMostRowsOfWhichHaveNoTimeIsRefused(t *testing.T) {
	for name, time := range map[string]func(i int) string{
		"clock":  func(i int) string { return fmt.Sprintf("00:00:%02d.5", i) },
		"blank":  func(i int) string { return map[bool]string{true: fmt.Sprint(i)}[i < 4] },
		"number": func(i int) string { return fmt.Sprintf("frame %d", i) },
	} {
		text := "x\ninDegrees=no\nendheader\ntime\ta\n"
		for i := range 10 {
			text += time(i) + fmt.Sprintf("\t%d\n", i)
		}
		if _, err := sto.Read(strings.NewReader(text), int64(len(text))); err == nil ||
			!strings.Contains(err.Error(), "do not begin with a time") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "The file is empty (0 bytes)."},
		"something else": {"a,b\n1,2\n", "no line says endheader (line 2)."},
		"no names":       {"x\nendheader\n", "The file ends before the names of its columns (line 2)."},
		"no time": {"x\nendheader\nknee\thip\n1\t2\n",
			`The first column is called "knee" and not time (line 3).`},
		"unknown cells": {"DataType=Mat44\nendheader\ntime\ta\n",
			`The cells are of the type "Mat44", which is not known (line 2).`},
		"all empty": {"endheader\ntime" + strings.Repeat("\ta", 300_000) + strings.Repeat("\n1", 20_000),
			"its rows are nearly empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sto.Read(strings.NewReader(c.text), int64(len(c.text)))
			var u *quality.Unreadable
			if !errors.As(err, &u) || !strings.Contains(u.Error(), c.want) || u.Hint == "" {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
	broken := errors.New("input/output error")
	var u *quality.Unreadable
	if _, err := sto.Read(io.MultiReader(strings.NewReader("x\nendheader\ntime\ta\n1\t"), iotest.ErrReader(broken)),
		100); !errors.Is(err, broken) || errors.As(err, &u) {
		t.Errorf("a failing disk: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(motionFile("Coordinates\nversion=1\nnRows=5\nnColumns=4\ninDegrees=no",
		"knee_angle_r\tpelvis_ty\thip_flexion_l", coordinates))
	f.Add(motionFile("DataType=Vec3\nversion=2", "a\tb", func(i int) string { return "1,2,3\t~[4,NaN,6]" }))
	f.Add(motionFile("DataType=Quaternion\nversion=3\r", "a", func(i int) string { return "1,0,0,0\t" }))
	f.Add(strings.ReplaceAll(motionFile("name x\ndatacolumns 4", "a\tb\tc", coordinates), "\t", "  "))
	f.Add("x\nendheader\ntime\ta\n0.4\t1\n0.4000007\t2\n") // more than a million a second
	recordtest.Seeds(f, func(file []byte) { f.Add(string(file)) }, ".sto", ".mot")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > recordtest.Most {
			return
		}
		rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
			return sto.Read(strings.NewReader(text), int64(len(text)))
		})
		h, err := sto.ReadHeader(strings.NewReader(text))
		if rec == nil {
			return
		}
		if err != nil {
			t.Fatalf("read, but not its header: %v", err)
		}
		points, rotations, angles, analogs := h.Kinds()
		if rec.Frames != h.Frames || rec.Rate != h.Rate || len(rec.Points) != len(points) ||
			len(rec.Rotations) != len(rotations) || len(rec.Angles) != len(angles) || len(rec.Analogs) != len(analogs) {
			t.Fatalf("%d rows at %v Hz, the header says %d at %v", rec.Frames, rec.Rate, h.Frames, h.Rate)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := "nRows=5\nendheader\ntime" + strings.Repeat("\tx", 100) + "\n" +
		strings.Repeat("1"+strings.Repeat("\t-12.34567891", 100)+"\n", 2000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sto.Read(strings.NewReader(text), int64(len(text))); err != nil {
			b.Fatal(err)
		}
	}
}

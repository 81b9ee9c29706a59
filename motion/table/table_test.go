package table_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/table"
)

func read(text string) (*record.Recording, error) {
	return table.Read(strings.NewReader(text), int64(len(text)))
}

func whole(t *testing.T, text string) *record.Recording {
	t.Helper()
	rec, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// failing is a disk that fails behind a text.
type failing struct {
	text string
	err  error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(f.text)) {
		return 0, f.err
	}
	if n := copy(p, f.text[off:]); n == len(p) {
		return n, nil
	} else {
		return n, f.err
	}
}

// clean wants no warning.
func clean(t *testing.T, rec *record.Recording) {
	t.Helper()
	if len(rec.Warnings) > 0 {
		t.Errorf("nothing is odd, but %v", rec.Warnings)
	}
}

func TestAPlainTableIsRead(t *testing.T) {
	const text = "Time,Fx,knee (deg),hip [rad],LASI_x,LASI_y,LASI_z\n0,0,10,0,1,2,3\n0.1,-9.81,20,1,,,\n" +
		"0.2,NaN,30,2,4,5,6\n"
	for name, text := range map[string]string{
		"as it is":   text,
		"CR LF":      strings.ReplaceAll(text, "\n", "\r\n"),
		"tabs":       strings.ReplaceAll(text, ",", "\t"),
		"semicolons": strings.ReplaceAll(strings.ReplaceAll(text, ",", ";"), ".", ","),
		"quotes":     strings.NewReplacer("Time", `"Time"`, "LASI_x", `"LASI_x"`, "-9.81", `"-9.81"`).Replace(text),
		"mark":       "\ufeff" + text,
		"ms":         strings.NewReplacer("Time", "Time (ms)", "0.1,-", "100,-", "0.2,N", "200,N").Replace(text),
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, text)
			if rec.Rate != 10 || rec.Frames != 3 || rec.FirstFrame != 1 || rec.Start != 0 || rec.Times != nil ||
				len(rec.Warnings) > 0 {
				t.Fatalf("%d rows from %v s at %v Hz, warnings %v", rec.Frames, rec.Start, rec.Rate, rec.Warnings)
			}
			p := rec.Points[0]
			if len(rec.Points) != 1 || p.Name != "LASI" || p.Quantity != record.Position || p.Y[0] != 2 ||
				!p.Missing(1) || p.Z[2] != 6 {
				t.Errorf("points %+v", rec.Points)
			}
			if f := rec.Analogs[0]; len(rec.Analogs) != 1 || f.Name != "Fx" || f.Values[1] != -9.81 ||
				f.Values[2] == f.Values[2] || f.Rate != 10 {
				t.Errorf("channels %+v", rec.Analogs)
			}
			if a := rec.Angles; len(a) != 2 || a[0].Name != "knee" || a[0].Values[2] != 30 || a[1].Name != "hip" ||
				math.Abs(float64(a[1].Values[1])-180/math.Pi) > 1e-4 {
				t.Errorf("angles %+v", rec.Angles)
			}
		})
	}
}

func TestUnitsMayStandInALineOfTheirOwn(t *testing.T) {
	rec := whole(t, "frame,A_x,A_y,A_z,Fz\n,mm,mm,mm,N\n7,1,2,3,4\n8,1,2,3,4\n")
	if rec.Unit != "mm" || rec.Analogs[0].Unit != "N" || rec.Frames != 2 || rec.FirstFrame != 7 ||
		!rec.Warnings.Has(quality.RateMissing) {
		t.Errorf("unit %q and %q, %d frames from %d, warnings %v", rec.Unit, rec.Analogs[0].Unit, rec.Frames,
			rec.FirstFrame, rec.Warnings)
	}
}

// anExport is what an export of Kinebase looks like.
const anExport = `sessionid,session_uuid,session_seq,athleteid,athlete_name,orgid,activity,movement,capture_datetime,fps,frame,time,LASI_x,LASI_y,LASI_z,Fz,strike
s1,u1,1,a1,"Berg, Ada",o1,gait,walk,2026-05-13T12:00:00.000Z,100,0,0,0.1,0.2,0.3,700,-2
s1,u1,1,a1,"Berg, Ada",o1,gait,walk,2026-05-13T12:00:00.000Z,100,1,0.01,0.1,0.2,0.4,,-1
s1,u1,1,a1,"Berg, Ada",o1,gait,walk,2026-05-13T12:00:00.000Z,100,2,0.02,,,,701,0
`

func TestAnExportIsReadBack(t *testing.T) {
	rec := whole(t, anExport)
	clean(t, rec)
	if rec.Rate != 100 || rec.Frames != 3 || rec.FirstFrame != 0 || rec.Unit != "m" || len(rec.Points) != 1 ||
		len(rec.Analogs) != 1 {
		t.Fatalf("%+v", rec)
	}
	if p := rec.Points[0]; p.Name != "LASI" || p.Z[1] != 0.4 || !p.Missing(2) {
		t.Errorf("%+v", p)
	}
	if len(rec.Events) != 1 || rec.Events[0].Label != "strike" || math.Abs(rec.Events[0].Time-0.02) > 1e-9 {
		t.Errorf("events %+v", rec.Events)
	}
	rec = whole(t, anExport+strings.ReplaceAll(anExport[strings.Index(anExport, "s1"):], "s1", "s2"))
	if rec.Frames != 3 || !rec.Warnings.Has(quality.CapturesSeveral) {
		t.Errorf("%d rows of two recordings, warnings %v", rec.Frames, rec.Warnings)
	}
}

// aNexus is a file with all sections, of frames 5 to 7.
func aNexus() string {
	var b strings.Builder
	b.WriteString("Devices\n300\n,,Force Plate - Force,,,EMG - EMG\nFrame,Sub Frame,Fx,Fy,Fz,EMG1\n,,N,N,N,V\n")
	for i := range 9 {
		fmt.Fprintf(&b, "%d,%d,%d,0,700.5,1e-05\n", 5+i/3, i%3, i)
	}
	b.WriteString("\nTrajectories\n100\n,,Ann:LASI,,,Ann:RASI,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n,,mm,mm,mm,mm,mm,mm\n" +
		"5,0,1,2,3,4,5,6\n6,0,1,2,3,,,\n7,0,1.5,2,3,4,5,6\n")
	b.WriteString("\nModel Outputs\n100\n,,Ann:LKneeAngles,,,Ann:LAnklePower,,\nFrame,Sub Frame,X,Y,Z,X,Y,Z\n" +
		",,deg,deg,deg,W,W,W\n5,0,10,20,30,0,0,1\n6,0,11,21,31,0,0,1\n7,0,12,22,32,0,0,1\n")
	b.WriteString("\nEvents\n100\nSubject,Context,Name,Time (s),Description\nAnn,Left,Foot Strike,0.05,The instant " +
		"the heel strikes\nAnn,Right,Foot Off,0.06,\n\n")
	return b.String()
}

func TestTheSectionsOfNexusAreOneRecording(t *testing.T) {
	for name, text := range map[string]string{
		"as it is":   aNexus(),
		"CR LF":      strings.ReplaceAll(aNexus(), "\n", "\r\n"),
		"semicolons": strings.ReplaceAll(aNexus(), ",", ";"),
		"no blanks":  strings.ReplaceAll(aNexus(), "\n\n", "\n"),
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, text)
			clean(t, rec)
			if rec.Rate != 100 || rec.Frames != 3 || rec.FirstFrame != 5 || rec.Start != 0.04 || rec.Unit != "mm" ||
				!slices.Equal(rec.Subjects, []string{"Ann"}) {
				t.Errorf("%d frames from %d (%v s) at %v Hz in %q of %q", rec.Frames, rec.FirstFrame, rec.Start,
					rec.Rate, rec.Unit, rec.Subjects)
			}
			if len(rec.Points) != 4 || rec.Points[1].Name != "RASI" || !rec.Points[1].Missing(1) ||
				rec.Points[0].X[2] != 1.5 {
				t.Fatalf("points %+v", rec.Points)
			}
			if a, p := rec.Points[2], rec.Points[3]; a.Quantity != record.Angle || a.Unit != "deg" || a.Y[2] != 22 ||
				p.Quantity != record.Power {
				t.Errorf("%+v, %+v", a, p)
			}
			if len(rec.Analogs) != 4 {
				t.Fatalf("channels %+v", rec.Analogs)
			}
			f, e := rec.Analogs[0], rec.Analogs[3]
			if f.Name != "Force Plate - Force Fx" || f.Unit != "N" || f.PerFrame != 3 || f.Rate != 300 ||
				f.Values[8] != 8 || e.Name != "EMG - EMG EMG1" || e.Values[4] != 1e-5 {
				t.Errorf("%+v, %+v", f, e)
			}
			want := record.Event{Label: "Foot Strike", Context: record.Left, Time: 0.05, Subject: "Ann",
				Description: "The instant the heel strikes"}
			if len(rec.Events) != 2 || rec.Events[0] != want {
				t.Errorf("events %+v", rec.Events)
			}
		})
	}
}

func TestSectionsOfOtherFramesAreLaidBeside(t *testing.T) {
	text := strings.Replace(aNexus(), "7,0,12,22,32,0,0,1\n", "", 1)
	rec := whole(t, text)
	if p := rec.Points[2]; !rec.Warnings.Has(quality.FramesDisagree) || p.Missing(1) || !p.Missing(2) || len(p.X) != 3 {
		t.Errorf("%v, warnings %v", p.X, rec.Warnings)
	}
}

func TestOddTablesAreReadWithAWarning(t *testing.T) {
	const good = "time (s),a,b\n0,1,2\n0.5,3,4\n1,5,6\n"
	for name, c := range map[string]struct {
		text string
		code quality.Code
	}{
		"no times":          {"a,b\n1,2\n3,4\n", quality.RateMissing},
		"uneven":            {good + "9,1,1\n", quality.TimesUneven},
		"a column of words": {"time,a,b\n0,1,x\n0.5,3,y\n", quality.SectionsSkipped},
		"a word":            {good + "1.5,x,6\n", quality.CellsUnreadable},
		"short":             {good + "1.5,3\n", quality.RowsRagged},
		"names repeated":    {strings.Replace(good, "b", "a", 1), quality.LabelsRepeated},
		"no name":           {strings.Replace(good, "a", "", 1), quality.LabelsMissing},
		"frames jump":       {"frame,time,a\n1,0,1\n5,0.1,2\n", quality.FramesJump},
		"nexus, rate":       {strings.Replace(aNexus(), "Devices\n300", "Devices\n1000", 1), quality.RateDisagrees},
		"nexus, more":       {aNexus() + "Something else\n1,2,3\n", quality.SectionsSkipped},
		"nexus, event":      {strings.Replace(aNexus(), "0.05", "soon", 1), quality.EventsDisagree},
		"nexus, a word":     {strings.Replace(aNexus(), "1.5", "x", 1), quality.CellsUnreadable},
	} {
		t.Run(name, func(t *testing.T) {
			if rec := whole(t, c.text); !rec.Warnings.Has(c.code) {
				t.Errorf("warnings %v", rec.Warnings)
			}
		})
	}
	clean(t, whole(t, good))
}

func TestAnUnreadableFileIsExplained(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "The file is empty (0 bytes)."},
		"blank":          {"\n\n  \n", "The file ends before the names of its columns (line 3)."},
		"no names":       {"1,2,3\n4,5,6\n", "has numbers where the names of the columns should stand (line 1)."},
		"no rows":        {"time,a\n", "no row of numbers (line 1)."},
		"only time":      {"time\n1\n", "no column of measurements (line 1)."},
		"all empty":      {"t" + strings.Repeat(",a", 300_000) + strings.Repeat("\n1", 20_000), "nearly empty"},
		"nexus, no rate": {"Trajectories\nfast\n", "No rate stands under the title of a section (line 2)."},
		"nexus, cut":     {aNexus()[:30], "The file ends before"},
		"nexus, no row":  {aNexus()[:strings.Index(aNexus(), "5,0")], "no row of numbers"},
		"nexus, frame": {"Devices\n100\n,,a\nTime,X,Y\n,,N\n1,0,3\n",
			"do not begin with Frame and Sub Frame (line 4)."},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := table.Read(strings.NewReader(c.text), int64(len(c.text)))
			var u *quality.Unreadable
			if !errors.As(err, &u) || !strings.Contains(u.Error(), c.want) || u.Hint == "" {
				t.Errorf("%v does not say %q", err, c.want)
			}
		})
	}
	broken := errors.New("input/output error")
	var u *quality.Unreadable
	for _, text := range []string{"time,a\n0,1\n", aNexus()} {
		if _, err := table.Read(&failing{text, broken}, int64(len(text)+100)); !errors.Is(err, broken) ||
			errors.As(err, &u) {
			t.Errorf("a failing disk: %v", err)
		}
	}
}

func TestSectionsThatDoNotFitTakeNoMemory(t *testing.T) {
	testkit.Long(t)
	text := "Trajectories\n100\n,,A,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n"
	for frame := range 40_000 {
		text += fmt.Sprintf("%d,0,1,1,1\n", frame+1)
	}
	text += "\nDevices\n1000\n,,A\nFrame,Sub Frame,F\n,,N\n" + strings.Repeat("1,0,1\n", 100_000)
	rec := whole(t, text)
	if !rec.Warnings.Has(quality.SectionsSkipped) || len(rec.Analogs) != 0 {
		t.Errorf("%d channels, warnings %v", len(rec.Analogs), rec.Warnings)
	}
}

func TestRowsWithoutATimeAreAtTheTimeBetweenTheOthers(t *testing.T) {
	rec := whole(t, "Time,Fx\n,1\n5.1,2\n,3\n5.3,4\n,5\n")
	if rec.Rate != 10 || math.Abs(rec.Start-5) > 1e-9 || rec.Times != nil || rec.Frames != 5 {
		t.Errorf("%d rows at %v Hz from %v s, times %v", rec.Frames, rec.Rate, rec.Start, rec.Times)
	}
	rec = whole(t, "Time,Fx\n,1\n5,2\n6,3\n9,4\n")
	if len(rec.Times) != 4 || rec.Start != rec.Times[0] || rec.Start != 3 {
		t.Errorf("from %v s, times %v", rec.Start, rec.Times)
	}
}

func TestALastRowWithoutATimeIsAFrameWhereItsNumberFollows(t *testing.T) {
	// Its numbers are the sums, or the means, of the rows above.
	for _, text := range []string{"frame,time,A\n0,0,1\n1,,2\n2,,3\n",
		"frame,time,A,B\n7,0,1,5\n8,0.01,3,7\n9,,2,6\n"} {
		rec := whole(t, text)
		if rec.Frames != 3 || rec.Warnings.Has(quality.RowsSkipped) {
			t.Errorf("%q has %d frames: %v", text, rec.Frames, rec.Warnings)
		}
	}
	rec := whole(t, "frame,time,A\n0,0,1\n1,0.01,2\n,,3\n")
	if rec.Frames != 2 || !rec.Warnings.Has(quality.RowsSkipped) {
		t.Errorf("with a row of sums there are %d frames: %v", rec.Frames, rec.Warnings)
	}
}

func TestHostileTablesAreRefusedOrRead(t *testing.T) {
	for _, text := range []string{
		"\x7fz\nG\xee/1\xcb\xf5\x19.00\x01\xa2351.\xf2\xff\xff.5aM",
		";;Time;Angle;Time;EMG\r\n0,00;0,5;0,00;30,25;0,\x1400;60,75\r\n0,01;1,5;0,02;31,25;0,002;61,75\r\n" +
			"0,02;2,5;0,04;32\n25;0,004;62,75\r\n0,03;3,5;0,06;33,25;0",
		"frAme\n8\n8;;A",
		",,,,,,G1\n,,N,N,\x00\x00-\n1,0,.\x02V]\x7f1700.5,1\x15\x15\x15\x15\n0", // names beyond those of the columns
		",LASI_y,LASI_z\n(s\xde),(deg),(mm),(mm)-(mm)\n0,\r\xa210.5,\x0100,50,25\n0.01,11.5,101e51",
	} {
		recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) { return read(text) })
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Time,Fx,knee (deg),hip [rad],LASI_x,LASI_y,LASI_z\n0,0,10,0,1,2,3\n0.1,\"-9,81\",20,1,,,\n" +
		"0.2,NaN,30,2,4,5,6\n")
	f.Add(anExport)
	f.Add(aNexus())
	f.Add("frame;A_x;A_y;A_z\n;mm;mm;mm\n7;1;2;3\n8;1,5;2;3\n")
	recordtest.Seeds(f, func(file []byte) { f.Add(string(file)) }, ".csv")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > recordtest.Most {
			return
		}
		rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
			return table.Read(strings.NewReader(text), int64(len(text)))
		})
		if rec != nil && rec.Frames < 1 {
			t.Fatal("read, and has no frames")
		}
	})
}

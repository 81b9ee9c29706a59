package table_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

// numbers gives the columns of a recording by name, as they are kept.
func numbers(rec *record.Recording) map[string][]float32 {
	all := map[string][]float32{}
	for i := range rec.Points {
		p := &rec.Points[i]
		all[p.Label()+"_x"], all[p.Label()+"_y"], all[p.Label()+"_z"] = p.X, p.Y, p.Z
	}
	for _, c := range slices.Concat(rec.Angles, rec.Analogs) {
		all[c.Name] = c.Values
	}
	return all
}

// holds wants a rate, a number of frames, and the numbers of columns.
func holds(t *testing.T, rec *record.Recording, rate float64, frames int, want map[string][]float64) {
	t.Helper()
	if math.Abs(rec.Rate-rate) > 1e-5*rate || rec.Frames != frames {
		t.Errorf("%d frames at %v Hz, want %d at %v; warnings %v", rec.Frames, rec.Rate, frames, rate, rec.Warnings)
	}
	got := numbers(rec)
	for name, want := range want {
		values, ok := got[name]
		if !ok || len(values) < len(want) {
			var names []string
			for name := range got {
				names = append(names, name)
			}
			slices.Sort(names)
			t.Errorf("no column %q with %d numbers; there are %q", name, len(want), names)
			continue
		}
		for i, w := range want {
			if v := values[i]; v != float32(w) && !(math.IsNaN(w) && v != v) {
				t.Errorf("%s is %v, want %v", name, values, want)
				break
			}
		}
	}
}

var none = math.NaN()

// rows writes rows of which the first cells are frame and time, and the others go up by
// one from each to each.
func rows(n int, sep string, cells int, lead func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(lead(i))
		for c := range cells {
			fmt.Fprintf(&b, "%s%.3f", sep, float64(100*(c+1)+i)+0.25)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// up is the numbers that rows writes in a column.
func up(c, n int) []float64 {
	var all []float64
	for i := range n {
		all = append(all, float64(100*(c+1)+i)+0.25)
	}
	return all
}

func TestMotiveIsRead(t *testing.T) {
	lead := func(i int) string { return fmt.Sprintf("%d,%.6f", i, float64(i)/120) }
	const settings = "Format Version,1.25,Take Name,Take 1,Capture Frame Rate,120.000000,Export Frame " +
		"Rate,120.000000,Capture Start Time,2026-05-13 09.30.02.695 AM UTC,Total Frames in Take,5,Rotation " +
		"Type,%s,Length Units,%s,Coordinate Space,Global\n\n"
	body := ",Type" + strings.Repeat(",Rigid Body", 8) + strings.Repeat(",Rigid Body Marker", 4) +
		strings.Repeat(",Marker", 3) + "\n" +
		",Name" + strings.Repeat(",Club", 8) + strings.Repeat(",Club:Marker1", 4) + strings.Repeat(",LASI", 3) + "\n" +
		",ID" + strings.Repeat(`,"6F62DBFC"`, 8) + strings.Repeat(`,"A1"`, 4) + strings.Repeat(`,"B1"`, 3) + "\n" +
		",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker " +
		"Error,Position,Position,Position,Marker Quality,Position,Position,Position\n" +
		"Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z,,X,Y,Z\n" + rows(5, ",", 15, lead)
	rec := whole(t, fmt.Sprintf(settings, "Quaternion", "Meters")+body)
	holds(t, rec, 120, 5, map[string][]float64{
		"Club Rotation_X": up(0, 5), "Club Rotation_W": up(3, 5), "Club_x": up(4, 5), "Club_z": up(6, 5),
		"Club Mean Marker Error": up(7, 5),
		"Club:Marker1_x":         up(8, 5), "Club:Marker1 Marker Quality": up(11, 5), "LASI_y": up(13, 5),
	})
	if rec.Unit != "Meters" || len(rec.Points) != 3 || rec.FirstFrame != 0 {
		t.Errorf("%d points in %q from frame %d", len(rec.Points), rec.Unit, rec.FirstFrame)
	}
	clean(t, rec)
	// Rotations by angles are in degrees; older versions name neither units nor kinds.
	rec = whole(t, fmt.Sprintf(settings, "XYZ", "Millimeters")+
		",Type,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body\n"+
		",Name,Club,Club,Club,Club,Club,Club\n,ID,1,1,1,1,1,1\n"+
		",,Rotation,Rotation,Rotation,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z,X,Y,Z\n"+
		rows(5, ",", 6, lead))
	holds(t, rec, 120, 5, map[string][]float64{"Club_x": up(3, 5)})
	if rec.Unit != "Millimeters" {
		t.Errorf("unit %q", rec.Unit)
	}
	// A single marker is called by its name, not by the kind of its numbers.
	rec = whole(t, fmt.Sprintf(settings, "Quaternion", "Centimeters")+
		",Type,Marker,Marker,Marker\n,Name,Ball,Ball,Ball\n,ID,9,9,9\n,,Position,Position,Position\nFrame,Time "+
		"(Seconds),X,Y,Z\n"+rows(5, ",", 3, lead))
	holds(t, rec, 120, 5, map[string][]float64{"Ball_x": up(0, 5), "Ball_z": up(2, 5)})
}

func TestOlderSectionsOfViconAreRead(t *testing.T) {
	var b strings.Builder
	b.WriteString("C:\\data\\trial.c3d\nDate:\nNotes:,\"\"\n\nEVENTS\n100,Hz\nSubject,Context,Name,Time " +
		"(s),Description\nMia,Left,Foot Strike,0.05,\n\nTRAJECTORIES\n100,Hz\n,Mia:LFHD,,,Mia:RFHD,,\nField " +
		"#,X,Y,Z,X,Y,Z\n")
	b.WriteString(rows(5, ",", 6, func(i int) string { return fmt.Sprint(11 + i) }))
	b.WriteString("\nANALOG\n500,Hz\nSample #,FX1,FZ1\nUnits:,N,N\n")
	b.WriteString(rows(25, ",", 2, func(i int) string { return fmt.Sprint(51 + i) }))
	rec := whole(t, b.String())
	holds(t, rec, 100, 5, map[string][]float64{"Mia:LFHD_x": up(0, 5), "Mia:RFHD_z": up(5, 5), "FX1": up(0, 25),
		"FZ1": up(1, 25)})
	if rec.FirstFrame != 11 || len(rec.Events) != 1 || rec.Events[0].Time != 0.05 {
		t.Errorf("from frame %d, events %+v", rec.FirstFrame, rec.Events)
	}
}

func TestQualisysIsRead(t *testing.T) {
	const settings = "NO_OF_FRAMES\t5\nNO_OF_CAMERAS\t8\nNO_OF_MARKERS\t2\nFREQUENCY\t100\nNO_OF_ANALOG\t0\n" +
		"ANALOG_FREQUENCY\t0\nDESCRIPTION\t--\nTIME_STAMP\t2026-05-13, 12:11:10.104\t1234.56\nDATA_INCLUDED\t3D\n" +
		"MARKER_NAMES\tLASI\tRASI\n"
	want := map[string][]float64{"LASI_x": up(0, 5), "LASI_y": up(1, 5), "RASI_z": up(5, 5)}
	noLead := strings.ReplaceAll(rows(5, "\t", 6, func(int) string { return "" }), "\n\t", "\n")[1:]
	lead := func(i int) string { return fmt.Sprintf("%d\t%.5f", i+1, float64(i)/100) }
	for name, text := range map[string]string{
		"no names above":   settings + noLead,
		"kinds of markers": settings + "TRAJECTORY_TYPES\tMeasured\tMeasured\n" + noLead,
		"frames and times": settings + rows(5, "\t", 6, lead),
		"names above": settings + "Frame\tTime\tLASI X\tLASI Y\tLASI Z\tRASI X\tRASI Y\tRASI Z\n" +
			rows(5, "\t", 6, lead),
		"commas": strings.ReplaceAll(strings.ReplaceAll(settings, ", ", " ")+noLead, "\t", ","),
	} {
		t.Run(name, func(t *testing.T) { holds(t, whole(t, text), 100, 5, want) })
	}
	rec := whole(t, settings+"0.000\t0.000\t0.000\t1\t2\t3\n1.5\t2\t3\t4\t5\t6\n")
	if p := rec.Points[0]; !p.Missing(0) || p.Missing(1) || rec.Points[1].Missing(0) {
		t.Errorf("points at the very origin: %+v", rec.Points)
	}
}

func TestSensorsOfXsensAreRead(t *testing.T) {
	dot := "sep=,\nDeviceTag:,Shank_R\nFirmwareVersion:,2.4.0\nAppVersion:,2024.2\nSyncStatus:,Synced\n" +
		"OutputRate:,60Hz\nFilterProfile:,General\nStartTime: ,2026-05-13_09:30:00_086 CEST\n\n\n" +
		"PacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,FreeAcc_X,FreeAcc_Y,FreeAcc_Z,\n" +
		strings.ReplaceAll(rows(20, ",", 7,
			func(i int) string { return fmt.Sprintf("%d,%d", i+1, 192856375+int(math.Round(float64(i)*1e6/60))) }),
			"\n", ",\n")
	rec := whole(t, dot)
	holds(t, rec, 60, 20, map[string][]float64{"Quat_W": up(0, 20), "Quat_Z": up(3, 20), "FreeAcc_x": up(4, 20),
		"FreeAcc_z": up(6, 20)})
	if rec.Points[0].Quantity == record.Position {
		t.Error("accelerations were taken for positions")
	}
	mvn := "Frame,Pelvis x,Pelvis y,Pelvis z,L5 x,L5 y,L5 z\n" +
		rows(5, ",", 6, func(i int) string { return fmt.Sprint(i) })
	rec = whole(t, mvn)
	holds(t, rec, 0, 5, map[string][]float64{"Pelvis_x": up(0, 5), "L5_z": up(5, 5)})
	rec = whole(t, "MVN version,2024.0\nSuit Label,hop\nFrame Rate,240\nLength Units,m\n\n"+mvn)
	holds(t, rec, 240, 5, map[string][]float64{"Pelvis_x": up(0, 5), "L5_z": up(5, 5)})
}

func TestEverySensorOfDelsysMayHaveItsOwnTimes(t *testing.T) {
	var b strings.Builder
	b.WriteString("Label: Trapezius: EMG 1 Sampling frequency: 1925.926 Number of points: 260 start: 0 Unit: V " +
		"Domain Unit: s\nX [s],\"Trapezius: EMG 1 [V]\",X [s],\"Trapezius: Acc 1.X [g]\"\n")
	for i := range 260 {
		fmt.Fprintf(&b, "%.9f,%d.5", float64(i)/1925.926, i)
		if i < 20 {
			fmt.Fprintf(&b, ",%.9f,%d.25", float64(i)*13/1925.926, i)
		} else {
			b.WriteString(",,")
		}
		b.WriteString("\n")
	}
	rec := whole(t, b.String())
	if rec.Frames != 20 || math.Abs(rec.Rate-148.148) > 0.01 || !rec.Warnings.Has(quality.ClocksSeveral) ||
		len(rec.Analogs) != 2 {
		t.Fatalf("%d frames at %v Hz, %d channels, warnings %v", rec.Frames, rec.Rate, len(rec.Analogs), rec.Warnings)
	}
	emg, acc := rec.Analogs[0], rec.Analogs[1]
	if emg.PerFrame != 13 || emg.Name != "Trapezius: EMG 1" || emg.Unit != "V" || emg.Values[259] != 259.5 ||
		acc.Values[19] != 19.25 || acc.PerFrame != 1 {
		t.Errorf("%q %d a frame, %q %d a frame", emg.Name, emg.PerFrame, acc.Name, acc.PerFrame)
	}
	// Where all have the same times, these are those of the rows.
	rec = whole(t, "X[s],A [V],X[s],B [V]\n0,1,0,2\n0.01,1.5,0.01,2.5\n0.02,3,0.02,4\n")
	clean(t, rec)
	holds(t, rec, 100, 3, map[string][]float64{"A": {1, 1.5, 3}, "B": {2, 2.5, 4}})
	for name, text := range map[string]string{
		"an uneven one":        "X[s],A,X[s],B\n0,1,0,2\n0.01,1.5,0.5,2.5\n0.02,3,0.6,4\n0.03,3,0.9,4\n",
		"one that lasts on on": "X[s],A,X[s],B\n0,1,0,2\n0.00001,1.5,10,2.5\n0.00002,3,20,4\n",
	} {
		if _, err := read(text); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestPoseEstimationIsRead(t *testing.T) {
	const head = "scorer,net,net,net,net,net,net\n%sbodyparts,knee,knee,knee,ankle,ankle,ankle\n" +
		"coords,x,y,%s,x,y,%[2]s\n"
	body := rows(4, ",", 6, func(i int) string { return fmt.Sprint(i) })
	rec := whole(t, fmt.Sprintf(head, "", "likelihood")+body)
	holds(t, rec, 0, 4, map[string][]float64{"knee_x": up(0, 4), "knee_likelihood": up(2, 4), "ankle_y": up(4, 4)})
	rec = whole(t, fmt.Sprintf(head, "", "z")+body)
	holds(t, rec, 0, 4, map[string][]float64{"knee_x": up(0, 4), "knee_z": up(2, 4), "ankle_y": up(4, 4)})
	rec = whole(t, fmt.Sprintf(head, "individuals,a,a,a,b,b,b\n", "z")+body)
	holds(t, rec, 0, 4, map[string][]float64{"a knee_x": up(0, 4), "b ankle_y": up(4, 4)})
	rec = whole(t, "scorer,net,net,net\nindividuals,single,single,single\nbodyparts,nose,nose,nose\n"+
		"coords,x,y,likelihood\n"+rows(4, ",", 3, func(i int) string { return fmt.Sprint(i) }))
	holds(t, rec, 0, 4, map[string][]float64{"nose_x": up(0, 4), "nose_likelihood": up(2, 4)})
	rec = whole(t, "scorer,net,net,net,net\nindividuals,m1,m1,m2,m2\nbodyparts,nose,nose,nose,nose\ncoords,x,y,x,y\n"+
		rows(4, ",", 4, func(i int) string { return fmt.Sprint(i) }))
	holds(t, rec, 0, 4, map[string][]float64{"m1 nose_x": up(0, 4), "m2 nose_y": up(3, 4)})
	rec = whole(t, "body_nose_x,body_nose_y,body_nose_z\n"+
		strings.ReplaceAll("\n"+rows(4, ",", 3, func(int) string { return "" }), "\n,", "\n")[1:])
	holds(t, rec, 0, 4, map[string][]float64{"body_nose_x": up(0, 4), "body_nose_z": up(2, 4)})
}

func TestForcePlatesWithAPreambleAreRead(t *testing.T) {
	lead := func(sep string) func(i int) string {
		return func(i int) string {
			return strings.ReplaceAll(fmt.Sprintf("%.3f", float64(i)/1000), ".",
				map[bool]string{true: ".", false: ","}[sep == ","])
		}
	}
	body := rows(6, ",", 2, lead(","))
	german := strings.ReplaceAll(rows(6, ";", 2, lead(";")), ".", ",")
	want := map[string][]float64{"Fz Left": up(0, 6), "Fz Right": up(1, 6)}
	for name, text := range map[string]string{
		"settings": "Athlete,Mia Lund\nTest,Countermovement Jump\nDate,13/05/2026\nBody mass,63.5\nSample " +
			"rate,1000\n\nTime,Fz Left,Fz Right\n" + body,
		"no blank line":     "Athlete,Mia Lund\nSample rate (Hz),1000\nTime,Fz Left,Fz Right\n" + body,
		"units in a line":   "Plate 1\nRate: 1000 Hz\n\nTime,Fz Left,Fz Right\ns,N,N\n" + body,
		"units in brackets": "\"Lund, Mia\"\n\nTime (s),Fz Left (N),Fz Right (N)\n" + body,
		"remarks": "# device: plate A\n# rate: 1000 Hz\n# two, or, three, commas\nTime,Fz Left,Fz Right\n" +
			body,
		"numbers above": "Subject,7\nMass,63.5\nHeight,171\nTrial,3\n\nTime,Fz Left,Fz Right\n" + body,
		"a Kistler": "BioWare\nVersion: 5.3.2.9\nFile name: hop.dat\nSampling rate [Hz]:\t1000\n\nabs time " +
			"(s)\tFz Left\tFz Right\ns\tN\tN\n" + strings.ReplaceAll(body, ",", "\t"),
		"German":           "Proband;Mia Lund\nMasse;63,5\nAbtastrate;1000\n\nZeit (s);Fz Left;Fz Right\n" + german,
		"a trailing comma": "Rate,1000,\n,,\nTime,Fz Left,Fz Right,\n" + strings.ReplaceAll(body, "\n", ",\n"),
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, text)
			holds(t, rec, 1000, 6, want)
			clean(t, rec)
		})
	}
}

func TestALongTableIsAFrameForEveryMoment(t *testing.T) {
	want := map[string][]float64{"knee_x": {1.5, 2.5, 3.5}, "knee_z": {5, 6, 7}, "hip_y": {20, 21, none}}
	for name, text := range map[string]string{
		"by frame": "frame,time,keypoint,x,y,z\n0,0.00,knee,1.5,1,5\n0,0.00,hip,9,20,9\n1,0.01,knee,2.5,1,6\n" +
			"1,0.01,hip,9,21,9\n2,0.02,knee,3.5,1,7\n2,0.02,hip,NA,NA,NA\n",
		"by thing": "keypoint,time,x,y,z\nknee,0.00,1.5,1,5\nknee,0.01,2.5,1,6\nknee,0.02,3.5,1,7\n" +
			"hip,0.00,9,20,9\nhip,0.01,9,21,9\n",
		"a column alike": "frame,time,model,keypoint,x,y,z\n0,0.00,body,knee,1.5,1,5\n0,0.00,body,hip,9,20,9\n" +
			"1,0.01,body,knee,2.5,1,6\n1,0.01,body,hip,9,21,9\n2,0.02,body,knee,3.5,1,7\n",
		"axes as words": "time;point;axis;value\n0,00;knee;x;1,5\n0,00;knee;y;1\n0,00;knee;z;5\n0,00;hip;x;9\n" +
			"0,00;hip;y;20\n0,00;hip;z;9\n0,01;knee;x;2,5\n0,01;knee;y;1\n0,01;knee;z;6\n0,01;hip;x;9\n" +
			"0,01;hip;y;21\n0,01;hip;z;9\n0,02;knee;x;3,5\n0,02;knee;y;1\n0,02;knee;z;7\n",
	} {
		t.Run(name, func(t *testing.T) { holds(t, whole(t, text), 100, 3, want) })
	}
	// Those of a thing may fill more than the lines that are looked at beforehand.
	var b strings.Builder
	b.WriteString("time,sensor,acc\n")
	for _, sensor := range []string{"shank", "thigh"} {
		for i := range 3000 {
			fmt.Fprintf(&b, "%.2f,%s,%d.5\n", float64(i)/100, sensor, i)
		}
	}
	rec := whole(t, b.String())
	holds(t, rec, 100, 3000, map[string][]float64{"shank_acc": {0.5, 1.5}, "thigh_acc": {0.5, 1.5}})
	if _, err := read("time,sensor,acc\n0,a,1\n0,b,2\n0,a,3\n"); err == nil {
		t.Error("two rows of one sensor at one time are read")
	}
}

func TestWhatStandsAmongTheRowsAndAroundThemIsNoFrame(t *testing.T) {
	const names, body = "time,Fz\n", "0,1.5\n0.01,2.5\n0.02,3.5\n"
	for name, text := range map[string]string{
		"sums":                      names + body + "Mean,2.5\nSD,0.8\n",
		"a word nobody knows":       names + body + "Impulse,17\n",
		"sums without a name":       names + body + ",7.5\n",
		"means behind a blank line": names + body + "\n,2.5\n",
		"sums above":                names + "Mean,2.5\n" + body,
		"a remark":                  names + "0,1.5\n0.01,2.5\n# paused\n0.02,3.5\n",
		"a text":                    names + body + "\nGenerated by a tool\n",
		"another table":             names + body + "\ntime,knee\n0,31.5\n0.01,32.5\n",
		"the names again":           names + body + names + body,
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, text)
			holds(t, rec, 100, 3, map[string][]float64{"Fz": {1.5, 2.5, 3.5}})
			if !rec.Warnings.Has(quality.RowsSkipped) && !rec.Warnings.Has(quality.SectionsSkipped) {
				t.Errorf("warnings %v", rec.Warnings)
			}
		})
	}
	for name, text := range map[string]string{
		"a time in the middle that is a word": names + "0,1.5\nsoon,2.5\n0.02,3.5\n",
		"a time in the middle that is none":   names + "0,1.5\n,2.5\n0.02,3.5\n",
		"a time at the end that is none":      names + "0,1.5\n0.01,2.5\n,3.5\n",
		"a blank line":                        names + "0,1.5\n\n0.01,2.5\n0.02,3.5\n",
		"units behind a blank line":           "time,Fz\n\n(s),(N)\n" + body,
		"times of day without such a name":    "logged,Fz\n12:00:00.00,1.5\n12:00:00.01,2.5\n12:00:00.02,3.5\n",
		"an index of pandas":                  ",Fz,Fz\n,x,y\ntime,,\n0,9,9\n0.01,9,9\n0.02,9,9\n",
	} {
		t.Run(name, func(t *testing.T) {
			want := map[string][]float64{"Fz": {1.5, 2.5, 3.5}}
			if strings.HasPrefix(name, "an index") {
				want = map[string][]float64{"Fz_x": {9, 9, 9}, "Fz_y": {9, 9, 9}}
			}
			holds(t, whole(t, text), 100, 3, want)
		})
	}
}

func TestTimesOfDayAreRead(t *testing.T) {
	for form, start := range map[string]float64{
		"00:00:00.000 00:00:00.010 00:00:00.020": 0, "00:59.995 01:00.005 01:00.015": 59.995,
		"23:59:59.99 00:00:00.00 00:00:00.01":                                                       86399.99,
		"9:30:00.00_AM 9:30:00.01_AM 9:30:00.02_AM":                                                 34200,
		"2026-05-13T12:00:00.000Z 2026-05-13T12:00:00.010Z 2026-05-13T12:00:00.020Z":                1778673600,
		"2026-05-13T14:00:00.000+02:00 2026-05-13T14:00:00.010+02:00 2026-05-13T14:00:00.020+02:00": 1778673600,
		"12:00:00:010 12:00:00:020 12:00:00:030":                                                    43200.01,
		"5/13/2026_11:59:59.99_PM 5/14/2026_12:00:00.00_AM 5/14/2026_12:00:00.01_AM":                86399.99,
		"13.05.2026_12:00:00,000 13.05.2026_12:00:00,010 13.05.2026_12:00:00,020":                   1778673600,
	} {
		times := strings.Split(form, " ")
		text := "Time;Fz\n"
		for i, at := range times {
			text += fmt.Sprintf("%s;%d\n", strings.ReplaceAll(at, "_", " "), i)
		}
		rec := whole(t, text)
		holds(t, rec, 100, 3, map[string][]float64{"Fz": {0, 1, 2}})
		if math.Abs(rec.Start-start) > 1e-6 {
			t.Errorf("%s begins at %v s, want %v", form, rec.Start, start)
		}
	}
	rec := whole(t, "Time,Fz\nnoon,1\nlater,2\n")
	if rec.Rate != 0 || !rec.Warnings.Has(quality.TimesMissing) {
		t.Errorf("%v Hz, warnings %v", rec.Rate, rec.Warnings)
	}
}

func TestWhatIsNoMotionIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"people":           "id,first_name,height_cm,mass_kg\n000109,Mia,171,63.5\n000110,Ben,182,80.25\n",
		"people, numbers":  "participant,age,height,weight\n1,23,171,63.5\n2,25,182,80.25\n",
		"points":           "marker,x,y,z\nLASI,1,2,3\nRASI,4,5,6\n",
		"words":            "Marker,Description\nLASI,left anterior superior iliac spine\n",
		"events":           "Event,Time\nLeft Foot Strike,0.52\nLeft Foot Off,1.13\n",
		"a workbook":       "PK\x03\x04\x14\x00\x08\x00",
		"an older one":     "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"a page":           "<!DOCTYPE html>\n<p>1,2</p>\n",
		"JSON":             "{\"a\": [1, 2]}",
		"only gaps":        "time,Fz\n0,NA\n0.01,NA\n",
		"narrow names":     "A,B\n1,2,3\n4,5,6\n7,8,9\n",
		"names of R":       "\"time\",\"Fz\"\n\"1\",0,1.5\n\"2\",0.01,2.5\n",
		"mostly too short": "time,a,b,c\n0,1,2,3\n0.01,1,2\n0.02,1,2\n0.03,1,2\n",
		"mixed signs":      "time;a;b\n0;1.5;1,5\n1;1.234;2,5\n",
		"open thousands":   "Time,Fz\n0,\"1,234\"\n1,\"1,301\"\n2,998\n",
		"open points":      "Time;Fz\n0;1.234\n1;1.301\n2;998\n",
	} {
		rec, err := read(text)
		if err == nil {
			t.Errorf("%s: %d frames, %v", name, rec.Frames, numbers(rec))
		}
	}
}

package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/motion/quality"
)

// lines writes a line for each row.
func lines(head string, n int, row func(i int) string) string {
	var b strings.Builder
	b.WriteString(head + "\n")
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

func TestThingsOfALongTableMayBeNumbered(t *testing.T) {
	both := func(i int, lead string) string {
		return fmt.Sprintf("%s%d,0,%d.5,7.5\n%s%d,1,%d.75,8.5", lead, i, i, lead, i, i)
	}
	rec := whole(t, lines("frame,person_id,x,y", 5, func(i int) string { return both(i, "") }))
	holds(t, rec, 0, 5, map[string][]float64{"person 0_x": {0.5, 1.5, 2.5, 3.5, 4.5},
		"person 1_x": {0.75, 1.75, 2.75, 3.75, 4.75}, "person 1_y": {8.5, 8.5, 8.5, 8.5, 8.5}})
	rec = whole(t, lines("time,track,x,y", 4, func(i int) string {
		return fmt.Sprintf("%.2f,3,%d.5,7.5\n%.2f,8,%d.75,8.5", float64(i)/50, i, float64(i)/50, i)
	}))
	holds(t, rec, 50, 4, map[string][]float64{"track 3_x": {0.5, 1.5, 2.5, 3.5}, "track 8_x": {0.75, 1.75, 2.75, 3.75}})
	// The second one comes in only after many frames.
	rec = whole(t, lines("frame,person,x,y", 700, func(i int) string {
		if i < 600 {
			return fmt.Sprintf("%d,0,%d.5,7.5", i, i)
		}
		return both(i, "")
	}))
	if holds(t, rec, 0, 700, map[string][]float64{"person 0_x": {0.5, 1.5}}); numbers(rec)["person 1_x"][650] !=
		650.75 {
		t.Errorf("person 1 is at %v", numbers(rec)["person 1_x"][650])
	}
	// A column that counts the rows numbers nothing, and neither do words tell more than they did.
	rec = whole(t, lines("index,frame,keypoint,x,y", 4, func(i int) string {
		return fmt.Sprintf("%d,%d,nose,%d.5,1\n%d,%d,knee,%d.75,2", 2*i, i, i, 2*i+1, i, i)
	}))
	holds(t, rec, 0, 4, map[string][]float64{"knee_x": {0.75, 1.75, 2.75, 3.75}})
	rec = whole(t, lines("time,sample_index,emg",
		50, func(i int) string { return fmt.Sprintf("%.2f,%d,%d.5", float64(i/10)/100, i%10, i) }))
	if rec.Frames != 50 {
		t.Errorf("%d frames: samples were taken for things", rec.Frames)
	}
	if _, err := read(lines("frame,x,y", 6,
		func(i int) string { return fmt.Sprintf("%d,%d.5,1\n%d,%d.75,2", i, i, i, i) })); err == nil ||
		!strings.Contains(err.Error(), "the frame before") {
		t.Errorf("two rows of each frame, and nothing tells them apart: %v", err)
	}
}

func TestTimesThatCanBeSecondsOrThousandthsGiveNoRateInSilence(t *testing.T) {
	for head, want := range map[string]float64{"timestamp,ax": 0, "time,ax": 0, "t,ax": 0, "timestamp_ms,ax": 200,
		"boot_ms,ax": 200, "Elapsed (ms),ax": 200, "TimeMs,ax": 200,
		"Sample rate,200\n\ntime,ax": 200, "time (s),ax": 0.2} {
		rec := whole(t, lines(head, 300, func(i int) string { return fmt.Sprintf("%d,%d.5", 1000+5*i, i) }))
		if holds(t, rec, want, 300, map[string][]float64{"ax": {0.5, 1.5, 2.5}}); rec.Times != nil {
			t.Errorf("%q: times %v", head, rec.Times[:3])
		}
		if doubtful := rec.Warnings.Has(quality.TimeUnitUnknown); doubtful != (want == 0) {
			t.Errorf("%q: %v", head, rec.Warnings)
		}
		if want == 0 && numbers(rec)[strings.TrimSuffix(head, ",ax")][1] != 1005 {
			t.Errorf("%q: the column is not kept: %v", head, rec.Warnings)
		}
	}
	rec := whole(t, lines("time,hr", 60, func(i int) string { return fmt.Sprintf("%d,%d", i, 60+i) }))
	if rec.Rate != 1 || !rec.Warnings.Has(quality.TimeUnitUnknown) {
		t.Errorf("%v Hz, %v", rec.Rate, rec.Warnings)
	}
	// What something took is no clock.
	for _, name := range []string{"reaction_time_ms", "Contact Time (ms)", "hold_s"} {
		if rec := whole(t, lines("trial,"+name+",force",
			9, func(i int) string { return fmt.Sprintf("%d,%d,%d.5", i+1, 200+i, i) })); rec.Rate != 0 ||
			len(rec.Analogs) != 3 {
			t.Errorf("%s: %v Hz", name, rec.Rate)
		}
	}
	// Nanoseconds since the device was started keep all their digits.
	rec = whole(t, lines("timestamp,ax", 9,
		func(i int) string { return fmt.Sprintf("%d,%d.5", 49105962326000+50000000*i, i) }))
	if wide := rec.Analogs[1].Wide; rec.Rate != 0 || len(wide) != 9 || wide[1] != 49106012326000 {
		t.Errorf("%v Hz, %v", rec.Rate, wide)
	}
}

func TestTheClockOfXsensSensorsMayRunOverAndCountTenthsOfMilliseconds(t *testing.T) {
	rec := whole(t, lines("PacketCounter,SampleTimeFine,Acc_X", 30,
		func(i int) string { return fmt.Sprintf("%d,%d,%d.5", i, (1<<32-200000+20000*i)%(1<<32), i) }))
	if holds(t, rec, 50, 30, map[string][]float64{"Acc_X": {0.5, 1.5}}); rec.Times != nil || len(rec.Warnings) > 1 {
		t.Errorf("times %v, %v", rec.Times, rec.Warnings)
	}
	rec = whole(t, lines("PacketCounter,SampleTimeFine,Acc_X",
		30, func(i int) string { return fmt.Sprintf("%d,%d,%d.5", i, 5000+100*i, i) }))
	if holds(t, rec, 100, 30, nil); rec.Start != 0.5 {
		t.Errorf("from %v s", rec.Start)
	}
}

func TestCellsInQuotationMarksMayHaveLineEnds(t *testing.T) {
	rec := whole(t, "time,\"Force\n(N)\",note,\"Moment\r\n(Nm)\"\n0.1,1.5,,10.5\n0.2,2.5,\"he said \"\"go\"\"\n"+
		"7,8,and went\",20.5\n0.3,3.5,,30.5\n")
	holds(t, rec, 10, 3, map[string][]float64{"Force": {1.5, 2.5, 3.5}, "Moment": {10.5, 20.5, 30.5}})
	// A mark that nothing closes swallows no row.
	for _, odd := range []string{`"`, `"x`, `5"`, `x "y`} {
		rec, err := read("time,force,note\n0.1,1.5,\n0.2,2.5," + odd + "\n0.3,3.5,\n0.4,4.5,\"fine\"\n0.5,5.5,\n")
		if err != nil {
			t.Errorf("%q: %v", odd, err)
			continue
		}
		holds(t, rec, 10, 5, map[string][]float64{"force": {1.5, 2.5, 3.5, 4.5, 5.5}})
	}
}

func TestDecimalCommasBetweenCommasAreRefusedAndOneColumnOfThemIsRead(t *testing.T) {
	for _, text := range []string{
		lines("Zeit,Kraft", 9, func(i int) string { return fmt.Sprintf("0,%02d,%d,25", i, i) }),
		lines("frame,Kraft", 9, func(i int) string { return fmt.Sprintf("%d,%d,25", i, i) })} {
		if rec, err := read(text); err == nil {
			t.Errorf("read: %v, %v", numbers(rec), rec.Warnings)
		}
	}
	holds(t, whole(t, "Kraft (N)\n0,25\n-1,5\n+2,75\n"), 0, 3, map[string][]float64{"Kraft": {0.25, -1.5, 2.75}})
	if rec, err := read("Kraft\n1,234\n2,345\n3,456\n"); err == nil {
		t.Errorf("thousands or decimals: %v", numbers(rec))
	}
}

func TestNamesAndUnitsOfOtherSystemsAreRead(t *testing.T) {
	// Shimmer: units in a line of their own, with brackets in them; a time by its name.
	rec := whole(t, lines("\"sep=,\"\nS_A_Timestamp_Unix_CAL,S_A_Accel_X_CAL,\nms,m/(s^2),",
		9, func(i int) string { return fmt.Sprintf("%d,%d.5,", 1650000000000+20*i, i) }))
	if holds(t, rec, 50, 9, map[string][]float64{"S_A_Accel_X_CAL": {0.5, 1.5}}); rec.Start != 1.65e9 ||
		rec.Analogs[0].Unit != "m/(s^2)" {
		t.Errorf("from %v in %q", rec.Start, rec.Analogs[0].Unit)
	}
	// Noraxon: units behind commas.
	rec = whole(t, lines("\"time,s\",\"LT VLO,uV\"", 9,
		func(i int) string { return fmt.Sprintf("%.6f,%d.5", float64(i)/1500, i) }))
	if holds(t, rec, 1500, 9, map[string][]float64{"LT VLO": {0.5, 1.5}}); rec.Analogs[0].Unit != "uV" {
		t.Errorf("in %q", rec.Analogs[0].Unit)
	}
	// A TRC file that was saved as CSV.
	rec = whole(t, lines("Frame#,Time,RAnkle,,,LAnkle,,\n,,X1,Y1,Z1,X2,Y2,Z2", 9,
		func(i int) string { return fmt.Sprintf("%d,%.3f,%d.5,2,3,4,5,6", i+1, float64(i)/50, i) }))
	holds(t, rec, 50, 9, map[string][]float64{"RAnkle_x": {0.5, 1.5}, "LAnkle_z": {6, 6}})
	// Spreadsheets write per cent behind the number.
	rec = whole(t, lines("time,grade,hr", 9,
		func(i int) string { return fmt.Sprintf("%.1f,%d.5%%,120", float64(i)/10, i) }))
	if holds(t, rec, 10, 9, map[string][]float64{"grade": {0.5, 1.5}}); rec.Analogs[0].Unit != "%" {
		t.Errorf("in %q", rec.Analogs[0].Unit)
	}
	// Qualisys: a marker at the origin was not seen, wherever the names stand; analog channels.
	const head = "FREQUENCY\t100\nMARKER_NAMES\tA\tB\n"
	rec = whole(t, head+lines("Frame\tTime\tA X\tA Y\tA Z\tB X\tB Y\tB Z", 5, func(i int) string {
		return fmt.Sprintf("%d\t%.2f\t%d.5\t2\t3\t0.000\t0.000\t0.000", i+1, float64(i)/100, i)
	}))
	if holds(t, rec, 100, 5, map[string][]float64{"A_x": {0.5, 1.5}, "B_x": {none, none}}); rec.Unit != "mm" {
		t.Errorf("in %q", rec.Unit)
	}
	rec = whole(t, lines("FREQUENCY\t1000\nDATA_INCLUDED\tANALOG\nCHANNEL_NAMES\tA1\tA2\nCHANNEL_GAIN\t1\t1",
		5, func(i int) string { return fmt.Sprintf("%d.5\t2.25", i) }))
	holds(t, rec, 1000, 5, map[string][]float64{"A1": {0.5, 1.5}, "A2": {2.25, 2.25}})
	// Pose estimation in which nothing was found in the first frames.
	rec = whole(t, lines("scorer,DLC,DLC,DLC\nbodyparts,nose,nose,nose\ncoords,x,y,likelihood", 8, func(i int) string {
		if i < 4 {
			return fmt.Sprintf("%d,,,", i)
		}
		return fmt.Sprintf("%d,%d.5,2,0.9", i, i)
	}))
	holds(t, rec, 0, 8, map[string][]float64{"nose_x": {none, none, none, none, 4.5}})
	// Motive without a line of identifications, right below its settings.
	rec = whole(t, lines("Format Version,1.22,Take Name,t,Capture Frame Rate,100,Rotation Type,XYZ\n"+
		",,Marker,Marker,Marker,Marker,Marker,Marker\n,,A,A,A,B,B,B\n"+
		",,Position,Position,Position,Position,Position,Position\nFrame,Time,X,Y,Z,X,Y,Z",
		5, func(i int) string { return fmt.Sprintf("%d,%.2f,%d.5,2,3,4,5,6", i, float64(i)/100, i) }))
	holds(t, rec, 100, 5, map[string][]float64{"A_x": {0.5, 1.5}, "B_z": {6, 6}})
}

func TestTheTimeOfRecordingIsReadWhereItIsOneMoment(t *testing.T) {
	const table = "time,force\n0.00,1.5\n0.01,2.5\n0.02,3.5\n"
	at := func(milliseconds int) time.Time { return time.Date(2026, 5, 13, 9, 30, 2, milliseconds*1e6, time.UTC) }
	for above, want := range map[string]time.Time{
		"Take Name,t,Capture Start Time,2026-05-13 09.30.02.695 AM,Units,m": at(695),
		"StartTime:,2026-05-13_09:30:02_123":                                at(123),
		"TIME_STAMP,2026-05-13, 09:30:02.5":                                 at(500),
		"TIME_STAMP,2026-05-13, 09:30:02.5\t123.5":                          at(500),
		"Start Date,13.05.2026\nStart Time,09:30:02":                        at(0),
		"Test Date,13/05/2026\nTest Time,9:30:02 AM":                        at(0),
		"Date/Time:,\"5/13/2026 9:30:02 AM\"":                               at(0),
		"# recorded: 2026-05-13T11:30:02+02:00":                             at(0),
		"Recording time,2026-05-13T09:30:02.25Z":                            at(250),
		"Recording date,13 May 2026 09:30:02 UTC":                           at(0),
		"Date,2026-05-14\nTime,10:00:00\nStart time,2026-05-13 09:30:02":    at(0), // the clearest
		"Date,03/04/2026\nTime,09:30:02":                                    {},    // March or April
		"Capture Start Time,03/04/2026 09:30:02":                            {},
		"Date,13/05/2026":                                                   {}, // no time of day
		"Start Time 12:00:00\nStart Date,2026-05-13":                        {},
		"Export Date,2026-05-13 09:30:02":                                   {},
		"Date of birth,2001-05-13":                                          {},
		"Start time,2026-05-13 09:30:02\nRecorded,2026-05-14 09:30:02":      {}, // they differ
		"Start time,2026-05-13 25:30:02":                                    {},
		// an abbreviation that is no zone of its own
		"Start time,2026-05-13 09:30:02 CEST": {},
	} {
		rec, err := read(above + "\n\n" + table)
		if err != nil {
			t.Errorf("%q: %v", above, err)
			continue
		}
		if !rec.Recorded.Equal(want) {
			t.Errorf("%q: recorded %v, want %v", above, rec.Recorded, want)
		}
		zoned := strings.Contains(above, "Z") || strings.Contains(above, "UTC") || strings.Contains(above, "+02")
		if rec.Warnings.Has(quality.ZoneMissing) != (!want.IsZero() && !zoned) {
			t.Errorf("%q: %v", above, rec.Warnings)
		}
		if math.Abs(rec.Rate-100) > 1e-9 || rec.Frames != 3 {
			t.Errorf("%q: %d frames at %v Hz", above, rec.Frames, rec.Rate)
		}
	}
}

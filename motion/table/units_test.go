package table_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
)

func TestTheUnitSaysWhatThreeNumbersAre(t *testing.T) {
	const marker, plate = "LASI_x (mm),LASI_y (mm),LASI_z (mm)", "GRF_x (N),GRF_y (N),GRF_z (N)"
	for name, text := range map[string]string{
		"marker first": "time," + marker + "," + plate + "\n0,100,200,300,1,2,800\n0.01,100,200,300,1,2,800\n",
		"plate first":  "time," + plate + "," + marker + "\n0,1,2,800,100,200,300\n0.01,1,2,800,100,200,300\n",
		"a row of units": "time,GRF_x,GRF_y,GRF_z,LASI_x,LASI_y,LASI_z\ns,N,N,N,mm,mm,mm\n0,1,2,800,100,200,300\n" +
			"0.01,1,2,800,100,200,300\n",
	} {
		t.Run(name, func(t *testing.T) {
			rec := whole(t, text)
			clean(t, rec)
			if rec.Unit != "mm" || len(rec.Points) != 2 {
				t.Fatalf("%d points in %q", len(rec.Points), rec.Unit)
			}
			for _, p := range rec.Points {
				want := map[string]record.Point{"LASI": {Quantity: record.Position, Z: []float32{300}},
					"GRF": {Quantity: record.Force, Unit: "N", Z: []float32{800}}}[p.Name]
				if p.Quantity != want.Quantity || p.Unit != want.Unit || p.Z[1] != want.Z[0] {
					t.Errorf("%s is %s in %q, z %v", p.Name, p.Quantity, p.Unit, p.Z)
				}
			}
		})
	}
}

func TestAUnitThatIsNotKnownIsNoLength(t *testing.T) {
	rec := whole(t, "time,A_x (furlongs),A_y (furlongs),A_z (furlongs)\n0,1,2,3\n0.1,1,2,3\n")
	if p := rec.Points[0]; p.Quantity == record.Position || p.Unit != "furlongs" || p.Z[0] != 3 ||
		!rec.Warnings.Has(quality.UnitUnknown) {
		t.Errorf("%s in %q, %v; warnings %v", p.Quantity, p.Unit, p.Z, rec.Warnings)
	}
}

func TestPositionsInSeveralUnitsAreBroughtToThatOfTheFirst(t *testing.T) {
	rec := whole(t, "time,A_x (m),A_y (m),A_z (m),B_x (mm),B_y (mm),B_z (mm)\n0,1,2,3,900,0,-1\n0.1,1,2,3,900,,-1\n")
	b := rec.Points[1]
	if rec.Unit != "m" || rec.Points[0].Z[0] != 3 || b.Quantity != record.Position || b.X[0] != 0.9 ||
		b.Z[0] != -0.001 || !b.Missing(1) || !rec.Warnings.Has(quality.UnitsDiffer) {
		t.Errorf("in %q: %+v; warnings %v", rec.Unit, b, rec.Warnings)
	}
	// Results of a model stand before the markers, and are brought to their unit.
	const sections = "Model Outputs\n100\n,,Ann:CentreOfMass,,\nFrame,Sub Frame,X,Y,Z\n,,m,m,m\n1,0,0.1,0.2,0.9\n" +
		"2,0,0.1,0.2,0.9\n\n" +
		"Trajectories\n100\n,,Ann:LASI,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,100,200,300\n2,0,100,200,300\n"
	rec = whole(t, sections)
	if rec.Unit != "mm" || !rec.Warnings.Has(quality.UnitsDiffer) {
		t.Errorf("in %q; warnings %v", rec.Unit, rec.Warnings)
	}
	for _, p := range rec.Points {
		if want := map[string]float32{"CentreOfMass": 900, "LASI": 300}[p.Name]; p.Quantity != record.Position ||
			p.Z[1] != want {
			t.Errorf("%s is %s, z %v", p.Name, p.Quantity, p.Z)
		}
	}
}

func TestTimesAreReadInTheirUnit(t *testing.T) {
	for unit, second := range map[string]string{
		"s": "0.001", "seconds": "0.001", "ms": "1", "milliseconds": "1", "us": "1000", "µs": "1000",
		"microseconds": "1000", "ns": "1000000",
	} {
		for where, text := range map[string]string{
			"brackets": "Time (" + unit + "),Fz\n0,1\n" + second + ",2\n",
			"the row":  "Time,Fz\n" + unit + ",N\n0,1\n" + second + ",2\n",
		} {
			rec := whole(t, text)
			clean(t, rec)
			if rec.Frames != 2 || rec.Rate != 1000 {
				t.Errorf("%s in %s: %d frames at %v Hz", unit, where, rec.Frames, rec.Rate)
			}
		}
	}
	for name, text := range map[string]string{
		"its name": "time_us,Fz\n0,1\n1000,2\n", "a timestamp": "timestamp_ms,Fz\n0,1\n1,2\n",
		"a clock in ms": "timestamp,Fz\n1778673600000,1\n1778673600001,2\n",
		"a clock in µs": "timestamp,Fz\n1778673600000000,1\n1778673600001000,2\n",
	} {
		if rec := whole(t, text); math.Abs(rec.Rate-1000) > 0.5 || rec.Start > 1e10 {
			t.Errorf("%s: from %v s at %v Hz", name, rec.Start, rec.Rate)
		}
	}
	rec := whole(t, "time (fortnights),Fz\n0,1\n0.01,2\n")
	if rec.Rate != 100 || !rec.Warnings.Has(quality.TimeUnitUnknown) {
		t.Errorf("%v Hz; warnings %v", rec.Rate, rec.Warnings)
	}
	for _, unit := range []string{"samples", "frames", "ticks", "fortnights"} {
		rec := whole(t, lines("Time ("+unit+"),Fz", 20, func(i int) string { return fmt.Sprintf("%d,%d.5", i, i) }))
		if rec.Rate != 0 || rec.Times != nil || numbers(rec)["Time"][3] != 3 ||
			!rec.Warnings.Has(quality.TimeUnitUnknown) {
			t.Errorf("%s: %v Hz; warnings %v", unit, rec.Rate, rec.Warnings)
		}
	}
	for unit, want := range map[string]float64{"1/100 s": 100, "10 ms": 100, "1/60 sec.": 60, "0.01 s": 100,
		"100 us": 10000} {
		rec := whole(t, lines("Time ("+unit+"),Fz", 20, func(i int) string { return fmt.Sprintf("%d,%d.5", i, i) }))
		if clean(t, rec); math.Abs(rec.Rate-want) > 1e-9*want {
			t.Errorf("%s: %v Hz", unit, rec.Rate)
		}
	}
}

func TestARowInWhichNothingWasSeenIsAFrame(t *testing.T) {
	rec := whole(t, "A_x,A_y,A_z\n1,2,3\n,,\n7,8,9\n,,\n\n")
	if rec.Frames != 3 || !rec.Points[0].Missing(1) || rec.Points[0].Z[2] != 9 {
		t.Errorf("%d frames: %+v", rec.Frames, rec.Points)
	}
	if rec := whole(t, "A_x,A_y,A_z\n,,\nmm,mm,mm\n1,2,3\n"); rec.Frames != 1 {
		t.Errorf("%d frames below a row of units", rec.Frames)
	}
	// Where a column tells which row is which, a row without one is none.
	if rec := whole(t, "time,A_x,A_y,A_z\n0,1,2,3\n,,,\n0.1,7,8,9\n"); rec.Frames != 2 {
		t.Errorf("%d frames", rec.Frames)
	}
}

func TestNamesInQuotesAndBracketsComeBackAsTheyWere(t *testing.T) {
	rec := whole(t, "frame,time,\"x;y;z;w\",EMG (left),EMG (right),'=1\n0,0,1,2,3,4\n1,0.1,1,2,3,4\n")
	var names []string
	for _, c := range rec.Analogs {
		names = append(names, c.Name)
	}
	if got := strings.Join(names, "|"); got != "x;y;z;w|EMG (left)|EMG (right)|=1" {
		t.Errorf("names %s", got)
	}
	rec = whole(t, strings.NewReplacer("LASI", "'-LASI", "Fz", "Fz (1)").Replace(anExport))
	if rec.Points[0].Name != "-LASI" || rec.Analogs[0].Name != "Fz (1)" {
		t.Errorf("point %q, channel %q", rec.Points[0].Name, rec.Analogs[0].Name)
	}
}

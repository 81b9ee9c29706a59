package frames_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/table"
)

func small() *motion.Recording {
	return &motion.Recording{
		Rate: 100, Frames: 3, FirstFrame: 1, Unit: "mm", Metres: 0.001, Subjects: []string{"Ann"},
		Points: []record.Point{{Name: "LASI", Subject: "Ann", Quantity: record.Position, X: []float32{1, nan, 3},
			Y: []float32{0.25, nan, 0.5}, Z: []float32{1234.5, nan, -2}}},
		Analogs: []record.Channel{{Name: "Fz,1", Unit: "N", PerFrame: 2, Rate: 200,
			Values: []float32{1, 2, 3, 4, nan, 6}}},
		Events: []record.Event{{Label: "Foot Strike", Context: record.Left, Time: 0.011}, {Label: "late", Time: 9}},
		Metrics: []record.Metric{{Name: "Walking Speed", Context: record.Right, Subject: "Ann", Unit: "m/s",
			Description: "mean", Value: 1.25}},
	}
}

func TestWhatIsToldOfARecording(t *testing.T) {
	info, _, samples := write(t, small())
	raw, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"format":"c3d","rate":100,"frames":3,"first_frame":1,"start":0,"duration":0.03,"even":true,"unit":"mm","metres":0.001,` +
		`"channels":[{"name":"LASI","kind":"point","subject":"Ann","unit":"m","rate":100,"per_frame":1,"missing":33.3333,"columns":["LASI_x","LASI_y","LASI_z"]},` +
		`{"name":"Fz,1","kind":"analog","subject":null,"unit":"N","rate":200,"per_frame":2,"missing":16.6667,"columns":["Fz,1"]}],` +
		`"events":[{"label":"Foot Strike","context":"left","time":0.011,"frame":1,"subject":"","description":""},{"label":"late","context":"","time":9,"frame":null,"subject":"","description":""}],` +
		`"metrics":[{"name":"Walking Speed","context":"right","subject":"Ann","unit":"m/s","description":"mean","value":1.25}],` +
		`"warnings":[],"subjects":["Ann"],"bones":[],"up":"","unknown":[],"force_plates":[],"force_plate_zero":null,"computed":null,"video":null}`
	if string(raw) != want {
		t.Errorf("got\n%s, want\n%s", raw, want)
	}
	if samples.Rows() != 6 {
		t.Errorf("%d samples", samples.Rows())
	}
}

func TestAPartAsJSONAndCSV(t *testing.T) {
	info, tbl, _ := write(t, small())
	p, err := tbl.Part(info, 50, all(info), 0, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"session_id":"a\"b","rate":50,"from":0,"to":3,"every":2,"frames":2,"columns":{"frame":[0,2],"time":[0,0.04],` +
		`"LASI_x":[0.001,0.003],"LASI_y":[0.00025,0.0005],"LASI_z":[1.2345,-0.002],"Fz,1":[1,null]}}`
	if got := string(p.AppendJSON(nil, `a"b`)); got != want || !json.Valid([]byte(got)) {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got, want := string(p.AppendCSV(nil)),
		"frame,time,LASI_x,LASI_y,LASI_z,\"Fz,1\"\n0,0,0.001,0.00025,1.2345,1\n2,0.04,0.003,0.0005,-0.002,\n"; got !=
		want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

func TestAPartAsNumbers(t *testing.T) {
	info, tbl, _ := write(t, small())
	p, err := tbl.Part(info, 50, all(info), 0, 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	b := p.AppendBinary(nil, "a")
	n := int(binary.LittleEndian.Uint32(b[4:]))
	if want := `{"session_id":"a","rate":50,"from":0,"to":3,"every":2,"frames":2,"columns":["LASI_x","LASI_y","LASI_z","Fz,1"]}`; string(b[:4]) != "KBF1" || n%8 != 0 || strings.TrimRight(string(b[8:8+n]), " ") != want {
		t.Errorf("it begins with %q", b[:8+n])
	}
	b = b[8+n:]
	if first, second := math.Float64frombits(binary.LittleEndian.Uint64(b)),
		math.Float64frombits(binary.LittleEndian.Uint64(b[8:])); first != 0 || second != 0.04 {
		t.Errorf("times %v and %v", first, second)
	}
	for i, want := range []float32{0.001, 0.003, 0.00025, 0.0005, 1.2345, -0.002, 1, nan} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(b[16+4*i:])); got != want &&
			(got == got || want == want) {
			t.Errorf("number %d is %v, want %v", i, got, want)
		}
	}
	if rest := b[16+4*8:]; len(rest) != 8 || binary.LittleEndian.Uint32(rest) != 0 ||
		binary.LittleEndian.Uint32(rest[4:]) != 2 {
		t.Errorf("frames %v", rest)
	}
}

func TestBonesAreToldByTheNamesOfChannels(t *testing.T) {
	rec := small()
	rec.Points = append(rec.Points, record.Point{Name: "LASI", Subject: "Bob", Quantity: record.Position,
		X: []float32{1, 2, 3}, Y: []float32{1, 2, 3}, Z: []float32{1, 2, 3}})
	rec.Bones, rec.Up = [][2]int{{0, 1}}, "+z"
	info, _, _ := write(t, rec)
	if len(info.Bones) != 1 || info.Bones[0] != [2]string{"LASI", "LASI_2"} || info.Up != "+z" {
		t.Errorf("bones %v, up %q", info.Bones, info.Up)
	}
}

func BenchmarkPart(b *testing.B) {
	p := &frames.Part{Every: 1}
	for row := range 3333 {
		p.Frames, p.Time = append(p.Frames, int64(row)), append(p.Time, float64(row)/200)
	}
	for c := range 300 {
		values := make([]float32, len(p.Frames))
		for i := range values {
			values[i] = float32(math.Sin(float64(i)/40)) * float32(c)
		}
		p.Names, p.Columns = append(p.Names, "c"), append(p.Columns, frames.Numbers{Narrow: values})
	}
	for name, encode := range map[string]func([]byte) []byte{
		"JSON": func(b []byte) []byte { return p.AppendJSON(b, "a") }, "CSV": p.AppendCSV,
		"binary": func(b []byte) []byte { return p.AppendBinary(b, "a") },
	} {
		b.Run(name, func(b *testing.B) {
			var room []byte
			for b.Loop() {
				room = encode(room[:0])
			}
			b.SetBytes(int64(len(room)))
		})
	}
}

func TestACorrectedRateStretchesWhatTheFileTimes(t *testing.T) {
	info, _, _ := write(t, small())
	info.Start = 2
	c := info.Corrected(50)
	if *c.Rate != 50 || c.Start != 4 || c.Duration != 0.06 || c.Events[0].Time != 0.022 || *c.Channels[1].Rate != 100 ||
		*c.Channels[0].Rate != 50 {
		t.Errorf("%+v", c)
	}
	if *info.Rate != 100 || info.Events[0].Time != 0.011 || *info.Channels[1].Rate != 200 {
		t.Errorf("the info itself was changed: %+v", info)
	}
	if same := info.Corrected(0); *same.Rate != 100 || same.Start != 2 {
		t.Errorf("%+v", same)
	}
}

func TestNoNameInCSVIsRunByASpreadsheet(t *testing.T) {
	rec := &motion.Recording{Rate: 100, Frames: 1, FirstFrame: 1}
	names := []string{"=HYPERLINK(1,2)", "+1", "-x", "@SUM", "a=b", "'x", " -y", "-\"q\""}
	for _, name := range names {
		rec.Analogs = append(rec.Analogs, record.Channel{Name: name, PerFrame: 1, Values: []float32{-1}})
	}
	const want = `frame,time,"'=HYPERLINK(1,2)",'+1,'-x,'@SUM,a=b,'x," -y","'-""q"""` +
		"\n0,0,-1,-1,-1,-1,-1,-1,-1,-1\n"
	var whole bytes.Buffer
	if err := frames.WriteCSV(&whole, motion.C3D, 1, memory{rec}); err != nil || whole.String() != want {
		t.Errorf("%v: got\n%s, want\n%s", err, whole.String(), want)
	}
	info, tbl, _ := write(t, rec)
	p, err := tbl.Part(info, 0, all(info), 0, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.AppendCSV(nil)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := string(p.AppendJSON(nil, "a")); !strings.Contains(got, `"=HYPERLINK(1,2)":[-1]`) ||
		strings.Contains(got, `"'-x"`) {
		t.Errorf("as JSON: %s", got)
	}
}

func TestTheCSVOfARecordingIsReadBackAsATableInEveryLocale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := recordings(t)
		rec.Rotations, rec.Unit, rec.Metres = nil, "m", 1
		if rec.Frames < 2 || len(rec.Points)+len(rec.Angles)+len(rec.Analogs) == 0 {
			t.Skip("nothing to read")
		}
		var out bytes.Buffer
		if err := frames.WriteCSV(&out, motion.C3D, rec.Frames, memory{rec}); err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "decimal comma") {
			frames.NewRespeller(nil).Change(out.Bytes())
		}
		info, _, _ := write(t, rec)
		back, err := table.Read(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatalf("%v of\n%s", err, out.Bytes()[:min(300, out.Len())])
		}
		values, per := columnsOf(rec)
		got, _ := columnsOf(back)
		// Three columns in a row that are called alike become a point, wherever they came
		// from, so the columns are compared by their names.
		byName := map[string]frames.Numbers{}
		at := 0
		for i := range back.Points {
			for _, axis := range []string{"_x", "_y", "_z"} {
				byName[back.Points[i].Label()+axis] = got[at]
				at++
			}
		}
		for _, channels := range [][]record.Channel{back.Angles, back.Analogs} {
			for _, c := range channels {
				byName[c.Name] = got[at]
				at++
			}
		}
		at = 0
		for _, c := range info.Channels {
			for _, name := range c.Columns {
				read, ok := byName[strings.TrimSpace(name)]
				if !ok || read.Len() != rec.Frames {
					t.Fatalf("column %q did not come back: there are %d", name, len(byName))
				}
				for f := range rec.Frames {
					want := values[at].At(f * per[at])
					// Digits that mean nothing, by the rule of package text, are rounded off: to the
					// next number where the decimal lies in the middle between two.
					got := read.At(f)
					rounded := float32(want)
					near := float32(got) == rounded ||
						float32(got) == math.Nextafter32(rounded, float32(math.Inf(1))) ||
						float32(got) == math.Nextafter32(rounded, float32(math.Inf(-1)))
					if !same(got, want) && !(values[at].Wide != nil && near) &&
						!(read.Wide != nil && got == frames.Widen(rounded)) {
						t.Fatalf("%s in row %d is %v, want %v", name, f, read.At(f), want)
					}
				}
				at++
			}
		}
	})
}

func TestUnevenFramesLastFromTheEarliestToTheLatest(t *testing.T) {
	for _, rate := range []float64{0, 100} {
		rec := small()
		rec.Rate, rec.Start, rec.Times = rate, 2, []float64{2, 2.01, 11}
		info, _, _ := write(t, rec)
		if info.Duration != 9 || info.Even {
			t.Errorf("with %v Hz stated they last %v s, want 9; even: %v", rate, info.Duration, info.Even)
		}
		if c := info.Corrected(50); c.Duration != 0.06 || !c.Even {
			t.Errorf("with %v Hz stated and 50 Hz corrected they last %v s, want 0.06; even: %v", rate, c.Duration,
				c.Even)
		}
	}
}

func TestEventsOutsideUnevenFramesKeepTheirTimesHoweverTheRateIsCorrected(t *testing.T) {
	rec := small()
	rec.Times, rec.Rate = []float64{0, 0.01, 0.04}, 0
	info, _, _ := write(t, rec)
	info.Format = string(motion.STO)
	c := info.Corrected(50)
	if c.Events[0].Time != 0.02 || *c.Events[0].Frame != 1 || c.Events[1].Time != 9 || c.Events[1].Frame != nil {
		t.Errorf("%+v", c.Events)
	}
}

func TestTheSamplesOfTheLastUnevenFrameFollowIt(t *testing.T) {
	rec := small()
	rec.Start, rec.Times = 2, []float64{2, 2.01, 11}
	_, _, samples := write(t, rec)
	scan, err := samples.Scan([]string{"Fz,1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := scan.Read(0); err != nil {
		t.Fatal(err)
	}
	want := []float64{2, 2.005, 2.01, 6.505, 11, 11.005}
	for i, at := range scan.Time {
		if math.Abs(at-want[i]) > 1e-9 {
			t.Errorf("the samples are at %v s, want %v", scan.Time, want)
			break
		}
	}
}

// precise is a recording of numbers that 32 bits cannot hold, beside others.
func precise() *motion.Recording {
	rec := small()
	for i := range 3 {
		rec.Points[0].X[i], rec.Points[0].Y[i], rec.Points[0].Z[i] = 1, 2, 3
	}
	clock := []float64{1778664600123, math.NaN(), 1778664600124}
	c := record.Channel{Name: "UTC ms", PerFrame: 1, Wide: clock}
	for _, v := range clock {
		c.Values = append(c.Values, float32(v))
	}
	rec.Analogs = append(rec.Analogs, c)
	north := []float64{5812345250, 5812345500, 5812345750}
	p := record.Point{Name: "gps", Quantity: record.Position, Wide: &[3][]float64{north, {1, 2, 3}, {0.25, 0.5, 0.75}},
		X: make([]float32, 3), Y: []float32{1, 2, 3}, Z: []float32{0.25, 0.5, 0.75}}
	for i, v := range north {
		p.X[i] = float32(v)
	}
	rec.Points = append(rec.Points, p)
	return rec
}

func TestWhatThirtyTwoBitsCannotHoldIsGivenOutWithAllItsDigits(t *testing.T) {
	info, tbl, _ := write(t, precise())
	if got := fmt.Sprint(info.Channels[0].Bits, info.Channels[1].Bits, info.Channels[2].Bits,
		info.Channels[3].Bits); got != "0 64 0 64" {
		t.Errorf("the channels have %s bits", got)
	}
	p, err := tbl.Part(info, 0, []string{"UTC ms", "LASI_x", "gps_x"}, 0, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(p.AppendCSV(nil)),
		"frame,time,UTC ms,LASI_x,gps_x\n0,0,1778664600123,0.001,5812345.25\n1,0.01,,0.001,5812345.5\n"+
			"2,0.02,1778664600124,0.001,5812345.75\n"; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got, want := string(p.AppendJSON(nil, "a")),
		`"UTC ms":[1778664600123,null,1778664600124],"LASI_x":[0.001,0.001,0.001],"gps_x":[5812345.25,5812345.5,5812345.75]}}`; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	b := p.AppendBinary(nil, "a")
	n := int(binary.LittleEndian.Uint32(b[4:]))
	if want := `"columns":["UTC ms","LASI_x","gps_x"],"wide":{"UTC ms":[1778664600123,null,1778664600124],"gps_x":[5812345.25,5812345.5,5812345.75]}}`; !strings.HasSuffix(strings.TrimRight(string(b[8:8+n]), " "), want) {
		t.Errorf("the head is %s", b[8:8+n])
	}
	if want := 8 + n + 3*(8+4*3+4); len(b) != want || math.Float32frombits(binary.LittleEndian.Uint32(b[8+n+3*8:])) !=
		float32(1778664600123) {
		t.Errorf("%d bytes, want %d, and first of all the rounded number", len(b), want)
	}
}

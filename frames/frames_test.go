package frames_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/record"
)

func TestEveryNumberOfARecordingIsReadBackFromItsTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := recordings(t)
		info, table, samples := write(t, rec)
		values, per := columnsOf(rec)
		names := all(info)
		if len(names) != len(values) || table.Rows() != rec.Frames || fmt.Sprint(table.Columns()) != fmt.Sprint(names) {
			t.Fatalf("%d columns %q and %d rows, want %d and %d", len(names), table.Columns(), table.Rows(),
				len(values), rec.Frames)
		}
		seen := map[string]bool{}
		for _, name := range append(append([]string{}, frames.Reserved...), names...) {
			if seen[name] {
				t.Fatalf("the name %q is there twice in %q", name, names)
			}
			seen[name] = true
		}
		scan, err := table.Scan(names)
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for g := range table.Groups() {
			if err := scan.Read(g); err != nil {
				t.Fatal(err)
			}
			for i := range scan.Time {
				if want := rec.Time(row); (rec.Rate > 0 || rec.Times != nil || row == 0) && scan.Time[i] != want {
					t.Fatalf("row %d is at %v s, want %v", row, scan.Time[i], want)
				}
				for c := range names {
					if got, want := scan.Columns[c].At(i), values[c].At(row*per[c]); !same(got, want) {
						t.Fatalf("row %d of %s is %v, want %v", row, names[c], got, want)
					}
				}
				row++
			}
		}
		if row != rec.Frames {
			t.Fatalf("%d rows were read, want %d", row, rec.Frames)
		}
		checkSamples(t, info, samples, rec, values, per)
		checkMissing(t, info, values)
	})
}

func checkSamples(t *rapid.T, info frames.Info, samples *frames.Table, rec *motion.Recording, values []frames.Numbers,
	per []int) {
	most := 1
	for _, p := range per {
		most = max(most, p)
	}
	if (samples != nil) != (most > 1) {
		t.Fatalf("samples: %v, with %d a frame", samples != nil, most)
	}
	if samples == nil {
		return
	}
	if samples.Rows() != rec.Frames*most || samples.PerFrame() != most {
		t.Fatalf("%d rows of samples, %d a frame; want %d, %d", samples.Rows(), samples.PerFrame(), rec.Frames*most,
			most)
	}
	names := all(info)
	for c, name := range names {
		if per[c] == 1 {
			continue
		}
		scan, err := samples.Scan([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for g := range samples.Groups() {
			if err := scan.Read(g); err != nil {
				t.Fatal(err)
			}
			for i := range scan.Columns[0].Len() {
				got = append(got, scan.Columns[0].At(i))
			}
		}
		next := 0
		for i, v := range got {
			sample := i % most
			if sample*per[c]%most != 0 && most%per[c] == 0 {
				if v == v {
					t.Fatalf("%s has %v between its samples", name, v)
				}
				continue
			}
			if most%per[c] == 0 {
				if want := values[c].At(next); !same(v, want) {
					t.Fatalf("sample %d of %s is %v, want %v", next, name, v, want)
				}
				next++
			}
		}
	}
}

func checkMissing(t *rapid.T, info frames.Info, values []frames.Numbers) {
	at := 0
	for _, c := range info.Channels {
		missing, count := 0, 0
		for range c.Columns {
			for i := range values[at].Len() {
				if v := values[at].At(i); v != v {
					missing++
				}
			}
			count += values[at].Len()
			at++
		}
		want := 0.0
		if count > 0 {
			want = 100 * float64(missing) / float64(count)
		}
		if math.Abs(c.Missing-want) > 0.0001 || (c.Missing == 0) != (missing == 0) {
			t.Fatalf("%v %% of %s are missing, want %v", c.Missing, c.Name, want)
		}
	}
}

func TestAPartIsTheRowsThatWereAskedForInMetres(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := recordings(t)
		info, table, _ := write(t, rec)
		values, per := columnsOf(rec)
		from := rapid.IntRange(0, rec.Frames).Draw(t, "from")
		to := rapid.IntRange(from, rec.Frames).Draw(t, "to")
		every := rapid.IntRange(1, 9).Draw(t, "every")
		rate := rapid.SampledFrom([]float64{0, 240}).Draw(t, "corrected")
		names := all(info)
		p, err := table.Part(info, rate, names, from, to, every)
		if err != nil {
			t.Fatal(err)
		}
		at, row := 0, from
		shown := info.Corrected(rate)
		for ; row < to; at, row = at+1, row+every {
			if p.Frames[at] != int64(row) {
				t.Fatalf("row %d is %d", row, p.Frames[at])
			}
			if want := shown.Start + float64(row)/240; rate > 0 && p.Time[at] != want {
				t.Fatalf("row %d is at %v s, want %v", row, p.Time[at], want)
			}
			c := 0
			for _, ch := range info.Channels {
				for place := range ch.Columns {
					want := values[c].At(row * per[c])
					if ch.Kind == frames.KindPoint || ch.Kind == frames.KindRotation && place < 12 && place%4 == 3 {
						if want *= 0.001; values[c].Wide == nil {
							want = float64(float32(want))
						}
					}
					if got := p.Columns[c].At(at); !same(got, want) || ch.Wide() != (values[c].Wide != nil) {
						t.Fatalf("%s in row %d is %v, want %v", names[c], row, got, want)
					}
					c++
				}
			}
		}
		if at != len(p.Frames) {
			t.Fatalf("%d rows, want %d", len(p.Frames), at)
		}
		var out bytes.Buffer
		if err := p.WriteParquet(&out); err != nil {
			t.Fatal(err)
		}
		again, err := frames.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		back, err := again.Part(frames.Info{}, 0, names, 0, again.Rows(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for c := range names {
			for i := range back.Columns[c].Len() {
				if got, want := back.Columns[c].At(i), p.Columns[c].At(i); !same(got, want) {
					t.Fatalf("as Parquet %s is %v, want %v", names[c], got, want)
				}
			}
		}
	})
}

func TestALargeTableIsReadInGroups(t *testing.T) {
	const n = 60_000
	rec := &motion.Recording{Frames: n, Rate: 200, Unit: "m", Metres: 1}
	for i := range 40 {
		v := make([]float32, n)
		for f := range v {
			v[f] = float32(math.Sin(float64(f*(i+1)) / 1000))
		}
		rec.Analogs = append(rec.Analogs, record.Channel{Name: fmt.Sprint("c", i), PerFrame: 1, Values: v})
	}
	info, table, _ := write(t, rec)
	if len(table.Groups()) < 2 {
		t.Fatalf("%d groups hold %d rows", len(table.Groups()), n)
	}
	p, err := table.Part(info, 0, []string{"c39", "c0"}, 7, n, 13)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range p.Frames {
		if f != int64(7+13*i) || p.Columns[0].Narrow[i] != rec.Analogs[39].Values[f] ||
			p.Columns[1].Narrow[i] != rec.Analogs[0].Values[f] {
			t.Fatalf("row %d: frame %d, %v, %v", i, f, p.Columns[0].Narrow[i], p.Columns[1].Narrow[i])
		}
	}
}

func TestMetricsBecomeColumnsThatGiveWayToTheChannels(t *testing.T) {
	rec := small()
	rec.Points[0].Name, rec.Points[0].Subject = "left_step", ""
	rec.Analogs[0].Name = "left_cadence"
	rec.Metrics = []record.Metric{
		{Name: "Step Length", Context: record.Left}, {Name: "Cadence", Context: record.Left},
		{Name: "Foot Strike", Context: record.Left}, {Name: "Cadence", Context: "LEFT"},
		{Name: "Mass", Context: record.General}, {Name: "time"}, {Name: "%"}, {Name: "Step x", Context: record.Left},
	}
	info, _, _ := write(t, rec)
	var names []string
	for _, m := range info.MetricColumns() {
		names = append(names, m.Name)
	}
	if want := []string{"left_step_length", "left_cadence_2", "left_foot_strike", "left_cadence_3", "mass", "time_2",
		"metric", "left_step_x_2"}; !slices.Equal(names, want) {
		t.Errorf("the metrics are called %q, want %q", names, want)
	}
	if events := info.EventColumns(); len(events) != 1 || events[0].Name != "left_foot_strike" {
		t.Errorf("beside metrics the events are %+v", events)
	}
	// What was stored before there were metrics has none.
	var old frames.Info
	if err := json.Unmarshal([]byte(`{"format":"c3d","frames":3,"events":[]}`), &old); err != nil ||
		len(old.MetricColumns()) != 0 || old.Frames != 3 {
		t.Errorf("%+v, %v", old, err)
	}
}

func TestAMetricThatWasComputedSaysByWhichVersionsItWasFound(t *testing.T) {
	height := 0.3
	info := frames.Info{Computed: &frames.Computed{Library: "3f9c0a71b2de",
		Metrics: []frames.ComputedMetric{{Column: "jump_height", Value: &height, Method: "jump.force.impulse",
			Version: 2}}}}
	if got, want := info.MetricColumns()[0].Metric.Description,
		"computed by jump.force.impulse version 2 of library 3f9c0a71b2de"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNoNumberThatWasComputedIsLostToAChannelOfItsName(t *testing.T) {
	rec := small()
	rec.Analogs[0].Name = "jump_height"
	rec.Points[0].Name, rec.Points[0].Subject = "squat", ""
	rec.Metrics = []record.Metric{{Name: "Take-off velocity"}, {Name: "Squat x"}}
	info, _, _ := write(t, rec)
	one := 1.0
	info.Computed = &frames.Computed{}
	for _, name := range []string{"jump_height", "jump_height_2", "take_off_velocity", "squat_x", "squat_y",
		"peak_power"} {
		info.Computed.Metrics = append(info.Computed.Metrics, frames.ComputedMetric{Column: name, Value: &one})
	}
	var names []string
	for _, m := range info.MetricColumns() {
		names = append(names, m.Name)
	}
	// A metric of the file stays the only one of its name.
	if want := []string{"take_off_velocity", "squat_x_2", "jump_height_3", "jump_height_2", "squat_y_2",
		"peak_power"}; !slices.Equal(names, want) {
		t.Errorf("the metrics are called %q, want %q", names, want)
	}
}

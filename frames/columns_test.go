package frames_test

import (
	"slices"
	"testing"

	"github.com/kinebase/kinebase/frames"
)

func TestTheColumnsOfARecordingHaveTheNamesOfItsRowsWithKindAndUnit(t *testing.T) {
	at, text, height := 3, "left", 0.3
	info := frames.Info{
		Frames: 10,
		Channels: []frames.Channel{
			{Name: "LASI", Kind: frames.KindPoint, Unit: "m", Columns: []string{"LASI_x", "LASI_y", "LASI_z"}},
			{Name: "Fz1", Kind: frames.KindAnalog, Unit: "N", Columns: []string{"Fz1"}},
		},
		Events: []frames.Event{{Label: "Strike", Context: "left", Time: 0.1, Frame: &at},
			{Label: "Outside", Time: 99}},
		Metrics: []frames.Metric{{Name: "Cadence", Unit: "1/min"}},
		Computed: &frames.Computed{Metrics: []frames.ComputedMetric{{Column: "jump_height", Unit: "m", Value: &height},
			{Column: "side", Text: &text}, {Column: "none"}},
			Events: []frames.ComputedEvent{{Column: "takeoff", Frame: 4}}},
	}
	got := info.Columns()
	want := []frames.Column{
		{"LASI_x", "point", "m"}, {"LASI_y", "point", "m"}, {"LASI_z", "point", "m"}, {"Fz1", "analog", "N"},
		{"left_strike", "event", ""}, {"takeoff", "event", ""}, {"cadence", "metric", "1/min"},
		{"jump_height", "metric", "m"}, {"side", "text", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	for _, c := range got {
		if !slices.Contains(frames.ColumnKinds, c.Kind) {
			t.Errorf("%s is of the kind %s, which nobody can ask for", c.Name, c.Kind)
		}
	}
}

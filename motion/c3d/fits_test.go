package c3d_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

func TestWhatThirtyTwoBitsWouldChangeIsNotWrittenAsC3D(t *testing.T) {
	narrow := func(wide []float64) []float32 {
		values := make([]float32, len(wide))
		for i, v := range wide {
			values[i] = float32(v)
		}
		return values
	}
	for _, c := range []struct {
		name    string
		wide    []float64
		refused bool
	}{
		{"n", []float64{16777216, 16777217}, true},
		{"n", []float64{16777216, 16777218}, false},
		{"Latitude", []float64{52.4862431, 52.4862441}, true},
		{"activation", []float64{0.0052359877559829881, 0.0052359877559829882}, false},
	} {
		rec := &record.Recording{Rate: 100, Frames: 2, FirstFrame: 1,
			Analogs: []record.Channel{{Name: c.name, PerFrame: 1, Wide: c.wide, Values: narrow(c.wide)}}}
		if err := c3d.Write(&bytes.Buffer{}, rec); (err != nil) != c.refused || err != nil &&
			!strings.Contains(err.Error(), c.name) {
			t.Errorf("%s %v: %v", c.name, c.wide, err)
		}
	}
	for _, c := range []struct {
		metres, north float64
		refused       bool
	}{{1, 5812345.25, true}, {0.001, 5812345.25, true}, {1, 123.4567891, false}, {0, 5812345.25, false}} {
		wide := []float64{c.north, c.north}
		p := record.Point{Name: "A", Quantity: record.Position, Wide: &[3][]float64{wide, wide, wide}, X: narrow(wide),
			Y: narrow(wide), Z: narrow(wide)}
		rec := &record.Recording{Rate: 100, Frames: 2, FirstFrame: 1, Metres: c.metres, Points: []record.Point{p}}
		if err := c3d.Write(&bytes.Buffer{}, rec); (err != nil) != c.refused {
			t.Errorf("%v in units of %v m: %v", c.north, c.metres, err)
		}
	}
}

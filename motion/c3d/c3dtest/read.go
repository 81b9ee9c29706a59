package c3dtest

import (
	"bytes"
	"testing"

	"github.com/kinebase/kinebase/motion/c3d"
	"github.com/kinebase/kinebase/motion/record"
)

// Read gives the recording in a file.
func Read(t testing.TB, file []byte) *record.Recording {
	t.Helper()
	rec, err := c3d.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Measured gives the channels of one of the recording's platforms: their units and their samples.
func Measured(rec *record.Recording, p record.Plate) (units []string, samples [][]float64) {
	for _, at := range p.Channels {
		c := rec.Analogs[at]
		values := make([]float64, len(c.Values))
		for i, v := range c.Values {
			values[i] = float64(v)
		}
		units, samples = append(units, c.Unit), append(samples, values)
	}
	return units, samples
}

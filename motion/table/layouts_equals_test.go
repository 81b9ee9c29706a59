package table_test

import (
	"strings"
	"testing"
)

func TestValuesBehindAnEqualsSignAreNoNames(t *testing.T) {
	for _, sep := range []string{"\t", ",", ";"} {
		text := strings.ReplaceAll("Interval=|0.001 s\nChannelTitle=|Force|EMG\nRange=|10 N|1 mV\n0.000|1.5|0.25\n"+
			"0.001|2.5|0.5\n0.002|3.5|0.75\n", "|", sep)
		if rec, err := read(text); err == nil {
			t.Errorf("read with the names %q", rec.Analogs[0].Name)
		}
	}
}

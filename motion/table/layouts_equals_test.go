package table_test

import (
	"strings"
	"testing"
)

// What stands behind an equals sign is the value of a setting. The titles of channels alone are names, where
// there are as many as channels.
func TestValuesBehindAnEqualsSignAreNoNames(t *testing.T) {
	rows := "Range=|10 N|1 mV\n0.000|1.5|0.25\n0.001|2.5|0.5\n0.002|3.5|0.75\n"
	for _, sep := range []string{"\t", ",", ";"} {
		for titles, good := range map[string]bool{"ChannelTitle=|Force|EMG": true, "ChannelTitle=|Force": false,
			"ChannelTitle=|Force|EMG|Gate": false, "ChannelTitle=|Force|": false, "Titles=|Force|EMG": false} {
			rec, err := read(strings.ReplaceAll("Interval=|0.001 s\n"+titles+"\n"+rows, "|", sep))
			switch {
			case err != nil && good:
				t.Errorf("%q: %v", titles, err)
			case err == nil && !good:
				t.Errorf("%q: read with the names %q", titles, rec.Analogs[0].Name)
			case good && (rec.Rate != 1000 || rec.Frames != 3 || rec.Analogs[0].Name != "Force" ||
				rec.Analogs[1].Name != "EMG" || rec.Analogs[1].Values[2] != 0.75):
				t.Errorf("%q: %+v", titles, rec)
			}
		}
	}
}

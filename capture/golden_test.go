package capture

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the rows of this version")

// TestRowsOfAVersionNeverLookOtherwise holds what AppendJSON writes to the file of its version: whoever
// changes the bytes raises RowVersion, adds the migration that makes the index of outdated rows for it, and
// runs this test with -update.
func TestRowsOfAVersionNeverLookOtherwise(t *testing.T) {
	at := time.Date(2026, 5, 13, 12, 0, 0, 123456789, time.FixedZone("", 7200))
	rate, text := 59.94, "a \"quoted\" <text>  é 🦵"
	var b bytes.Buffer
	for _, status := range Statuses {
		for i, c := range []Capture{
			{SessionID: "s_1"},
			{SessionID: text, CaptureTime: &at, Error: &text, FPSDetected: &rate, Activity: &text},
		} {
			c.Status = status
			b.Write(append(c.AppendJSON(nil, []string{"", "0190a0b0-0000-7000-8000-000000000001"}[i]), '\n'))
		}
	}
	for _, pair := range Pairs() {
		c := Capture{SessionID: "s", Activity: &pair[0], Movement: &pair[1], Status: Completed,
			Dimensions: map[string]string{}}
		for _, name := range Dimensions(pair[0], pair[1]) {
			c.Dimensions[name] = "a " + name
		}
		b.Write(append(c.AppendJSON(nil, ""), '\n'))
	}
	path := fmt.Sprintf("testdata/rows%d.txt", RowVersion)
	if *update {
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s is there: raise RowVersion first", path)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("rows look otherwise than those of version %d, which stores have kept: raise RowVersion\n%s",
			RowVersion, b.Bytes())
	}
}

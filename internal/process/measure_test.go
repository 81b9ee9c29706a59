package process_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/upload"
)

// standing is a recording of somebody who stands on a platform, whose one channel has this
// unit.
func standing(t *testing.T, unit string) upload.File {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "time (s),Fz (%s)\n", unit)
	for i := range 500 {
		fmt.Fprintf(&b, "%.3f,%.2f\n", float64(i)/1000, 700+math.Sin(float64(i)))
	}
	return fileOf(t, "standing.csv", b.String())
}

// fileOf is a file of that text, which is closed when the test ends.
func fileOf(t *testing.T, name, text string) upload.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return file{f}
}

func TestARecordingIsMeasuredInAReader(t *testing.T) {
	r := runner(t)
	read, err := r.Read(t.Context(), lab, upload.Source{Name: "standing.csv"}, standing(t, "N"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	for labels, code := range map[upload.Measured]string{
		{Activity: "jump", Movement: "countermovement"}:            movement.NoFlight,
		{Activity: "jump", Movement: "countermovement", Rate: 100}: movement.RateTooLow,
		{Activity: "jump", Movement: "broad"}:                      movement.LandmarkMissing,
		{Activity: "jump", Movement: "contermovement"}:             movement.UnknownMovement,
		{Activity: "basketball", Movement: "layup"}:                movement.HandednessUnknown,
		{Activity: "golf", Movement: "swing"}:                      movement.HandednessUnknown,
		{Activity: "golf", Movement: "swing", Handedness: "left"}:  movement.LandmarkMissing,
		{Activity: "jump"}: movement.NoMovement,
	} {
		raw, err := r.Measure(t.Context(), lab, labels, read.Info, read.Table, read.Samples)
		if err != nil {
			t.Fatal(err)
		}
		var info frames.Info
		if err := json.Unmarshal(raw, &info); err != nil || info.Frames != 500 {
			t.Fatalf("%v %s", err, raw)
		}
		switch c := info.Computed; {
		case c != nil && c.Reason != nil && c.Reason.Code == code && len(c.Withheld) == 0:
		case c != nil && len(c.Withheld) > 0 && c.Withheld[0].Code == code:
		default:
			t.Errorf("as %+v it is %+v, want %q", labels, c, code)
		}
	}
}

func TestARecordingThatEndsItsReaderHasNoValuesAndTheReason(t *testing.T) {
	r := runner(t)
	read, err := r.Read(t.Context(), lab, upload.Source{Name: "standing.csv"}, standing(t, "N"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	crash := []byte(strings.Replace(string(read.Info), `"unit":"N"`, `"unit":"crash"`, 1))
	raw, err := r.Measure(t.Context(), lab, upload.Measured{Activity: "jump", Movement: "squat"}, crash, read.Table,
		read.Samples)
	if err != nil {
		t.Fatal(err)
	}
	var info frames.Info
	if err := json.Unmarshal(raw, &info); err != nil || info.Computed == nil {
		t.Fatalf("%v %s", err, raw)
	}
	c := info.Computed
	if len(c.Withheld) != len(movement.Read().Find("jump", "squat").Columns) || c.Withheld[0].Code != movement.Failed ||
		!strings.Contains(c.Withheld[0].Message, "crashed") {
		t.Errorf("%+v", c)
	}
}

// spoiled is a table of which one byte is another.
type spoiled struct {
	upload.File
	at int64
}

func (s spoiled) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.File.ReadAt(p, off)
	if s.at >= off && s.at < off+int64(n) {
		p[s.at-off] ^= 0x10
	}
	return n, err
}

func TestNothingIsFoundOfATableWhoseBytesHaveChanged(t *testing.T) {
	r := runner(t)
	read, err := r.Read(t.Context(), lab, upload.Source{Name: "standing.csv"}, standing(t, "N"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	refused := 0
	for at := int64(4); at < read.Table.Size(); at += max(1, read.Table.Size()/40) {
		want, err := r.Measure(t.Context(), lab, upload.Measured{Activity: "jump", Movement: "countermovement"},
			read.Info, read.Table, read.Samples)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Measure(t.Context(), lab, upload.Measured{Activity: "jump", Movement: "countermovement"},
			read.Info, spoiled{read.Table, at}, read.Samples)
		var damaged *upload.Damaged
		switch {
		case errors.As(err, &damaged):
			refused++
		case err != nil || string(got) != string(want):
			t.Errorf("byte %d: %v %s", at, err, got)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

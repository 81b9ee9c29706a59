package movement_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// tables writes the tables of a recording and gives what can be measured of them, with what is kept in memory.
func tables(t testing.TB, kind motion.Kind, n int, from frames.Source) *movement.Recording {
	t.Helper()
	var table, samples bytes.Buffer
	info, fast, kept, err := frames.WriteKeeping(&table, &samples, kind, n, from, func(i *frames.Info) []string {
		return movement.Wanted("squat", "bodyweight", i, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	rec := &movement.Recording{Info: info, Table: open(t, &table), Kept: kept}
	if fast {
		rec.Samples = open(t, &samples)
	}
	return rec
}

// measureBoth measures a recording by what is kept in memory, and wants of its tables to the last digit
// what it gives.
func measureBoth(t testing.TB, activity, name string, rec *movement.Recording) *frames.Computed {
	t.Helper()
	got := movement.Measure(activity, name, rec)
	again := *rec
	again.Kept = nil
	want := movement.Measure(activity, name, &again)
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(want); err != nil || !bytes.Equal(a, b) {
		t.Fatalf("of what is kept %s %s is\n%s\nand of the tables\n%s\n%v", activity, name, a, b, err)
	}
	return got
}

func open(t testing.TB, b *bytes.Buffer) *frames.Table {
	t.Helper()
	table, err := frames.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

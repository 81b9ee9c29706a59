package movement_test

import (
	"bytes"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// tables writes the tables of a recording and gives what can be measured of them.
func tables(t testing.TB, kind motion.Kind, n int, from frames.Source) *movement.Recording {
	t.Helper()
	var table, samples bytes.Buffer
	info, fast, err := frames.Write(&table, &samples, kind, n, from)
	if err != nil {
		t.Fatal(err)
	}
	rec := &movement.Recording{Info: info, Table: open(t, &table)}
	if fast {
		rec.Samples = open(t, &samples)
	}
	return rec
}

func open(t testing.TB, b *bytes.Buffer) *frames.Table {
	t.Helper()
	table, err := frames.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

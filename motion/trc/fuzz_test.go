package trc_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/recordtest"
	"github.com/kinebase/kinebase/motion/quality"
	"github.com/kinebase/kinebase/motion/record"
	"github.com/kinebase/kinebase/motion/trc"
)

func FuzzRead(f *testing.F) {
	f.Add(table{rows: 2}.String())
	f.Add(table{rows: 2, end: "\r\r\n", values: " 50.0\t\t  50.0\t\t 10\t\t 2\t\t mm \t 50.0\t 1\t 10"}.String())
	f.Add(table{rows: 3, row: func(i int, row string) string {
		return fmt.Sprintf("%d\t%.2f\t1\t2\t3", 1+2*i,
			0.02*float64(i))
	}}.String())
	f.Add(table{rows: 3, values: "0\t0\t3\t1\tmm",
		row: func(i int, row string) string { return fmt.Sprintf("%d\t%d\t1\t2\t3", 1+i, i*i) }}.String())
	f.Add(table{rows: 3, heads: "Frame#\tTime\t",
		row: func(i int, row string) string { return row + strings.Repeat("\t1", 3*i) }}.String())
	// times at half of the stated pace, some of them missing
	f.Add("PathFileType\nDataRate\n1\nFrame\r0 0\n0\t0\t0\n0 1\n0\n00\n0")
	f.Add("PathFileType\nDataRate\n7\nFrame\n0\t700000000000000\t0\n0") // times too large for their pace
	// Times that 64 bits hardly tell apart: written, they are as far off an even pace as a third of it.
	f.Add("PAthFileTYpe\nDAtARAte \n10\nFrAme\n0\tRAte \n10\nFrAme\n0\t200000000000000\t0\n0")
	// The first and the last time are the numbers of their frames, those between are not.
	f.Add("PathFileType\nDataRate\n10\nFrame\n0\t00\n0\t1\n0\t,020\n0\t,030\n0\t4\n0\t,060\n0\t,070\n0\t,080\n0\t" +
		",090\n0\t,10\n0\t10")
	// Times of which the first are missing, and others go back.
	f.Add("PathFileType\n0\n0\nFrame0\n0 00\n0\n0\n0\n0\t7\t0\n0 00\n0 0\n0 10")
	recordtest.Seeds(f, func(file []byte) { f.Add(string(file)) }, ".trc")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) <= recordtest.Most {
			sound(t, text)
		}
	})
}

// sound reads whatever it is given and checks what holds for every file.
func sound(t *testing.T, text string) {
	t.Helper()
	h, err := trc.ReadHeader(strings.NewReader(text))
	rec := recordtest.Read(t, len(text), recordtest.Table, func() (*record.Recording, error) {
		return trc.Read(strings.NewReader(text), int64(len(text)))
	})
	if rec == nil {
		var u *quality.Unreadable
		if err != nil && !errors.As(err, &u) {
			// without its numbers a file may be readable: names for far more than there is
			t.Fatal(err)
		}
		return
	}
	if err != nil || rec.Frames < 1 || rec.Frames != h.Frames || rec.Rate != h.Rate || len(rec.Points) != len(h.Points)+
		h.Unnamed {
		t.Fatalf("%d frames of %d points were read, and the header: %v", rec.Frames, len(rec.Points), err)
	}
	writesBack(t, rec)
}

// writesBack writes a recording and wants to read every number of it again.
func writesBack(t *testing.T, want *record.Recording) {
	t.Helper()
	var b bytes.Buffer
	if len(want.Points) == 0 {
		return // there is nothing that a TRC file could hold
	}
	if err := trc.Write(&b, "again.trc", want); err != nil {
		t.Fatal(err)
	}
	got, err := trc.Read(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Frames != want.Frames || got.FirstFrame != want.FirstFrame || got.Rate != want.Rate ||
		!slices.Equal(got.Times, want.Times) || got.Unit != want.Unit || got.Start != want.Start ||
		len(got.Points) != len(want.Points) {
		t.Fatalf("written %+v\nread %+v", want, got)
	}
	for i := range want.Points {
		g, w := &got.Points[i], &want.Points[i]
		if g.Label() != w.Label() || !recordtest.Alike(g.X, w.X) || !recordtest.Alike(g.Y, w.Y) ||
			!recordtest.Alike(g.Z, w.Z) {
			t.Fatalf("point %d is %+v, was %+v", i, g, w)
		}
	}
}

package tally

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
)

func FuzzParseChanges(f *testing.F) {
	c := Change{Key: capture.Key{Time: math.MaxInt64, SessionID: "session"}, Combination: 300,
		Athletes: []Athlete{{1}, {2}}}
	f.Add(c.Append(nil))
	c.Gone, c.Athletes = true, nil
	f.Add(c.Append(c.Append(nil)))
	f.Add([]byte{0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, b []byte) {
		changes, err := ParseChanges(nil, b)
		if err != nil {
			return
		}
		var again []byte
		for i := range changes {
			again = changes[i].Append(again)
		}
		back, err := ParseChanges(nil, again)
		if err != nil || !slices.EqualFunc(back, changes, sameChange) {
			t.Fatalf("%v is read back as %v (%v)", changes, back, err)
		}
		PendingOf(changes, Athlete{1})
		NewList(0, nil).Fold(changes, Athlete{})
	})
}

func FuzzParseCounts(f *testing.F) {
	f.Add(Counts{{1, Count{1, 1}}, {500, Count{2, 300}}}.Append(nil))
	f.Add([]byte{0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		sumBytes(b, nil) // whatever the bytes are, it ends
		cs, err := ParseCounts(b)
		if err != nil {
			return
		}
		again := cs.Append(nil)
		back, err := ParseCounts(again)
		if err != nil || !slices.Equal(back, cs) || !bytes.Equal(back.Append(nil), again) {
			t.Fatalf("%v is read back as %v (%v)", cs, back, err)
		}
		if got, want := sumBytes(again, nil), cs.Sum(nil).Rows; got != want {
			t.Fatalf("the bytes add up to %d, and the counts to %d", got, want)
		}
	})
}

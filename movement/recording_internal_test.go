package movement

import (
	"errors"
	"testing"

	"github.com/kinebase/kinebase/frames"
)

// pairOfChannels is a recording of two channels with so many samples a frame.
func pairOfChannels(count int, perFrame ...int) *Recording {
	rate := 100.0
	rec := &Recording{Info: frames.Info{Rate: &rate, Frames: count, Even: true}}
	for i, n := range perFrame {
		name := string(rune('a' + i))
		rec.Info.Channels = append(rec.Info.Channels,
			frames.Channel{Name: name, PerFrame: n, Columns: []string{name}})
	}
	return rec
}

func TestChannelsThatCannotBeLookedAtTogetherAreWithheldWithTheReason(t *testing.T) {
	names := []string{"a", "b"}
	if columns, perFrame, err := pairOfChannels(100, 10, 10).columns(names); err != nil || perFrame != 10 ||
		len(columns) != 2 {
		t.Fatalf("%v with %d samples a frame, %v", columns, perFrame, err)
	}
	for want, rec := range map[string]*Recording{
		RateTooLow:   pairOfChannels(100, 10, 5),
		Failed:       pairOfChannels(100, 10),
		TooLong:      pairOfChannels(mostNumbers/20+1, 10, 10),
		UnevenFrames: func() *Recording { r := pairOfChannels(100, 10, 10); r.Info.Even = false; return r }(),
	} {
		_, _, err := rec.columns(names)
		var w *withheld
		if !errors.As(err, &w) || w.code != want {
			t.Errorf("instead of %s it is %v", want, err)
		}
	}
	if _, _, err := pairOfChannels(mostNumbers/20, 10, 10).columns(names); err != nil {
		t.Errorf("as many as are looked at: %v", err)
	}
}

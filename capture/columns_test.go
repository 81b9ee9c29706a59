package capture_test

import (
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/frames"
)

func TestNoColumnOfARecordingTakesTheNameOfADimension(t *testing.T) {
	before, after := []string{"sessionid", "session_uuid", "session_seq", "athleteid", "athlete_name", "orgid",
		"activity", "movement"}, []string{"capture_datetime", "fps", "frame", "time"}
	if want := slices.Concat(before, capture.DimensionNames(), after); !slices.Equal(frames.Reserved, want) {
		t.Errorf("frames reserves %q, want %q", frames.Reserved, want)
	}
}

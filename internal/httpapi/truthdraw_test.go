package httpapi_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kinebase/kinebase/motion"
)

// TestAFileMadeUpIsReadAsWhatItHolds holds the reference of the exports against the
// readers alone, so that a file that means something else is found without an export.
func TestAFileMadeUpIsReadAsWhatItHolds(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for range 1000 {
		name, file, want := draw(t, r)
		got, err := motion.Read(name, bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatalf("seed %d: %s: %v\n%.300s", seed, name, err, file)
		}
		if got.Frames != want.frames || want.rate > 0 && got.Rate != want.rate ||
			!slices.Equal(got.Times, want.times) || math.Abs(got.Start-want.start) > 1e-9 {
			t.Fatalf("seed %d: %s has %d frames at %v Hz from %v s, times %v; want %d at %v Hz from %v s, times %v; %v",
				seed, name, got.Frames, got.Rate, got.Start, got.Times, want.frames, want.rate, want.start, want.times,
				got.Warnings)
		}
	}
}

package table_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/motion/table"
)

// TestANumberWithADecimalCommaIsTheSameInThirtyTwoBitsAsWithAPoint reads decimals that lie in the
// middle between two numbers of 32 bits, or so near to it that 64 bits have them there.
func TestANumberWithADecimalCommaIsTheSameInThirtyTwoBitsAsWithAPoint(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		low := float32(math.Pow(10, r.Float64()*6-2))
		middle := (float64(low) + float64(math.Nextafter32(low, math.MaxFloat32))) / 2
		decimal := strconv.FormatFloat(middle, 'f', -1, 64)
		want, err := strconv.ParseFloat(decimal, 32)
		if err != nil {
			t.Fatal(err)
		}
		file := "time,a\n0," + decimal + "\n0.01," + decimal + "\n"
		for _, text := range []string{file, strings.NewReplacer(",", ";", ".", ",").Replace(file)} {
			rec, err := table.Read(strings.NewReader(text), int64(len(text)))
			if err != nil {
				t.Fatalf("seed %d: %v in\n%s", seed, err, text)
			}
			if got := rec.Analogs[0].Values[0]; got != float32(want) {
				t.Errorf("seed %d: %v, want %v, of\n%s", seed, got, float32(want), text)
			}
		}
	}
}

package movement

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// The console smooths what it plots by the same filter: its tests read the same file.
func TestTheLowPassHasTheNumbersThatTheConsoleIsHeldTo(t *testing.T) {
	text, err := os.ReadFile("../web/tests/unit/curves/smoothed.json")
	if err != nil {
		t.Fatal(err)
	}
	var held []struct {
		Cutoff, Rate     float64
		Values, Smoothed []*float64
	}
	if err := json.Unmarshal(text, &held); err != nil {
		t.Fatal(err)
	}
	if len(held) < 3 {
		t.Fatalf("the file has %d courses", len(held))
	}
	number := func(v *float64) float64 {
		if v == nil {
			return math.NaN()
		}
		return *v
	}
	for n, h := range held {
		values := make([]float64, len(h.Values))
		for i, v := range h.Values {
			values[i] = number(v)
		}
		for i, got := range smoothed(values, h.Cutoff, h.Rate) {
			if want := number(h.Smoothed[i]); !(math.Abs(got-want) <= 1e-12) && (got == got || want == want) {
				t.Errorf("course %d, sample %d is %v, want %v", n, i, got, want)
			}
		}
	}
}

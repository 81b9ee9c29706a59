package label

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPaddingAndControlCharactersGo(t *testing.T) {
	for raw, want := range map[string]string{
		"LASI    ":       "LASI",
		"mm\x00\x00":     "mm",
		"r knee 1":       "r knee 1",
		"L\tASI\x07":     "L ASI",
		"fl\xe4che":      "fläche",
		"fläche":         "fläche",
		"\x00\x00  \x00": "",
	} {
		if got := Clean([]byte(raw)); got != want {
			t.Errorf("Clean(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestRepeatedNamesAreToldApartAndNoneIsLost(t *testing.T) {
	got, unnamed, repeated := Distinct([]string{"A", "A_2", "A", "", "A", "B", "extra"}, 6)
	want := []string{"A", "A_2", "A_3", "unnamed_4", "A_4", "B"}
	if !slices.Equal(got, want) || unnamed != 1 || repeated != 2 {
		t.Errorf("got %q, %d unnamed, %d repeated; want %q, 1, 2", got, unnamed, repeated, want)
	}
}

func TestNoTwoNamesAreEverAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOf(rapid.SampledFrom([]string{"", "A", "A_2", "A_2_2", "A_3", "B", "unnamed_1", "unnamed_3",
			"unnamed_3_2"})).Draw(t, "names")
		n := rapid.IntRange(0, 20).Draw(t, "n")
		got, _, _ := Distinct(names, n)
		if len(got) != n {
			t.Fatalf("%d names for %d things", len(got), n)
		}
		slices.Sort(got)
		if len(slices.Compact(slices.Clone(got))) != n {
			t.Fatalf("two names alike in %q", got)
		}
	})
}

func TestPrefixesAreListedOnceInOrder(t *testing.T) {
	got := Prefixes([]string{"Ann:LASI", "Bob:LASI", "Ann:RASI", "free", ":odd"})
	if !slices.Equal(got, []string{"Ann", "Bob"}) {
		t.Errorf("got %q", got)
	}
}

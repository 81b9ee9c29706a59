package skeleton_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/kinebase/kinebase/skeleton"
)

// TestDrawnSetsAreThoseOfTheConsole has the cases that the console's tests have too.
func TestDrawnSetsAreThoseOfTheConsole(t *testing.T) {
	text, err := os.ReadFile("testdata/drawn.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Case     string
		Sets     []skeleton.Set
		Subjects [][]string
		Drawn    map[string][]skeleton.Bone
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for _, one := range cases {
		got := map[string][]skeleton.Bone{}
		for _, set := range (skeleton.Sets{Skeletons: one.Sets}).Drawn(one.Subjects).Skeletons {
			got[set.Name] = set.Bones
		}
		if !reflect.DeepEqual(got, one.Drawn) {
			t.Errorf("%s: %v, not %v", one.Case, got, one.Drawn)
		}
	}
}

func TestNothingIsDrawnOfNoPointsByAnySet(t *testing.T) {
	sets := skeleton.Sets{Skeletons: []skeleton.Set{{Name: "A", Bones: []skeleton.Bone{{"A", "B"}}}}}
	if got := sets.Drawn(nil); got.Skeletons == nil || len(got.Skeletons) > 0 {
		t.Errorf("of no subject %v", got)
	}
}

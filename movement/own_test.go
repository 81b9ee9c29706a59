package movement_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
	"pgregory.net/rapid"
)

// measureOwn measures a squat by an organization's names of points.
func measureOwn(t testing.TB, rec *motion.Recording, own *movement.MarkerSet) *frames.Computed {
	t.Helper()
	r := tables(t, motion.TRC, rec.Frames, points{rec})
	r.Own = own
	return measureBoth(t, "squat", "bodyweight", r)
}

// halpeSet is the set of the library that the points of halpe are of.
func halpeSet() movement.MarkerSet {
	sets := movement.Read().MarkerSets
	return sets[slices.IndexFunc(sets, func(s movement.MarkerSet) bool { return s.Name == "HALPE 26" })]
}

func TestPointsThatAnOrganizationHasNamedGiveTheValuesOfThoseThatTheLibraryKnows(t *testing.T) {
	s, plain := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}, laboratory{metres: 0.001, up: 2}
	want := measureOwn(t, plain.record(s.person()), nil)
	rapid.Check(t, func(rt *rapid.T) {
		share := rapid.SampledFrom([]int{1, 5, 10}).Draw(rt, "of ten landmarks that have other names")
		own, other := movement.MarkerSet{Centres: true}, map[string]string{}
		for _, l := range halpeSet().Landmarks {
			if rapid.IntRange(1, 10).Draw(rt, l.Name) > share {
				continue
			}
			var way []string
			for _, point := range l.Points[0] {
				other[point] = "My " + point + " marker"
				way = append(way, strings.ToUpper(other[point]))
			}
			own.Landmarks = append(own.Landmarks,
				movement.Landmark{Name: l.Name, Points: [][]string{{"not there"}, way}})
		}
		rec := renamed(plain.record(s.person()), func(name string) string {
			if n, ok := other[name]; ok {
				return n
			}
			return name
		})
		got := measureOwn(t, rec, &own)
		if !reflect.DeepEqual(got.Metrics, want.Metrics) || !reflect.DeepEqual(got.Events, want.Events) {
			rt.Errorf("with %v: %+v, want %+v", slices.Sorted(maps.Keys(other)), got, want)
		}
		for name, points := range got.Used.Landmarks {
			for _, point := range points {
				if named := strings.HasPrefix(point, "MY "); named != (own.Landmarks != nil &&
					slices.ContainsFunc(own.Landmarks, func(l movement.Landmark) bool { return l.Name == name })) {
					rt.Errorf("%s is of %v", name, points)
				}
			}
		}
	})
}

func TestNamesOfAnOrganizationWinAndOnlyWhereTheirPointsAreThere(t *testing.T) {
	s, plain := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}, laboratory{metres: 0.001, up: 2}
	rec := func() *motion.Recording { return plain.record(s.person()) }
	want := measureOwn(t, rec(), nil)
	absent := &movement.MarkerSet{Landmarks: []movement.Landmark{{Name: "left_knee", Points: [][]string{{"nowhere"}}}}}
	if got := measureOwn(t, rec(), absent); !reflect.DeepEqual(got, want) {
		t.Errorf("with names that are not there: %+v, want %+v", got, want)
	}
	// The left knee is now where the left ankle is.
	wins := &movement.MarkerSet{Centres: true,
		Landmarks: []movement.Landmark{{Name: "left_knee", Points: [][]string{{"lankle"}}}}}
	got := measureOwn(t, rec(), wins)
	if points := got.Used.Landmarks["left_knee"]; !slices.Equal(points, []string{"lankle"}) ||
		got.Used.MarkerSet != "HALPE 26, own names" {
		t.Errorf("used %+v", got.Used)
	}
	// A point on the skin is no centre of a joint.
	wins.Centres = false
	if code, _ := why(measureOwn(t, rec(), wins), "left_knee_valgus_at_bottom"); code != movement.LandmarkMissing {
		t.Errorf("the distance of the knee is withheld with %q", code)
	}
	// One landmark alone is enough of its own set, and too little for a squat.
	alone := renamed(rec(), func(n string) string { return "x" + n })
	one := &movement.MarkerSet{Landmarks: []movement.Landmark{{Name: "pelvis", Points: [][]string{{"xHip"}}}}}
	for own, known := range map[*movement.MarkerSet]bool{nil: false, one: true} {
		if _, message := why(measureOwn(t, alone, own), "squat_depth"); strings.Contains(message,
			"too few points of any marker set") == known {
			t.Errorf("with %+v it is withheld: %s", own, message)
		}
	}
}

func TestAPelvisOfWhichTheFourCornersAreNamedIsTheirMiddle(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}
	rec := renamed(laboratory{metres: 0.001, up: 2}.record(s.person()), func(n string) string { return "x" + n })
	var names []string
	for _, point := range rec.Points {
		names = append(names, point.Name)
	}
	corners := &movement.MarkerSet{}
	for i, corner := range []string{"left_asis", "right_asis", "left_psis", "right_psis"} {
		corners.Landmarks = append(corners.Landmarks, movement.Landmark{Name: corner, Points: [][]string{{names[i]}}})
	}
	got := measureOwn(t, rec, corners)
	if _, message := why(got, "squat_depth"); strings.Contains(message, "has no pelvis") {
		t.Errorf("withheld: %s", message)
	}
	corners.Landmarks[0].Points = [][]string{{names[0], names[1]}} // a middle of middles is another place
	if _, message := why(measureOwn(t, rec, corners), "squat_depth"); !strings.Contains(message, "has no pelvis") {
		t.Errorf("of a corner that is a middle: %q", message)
	}
}

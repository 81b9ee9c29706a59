package intake_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/movement"
)

// ways are the landmarks of an organization as the table writes them.
func (l *lab) ways() (all map[string]string, centres bool) {
	l.t.Helper()
	own, err := l.store.Landmarks(l.t.Context(), l.scope)
	l.must(err)
	all = map[string]string{}
	if own == nil {
		return all, false
	}
	for _, landmark := range own.Landmarks {
		var ways []string
		for _, w := range landmark.Points {
			ways = append(ways, strings.Join(w, "+"))
		}
		all[landmark.Name] = strings.Join(ways, "|")
	}
	return all, own.Centres
}

func TestATableNamesThePointsOfAnOrganizationsMarkers(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		before := movement.MarkerSet{Name: "own names",
			Landmarks: []movement.Landmark{{Name: "left_knee", Points: [][]string{{"OLD"}}},
				{Name: "pelvis", Points: [][]string{{"MID"}}}}}
		l.must(l.store.SetLandmarks(t.Context(), l.scope, before, func(*movement.MarkerSet) error { return nil }))
		folder := lay(t, map[string]string{
			"a.trc": "good",
			"kinebase.csv": "file,activity,landmark,points\na.trc,squat,,\n" +
				",,left_knee, LKnee lat + LKnee med | LK \n,,Left_Heel,LH\n,,right_heel,\n,,,RH\n,,left_knee,X\n" +
				",squat,left_toe,T\na.trc,,left_toe,T\n,,left_toe,A||B\n,,centres,perhaps\n,,centres,TRUE\n" +
				",,centres,false\n",
			"deep/kinebase.csv": "landmark;points\nright_knee;RK\n",
		})
		for _, dry := range []bool{true, false} {
			o := l.bring(folder, func(im *intake.Import) { im.Dry = dry })
			told := o.told()
			for i, want := range []string{
				`kinebase.csv:4: landmark: "Left_Heel" is no landmark; there are pelvis, left_asis`,
				"kinebase.csv:5: points: points is required", "kinebase.csv:6: landmark: landmark is required",
				"kinebase.csv:7: landmark: landmark names left_knee twice",
				"kinebase.csv:8: landmark: landmark must stand in a row without",
				"kinebase.csv:9: landmark: landmark must stand in a row without",
				"kinebase.csv:10: points: the name of a point must be",
				"kinebase.csv:11: points: points must be true or false",
				"kinebase.csv:13: landmark: landmark names centres twice",
			} {
				if i >= len(told) || !strings.HasPrefix(told[i], want) {
					t.Fatalf("dry %v: told is\n%s\nwant %d to be %s", dry, strings.Join(told, "\n"), i, want)
				}
			}
			if len(told) != 9 || len(o.skipped) > 0 || len(o.made) != 1 {
				t.Errorf("dry %v: told is %q, skipped %q, made %v", dry, told, o.skipped, o.made)
			}
			want, wantCentres := map[string]string{"left_knee": "OLD", "pelvis": "MID"}, false
			if !dry {
				want, wantCentres = map[string]string{"left_knee": "LKnee lat+LKnee med|LK", "pelvis": "MID",
					"right_knee": "RK"}, true
			}
			if got, centres := l.ways(); !reflect.DeepEqual(got, want) || centres != wantCentres {
				t.Errorf("dry %v: the names are %v, centres %v, want %v, %v", dry, got, centres, want, wantCentres)
			}
		}
		// Again it changes nothing, and so has nothing measured again.
		version := func() string {
			own, err := l.store.Landmarks(t.Context(), l.scope)
			l.must(err)
			return own.Version()
		}
		was := version()
		if l.bring(folder); version() != was || !slices.Contains(movement.LandmarkNames(), "left_knee") {
			t.Error("the same table has changed the names")
		}
	})
}

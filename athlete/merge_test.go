package athlete

import (
	"slices"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
)

func TestAMergeFillsWhatIsUnsetAndNothingElse(t *testing.T) {
	now := time.Date(2026, 5, 13, 12, 0, 0, 0, time.UTC)
	day := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
	full := Athlete{ID: "b", FirstName: "Other", LastName: "Rivera", DateOfBirth: &day, Email: "b@x", Phone: "1",
		Gender: "female", DominantArm: "left", DominantLeg: "both", Activity: "baseball",
		Positions: []string{"pitcher"}, CompetitionLevel: "youth", Height: 70, Weight: 140,
		CustomAttributes: map[string]string{"team": "blue", "more": "b"}, CreatedAt: now, UpdatedAt: now, Version: 7}
	into := Athlete{ID: "a", FirstName: "Jo", Height: 60, CustomAttributes: map[string]string{"team": "red"},
		CreatedAt: now.Add(-time.Hour), UpdatedAt: now.Add(-time.Hour), Version: 3}
	got, err := Merge(into, full, now)
	if err != nil {
		t.Fatal(err)
	}
	want := full
	want.ID, want.FirstName, want.Height, want.CustomAttributes, want.CreatedAt, want.Version = "a", "Jo", 60,
		map[string]string{"team": "red", "more": "b"}, into.CreatedAt, 4
	if !Equal(got, want) || got.Version != 4 || !got.UpdatedAt.Equal(now) {
		t.Errorf("merged to %+v, want %+v", got, want)
	}
	if same, err := Merge(full, into, now.Add(time.Hour)); err != nil || same.Version != full.Version ||
		!same.UpdatedAt.Equal(full.UpdatedAt) {
		t.Errorf("who has everything becomes %+v, %v", same, err)
	}
	golfer := Athlete{FirstName: "Jo", Activity: "golf"}
	if got, err := Merge(golfer, full, now); err != nil || len(got.Positions) != 0 || got.Activity != "golf" {
		t.Errorf("a golfer becomes %+v, %v", got, err)
	}
	softball := Athlete{FirstName: "Jo", Activity: "softball"}
	if got, err := Merge(softball, full, now); err != nil || !slices.Equal(got.Positions, full.Positions) {
		t.Errorf("who plays softball becomes %+v, %v", got, err)
	}
	many := Athlete{FirstName: "Jo", CustomAttributes: map[string]string{}}
	for n := range maxAttributes {
		many.CustomAttributes["k"+string(rune('0'+n%10))+string(rune('a'+n/10))] = "v"
	}
	if _, err := Merge(many, full, now); !fault.Is(err, fault.Conflict) {
		t.Errorf("too many attributes are %v", err)
	}
}

package tally

import (
	"slices"
	"testing"

	"github.com/kinebase/kinebase/capture"
)

func TestAMarkIsReadBesideAnyAthleteAndChange(t *testing.T) {
	like := Athlete{0: 0xFF, 12: 1, 13: 2, 14: 3, 15: 4}
	for i := range 12 {
		like[i] = 0xFF
	}
	change := Change{Key: capture.Key{Time: 5, SessionID: "s"}, Combination: 3, Athletes: []Athlete{{1}}}
	b := AppendCalled(nil, Athlete{7})
	b = AppendErased(b, 0xFFFFFFFF)
	b = change.Append(b)
	b = AppendErased(b, 0)
	b = AppendCalled(b, like) // an athlete may have such an id
	changes, people, marks, err := ParseEntries(nil, b)
	if err != nil || len(changes) != 1 || changes[0].String() != change.String() {
		t.Errorf("changes %v, %v", changes, err)
	}
	if !slices.Equal(marks, []uint32{0xFFFFFFFF, 0, 0x01020304}) {
		t.Errorf("marks %x", marks)
	}
	if !slices.Contains(people, Athlete{7}) || !slices.Contains(people, like) {
		t.Errorf("athletes %x", people)
	}
	if got, err := ParseMarks(AppendMarks(nil, marks)); err != nil || !slices.Equal(got, marks) {
		t.Errorf("%x, %v", got, err)
	}
	if _, err := ParseMarks([]byte{1, 2, 3}); err == nil {
		t.Error("three bytes are taken for marks")
	}
}

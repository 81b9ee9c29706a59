package frames_test

import (
	"reflect"
	"testing"

	"github.com/kinebase/kinebase/frames"
)

func TestPointsOfSubjectsHaveTheNamesThatTheyHaveInEachSubject(t *testing.T) {
	ann, bob := "Ann", "Bob"
	channel := func(name, kind string, subject *string) frames.Channel {
		return frames.Channel{Name: name, Kind: kind, Subject: subject}
	}
	info := frames.Info{Channels: []frames.Channel{
		channel("HIP", frames.KindPoint, &ann), channel("HIP_2", frames.KindPoint, &bob),
		channel("TOE", frames.KindPoint, &bob), channel("TOE_2", frames.KindPoint, &bob), // two of one subject
		channel("C_7", frames.KindPoint, nil), channel("HIP_3", frames.KindPoint, nil),
		channel("HIP_4", frames.KindAngle, &ann), channel("EMG", frames.KindAnalog, nil),
	}}
	want := [][]string{{"HIP"}, {"HIP", "TOE", "TOE_2"}, {"C_7", "HIP"}}
	if got := info.PointsOfSubjects(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	if got := new(frames.Info).PointsOfSubjects(); len(got) > 0 {
		t.Errorf("without channels %v", got)
	}
}

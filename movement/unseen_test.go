package movement_test

import (
	"strings"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/movement"
)

// mediaPipe calls the points of a person as MediaPipe Pose does, and leaves out what it has not.
func mediaPipe(name string) string {
	side, rest := "left_", strings.TrimPrefix(name, "L")
	if strings.HasPrefix(name, "R") {
		side, rest = "right_", name[1:]
	}
	part := map[string]string{
		"Hip": "hip", "Knee": "knee", "Ankle": "ankle", "Heel": "heel", "BigToe": "foot_index",
		"Shoulder": "shoulder", "Elbow": "elbow", "Wrist": "wrist", "Ear": "ear",
	}[rest]
	if part == "" || rest == name && !strings.HasPrefix(name, "R") {
		return ""
	}
	return side + part
}

func TestWhatOneCameraDoesNotShowIsWithheldAndTheRestIsGiven(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}
	depth := []string{"peak_knee_flexion_left", "peak_knee_flexion_right", "left_knee_valgus_at_bottom",
		"hip_below_knee"}
	for name, c := range map[string]struct {
		unknown []string
		code    string
		columns []string
		scale   string // why the depth of the squat is withheld; "": it is given
	}{
		"several cameras": {nil, "", depth, ""},
		"one camera":      {[]string{frames.UnknownDepth}, movement.DepthUnknown, depth, ""},
		"one camera and somebody of any size": {[]string{frames.UnknownDepth, frames.UnknownScale},
			movement.DepthUnknown, depth, movement.ScaleUnknown},
		"anything of any size": {[]string{frames.UnknownScale}, "", []string{"peak_knee_flexion_left"},
			movement.ScaleUnknown},
	} {
		rec := renamed(laboratory{metres: 1, up: 1}.record(s.person()), mediaPipe)
		seen := tables(t, motion.TRC, rec.Frames, points{rec})
		seen.Info.Unknown = c.unknown
		got := measureBoth(t, "squat", "bodyweight", seen)
		if got.Used.MarkerSet != "MediaPipe Pose" {
			t.Errorf("%s: the points are taken for those of %q", name, got.Used.MarkerSet)
		}
		wantWithheld(t, name, got, c.code, c.columns, "repetitions")
		wantWithheld(t, name, got, c.scale, []string{"squat_depth"}, "time_while_at_bottom")
		if bottom := moment(got, "squat_bottom_frame"); bottom < 1.98 || bottom > 2.02 {
			t.Errorf("%s: the lowest position is at %v s", name, bottom)
		}
		complete(t, "squat", "bodyweight", got)
	}
}

func TestOfAVideoTheOneWhoIsFilmedIsMeasuredAndNobodyWhoPassesBy(t *testing.T) {
	s := squatting{rate: 100, leg: 0.9, depth: 0.5, outwards: 0.03}
	rec := renamed(laboratory{metres: 1, up: 1}.record(s.person()), mediaPipe)
	other := s
	other.depth = 0.3
	for _, p := range renamed(laboratory{metres: 1, up: 1}.record(other.person()), mediaPipe).Points {
		p.Subject = "person2"
		rec.Points = append(rec.Points, p)
	}
	offset := frames.Channel{Name: "sync_offset_front", Kind: frames.KindAnalog, Unit: "s"}
	for _, filmed := range []struct {
		video *frames.Video
		more  []frames.Channel
		want  string
	}{{nil, nil, movement.SeveralPeople}, {&frames.Video{Width: 640, Height: 480}, nil, ""},
		{nil, []frames.Channel{offset}, ""}} { // of several cameras
		want := filmed.want
		seen := tables(t, motion.TRC, rec.Frames, points{rec})
		seen.Info.Video, seen.Info.Channels = filmed.video, append(seen.Info.Channels, filmed.more...)
		got := measureBoth(t, "squat", "bodyweight", seen)
		wantWithheld(t, "two people", got, want, []string{"squat_depth", "repetitions"}, "")
		if depth := number(got, "squat_depth"); want == "" && (depth < 0.42 || depth > 0.44) {
			t.Errorf("the depth is %v", depth)
		}
	}
}

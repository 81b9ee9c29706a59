package frames_test

import (
	"errors"
	"testing"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion/plate"
	"github.com/kinebase/kinebase/motion/record"
)

// plated is a recording of one platform of six channels.
func plated() *frames.Info {
	p := record.Plate{Type: 2, Corners: [4][3]float64{{300, 0, 0}, {-300, 0, 0}, {-300, -600, 0}, {300, -600, 0}},
		Origin: [3]float64{0, 0, -40}}
	info := &frames.Info{Metres: 0.001, Up: "+z", Plates: []frames.Plate{{Plate: p}}}
	for i, unit := range []string{"N", "N", "N", "Nmm", "Nmm", "Nmm"} {
		name := string(rune('a' + i))
		info.Channels = append(info.Channels,
			frames.Channel{Name: name, Unit: unit, Columns: []string{name}, PerFrame: 10})
		info.Plates[0].Channels = append(info.Plates[0].Channels, name)
	}
	return info
}

func TestAPlatformWhoseChannelsAreNotThereOrDoNotFitTogetherIsRefused(t *testing.T) {
	if _, perFrame, err := plated().Platform(0); err != nil || perFrame != 10 {
		t.Fatalf("%d samples a frame, %v", perFrame, err)
	}
	for what, spoil := range map[string]func(*frames.Info){
		"the first one is missing":  func(i *frames.Info) { i.Channels = i.Channels[1:] },
		"the last one is missing":   func(i *frames.Info) { i.Channels = i.Channels[:5] },
		"one has several columns":   func(i *frames.Info) { i.Channels[2].Columns = []string{"c_x", "c_y"} },
		"one has no column":         func(i *frames.Info) { i.Channels[2].Columns = nil },
		"the last one is slower":    func(i *frames.Info) { i.Channels[5].PerFrame = 5 },
		"the first one is by frame": func(i *frames.Info) { i.Channels[0].PerFrame = 1 },
	} {
		info := plated()
		spoil(info)
		var unusable *plate.Unusable
		if _, _, err := info.Platform(0); !errors.As(err, &unusable) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

package process

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/upload"
)

// about is what a video processor is told of a video. What is not known is left out.
type about struct {
	Video   *filmed `json:"video,omitempty"`
	Athlete *person `json:"athlete,omitempty"`
}

// filmed is what the file itself says.
type filmed struct {
	Frames   int      `json:"frames"`         // pictures in the file
	Rate     *float64 `json:"rate,omitempty"` // pictures a second, their mean
	Duration float64  `json:"duration"`       // s
	Width    int      `json:"width"`
	Height   int      `json:"height"`
	Rotation int      `json:"rotation"` // degrees clockwise
	Variable bool     `json:"variable"` // the pictures are not evenly spaced in time
}

type person struct {
	Height float64 `json:"height"` // m
}

// writeAbout writes it into the folder of the processor, where its command asks for it.
func (r *Runner) writeAbout(room string, of upload.Source, info *frames.Info) (path string, err error) {
	if !slices.ContainsFunc(r.Video, func(word string) bool { return strings.Contains(word, "{about}") }) {
		return "", nil
	}
	var a about
	if info != nil && info.Video != nil {
		v := info.Video
		a.Video = &filmed{info.Frames, info.Rate, v.Duration, v.Width, v.Height, v.Rotation, v.Variable}
	}
	if of.Height > 0 {
		a.Athlete = &person{of.Height}
	}
	text, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	path = filepath.Join(room, "about.json")
	return path, errors.Join(os.WriteFile(path, text, 0o600), r.owned(path))
}

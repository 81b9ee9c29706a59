package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// rig is what a video processor is given in the place of a video where several cameras have seen
// one movement: a file with the ending .cameras.
type rig struct {
	Videos      []rigVideo          `json:"videos"`
	Calibration *upload.Calibration `json:"calibration,omitempty"`
	Sync        string              `json:"sync,omitempty"`
}

type rigVideo struct {
	File          string          `json:"file"` // beside this file
	Name          string          `json:"name"` // as it came
	Camera        json.RawMessage `json:"camera,omitempty"`
	Configuration json.RawMessage `json:"camera_configuration,omitempty"`
}

// cameras has the video processor make motion of the videos of several cameras. The recording has
// nothing but what it makes.
func (r *Runner) cameras(ctx context.Context, s organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	if len(r.Video) == 0 {
		return nil, &upload.Unreadable{Reason: "No pose estimator is set up that would make motion of videos: " +
			"KINEBASE_VIDEO_PROCESSOR names the command of one."}
	}
	if len(of.Views) == 0 {
		return nil, &upload.Unreadable{Reason: "The file tells of the cameras of videos, and comes without them. " +
			"Send it to a group of captures that has them."}
	}
	derived, err := r.Derive(ctx, of, nil, f)
	if err != nil {
		return nil, err
	}
	made, err := r.read(ctx, s, "derived"+derived.Extension, derived.File, 0)
	var unreadable *upload.Unreadable
	if errors.As(err, &unreadable) {
		err = &upload.Unreadable{Reason: "What the video processor made of the videos cannot be read. " +
			unreadable.Reason}
	}
	if err != nil {
		return nil, errors.Join(err, derived.Close())
	}
	made.Derived, made.Extension = derived.File, derived.Extension
	if made.Info, err = change(made.Info, derived.beside.tell); err != nil {
		return nil, errors.Join(err, made.Close())
	}
	return made, nil
}

// writeInput puts the video into the folder of the processor, or the videos with what is known of
// their cameras, and gives the path that takes the place of {input}.
func (r *Runner) writeInput(room string, of upload.Source, f upload.File) (string, error) {
	input := filepath.Join(room, "input"+strings.ToLower(path.Ext(of.Name)))
	if len(of.Views) == 0 {
		return input, errors.Join(copyTo(input, f), r.owned(input, room))
	}
	all, names := rig{Calibration: of.Calibration, Sync: of.Sync}, []string{input, room}
	for i, v := range of.Views {
		name := fmt.Sprintf("input%d%s", i+1, strings.ToLower(path.Ext(v.Name)))
		all.Videos = append(all.Videos, rigVideo{name, v.Name, v.Camera, v.Configuration})
		if err := copyTo(filepath.Join(room, name), v.File); err != nil {
			return "", err
		}
		names = append(names, filepath.Join(room, name))
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	return input, errors.Join(os.WriteFile(input, text, 0o600), r.owned(names...))
}

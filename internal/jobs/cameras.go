package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// waitTime is after how long it is looked again for videos that have not come.
const waitTime = 15 * time.Second

// views opens the videos that the file of a capture names, where it tells of cameras; leave closes
// them. Videos that are still to come are a *upload.Waits.
func (p *processor) views(ctx context.Context, s organization.Scope, work *upload.Work, original upload.File,
	source *upload.Source) (leave func(), err error) {
	leave = func() {
		for _, v := range source.Views {
			_ = v.File.Close() // it was only read
		}
	}
	if !upload.IsCameras(work.FileName) {
		return leave, nil
	}
	told, err := upload.ReadCameras(original, work.Capture.SessionID)
	if err != nil {
		return nil, err
	}
	source.Calibration, source.Sync = told.Calibration, told.Sync
	for _, video := range told.Videos {
		view, err := p.view(ctx, s, video)
		if err != nil {
			leave()
			return nil, err
		}
		source.Views = append(source.Views, view)
	}
	return leave, nil
}

// view opens one of them.
func (p *processor) view(ctx context.Context, s organization.Scope, video upload.CameraVideo) (v upload.View,
	err error) {
	of, err := p.Uploads.Stored(ctx, s, video.SessionID)
	missing := func(why string) (upload.View, error) {
		return v, &upload.Unreadable{Reason: fmt.Sprintf("The video %s, which the file of the cameras names, %s.",
			video.SessionID, why)}
	}
	switch {
	case fault.Is(err, fault.NotFound):
		return missing("is not there")
	case err != nil:
		return v, err
	case !upload.IsVideo(of.FileName):
		return missing("is no video")
	case of.Original == "" && of.Capture.Status == capture.AwaitingUpload:
		return v, &upload.Waits{What: "the video " + video.SessionID + " has not arrived"}
	case of.Original == "":
		return missing("has no file")
	}
	v = upload.View{Name: of.FileName, Camera: video.Camera, Configuration: []byte(of.Camera)}
	if v.File, err = p.Files.Open(ctx, of.Original); errors.Is(err, upload.ErrNoFile) {
		return missing("is not in the server's storage any more")
	}
	return v, err
}

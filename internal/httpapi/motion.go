package httpapi

import (
	"github.com/go-json-experiment/json"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/movement"
	"github.com/kinebase/kinebase/upload"
)

// motionAnswer is what is told of a recording beside its numbers.
type motionAnswer struct {
	SessionID string `json:"session_id"`
	FileName  string `json:"file_name"`
	Size      int64  `json:"size"`
	frames.Info
	PlatformChannels []frames.PlatformChannel `json:"platform_channels"`
	CaptureTimeFrom  *string                  `json:"capture_time_from"`
}

// timeFrom names where the capture's time comes from, null where there is none or
// where it is not known.
func timeFrom(s upload.Stored) *string {
	name := s.TimeFrom.String()
	if name == "" || s.Capture.CaptureTime == nil {
		return nil
	}
	return &name
}

func (a *api) getMotion(c *call) error {
	return a.sendMotion(c, func(*motionAnswer) error { return nil })
}

// sendMotion answers with what is known of the recording of the capture in the path, as edit leaves it.
func (a *api) sendMotion(c *call, edit func(*motionAnswer) error) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	s, err := a.stored(c)
	if err != nil {
		return err
	}
	info, err := storedInfo(s)
	if err != nil {
		return err
	}
	// A rate that somebody has corrected counts at once.
	info = info.Corrected(s.Rate)
	if info.Computed == nil && info.Frames > 0 { // a video of which no motion was made has nothing to be measured
		info.Computed = movement.Pending()
	}
	answer := motionAnswer{s.Capture.SessionID, s.FileName, s.Size, info, info.PlatformChannels(), timeFrom(s)}
	if err := edit(&answer); err != nil {
		return err
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	c.sendTagged(tagOf("motion", string(body)), body)
	return nil
}

// storedInfo gives what was read out of the capture's file, by the file's own rate.
func storedInfo(s upload.Stored) (info frames.Info, err error) {
	if err = settled(s); err == nil {
		err = json.Unmarshal(s.Info, &info)
	}
	if info.Bones == nil { // it was stored before there were any
		info.Bones = [][2]string{}
	}
	if info.Unknown == nil { // the same
		info.Unknown = []string{}
	}
	if info.Metrics == nil { // the same
		info.Metrics = []frames.Metric{}
	}
	if info.Plates == nil { // the same
		info.Plates = []frames.Plate{}
	}
	return info, err
}

package upload

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A file whose name ends with .cameras says that the videos of a group are complete: which of
// them show one movement, and where their cameras were. Its capture becomes the motion of all.

// camerasEnding is how its name ends.
const camerasEnding = ".cameras"

// The limits of such a file.
const (
	camerasMost  = 1 << 20 // bytes
	videosMost   = 16
	videosFewest = 2
)

// IsCameras says whether a file describes the cameras of a group, by the ending of its name.
func IsCameras(name string) bool { return strings.EqualFold(path.Ext(name), camerasEnding) }

// Cameras is what such a file says. How a camera is described is the video processor's
// to judge.
type Cameras struct {
	Videos []CameraVideo `json:"videos"`
	// of all cameras, in a form of others; nil where each video has its own
	Calibration *Calibration `json:"calibration,omitempty"`
	// how their clocks are compared, one of syncs; "" as the processor is told to
	Sync string `json:"sync,omitempty"`
}

// syncs are the ways: what is certain is put right, the videos begin together, or it is always put right.
var syncs = []string{"auto", "time", "speed"}

// CameraVideo is the video of one camera.
type CameraVideo struct {
	SessionID string          `json:"session_id"`
	Camera    json.RawMessage `json:"camera,omitempty"` // matrix, distortions, rotation, translation, size
}

// Calibration is a file of another program: its name tells the form.
type Calibration struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ReadCameras reads the file of a capture. The videos are others of its group. The error is an
// *Unreadable where the file is to blame.
func ReadCameras(f File, sessionID string) (c Cameras, err error) {
	wrong := func(format string, args ...any) (Cameras, error) {
		return Cameras{}, &Unreadable{Reason: "The file of the cameras cannot be used: " +
			fmt.Sprintf(format, args...) + "."}
	}
	if f.Size() > camerasMost {
		return wrong("it is larger than a megabyte")
	}
	d := json.NewDecoder(io.NewSectionReader(f, 0, f.Size()))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return wrong("it is not JSON of the form that is expected (%v)", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return wrong("something stands behind its JSON")
	}
	if n := len(c.Videos); n < videosFewest || n > videosMost {
		return wrong("it names %d videos, and %d to %d are needed", n, videosFewest, videosMost)
	}
	if c.Sync != "" && !slices.Contains(syncs, c.Sync) {
		return wrong("its sync is %.40q, and must be one of %s", c.Sync, strings.Join(syncs, ", "))
	}
	for i, v := range c.Videos {
		switch {
		case strings.ContainsFunc(v.SessionID, unicode.IsControl) || len(v.SessionID) > len(sessionID)+8:
			return wrong("%q is no session id", v.SessionID)
		case v.SessionID == sessionID || groupOf(v.SessionID) != groupOf(sessionID):
			return wrong("%q is no other capture of its session_group_id", v.SessionID)
		case slices.ContainsFunc(c.Videos[:i], func(other CameraVideo) bool { return other.SessionID == v.SessionID }):
			return wrong("it names %s twice", v.SessionID)
		}
	}
	return c, nil
}

// groupOf is the group of a capture that was reserved.
func groupOf(sessionID string) string {
	group, _, _ := strings.Cut(sessionID, "_")
	return group
}

// View is the video of one camera, open.
type View struct {
	Name          string // as it came
	Camera        []byte // its camera as the file of the cameras has it; nil where that has none
	Configuration []byte // camera_configuration of its reservation
	File          File
}

// Waits says that something is not there yet that will come, or will be given up.
type Waits struct{ What string }

func (w *Waits) Error() string { return w.What }

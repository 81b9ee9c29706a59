package process_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/upload"
)

func rig() upload.Source {
	return upload.Source{Name: "all.cameras", Height: 1.8,
		Calibration: &upload.Calibration{Name: "a.toml", Text: "[a]"}, Sync: "speed", Views: []upload.View{
			{Name: "Front.MP4", Camera: []byte(`{"matrix":[1]}`), Configuration: []byte(`{"x":1}`),
				File: remoteOf(clip())},
			{Name: "side.mov", File: remoteOf(append(clip(), 0, 0, 0, 8, 'f', 'r', 'e', 'e'))},
		}}
}

func TestTheVideosOfSeveralCamerasBecomeOneRecording(t *testing.T) {
	r := says(t, `echo '{"up":"+z","warnings":[{"code":"reprojection-error","message":"3 px."}]}' > "$1.json"`)
	got, err := r.Read(t.Context(), lab, rig(), remoteOf([]byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	info := infoOf(t, got)
	if info.Frames != 3 || len(info.Channels) != 2 || info.Up != "+z" || info.Video != nil || got.Extension != ".csv" ||
		got.Derived == nil || table(t, got.Table).Rows() != 3 {
		t.Errorf("%+v, %q", info, got.Extension)
	}
	if last := info.Warnings[len(info.Warnings)-1]; last.Code != "reprojection-error" {
		t.Errorf("the last warning is %v", last)
	}
}

func TestAVideoProcessorIsGivenTheVideosOfAllCameras(t *testing.T) {
	r := pose(t, "exit 1")
	r.Video = []string{"/bin/sh", "-c", `cd "$(dirname "$1")"; cmp -s input1.mp4 input2.mov && exit 9; exit 3`, "pose",
		"{input}", "{output}"}
	_, err := r.Read(t.Context(), lab, rig(), remoteOf([]byte("{}")))
	var died *upload.Died
	if !errors.As(err, &died) || !strings.Contains(died.Reason, "exit code 3") {
		t.Fatal(err)
	}
	r.Video[2] = `grep -q '"name":"a.toml","text":"\[a\]"' "$1" && grep -q '"sync":"speed"' "$1" && grep -q '"file":"input2.mov","name":"side.mov"' "$1" && echo fine >&2; exit 3`
	if _, err := r.Read(t.Context(), lab, rig(), remoteOf([]byte("{}"))); !errors.As(err, &died) ||
		!strings.HasSuffix(died.Reason, "fine") {
		t.Errorf("it is given something else: %v", err)
	}
}

func TestVideosOfSeveralCamerasWithoutAProcessorOrVideosAreRefused(t *testing.T) {
	var unreadable *upload.Unreadable
	if _, err := runner(t).Read(t.Context(), lab, rig(), remoteOf([]byte("{}"))); !errors.As(err, &unreadable) ||
		!strings.Contains(unreadable.Reason, "KINEBASE_VIDEO_PROCESSOR") {
		t.Errorf("without a processor: %v", err)
	}
	if _, err := says(t, "true").Read(t.Context(), lab, upload.Source{Name: "a.cameras"},
		remoteOf([]byte("{}"))); !errors.As(err, &unreadable) ||
		!strings.Contains(unreadable.Reason, "comes without them") {
		t.Errorf("without videos: %v", err)
	}
}

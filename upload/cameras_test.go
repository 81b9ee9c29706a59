package upload_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/upload"
)

// told is a file in memory.
type told struct{ *bytes.Reader }

func (told) Close() error { return nil }

const group = "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10"

func read(text string) (upload.Cameras, error) {
	text = strings.ReplaceAll(text, "GROUP", group)
	return upload.ReadCameras(told{bytes.NewReader([]byte(text))}, group+"_3")
}

func TestAFileOfCamerasNamesVideosOfItsGroup(t *testing.T) {
	c, err := read(`{"videos":[{"session_id":"GROUP_1","camera":{"matrix":[1]}},{"session_id":"GROUP_2"}],"calibration":{"name":"a.toml","text":"[a]"},"sync":"speed"}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Videos) != 2 || c.Videos[1].SessionID != group+"_2" || string(c.Videos[0].Camera) != `{"matrix":[1]}` ||
		c.Videos[1].Camera != nil || c.Calibration.Text != "[a]" || c.Sync != "speed" {
		t.Errorf("%+v", c)
	}
	for name, wrong := range map[string]struct{ text, says string }{
		"no JSON":          {`{`, "not JSON"},
		"a misspelt field": {`{"video":[]}`, "not JSON of the form"},
		"no way to compare": {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_2"}],"sync":"clap"}`,
			"auto, time, speed"},
		"one video": {`{"videos":[{"session_id":"GROUP_1"}]}`, "1 videos"},
		"too many": {`{"videos":[` + strings.Repeat(`{"session_id":"GROUP_1"},`, 16) +
			`{"session_id":"GROUP_2"}]}`, "17 videos"},
		"twice the same":      {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_1"}]}`, "twice"},
		"itself":              {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_3"}]}`, "no other capture"},
		"a control character": {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_\u0000"}]}`, "no session id"},
		"a long id": {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_` +
			strings.Repeat("2", 1000) + `"}]}`, "no session id"},
		"more behind": {`{"videos":[{"session_id":"GROUP_1"},{"session_id":"GROUP_2"}]} {}`, "behind its JSON"},
		"another group": {
			`{"videos":[{"session_id":"GROUP_1"},{"session_id":"5f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1"}]}`,
			"no other capture"},
		"very much": {`{"videos":[` + strings.Repeat(" ", 2<<20) + `]}`, "larger than a megabyte"},
	} {
		var unreadable *upload.Unreadable
		if _, err := read(wrong.text); !errors.As(err, &unreadable) ||
			!strings.Contains(unreadable.Reason, wrong.says) {
			t.Errorf("%s gives %v", name, err)
		}
	}
}

func TestAFileOfCamerasIsKnownByItsEnding(t *testing.T) {
	for name, want := range map[string]bool{"a.cameras": true, "A.Cameras": true, "cameras": false, "a.mp4": false,
		"a.cameras.json": false} {
		if upload.IsCameras(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

package jobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// reserveOf keeps a place in a group.
func (o *office) reserveOf(group, name string, window time.Duration) string {
	o.t.Helper()
	now := time.Now().UTC().Truncate(time.Millisecond)
	r, err := o.store.Reserve(context.Background(), o.scope, upload.Reservation{
		Capture: capture.Capture{Status: capture.AwaitingUpload, Source: capture.SourceAPI, CaptureTime: &now},
		Group:   group, FileName: name, Camera: []byte(`{"of":"` + name + `"}`), Expires: now.Add(window),
	}, nil)
	o.must(err)
	return r.Capture.SessionID
}

func cameras(sessions ...string) string {
	var videos []string
	for _, s := range sessions {
		videos = append(videos, fmt.Sprintf(`{"session_id":%q}`, s))
	}
	return `{"videos":[` + strings.Join(videos, ",") + `]}`
}

func TestAFileOfCamerasWaitsForItsVideosAndIsReadWithThem(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		group := organization.NewUUID()
		one, two, all := o.reserveOf(group, "a.mp4", upload.Window), o.reserveOf(group, "b.mov", upload.Window),
			o.reserveOf(group, "all.cameras", upload.Window)
		o.send(one, "first ")
		o.send(all, cameras(one, two))
		o.await(one, capture.Completed)
		o.send(two, "second ")
		got := o.await(all, capture.Completed)
		raw, err := os.ReadFile(filepath.Join(o.folder, got.Table))
		o.must(err)
		if string(raw) != `table of first {"of":"a.mp4"}second {"of":"b.mov"}` {
			t.Errorf("it was read with %q", raw)
		}
	})
}

func TestAFileOfCamerasWhoseVideosDoNotComeSaysWhich(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		group := organization.NewUUID()
		one, late, other := o.reserveOf(group, "a.mp4", upload.Window), o.reserveOf(group, "b.mp4", time.Second),
			o.reserveOf(group, "walk.c3d", upload.Window)
		o.send(one, "first ")
		o.send(other, "good")
		for _, c := range []struct{ name, says string }{
			{late, late + ", which the file of the cameras names, has no file"},
			{other, other + ", which the file of the cameras names, is no video"},
			{group + "_99", "_99, which the file of the cameras names, is not there"},
			{organization.NewUUID() + "_1", "is no other capture of its session_group_id"},
		} {
			all := o.reserveOf(group, "all.cameras", upload.Window)
			o.send(all, cameras(one, c.name))
			if got := o.await(all, capture.Error); !strings.Contains(*got.Capture.Error, c.says) {
				t.Errorf("it says %q, want %q", *got.Capture.Error, c.says)
			}
		}
	})
}

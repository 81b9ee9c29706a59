package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// settledCapture waits until a capture is processed.
func settledCapture(t *testing.T, c *client.Client, id string) (got *client.Capture) {
	t.Helper()
	testkit.Until(t, id+" is processed", func() bool {
		var err error
		if got, err = c.Capture(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		return got.Status == client.Completed || got.Status == client.Failed
	})
	return got
}

// send reserves a capture and sends its file.
func send(t *testing.T, c *client.Client, n client.NewCapture, content string) *client.Reservation {
	t.Helper()
	r, err := c.Reserve(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Upload(t.Context(), r, strings.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return r
}

// film is the index of a video of ten pictures.
func film(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "ten.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestAFileOfTheCamerasMakesOneRecordingOfTheVideosOfAGroup has a processor that says of what it
// was made.
func TestAFileOfTheCamerasMakesOneRecordingOfTheVideosOfAGroup(t *testing.T) {
	testkit.Long(t)
	script := `case "$1" in *.cameras) n=$(grep -o "input[0-9].mp4" "$1" | sort -u | wc -l);; *) n=0;; esac
grep -q '"cameras_of":"the lab"' "$1" || n=$((n + 10))
printf 'A_x [m],A_y [m],A_z [m],videos\n1,2,3,%s\n1,2,3,%s\n' $n $n > "$2.csv"`
	apptest.Engines(t, func(t *testing.T, e apptest.Engine) {
		m := newMachine(t, e)
		m.env = append(m.env, "KINEBASE_READER_UID=0", "KINEBASE_VIDEO_PROCESSOR=/bin/sh -c '"+
			strings.ReplaceAll(script, "'", `'"'"'`)+"' pose {input} {output}")
		_, secret := m.token(m.organization())
		c, err := client.New(m.serve().url, secret)
		if err != nil {
			t.Fatal(err)
		}
		first := send(t, c, client.NewCapture{FileName: "a.mp4", Camera: map[string]any{"cameras_of": "the lab"}},
			film(t))
		second := send(t, c, client.NewCapture{FileName: "b.mp4", GroupID: first.GroupID, Camera: map[string]any{}},
			film(t))
		text, err := json.Marshal(
			map[string]any{"videos": []map[string]any{{"session_id": first.SessionID},
				{"session_id": second.SessionID}}})
		if err != nil {
			t.Fatal(err)
		}
		all := send(t, c, client.NewCapture{FileName: "all.cameras", GroupID: first.GroupID}, string(text))
		if got := settledCapture(t, c, all.SessionID); got.Status != client.Completed {
			t.Fatalf("it ended in %s: %s", got.Status, *got.Error)
		}
		if n := videosOf(t, c, all.SessionID); n != 2 {
			t.Errorf("it was made of %v videos", n)
		}
		if got := settledCapture(t, c, second.SessionID); got.Status != client.Completed ||
			videosOf(t, c, second.SessionID) != 10 {
			t.Errorf("a video of the group is %+v", got)
		}
		// It is read again as any other, and tells of videos that are gone.
		if _, err := c.DeleteCapture(t.Context(), second.SessionID); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Reprocess(t.Context(), all.SessionID); err != nil {
			t.Fatal(err)
		}
		if got := settledCapture(t, c, all.SessionID); got.Status != client.Failed ||
			!strings.Contains(*got.Error, second.SessionID+", which the file of the cameras names, is not there") {
			t.Errorf("without one of its videos it is %+v", got)
		}
	})
}

// videosOf reads the number that the processor has written.
func videosOf(t *testing.T, c *client.Client, id string) float64 {
	t.Helper()
	f, err := c.Frames(t.Context(), id, client.FrameQuery{Channels: "videos"})
	if err != nil {
		t.Fatal(err)
	}
	return f.Columns["videos"][1]
}

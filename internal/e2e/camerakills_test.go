package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
)

// gates are where runs of a video processor wait until a test lets them go on: those of a video, and those of the
// videos of several cameras.
type gates struct {
	*testing.T
	folder string
}

// newGates makes a video processor that says which kind of run has begun, waits at the gate of that kind, and writes
// of how many videos its motion is.
func newGates(t *testing.T, m *machine) gates {
	t.Helper()
	g := gates{t, t.TempDir()}
	g.gate()
	script := `case "$1" in *.cameras) kind=cameras n=$(grep -o "input[0-9].mp4" "$1" | sort -u | wc -l);; *) kind=video n=1;; esac
echo $kind >> ` + g.folder + `/begun
read -r go < ` + g.folder + `/$kind
printf 'A_x [m],A_y [m],A_z [m],videos\n1,2,3,%s\n1,2,3,%s\n' $n $n > "$2.csv"`
	m.env = append(m.env, "KINEBASE_READER_UID=0", "KINEBASE_VIDEO_WRITABLE="+g.folder,
		"KINEBASE_VIDEO_PROCESSOR=/bin/sh -c '"+strings.ReplaceAll(script, "'", `'"'"'`)+"' pose {input} {output}")
	return g
}

// gate makes a gate for each kind of run.
func (g gates) gate() {
	g.Helper()
	for _, kind := range []string{"video", "cameras"} {
		if err := syscall.Mkfifo(filepath.Join(g.folder, kind), 0o666); err != nil {
			g.Fatal(err)
		}
	}
}

// begun waits until so many runs of a kind have begun, those that were killed among them.
func (g gates) begun(kind string, runs int) {
	g.Helper()
	testkit.Until(g.T, fmt.Sprintf("%d runs for %s have begun", runs, kind), func() bool {
		said, err := os.ReadFile(filepath.Join(g.folder, "begun"))
		return err == nil && strings.Count(string(said), kind+"\n") >= runs
	})
}

// open lets all runs of a kind pass from now on.
func (g gates) open(kind string) {
	g.Helper()
	gate, err := os.OpenFile(filepath.Join(g.folder, kind), os.O_RDWR, 0) // for both, so that it waits for nobody
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = gate.Close() })
	if _, err := gate.WriteString(strings.Repeat("go\n", 100)); err != nil {
		g.Fatal(err)
	}
}

// TestTheVideosOfAGroupBecomeOneRecordingWhereverTheServerIsKilled kills it while a video is sent, while videos are
// processed, when the file of the cameras has come, while the videos are processed together, and while what was made of
// them is stored.
func TestTheVideosOfAGroupBecomeOneRecordingWhereverTheServerIsKilled(t *testing.T) {
	testkit.Long(t)
	const cameras = 4
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, left := where.setUp(t)
			gate := newGates(t, m)
			j := begun(t, m)
			ctx := context.Background()
			videos := j.reserveGroup("1.mp4", "2.mp4", "3.mp4", "4.mp4")
			j.cut(videos[1], []byte(film(t)))
			for _, r := range videos {
				j.upload(r, []byte(film(t)))
			}
			gate.begun("video", 1)
			j.crash(0)

			all := j.sendCameras(videos, client.NewCapture{}, nil)
			j.crash(0)
			gate.open("video")
			for _, r := range videos {
				j.await(r.SessionID, "completed")
			}
			gate.begun("cameras", 1)
			j.crash(0)
			gate.open("cameras")
			gate.begun("cameras", 2)
			j.crash(300 * time.Millisecond)
			j.await(all.SessionID, "completed")

			page, err := j.client.ListCaptures(ctx, client.CaptureFilter{})
			if err != nil {
				t.Fatal(err)
			}
			if page.TotalCount != cameras+1 {
				t.Errorf("%d captures are there", page.TotalCount)
			}
			if n := videosOf(t, j.client, all.SessionID); n != cameras {
				t.Errorf("the recording was made of %v videos", n)
			}
			for n, r := range videos {
				if made := videosOf(t, j.client, r.SessionID); made != 1 {
					t.Errorf("video %d has the motion of %v", n+1, made)
				}
				if got := downloaded(t, j.client, r.SessionID); !bytes.Equal(got, []byte(film(t))) {
					t.Errorf("of video %d %d bytes are there", n+1, len(got))
				}
			}
			// The file that came, what the processor made of it, and its table; nothing of a run that was killed.
			testkit.Until(t, "each capture has its three files", func() bool { return len(left()) == 3*(cameras+1) })
		})
	}
}

// reserve reserves a capture.
func (j *journey) reserve(n client.NewCapture) *client.Reservation {
	j.Helper()
	r, err := j.client.Reserve(context.Background(), n)
	if err != nil {
		j.Fatalf("%v\n%s", err, tail(j.server.logs()))
	}
	return r
}

// reserveGroup reserves the captures of videos that make up one group.
func (j *journey) reserveGroup(names ...string) (videos []*client.Reservation) {
	j.Helper()
	group := ""
	for _, name := range names {
		r := j.reserve(client.NewCapture{FileName: name, GroupID: group, Camera: map[string]any{}})
		group, videos = r.GroupID, append(videos, r)
	}
	return videos
}

// sendCameras sends the file of the cameras of a group, with a calibration if there is one.
func (j *journey) sendCameras(videos []*client.Reservation, n client.NewCapture, calibration any) *client.Reservation {
	j.Helper()
	var of []map[string]any
	for _, r := range videos {
		of = append(of, map[string]any{"session_id": r.SessionID})
	}
	told := map[string]any{"videos": of}
	if calibration != nil {
		told["calibration"] = calibration
	}
	text, err := json.Marshal(told)
	if err != nil {
		j.Fatal(err)
	}
	n.FileName, n.GroupID = "all.cameras", videos[0].GroupID
	all := j.reserve(n)
	j.upload(all, text)
	return all
}

// downloaded is the file of a capture as it came.
func downloaded(t *testing.T, c *client.Client, id string) []byte {
	t.Helper()
	f, err := c.File(t.Context(), id, client.FileQuery{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

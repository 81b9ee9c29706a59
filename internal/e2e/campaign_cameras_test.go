//go:build campaign && corpus_video

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/corpus"
)

// shorten writes the first pictures of a video.
const shorten = `import sys
import cv2
film, count = cv2.VideoCapture(sys.argv[1]), int(sys.argv[3])
size = tuple(int(film.get(k)) for k in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
out = cv2.VideoWriter(sys.argv[2], cv2.VideoWriter_fourcc(*"mp4v"), 60, size)
for _ in range(count):
    there, picture = film.read()
    assert there and out.isOpened()
    out.write(picture)
out.release()
`

// realClips are the first pictures of the real videos of four cameras.
func realClips(t *testing.T, pictures int) (clips [][]byte) {
	t.Helper()
	folder, python, to := corpus.Folder(t, "KINEBASE_TEST_VIDEO"), videoProcessor(t), t.TempDir()
	for n := 1; n <= 4; n++ {
		name := fmt.Sprintf("cam%02d.mp4", n)
		clip := filepath.Join(to, name)
		out, err := exec.Command(python, "-c", shorten, filepath.Join(folder, name), clip, fmt.Sprint(pictures)).
			CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		raw, err := os.ReadFile(clip)
		if err != nil {
			t.Fatal(err)
		}
		clips = append(clips, raw)
	}
	return clips
}

// runs are what the video processor that comes with Kinebase says of its runs: a run tells that it has begun, and when
// it has made motion it says so too and waits at the gate of its kind.
type runs struct {
	gates
	round int
}

// newRuns makes a server use the video processor.
func newRuns(t *testing.T, m *machine) *runs {
	t.Helper()
	r := &runs{gates: gates{t, t.TempDir()}}
	r.gate()
	script := `case "$3" in *.cameras) kind=cameras;; *) kind=video;; esac
read -r round < ` + r.folder + `/round
echo $kind has begun >> "$round"
"$@" 2>> "$round" || { echo $kind has failed >> "$round"; exit 1; }
echo $kind is made >> "$round"
read -r go < ` + r.folder + `/$kind`
	for _, setting := range videoSettings(t) {
		if command, ok := strings.CutPrefix(setting, "KINEBASE_VIDEO_PROCESSOR="); ok {
			setting = "KINEBASE_VIDEO_PROCESSOR=/bin/sh -c '" + strings.ReplaceAll(script, "'", `'"'"'`) + "' run " + command
		}
		m.env = append(m.env, setting)
	}
	m.env = append(m.env, "KINEBASE_READER_UID=0", "KINEBASE_VIDEO_WRITABLE="+r.folder)
	r.next()
	return r
}

// next has the runs of the next server say what they do in a file of its own: those of a server that was killed go on.
func (r *runs) next() {
	r.Helper()
	r.round++
	if err := os.WriteFile(filepath.Join(r.folder, "round"), []byte(r.said()+"\n"), 0o666); err != nil {
		r.Fatal(err)
	}
}

func (r *runs) said() string { return filepath.Join(r.folder, fmt.Sprint("said", r.round)) }

// await waits until a run of this server has said something, which is not that it has failed.
func (r *runs) await(what string) {
	r.Helper()
	testkit.Until(r.T, what, func() bool {
		said, err := os.ReadFile(r.said())
		if strings.Contains(string(said), "failed\n") {
			r.Fatalf("%s", said)
		}
		return err == nil && strings.Contains(string(said), what+"\n")
	})
}

// TestCampaignFourRealVideosBecomeMetresOnceWhereverTheServerIsKilled has the video processor that comes with Kinebase make
// motion, and kills the server while a video is sent, while videos are looked at, when the motion of one is made, when
// the file of the cameras has come, while the cameras' videos are looked at, when their motion is made, and while it is
// stored.
func TestCampaignFourRealVideosBecomeMetresOnceWhereverTheServerIsKilled(t *testing.T) {
	const pictures = 40
	clips := realClips(t, pictures)
	calibration, err := os.ReadFile(filepath.Join(corpus.Folder(t, "KINEBASE_TEST_VIDEO"), "calib.qca.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel() // what a killed server had claimed waits for half a minute
			m, left := where.setUp(t)
			run := newRuns(t, m)
			j := begun(t, m)
			crash := func(within time.Duration) {
				t.Helper()
				if within > 0 {
					<-time.After(time.Duration(j.chance.Int64N(int64(within))))
				}
				j.server.kill()
				run.next()
				j.start()
			}
			videos := j.reserveGroup("cam01.mp4", "cam02.mp4", "cam03.mp4", "cam04.mp4")
			j.cut(videos[1], clips[1])
			for n, r := range videos {
				j.upload(r, clips[n])
			}
			run.await("video has begun")
			crash(2 * time.Second)
			run.await("video is made")
			crash(0)
			run.open("video")

			all := j.sendCameras(videos, client.NewCapture{Activity: "range_of_motion", Movement: "shoulder_flexion"},
				map[string]any{"name": "calib.qca.txt", "text": string(calibration)})
			crash(0)
			for _, r := range videos {
				j.await(r.SessionID, "completed")
			}
			run.await("cameras has begun")
			crash(4 * time.Second)
			run.await("cameras is made")
			crash(0)
			run.open("cameras")
			run.await("cameras is made")
			crash(300 * time.Millisecond)
			j.await(all.SessionID, "completed")

			page, err := j.client.ListCaptures(t.Context(), client.CaptureFilter{})
			if err != nil {
				t.Fatal(err)
			}
			if page.TotalCount != int64(len(videos)+1) {
				t.Errorf("%d captures are there", page.TotalCount)
			}
			for n, r := range videos {
				if got := downloaded(t, j.client, r.SessionID); !bytes.Equal(got, clips[n]) {
					t.Errorf("of video %d %d bytes are there", n+1, len(got))
				}
				if motion := j.motionOf(r); motion.Frames != pictures || len(motion.Unknown) == 0 {
					t.Errorf("video %d has the motion of %d frames, and unknown is %v", n+1, motion.Frames,
						motion.Unknown)
				}
			}
			j.isMotionInMetres(all, pictures)
			testkit.Until(t, "each capture has its three files",
				func() bool { return len(left()) == 3*(len(videos)+1) })
		})
	}
}

// isMotionInMetres holds a capture to what four cameras that see one person give: every point in every frame, and
// metrics.
func (j *journey) isMotionInMetres(r *client.Reservation, frames int) {
	j.Helper()
	motion := j.motionOf(r)
	if motion.Frames != frames || motion.Rate == nil || *motion.Rate != 60 || motion.Up != "+z" ||
		len(motion.Unknown) > 0 {
		j.Errorf("%d frames, rate %v, up %q, unknown %v", motion.Frames, motion.Rate, motion.Up, motion.Unknown)
	}
	for _, channel := range motion.Channels {
		if channel.Missing > 0 {
			j.Errorf("of %s %v %% are missing", channel.Name, channel.Missing)
		}
	}
	if motion.Computed == nil || len(motion.Computed.Metrics) == 0 {
		j.Errorf("nothing was measured: %+v", motion.Computed)
	}
}

// motionOf is the motion of a capture.
func (j *journey) motionOf(r *client.Reservation) *client.Motion {
	j.Helper()
	motion, err := j.client.Motion(j.Context(), r.SessionID)
	if err != nil {
		j.Fatal(err)
	}
	return motion
}

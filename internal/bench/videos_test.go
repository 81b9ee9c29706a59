package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// alone has MediaPipe look at each picture of a video and does nothing with what it finds. It prints how many pictures
// there were and how many seconds passed from the first one on.
const alone = `import sys, time
import cv2, numpy
from kinebase_video.mediapipe_pose import _pose
pose = _pose().Pose(static_image_mode=False, model_complexity=1, smooth_landmarks=False)
film, count, begun = cv2.VideoCapture(sys.argv[1]), 0, time.perf_counter()
while True:
    there, picture = film.read()
    if not there:
        break
    pose.process(numpy.ascontiguousarray(picture[:, :, ::-1]))
    count += 1
print("[%d, %f]" % (count, time.perf_counter() - begun))
`

// videos measures the video processor that comes with Kinebase on a real video, against its estimator alone. They are
// measured where KINEBASE_TEST_VIDEO names the folder of the video and make video has been run.
func (b *bench) videos() error {
	const pace, memory = "Videos: motion of one camera, start and writing included",
		"Videos: peak memory of the video processor"
	if !b.wanted(pace) && !b.wanted(memory) {
		return nil
	}
	bin, err := filepath.Abs(filepath.Join("..", "..", ".tools", "video", "bin"))
	if err != nil {
		return err
	}
	film := filepath.Join(os.Getenv("KINEBASE_TEST_VIDEO"), "one_camera_walk.mp4")
	for _, needed := range []string{filepath.Join(bin, "kinebase-video"), film} {
		if _, err := os.Stat(needed); err != nil {
			fmt.Printf("Videos are not measured: %v\n", err)
			return nil
		}
	}
	dir, err := os.MkdirTemp("", "kinebase-bench-video")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var ours, theirs, ourMemory, theirMemory []float64
	for range b.rounds {
		c := exec.CommandContext(b.ctx, filepath.Join(bin, "python"), "-c", alone, film)
		out, err := c.Output()
		if err != nil {
			return fmt.Errorf("the estimator alone: %w", err)
		}
		var took [2]float64
		if err := json.Unmarshal(out, &took); err != nil {
			return fmt.Errorf("the estimator alone: %w", err)
		}
		theirs, theirMemory = append(theirs, took[0]/took[1]), append(theirMemory, mebibytes(c))

		c = exec.CommandContext(b.ctx, filepath.Join(bin, "kinebase-video"), "motion", film,
			filepath.Join(dir, "out.csv"))
		begun := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("the video processor: %w: %s", err, out)
		}
		ours, ourMemory = append(ours, took[0]/time.Since(begun).Seconds()), append(ourMemory, mebibytes(c))
	}
	b.add(row{operation: pace, ours: figure(median(ours)) + " pictures/s",
		baseline: "MediaPipe alone " + figure(median(theirs)) + " pictures/s",
		ratio:    figure(median(ours) / median(theirs))})
	b.add(row{operation: memory, ours: figure(median(ourMemory)) + " MiB",
		baseline: "MediaPipe alone " + figure(median(theirMemory)) + " MiB",
		ratio:    figure(median(ourMemory) / median(theirMemory))})
	return nil
}

// mebibytes is the most memory that a process has had that has ended.
func mebibytes(c *exec.Cmd) float64 {
	return float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
}

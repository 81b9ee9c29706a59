package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/need"
)

// videoProcessor is the Python of clients/video with all that it needs.
func videoProcessor(t *testing.T) string {
	t.Helper()
	room := absolute(t, "..", "..", ".tools", "video")
	if _, err := os.Stat(filepath.Join(room, "installed")); err != nil {
		need.Missing(t, "no MediaPipe to make motion of videos; to run this test: make video")
	}
	return filepath.Join(room, "bin", "python")
}

// TestTheVideoProcessorDoesWhatItSays runs the tests of clients/video; those over real videos
// run where KINEBASE_TEST_VIDEO names their folder.
func TestTheVideoProcessorDoesWhatItSays(t *testing.T) {
	testkit.Long(t)
	// however long it takes
	cmd := exec.CommandContext(t.Context(), videoProcessor(t), "-m", "pytest", "-q", "-p", "no:cacheprovider")
	cmd.Dir, cmd.Env = absolute(t, "..", "..", "clients", "video"), append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// videoSettings are those by which a server uses the video processor, as scripts/video tells them.
func videoSettings(t *testing.T) []string {
	t.Helper()
	videoProcessor(t)
	out, err := exec.Command("/bin/sh", "-c", `eval "$("$0" --env | sed 's/^/export /')"; env`,
		absolute(t, "..", "..", "scripts", "video")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var settings []string
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "KINEBASE_VIDEO_") {
			settings = append(settings, strings.TrimSpace(line))
		}
	}
	if len(settings) != 2 {
		t.Fatalf("scripts/video --env gives %q", settings)
	}
	return settings
}

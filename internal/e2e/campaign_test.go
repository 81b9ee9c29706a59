//go:build campaign

package e2e

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// share is what part of the campaign is run: KINEBASE_CAMPAIGN, 1 when nothing is said.
func share(t *testing.T) float64 {
	t.Helper()
	text := os.Getenv("KINEBASE_CAMPAIGN")
	if text == "" {
		return 1
	}
	part, err := strconv.ParseFloat(text, 64)
	if err != nil || !(part > 0 && part <= 1) {
		t.Fatalf("KINEBASE_CAMPAIGN must be a share of the campaign, above 0 and at most 1, not %q", text)
	}
	return part
}

// rounds is how many of so many rounds are run.
func rounds(t *testing.T, whole int) int {
	t.Helper()
	return int(math.Ceil(float64(whole) * share(t)))
}

// troubles are the lines of the log but for those of requests that went well.
func (s *server) troubles() string {
	var lines []string
	for line := range strings.Lines(s.logs()) {
		if !strings.Contains(line, `"status":200`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// noneLeft waits until every file of a day is erased. What is kept of an export's result may
// stay: after a deletion it is made again, of what is left.
func noneLeft(t *testing.T, left func() []string) {
	t.Helper()
	ofCaptures := func() []string {
		return slices.DeleteFunc(left(), func(name string) bool { return containsAll(name, "export/") })
	}
	defer func() {
		if names := ofCaptures(); t.Failed() {
			t.Logf("left behind: %v", names)
		}
	}()
	testkit.Until(t, "no file of the day is left", func() bool { return len(ofCaptures()) == 0 })
}

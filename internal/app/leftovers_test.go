package app_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// TestAServerRemovesWhatIsLeftOfAFileThatWasNeverWhole leaves a file where files are written
// before they have a name: its writer died, or the disk failed it and kept what there was.
func TestAServerRemovesWhatIsLeftOfAFileThatWasNeverWhole(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	a := apptest.Start(t, apptest.SQLite)
	left := filepath.Join(a.Place["data"], "files", "incoming", "left")
	if err := os.WriteFile(left, []byte("half of a recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-2 * time.Minute)
	if err := os.Chtimes(left, before, before); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "what was left is removed", func() bool {
		_, err := os.Stat(left)
		return errors.Is(err, fs.ErrNotExist)
	})
}

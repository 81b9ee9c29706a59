// Package corpus finds files for tests that are not part of the project. scripts/test
// builds those tests where the environment names the folder, and in CI.
package corpus

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Folder is the folder that a variable of the environment names, such as
// KINEBASE_TEST_CASES.
func Folder(t testing.TB, variable string) string {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		t.Fatalf("%s must name the folder of the files that this test reads", variable)
	}
	return folder
}

// Specimen is a real motion file, what was measured of it by other means, and why it is
// in the corpus.
type Specimen struct{ File, Measured, Why string }

// Motion is the folder of the real motion files, and its index.
func Motion(t testing.TB) (folder string, files []Specimen) {
	t.Helper()
	folder = Folder(t, "KINEBASE_TEST_MOTION")
	index, err := os.Open(filepath.Join(folder, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer index.Close()
	lines := bufio.NewScanner(index)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	columns := strings.Split(lines.Text(), "\t")
	file, measured, why := slices.Index(columns, "file"), slices.Index(columns, "measured"),
		slices.Index(columns, "why")
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		files = append(files, Specimen{cells[file], cells[measured], cells[why]})
	}
	if lines.Err() != nil || len(files) < 50 {
		t.Fatalf("the index has %d files: %v", len(files), lines.Err())
	}
	return folder, files
}

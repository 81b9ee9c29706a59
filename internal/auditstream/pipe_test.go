//go:build unix

package auditstream_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPipeThatNobodyReadsTakesNoEntry(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	s := opened(t, path)
	if err := s.Send(t.Context(), some(0, 2)); err == nil {
		t.Error("entries count as sent that nobody has read")
	}
	reader, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	if err := s.Send(t.Context(), some(0, 2)); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 1<<16)
	n, err := reader.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(buffer[:n]), "\n"), "\n")
	if got := ids(t, lines); !slices.Equal(got, []string{"0", "1"}) {
		t.Errorf("the reader has %v", got)
	}
}

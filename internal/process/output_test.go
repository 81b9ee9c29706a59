package process

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/upload"
)

func TestOnlyAFileIsTakenForWhatAVideoProcessorMade(t *testing.T) {
	room := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, makes := range map[string]func(name string) error{
		"a link":   func(name string) error { return os.Symlink(secret, name) },
		"a pipe":   func(name string) error { return unix.Mkfifo(name, 0o600) },
		"a folder": func(name string) error { return os.Mkdir(name, 0o700) },
	} {
		at := filepath.Join(room, name+".trc")
		if err := makes(at); err != nil {
			t.Fatal(err)
		}
		_, err := openOutput(at)
		var died *upload.Died
		if !errors.As(err, &died) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

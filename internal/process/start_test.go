package process_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/upload"
)

func TestAReaderThatCannotStartIsUnavailableAndBlamesNoFile(t *testing.T) {
	text := filepath.Join(t.TempDir(), "no-program")
	if err := os.WriteFile(text, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, set := range map[string]func(binary, dir *string){
		"no such program":     func(binary, _ *string) { *binary = filepath.Join(folder, "missing") },
		"not a program":       func(binary, _ *string) { *binary = text },
		"a folder":            func(binary, _ *string) { *binary = folder },
		"no temporary folder": func(_, dir *string) { *dir = filepath.Join(folder, "missing") },
	} {
		r := runner(t)
		kept := r.Dir
		set(&r.Binary, &r.Dir)
		for verb, err := range map[string]error{
			"read": func() error {
				_, err := r.Read(t.Context(), lab, upload.Source{Name: "walk.trc"}, remoteOf([]byte("x")))
				return err
			}(),
			"convert": r.Convert(t.Context(), lab, "walk.trc", remoteOf([]byte("x")), "csv", 0, new(bytes.Buffer)),
		} {
			var died *upload.Died
			var unreadable *upload.Unreadable
			if err = fault.System(err, ""); !fault.Is(err, fault.Unavailable) || errors.As(err, &died) ||
				errors.As(err, &unreadable) {
				t.Errorf("%s, %s: %v", name, verb, err)
			}
		}
		r.Dir = kept
	}
}

func TestAReaderThatIsStoppedWithItsServerBlamesNoFile(t *testing.T) {
	_, err := runner(t).Read(t.Context(), lab, upload.Source{Name: "walk.stopped"}, remoteOf([]byte("x")))
	var died *upload.Died
	var unreadable *upload.Unreadable
	var stopped *upload.Stopped
	if !errors.As(err, &stopped) || !fault.Is(err, fault.Unavailable) || errors.As(err, &died) ||
		errors.As(err, &unreadable) {
		t.Errorf("a reader that was asked to end gives %v", err)
	}
}

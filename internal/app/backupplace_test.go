package app_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/config"
)

func TestAPlaceOfBackupsIsNeverInTheFilesHoweverItIsCalled(t *testing.T) {
	root := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{at("data", "files", "original"), at("elsewhere", "deep")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link(at("data", "files"), at("straight"))
	link(filepath.Join("data", "files", "original"), at("relative"))
	link(at("data", "files", "not", "there", "yet"), at("dangling"))
	link(at("data"), at("elsewhere", "above"))
	link(at("elsewhere"), at("around"))
	for _, files := range []string{at("data", "files"), at("straight"), at("around", "above", "files")} {
		for _, where := range []string{
			at("data", "files"), at("data", "files", "backups"), at("data"), root, at("straight"),
			at("straight", "new", "place"), at("relative"),
			at("relative", "place"), at("dangling"), at("dangling", "place"), at("elsewhere", "above", "files", "x"),
			at("around", "above"),
		} {
			p, err := app.OpenPlace(t.Context(), config.Config{Files: files}, where, slog.New(slog.DiscardHandler))
			if err == nil {
				_ = p.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "must not lie in each other") {
				t.Errorf("backups of %s in %s: %v", files, where, err)
			}
		}
		for _, where := range []string{at("elsewhere", "deep"), at("around", "deep"), at("data", "backups"),
			at("data", "files-backups"), at("around", "new", "place")} {
			p, err := app.OpenPlace(t.Context(), config.Config{Files: files}, where, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Errorf("backups of %s in %s: %v", files, where, err)
				continue
			}
			_ = p.Close()
		}
	}
}

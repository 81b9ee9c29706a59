package app

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/process/confine"
	"github.com/kinebase/kinebase/internal/telemetry"
)

func TestFoldersOfTheVideoProcessorThatHoldFilesOfTheServerAreRefused(t *testing.T) {
	base := t.TempDir()
	for _, folder := range []string{"kinebase/data", "pose", "files", "temporary"} {
		if err := os.MkdirAll(filepath.Join(base, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "kinebase"), filepath.Join(base, "linked")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(base, "temporary"))
	for _, c := range []struct{ folder, says string }{
		{"pose", ""},
		{"kinebase/database", "does not exist"},
		{"kinebase", "the data folder"},
		{"kinebase/data", "the data folder"},
		{"linked", "the data folder"},
		{"files", "the folder of files"},
		{"temporary", "the folder for temporary files"},
		{"", " is in it"},
	} {
		for variable, set := range map[string]func(c *config.Config, paths []string){
			"KINEBASE_VIDEO_FOLDERS":  func(c *config.Config, paths []string) { c.VideoFolders = paths },
			"KINEBASE_VIDEO_WRITABLE": func(c *config.Config, paths []string) { c.VideoWritable = paths },
		} {
			settings := config.Config{Data: filepath.Join(base, "kinebase", "data"),
				Files: filepath.Join(base, "files", "motion"), VideoProcessor: "run {input} {output}"}
			set(&settings, []string{filepath.Join(base, c.folder)})
			_, err := NewReader(settings, slog.New(slog.DiscardHandler))
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) ||
				!strings.HasPrefix(err.Error(), variable)) {
				t.Errorf("%s with %q: %v, want one that says %q", variable, c.folder, err, c.says)
			}
		}
	}
}

func TestWhatAVideoProcessorMayAlwaysReadHoldsNoFilesOfTheServer(t *testing.T) {
	settings := config.Config{Data: "/usr/share/kinebase", VideoProcessor: "run {input} {output}"}
	if _, err := NewReader(settings, slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "/usr/share") {
		t.Errorf("a data folder in /usr/share: %v", err)
	}
}

func TestWhatOfTheConfinementIsMissingIsSaidOnceAndShownAsFigures(t *testing.T) {
	for _, uid := range []int{0, 65534} {
		var log bytes.Buffer
		settings := config.Config{ReaderUID: uid}
		if _, err := NewReader(settings, slog.New(slog.NewJSONHandler(&log, nil))); err != nil {
			t.Fatal(err)
		}
		var line struct {
			Level, Msg string
			Missing    map[string]string
		}
		if err := json.Unmarshal(log.Bytes(), &line); err != nil { // one line, and no more
			t.Fatalf("%v: %s", err, log.String())
		}
		a := &App{config: settings, metrics: telemetry.NewMetrics("test")}
		a.confinement()
		scrape := httptest.NewRecorder()
		a.metrics.Handler().ServeHTTP(scrape, httptest.NewRequest("GET", "/metrics", nil))
		wanted := 0
		for _, part := range confine.Look(uid) {
			held := 0
			if part.Held {
				held = 1
			}
			if want := `kinebase_confinement{part="` + part.Name + `"} ` + strconv.Itoa(held) +
				"\n"; !strings.Contains(scrape.Body.String(), want) {
				t.Errorf("/metrics does not hold %q", want)
			}
			if line.Missing[part.Name] != part.Why {
				t.Errorf("%s: the log says %q, want %q", part.Name, line.Missing[part.Name], part.Why)
			}
			if part.Wanted && !part.Held {
				wanted++
			}
		}
		if warned := line.Level == "WARN"; warned != (wanted > 0) {
			t.Errorf("%d parts are missing, and the log says: %s", wanted, log.String())
		}
	}
}

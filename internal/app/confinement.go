package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/internal/process/confine"
)

// guard hides what this process knows from its children, and says once which part of
// their confinement cannot be had.
func guard(c config.Config, log *slog.Logger) {
	if err := confine.Guard(); err != nil {
		log.Warn("what the server keeps in memory cannot be hidden from its children", "error", err)
	}
	level, told := slog.LevelInfo, "readers and the video processor are confined"
	var missing []any
	for _, part := range confine.Look(c.ReaderUID) {
		if part.Held {
			continue
		}
		missing = append(missing, slog.String(part.Name, part.Why))
		if part.Wanted {
			level, told = slog.LevelWarn, "readers and the video processor are not confined in every way"
		}
	}
	if len(missing) == 0 {
		log.Info(told)
		return
	}
	log.Log(context.Background(), level, told, slog.Group("missing", missing...))
}

// confinement shows the parts as figures.
func (a *App) confinement() {
	for _, part := range confine.Look(a.config.ReaderUID) {
		value := 0.0
		if part.Held {
			value = 1
		}
		a.metrics.LabeledGauge("kinebase_confinement",
			"1 for each part of the confinement of readers and the video processor that they have.",
			"part", part.Name, func() float64 { return value })
	}
}

// checkFolders refuses folders of the video processor that hold what it must not reach:
// what the server keeps, and the folders of other videos.
func checkFolders(c config.Config, log *slog.Logger) error {
	kept := map[string]string{"the folder for temporary files": os.TempDir(), "the data folder": c.Data,
		"the folder of files": c.Files}
	for what, folder := range kept {
		if folder == "" {
			continue
		}
		for variable, paths := range map[string][]string{"KINEBASE_VIDEO_FOLDERS": c.VideoFolders,
			"KINEBASE_VIDEO_WRITABLE": c.VideoWritable} {
			for _, path := range paths {
				if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
					return fmt.Errorf("%s names %s, which does not exist", variable, path)
				}
				if inside(path, folder) {
					return fmt.Errorf("%s names %s, and %s, %s, is in it: name the folders inside that the video "+
						"processor needs", variable, path, what, folder)
				}
			}
		}
		for _, path := range process.SystemFolders() {
			if inside(path, folder) {
				return fmt.Errorf("%s, %s, is in %s, which the video processor may read: move it elsewhere", what,
					folder, path)
			}
		}
	}
	if barrier := barrierTo(os.TempDir()); confine.Becomes(c.ReaderUID) && barrier != "" {
		log.Warn("the account of the video processor cannot reach the folder for temporary files", "account",
			c.ReaderUID, "folder", barrier)
	}
	return nil
}

// inside says whether a file or folder is in another, or is it, wherever links lead.
func inside(outer, inner string) bool {
	rel, err := filepath.Rel(resolved(outer), resolved(inner))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolved is a path without links, as far as it exists.
func resolved(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	real, missing := filepath.EvalSymlinks(path)
	if missing == nil {
		return real
	}
	if to, err := os.Readlink(path); err == nil && errors.Is(missing, fs.ErrNotExist) {
		// a link to what is not there yet
		if !filepath.IsAbs(to) {
			to = filepath.Join(resolved(filepath.Dir(path)), to)
		}
		return resolved(to)
	}
	if parent := filepath.Dir(path); parent != path {
		return filepath.Join(resolved(parent), filepath.Base(path))
	}
	return path
}

// barrierTo is the first folder on the way to another that not every account may enter;
// "" when there is none.
func barrierTo(folder string) string {
	folder = resolved(folder)
	barrier := ""
	for {
		if info, err := os.Stat(folder); err == nil && info.Mode()&0o001 == 0 {
			barrier = folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return barrier
		}
		folder = parent
	}
}

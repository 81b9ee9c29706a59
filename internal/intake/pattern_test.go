package intake_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kinebase/kinebase/internal/intake"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/upload"
)

func TestAPatternMatchesWithinAFolderOrThroughAllOfThem(t *testing.T) {
	l := newLab(t, store.Options{Data: t.TempDir()})
	files := map[string]string{}
	for _, name := range []string{"walk.trc", "walk1.trc", "walk.c3d", "Walk2.trc", "a/walk.trc", "a/b/walk.trc",
		"a/b/run.c3d", "b/walk.trc"} {
		files[name] = trc("60")
	}
	for pattern, want := range map[string]string{
		"walk.trc":                      "walk.trc",
		"./walk.trc":                    "walk.trc",
		"*.trc":                         "Walk2.trc walk.trc walk1.trc",
		"walk*.trc":                     "walk.trc walk1.trc",
		"w*k*":                          "walk.c3d walk.trc walk1.trc",
		"*1*.trc":                       "walk1.trc",
		"*/walk.trc":                    "a/walk.trc b/walk.trc",
		"a/*":                           "a/walk.trc",
		"a/**":                          "a/b/run.c3d a/b/walk.trc a/walk.trc",
		"**/walk.trc":                   "a/b/walk.trc a/walk.trc b/walk.trc walk.trc",
		"**/b/**":                       "a/b/run.c3d a/b/walk.trc b/walk.trc",
		"**/**/*.c3d":                   "a/b/run.c3d walk.c3d",
		"a/**/run.c3d":                  "a/b/run.c3d",
		"*.trc.gz":                      "",
		strings.Repeat("**/", 40) + "x": "",
		strings.Repeat("*", 100) + "x":  "",
	} {
		files["kinebase.csv"] = "file,activity\n" + pattern + ",hit\n"
		o := l.bring(lay(t, files), func(im *intake.Import) { im.Dry = true }).went(t)
		var hit []string
		for file, c := range o.made {
			if label(c.Activity) == "hit" {
				hit = append(hit, file)
			}
		}
		if slices.Sort(hit); strings.Join(hit, " ") != want || len(o.made) != 8 {
			t.Errorf("%s matches %q, want %q", pattern, hit, want)
		}
		if unused := len(o.skipped) == 1; unused != (want == "") {
			t.Errorf("%s: skipped %q", pattern, o.skipped)
		}
	}
}

// meddler changes a file while it is being stored.
type meddler struct {
	upload.Files
	path, text string
}

func (m meddler) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	if err := os.WriteFile(m.path, []byte(m.text), 0o600); err != nil {
		return 0, err
	}
	return m.Files.Put(ctx, name, r, size)
}

func TestAFileThatChangesWhileItIsReadIsNotTaken(t *testing.T) {
	labs(t, func(t *testing.T, l *lab) {
		for _, text := range []string{"dood", "go"} {
			folder := lay(t, map[string]string{"a.trc": "good"})
			o := l.bring(folder, func(im *intake.Import) {
				im.Folders.Files = meddler{im.Folders.Files, filepath.Join(folder, "a.trc"), text}
			})
			if told := o.told(); o.err != nil || len(told) != 1 ||
				told[0] != "a.trc: changed while it was read: import it again" {
				t.Errorf("told is %q, %v", told, o.err)
			}
		}
		l.erase()
		if kept := l.keeps(); len(kept) > 0 {
			t.Errorf("kept is %q", kept)
		}
	})
}

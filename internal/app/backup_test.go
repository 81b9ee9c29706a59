package app_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/app"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/config"
	"github.com/kinebase/kinebase/internal/store"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// stored brings a capture with files of made-up bytes into a store.
func stored(t *testing.T, s *store.Store, files upload.Files, org, session string) {
	t.Helper()
	sc := organization.In(org)
	c := capture.Capture{SessionID: session, Status: capture.Completed, Source: capture.SourceImport}
	original, table := upload.OriginalName(org), upload.TableName(org, c)
	for _, err := range []error{
		s.ExpectBrought(t.Context(), sc, session, time.Now().Add(time.Hour), original, table),
		put(t, files, original, "original of "+session), put(t, files, table, "table of "+session),
		s.Bring(t.Context(), sc, upload.Brought{Capture: c, FileName: "f.c3d", Original: original,
			Size:    int64(len("original of " + session)),
			Outcome: upload.Outcome{Table: table, Info: []byte(`{"frames":3}`)}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func put(t *testing.T, files upload.Files, name, text string) error {
	_, err := files.Put(t.Context(), name, strings.NewReader(text), int64(len(text)))
	return err
}

// TestABackupThatIsCutAnywhereIsRefused cuts, changes and removes files of a backup at random: nothing of it may
// then be verified or restored, and what a restore has begun may not be opened as a store.
func TestABackupThatIsCutAnywhereIsRefused(t *testing.T) {
	testkit.Long(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 1))
	quiet := slog.New(slog.DiscardHandler)
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	token := a.Token(org)
	files := disk(t, filepath.Join(a.Place["data"], "files"))
	for _, session := range []string{"a", "b", "c"} {
		stored(t, a.Store, files, org, session)
	}
	a.Delete("/captures/c", token).Want(200)
	from := filepath.Join(t.TempDir(), "backups")
	place, err := blob.OpenDisk(from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = place.Close() })
	r, err := app.Backup(t.Context(), settings(t, a.Place["data"]), a.Store, &app.Files{Files: files}, place, "test")
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 4 {
		t.Fatalf("the backup is %+v", r)
	}
	var names []string
	if err := place.List(t.Context(), "", func(name string, _ int64) error {
		names = append(names, name)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for round := range 60 {
		copied := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(copied, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		name := names[round%len(names)]
		how := spoil(t, chance, filepath.Join(copied, filepath.FromSlash(name)))
		broken, err := blob.OpenDisk(copied)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := backup.Check(t.Context(), broken, "", true); err == nil {
			t.Errorf("%s, %s: it is verified", name, how)
		}
		data := filepath.Join(t.TempDir(), "data")
		if _, err := app.Restore(t.Context(), settings(t, data), broken, "", quiet); err == nil {
			t.Errorf("%s, %s: it is restored", name, how)
		}
		if _, err := os.Stat(filepath.Join(data, db.FileName)); err == nil {
			if s, err := store.Open(context.Background(), store.Options{Data: data}); err == nil {
				if all, _ := s.Organizations(t.Context()); len(all) > 0 {
					t.Errorf("%s, %s: half a restore is opened as a store", name, how)
				}
				_ = s.Close()
			}
		}
		_ = broken.Close()
	}
	data := filepath.Join(t.TempDir(), "whole")
	if _, err := app.Restore(t.Context(), settings(t, data), place, "", quiet); err != nil {
		t.Errorf("the whole one is refused: %v", err)
	}
}

// spoil cuts a file, changes a bit of it, or removes it.
func spoil(t *testing.T, chance *rand.Rand, path string) (how string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := chance.IntN(len(data))
	switch chance.IntN(3) {
	case 0:
		how, err = "cut", os.Truncate(path, int64(at))
	case 1:
		data[at] ^= 1 << chance.IntN(8)
		how, err = "changed", os.WriteFile(path, data, fs.FileMode(0o600))
	default:
		how, err = "removed", os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return how
}

func TestOldBackupsGoWithTheFilesThatOnlyTheyHave(t *testing.T) {
	a := apptest.Start(t, apptest.SQLite)
	org := a.Organization()
	token := a.Token(org)
	files := disk(t, filepath.Join(a.Place["data"], "files"))
	place := disk(t, filepath.Join(t.TempDir(), "backups"))
	stored(t, a.Store, files, org, "kept")
	stored(t, a.Store, files, org, "gone")
	now := time.Now()
	made := func(keep time.Duration) backup.Report {
		t.Helper()
		r, err := backup.Make(t.Context(), a.Store, files, place,
			backup.Options{Keep: keep, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	made(time.Hour)
	a.Delete("/captures/gone", token).Want(200)
	now = now.Add(2 * time.Hour)
	r := made(3 * time.Hour)
	count := func() (n int) {
		testkit.Until(t, "the files are listed", func() bool {
			n = 0
			return place.List(t.Context(), "files/", func(string, int64) error { n++; return nil }) == nil
		})
		return n
	}
	if n := count(); r.Removed != 0 || r.Files != 2 || n != 4 {
		t.Errorf("while all are kept there are %d files, and %d backups were removed", n, r.Removed)
	}
	now = now.Add(2 * time.Hour)
	if r = made(3 * time.Hour); r.Removed != 1 || count() != 2 {
		t.Errorf("afterwards there are %d files, and %d backups were removed", count(), r.Removed)
	}
	if _, _, err := backup.Check(t.Context(), place, "", true); err != nil {
		t.Error(err)
	}
	other := apptest.Start(t, apptest.SQLite)
	if _, err := backup.Make(t.Context(), other.Store, files, place, backup.Options{Now: time.Now}); err == nil ||
		!strings.Contains(err.Error(), "another store") {
		t.Errorf("another store uses the same place: %v", err)
	}
}

// eachEngine runs a test with a store of each engine and settings for an empty one.
func eachEngine(t *testing.T, test func(t *testing.T, s *store.Store, org string, fresh func() config.Config)) {
	for _, e := range []apptest.Engine{apptest.SQLite, apptest.PostgreSQL} {
		if e == apptest.PostgreSQL && testing.Short() {
			continue
		}
		t.Run(string(e), func(t *testing.T) {
			a := apptest.Start(t, e)
			test(t, a.Store, a.Organization(), func() config.Config {
				if e == apptest.SQLite {
					return settings(t, filepath.Join(t.TempDir(), "data"))
				}
				set := map[string]string{"KINEBASE_DATABASE_URL": testkit.Postgres(t).Database(t),
					"KINEBASE_FILES": filepath.Join(t.TempDir(), "files")}
				c, err := app.Configure(nil, func(name string) (string, bool) { v, ok := set[name]; return v, ok })
				if err != nil {
					t.Fatal(err)
				}
				return c
			})
		})
	}
}

// disk is a folder of files.
func disk(t *testing.T, folder string) *blob.Disk {
	t.Helper()
	d, err := blob.OpenDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// TestARestoreNamesTheFileThatIsNotWhole spoils a file that is copied early, so that its failure ends all that follows.
func TestARestoreNamesTheFileThatIsNotWhole(t *testing.T) {
	testkit.Long(t)
	eachEngine(t, func(t *testing.T, s *store.Store, org string, fresh func() config.Config) {
		files, folder := disk(t, t.TempDir()), t.TempDir()
		place := disk(t, folder)
		for n := range 20 {
			stored(t, s, files, org, fmt.Sprint("capture ", n))
		}
		m, err := backup.Make(t.Context(), s, files, place, backup.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		if err := backup.Entries(t.Context(), place, m.Manifest, func(e backup.Entry) error {
			if name == "" {
				name = "files/" + e.Name
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[0] ^= 1
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = app.Restore(t.Context(), fresh(), place, "", slog.New(slog.DiscardHandler))
		var damaged *backup.Damaged
		if !errors.As(err, &damaged) || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), name) ||
			!strings.Contains(err.Error(), "--at") {
			t.Errorf("the restore ends with %v and should name %s", err, name)
		}
	})
}

func TestADamagedBackupIsNamedAndDoesNotKeepOthersFromGoing(t *testing.T) {
	testkit.Long(t)
	for what, spoil := range map[string]func(room string) error{
		"manifest cut off": func(room string) error { return os.Truncate(filepath.Join(room, "manifest.json"), 20) },
		"manifest empty":   func(room string) error { return os.Truncate(filepath.Join(room, "manifest.json"), 0) },
		"no list of files": func(room string) error { return os.Remove(filepath.Join(room, "files.ndjson.gz")) },
		"list cut off":     func(room string) error { return os.Truncate(filepath.Join(room, "files.ndjson.gz"), 20) },
	} {
		t.Run(what, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, s *store.Store, org string, _ func() config.Config) {
				files, folder := disk(t, t.TempDir()), t.TempDir()
				place := disk(t, folder)
				now := time.Now()
				made := func() backup.Report {
					t.Helper()
					r, err := backup.Make(t.Context(), s, files, place,
						backup.Options{Keep: 150 * time.Minute, Now: func() time.Time { return now }})
					if err != nil {
						t.Fatal(err)
					}
					now = now.Add(time.Hour)
					return r
				}
				stored(t, s, files, org, "gone")
				made()
				if err := s.DeleteCapture(t.Context(), organization.In(org), "gone",
					func(string) error { return nil }); err != nil {
					t.Fatal(err)
				}
				bad := made()
				if err := spoil(filepath.Join(folder, "backups", bad.ID)); err != nil {
					t.Fatal(err)
				}
				there := func() (backups, files int) {
					t.Helper()
					ids, err := backup.All(t.Context(), place)
					if err == nil {
						err = place.List(t.Context(), "files/", func(string, int64) error { files++; return nil })
					}
					if err != nil {
						t.Fatal(err)
					}
					return len(ids), files
				}
				// The first goes after the third, the damaged one a backup later, and only then their files.
				for round, want := range []struct{ backups, files, removed int }{{3, 2, 0}, {3, 2, 1}, {3, 0, 1}} {
					r := made()
					backups, files := there()
					if backups != want.backups || files != want.files || r.Removed != want.removed {
						t.Errorf("round %d: %d backups and %d files are left, %d were removed; want %+v", round,
							backups, files, r.Removed, want)
					}
					if !slices.Equal(r.Damaged, []string{bad.ID}) {
						t.Errorf("round %d: the damaged ones are %v", round, r.Damaged)
					}
				}
				if r := made(); len(r.Damaged) > 0 {
					t.Errorf("damaged are %v still", r.Damaged)
				}
			})
		})
	}
}

// TestADamagedBackupIsNeverTheOneThatIsKept has only damaged ones be newer than the one that is whole.
func TestADamagedBackupIsNeverTheOneThatIsKept(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *store.Store, org string, fresh func() config.Config) {
		files, folder := disk(t, t.TempDir()), t.TempDir()
		place := disk(t, folder)
		stored(t, s, files, org, "kept")
		now := time.Now()
		options := backup.Options{Now: func() time.Time { return now }}
		whole, err := backup.Make(t.Context(), s, files, place, options)
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
		bad, err := backup.Make(t.Context(), s, files, place, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(folder, "backups", bad.ID, "manifest.json"), 9); err != nil {
			t.Fatal(err)
		}
		r, err := backup.Prune(t.Context(), place, now.Add(time.Hour))
		if err != nil || r.Removed != 1 {
			t.Errorf("%+v, %v", r, err)
		}
		if _, err := app.Restore(t.Context(), fresh(), place, "", slog.New(slog.DiscardHandler)); err != nil {
			t.Errorf("%s cannot be restored: %v", whole.ID, err)
		}
	})
}

func TestAFileThatChangedInThePlaceIsFoundAndCopiedAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, s *store.Store, org string, _ func() config.Config) {
		from, folder := t.TempDir(), t.TempDir()
		files, place := disk(t, from), disk(t, folder)
		for n := range 3 {
			stored(t, s, files, org, fmt.Sprint("capture ", n))
		}
		now := time.Now()
		made := func() backup.Report {
			t.Helper()
			r, err := backup.Make(t.Context(), s, files, place, backup.Options{Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		var names []string
		if err := backup.Entries(t.Context(), place, made().Manifest,
			func(e backup.Entry) error { names = append(names, e.Name); return nil }); err != nil {
			t.Fatal(err)
		}
		rot := func(folder, name string) {
			t.Helper()
			path := filepath.Join(folder, filepath.FromSlash(name))
			data, err := os.ReadFile(path)
			if err == nil {
				data[len(data)/2] ^= 4
				err = os.WriteFile(path, data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rot(folder, "files/"+names[1])
		rot(folder, "files/"+names[4])
		rot(from, names[4])
		now = now.Add(29 * 24 * time.Hour)
		if r := made(); len(r.Rotten) > 0 || r.Copied > 0 {
			t.Errorf("before its turn comes: %+v", r)
		}
		now = now.Add(24 * time.Hour)
		r := made()
		if !slices.Equal(r.Rotten, []string{names[1], names[4]}) || !slices.Equal(r.Unlike, names[4:5]) ||
			r.Copied != 2 {
			t.Errorf("when its turn has come: %+v", r)
		}
		if _, _, err := backup.Check(t.Context(), place, "", true); err != nil {
			t.Error(err)
		}
		if r := made(); len(r.Rotten) > 0 || r.Copied > 0 {
			t.Errorf("afterwards: %+v", r)
		}
	})
}

// settings are those of a store in a folder.
func settings(t *testing.T, data string) config.Config {
	t.Helper()
	c, err := app.Configure(map[string]string{"data": data}, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

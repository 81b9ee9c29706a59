package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

func TestARestoredStoreHasEveryRowAndFileAndAnswersAsTheOther(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		ada, ben := d.athlete("Ada"), d.athlete("Ben")
		d.capture(0, ada)
		d.capture(1, ada, ben)
		waiting, err := d.client.Reserve(d.Context(),
			client.NewCapture{FileName: "later.trc", AthleteIDs: []string{ben}})
		must(d, waiting, err)
		job, err := d.client.CreateExport(d.Context(), client.NewExport{})
		must(d, job, err)
		done, err := d.client.WaitExport(d.Context(), job.ID, nil)
		must(d, done, err)
		var first, second backup.Report
		d.shell.run("backup", d.place, "--json").into(&first)
		if first.Files < 4 || first.Copied != first.Files || first.Missing != 0 {
			d.Errorf("the first backup has %+v", first)
		}
		d.capture(2, ben)
		d.app.Until("the work is done", func() bool { return len(rows(d, d.app.Store)["list_delta"]) == 0 })
		d.shell.run("backup", d.place, "--json").into(&second)
		if second.Copied != second.Files-first.Files {
			d.Errorf("the second backup copied %d of %d files, and the first had %d", second.Copied, second.Files,
				first.Files)
		}
		d.shell.run("backup", d.place, "--verify").ok()
		want, answers := rows(d, d.app.Store), d.answers(d.app, job.ID)
		cursor := d.app.Get("/changes", d.secret).Want(200).Object()["cursor"].(string)
		d.shell.run("restore", d.place).fails(1, "already")
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}

		d.elsewhere()
		d.shell.run("restore", d.place).ok()
		d.shell.run("restore", d.place).fails(1, "already")
		d.app = d.serve(apptest.With("KINEBASE_WORKERS", "0"))
		got := rows(d, d.app.Store)
		for _, written := range []string{"job", "usage_day"} { // by servers of themselves, the latter when they start
			delete(got, written)
			delete(want, written)
		}
		same(d, "restored", got, want)
		for path, body := range d.answers(d.app, job.ID) {
			if body != answers[path] {
				d.Errorf("%s answers\n%.500s\nand not\n%.500s", path, body, answers[path])
			}
		}
		// Whoever follows the changes begins anew; a new reader goes on from there.
		d.app.Get("/changes?after="+cursor, d.secret).Want(410)
		next := d.app.Get("/changes", d.secret).Want(200).Object()["cursor"].(string)
		name := d.athlete
		d.client = d.of(d.app)
		name("Cleo")
		if page := d.app.Get("/changes?after="+next, d.secret).Want(200).Object(); len(page["changes"].([]any)) != 1 {
			d.Errorf("after a restore the changes are %v", page)
		}
		// The reservation takes its file still, from the server that serves now.
		d.app.Get("/captures/"+waiting.SessionID, d.secret).Want(200)
	})
}

func TestAFileThatHasLandedInABucketIsPartOfABackup(t *testing.T) {
	drillsOn(t, []apptest.Engine{apptest.PostgreSQL}, func(d *drill) {
		r, err := d.client.Reserve(d.Context(), client.NewCapture{FileName: "walk.c3d"})
		must(d, r, err)
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}
		file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 3), Frames: 20})
		testkit.Until(d, "the bucket takes the file",
			func() bool { return d.client.Upload(d.Context(), r, bytes.NewReader(file)) == nil })
		// The place is a bucket, and so is that of the restored store.
		d.shell.run("backup", "s3://"+d.shell.env["KINEBASE_S3_BUCKET"]).fails(1, "must not be that of the files")
		d.place = "s3://" + testkit.Bucket(d).Name + "/backups"
		d.shell.run("backup", d.place).ok()
		d.shell.run("backup", d.place, "--verify").ok()
		d.shell.run("restore", d.place).fails(1, "restore into an empty store")
		d.shell.env["KINEBASE_S3_BUCKET"] = testkit.Bucket(d).Name
		d.shell.run("restore", d.place).fails(1, "not empty")
		d.shell.env["KINEBASE_DATABASE_URL"] = testkit.Postgres(d).Database(d)
		d.shell.run("restore", d.place).ok()
		d.app = d.serve()
		d.client = d.of(d.app)
		testkit.Until(d, "the file was read", func() bool {
			c, err := d.client.Capture(d.Context(), r.SessionID)
			if must(d, c, err).Status != "completed" && c.Status != "processing" {
				d.Fatalf("the capture is %s, %v", c.Status, *c.Error)
			}
			return c.Status == "completed"
		})
		f, err := d.client.File(d.Context(), r.SessionID, client.FileQuery{})
		data, err := io.ReadAll(must(d, f, err))
		if !bytes.Equal(must(d, data, errors.Join(err, f.Close())), file) {
			d.Error("the file is another one")
		}
	})
}

func TestABackupUnderWritesIsWhole(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		everybody := d.athlete("Ada")
		for n := range 3 {
			d.capture(n, everybody)
		}
		// A backup may take long on a busy machine, and what is written meanwhile is for tests to bound.
		rounds := make(chan int, 24)
		ctx, stop := context.WithCancel(d.Context())
		var writers sync.WaitGroup
		for _, session := range slices.Sorted(maps.Keys(d.files)) {
			writers.Go(func() {
				for round := range rounds {
					label := fmt.Sprint("label", round%3)
					_, err := d.client.Correct(ctx, session, client.Correction{Activity: &label})
					var refused *client.Error
					if err != nil && ctx.Err() == nil && !errors.As(err, &refused) {
						d.Error(err)
					}
					name := "nobody"
					if a, err := d.client.CreateAthlete(ctx, client.AthleteFields{FirstName: &name}); err == nil &&
						round%2 == 0 {
						_, _ = d.client.DeleteAthlete(ctx, a.ID)
					}
				}
			})
		}
		var made backup.Report
		for range 3 {
			for round := range cap(rounds) - len(rounds) {
				rounds <- round
			}
			d.shell.run("backup", d.place, "--json").into(&made)
			if made.Missing > 0 || made.Erased > 0 {
				d.Errorf("the backup is %+v", made)
			}
		}
		stop()
		close(rounds)
		writers.Wait()
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}
		d.elsewhere()
		d.shell.run("restore", d.place).ok()
		d.app = d.serve()
		d.client = d.of(d.app)
		for session, file := range d.files {
			testkit.Until(d, "what had begun is done", func() bool {
				c, err := d.client.Capture(d.Context(), session)
				return must(d, c, err).Status == "completed"
			})
			f, err := d.client.File(d.Context(), session, client.FileQuery{})
			data, err := io.ReadAll(must(d, f, err))
			if !bytes.Equal(must(d, data, errors.Join(err, f.Close())), file) {
				d.Errorf("the file of %s is another one", session)
			}
			d.app.Get("/captures/"+session+"/frames", d.secret).Want(200)
		}
		page := d.app.Get("/athletes?limit=500", d.secret).Want(200).Object()
		if n := len(rows(d, d.app.Store)["athlete"]); int(page["total_count"].(float64)) != n || n < 1 {
			d.Errorf("the list counts %v athletes, and there are %d", page["total_count"], n)
		}
	})
}

func TestWhatWasErasedAfterABackupIsErasedAgain(t *testing.T) {
	testkit.Long(t)
	drills(t, func(d *drill) {
		disk, err := blob.OpenDisk(d.place)
		must(d, disk, err)
		d.app.Until("the server has made the first backup",
			func() bool { _, err := backup.ReadManifest(d.Context(), disk, ""); return err == nil })
		gone, kept, twin := d.athlete("Gone"), d.athlete("Kept"), d.athlete("Twin")
		mine, ours, twins := d.capture(0, gone), d.capture(1, gone, kept), d.capture(2, twin)
		alone := d.capture(3)
		job, err := d.client.CreateExport(d.Context(), client.NewExport{Athletes: []string{kept}})
		must(d, job, err)
		done, err := d.client.WaitExport(d.Context(), job.ID, nil)
		must(d, done, err)
		revoked, revokedID := d.app.TokenWithID(d.org)
		old, oldID := d.app.TokenWithID(d.org)
		d.shell.run("backup", d.place).ok()

		for _, erase := range []func() error{
			func() error { _, err := d.client.DeleteAthlete(d.Context(), gone); return err },
			func() error { _, err := d.client.DeleteCapture(d.Context(), alone); return err },
			func() error { _, err := d.client.MergeAthletes(d.Context(), kept, twin); return err },
			func() error { _, err := d.client.DeleteExport(d.Context(), job.ID); return err },
			func() error { _, err := d.client.RevokeToken(d.Context(), revokedID); return err },
		} {
			if err := erase(); err != nil {
				d.Fatal(err)
			}
		}
		fresh, err := d.client.RotateToken(d.Context(), oldID)
		must(d, fresh, err)
		d.app.Until("the server has noted what was erased", func() bool {
			l, err := backup.ReadList(d.Context(), disk)
			all := must(d, l, err).All()
			return slices.ContainsFunc(all, func(e backup.Erasure) bool { return e.ID == job.ID }) &&
				l.Tokens[revokedID].Revoked != 0 &&
				slices.ContainsFunc(all, func(e backup.Erasure) bool { return e.ID == twin && e.Into == kept })
		})
		if err := disk.Close(); err != nil {
			d.Fatal(err)
		}
		if err := d.app.Stop(); err != nil {
			d.Fatal(err)
		}

		d.elsewhere()
		var made backup.Restored
		d.shell.run("restore", d.place, "--json").into(&made)
		if len(made.Left) > 0 || made.ErasedAgain < 5 {
			d.Errorf("the restore did %+v", made)
		}
		d.app = d.serve()
		for path, status := range map[string]int{
			"/athletes/" + gone: 404, "/athletes/" + twin: 404, "/athletes/" + kept: 200,
			"/captures/" + mine: 404, "/captures/" + alone: 404, "/captures/" + ours: 200, "/captures/" + twins: 200,
			"/data/export/job/" + job.ID: 404,
		} {
			if got := d.app.Get(path, d.secret).Status; got != status {
				d.Errorf("%s answers %d and not %d", path, got, status)
			}
		}
		page := d.app.Get("/captures?athlete_id="+kept, d.secret).Want(200).Object()
		if page["total_count"].(float64) != 2 {
			d.Errorf("the one whose twin was merged has %v captures", page["total_count"])
		}
		d.app.Get("/captures", revoked).Want(401)
		d.app.Get("/captures", old).Want(401)
		d.app.Get("/captures", fresh.Secret).Want(200)
		folder := filepath.Join(d.shell.env["KINEBASE_FILES"])
		if folder == "" {
			folder = filepath.Join(d.shell.env["KINEBASE_DATA"], "files")
		}
		d.app.Until("the files of what was erased are gone", func() bool {
			n := 0
			_ = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					n++
				}
				return nil
			})
			return n == 4 // an original and a table each of two captures
		})
	}, func(d *drill) apptest.Option { return apptest.With("KINEBASE_BACKUP", d.place) },
		func(*drill) apptest.Option { return apptest.With("KINEBASE_BACKUP_EVERY", "160h") })
}

func TestAServerMakesBackupsAndNotesErasuresByItself(t *testing.T) {
	testkit.Long(t)
	place := filepath.Join(t.TempDir(), "backups")
	a := apptest.Start(t, apptest.SQLite, apptest.With("KINEBASE_BACKUP", place),
		apptest.With("KINEBASE_BACKUP_EVERY", "1s"))
	org := a.Organization()
	secret := a.Token(org)
	disk, err := blob.OpenDisk(place)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = disk.Close() }()
	id := a.Post("/athletes", secret, `{"first_name":"Ada"}`).Want(200).Object()["athlete"].(map[string]any)["id"].(string)
	a.Delete("/athletes/"+id, secret).Want(200)
	a.Until("a backup has the organization, and the list the erasure", func() bool {
		m, l, err := backup.Check(t.Context(), disk, "", true)
		return err == nil && m.Counts["organization"] == 1 &&
			slices.ContainsFunc(l.All(), func(e backup.Erasure) bool { return e.ID == id })
	})
	a.Until("the metrics tell when", func() bool {
		metrics := string(a.Page("/metrics").Want(200).Body)
		return !strings.Contains(metrics, "kinebase_backup_last_success_timestamp_seconds 0\n") &&
			strings.Contains(metrics, "kinebase_backup_failures_total 0\n") &&
			strings.Contains(metrics, "kinebase_backup_last_success_timestamp_seconds ")
	})
}

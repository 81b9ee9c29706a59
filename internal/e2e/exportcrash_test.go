package e2e

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/fixture"
	"github.com/kinebase/kinebase/motion/c3d/c3dtest"
)

// TestExportsAreWholeHoweverOftenTheServerIsKilled kills the server while exports are
// built. Most of the captures have no motion and are there to be looked at.
func TestExportsAreWholeHoweverOftenTheServerIsKilled(t *testing.T) {
	testkit.Long(t)
	for _, where := range storages {
		t.Run(where.name, func(t *testing.T) {
			t.Parallel()
			m, _ := where.setUp(t)
			j := &journey{T: t, machine: m, address: freeAddress(t), chance: seeded(t)}
			org := m.organization()
			_, j.secret = m.token(org)
			var text bytes.Buffer
			if err := (fixture.Organization{ID: org, Athletes: 10, Captures: 12_000}).WriteNDJSON(&text); err != nil {
				t.Fatal(err)
			}
			manifest := filepath.Join(m.home, "manifest.ndjson")
			if err := os.WriteFile(manifest, text.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			var done summary
			m.run(&done, "import", "--org", org, manifest)
			j.start()
			want := j.filmed(8, 16, 10)
			var jobs []string
			for range 3 {
				job, err := j.client.CreateExport(context.Background(), client.NewExport{})
				if err != nil {
					t.Fatal(err)
				}
				jobs = append(jobs, job.ID)
			}
			j.crash(time.Second) // twice, for of the third death an export fails
			j.crash(3 * time.Second)
			begun := time.Now()
			for _, id := range jobs {
				progress := 0.0
				testkit.Until(t, "the export has ended", func() bool {
					job, err := j.client.ExportJob(context.Background(), id)
					if err != nil {
						t.Fatalf("%v\n%s", err, tail(j.server.logs()))
					}
					if job.Progress == nil || *job.Progress < progress || *job.Progress > 1 {
						t.Fatalf("after a progress of %v the export is %+v", progress, job)
					}
					progress = *job.Progress
					return job.Status != client.JobRunning
				})
				j.sameRows(id, want)
			}
			t.Logf("all have ended %v after the last crash", time.Since(begun).Round(time.Millisecond))
		})
	}
}

// filmed uploads captures with their motion, of so many athletes each, and gives the
// rows that an export has of them, as "session athlete frame".
func (j *journey) filmed(captures, athletes, frames int) map[string]bool {
	j.Helper()
	ctx := context.Background()
	var ids []string
	for n := range athletes {
		a, err := j.client.CreateAthlete(ctx, client.AthleteFields{FirstName: ptr(fmt.Sprintf("Ada %d", n))})
		if err != nil {
			j.Fatal(err)
		}
		ids = append(ids, a.ID)
	}
	file := c3dtest.File(c3dtest.Options{Points: c3dtest.Many("P", 2), Frames: frames})
	var sessions []string
	for range captures {
		r, err := j.client.Reserve(ctx, client.NewCapture{FileName: "walk.c3d", AthleteIDs: ids})
		if err != nil {
			j.Fatal(err)
		}
		j.upload(r, file)
		sessions = append(sessions, r.SessionID)
	}
	rows := map[string]bool{}
	for _, session := range sessions {
		j.await(session, "completed")
		for _, athlete := range ids {
			for frame := range frames {
				rows[fmt.Sprintf("%s %s %d", session, athlete, frame)] = true
			}
		}
	}
	return rows
}

// sameRows holds a finished export to the rows that it must have.
func (j *journey) sameRows(id string, want map[string]bool) {
	j.Helper()
	job, err := j.client.ExportJob(context.Background(), id)
	if err != nil {
		j.Fatal(err)
	}
	if job.Status != client.JobCompleted || job.RowCount == nil || *job.RowCount != int64(len(want)) {
		j.Errorf("the export is %+v, and not of %d rows\n%s", job, len(want), tail(j.server.logs()))
		return
	}
	f, err := j.client.DownloadExport(context.Background(), id, "text/csv")
	if err != nil {
		j.Fatal(err)
	}
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		j.Fatal(err)
	}
	if err := f.Close(); err != nil {
		j.Error(err)
	}
	place := map[string]int{}
	for n, name := range lines[0] {
		place[name] = n
	}
	seen := map[string]bool{}
	for _, line := range lines[1:] {
		row := strings.Join([]string{line[place["sessionid"]], line[place["athleteid"]], line[place["frame"]]}, " ")
		if seen[row] || !want[row] {
			j.Fatalf("the row %q is foreign, or there twice", row)
		}
		seen[row] = true
	}
	if len(seen) != len(want) {
		j.Errorf("there are %d rows of %d", len(seen), len(want))
	}
}

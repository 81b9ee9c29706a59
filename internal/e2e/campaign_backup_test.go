//go:build campaign

package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kinebase/kinebase/backup"
	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// verified says whether a place of backups is whole, by the code that a restore reads it with.
func verified(t *testing.T, folder string) error {
	t.Helper()
	place, err := blob.OpenDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = place.Close() }()
	_, _, err = backup.Check(t.Context(), place, "", true)
	return err
}

// TestCampaignABackupThatIsCutAtAnyByteIsNone cuts each file of a backup at each byte, one at a time. What is left is
// neither verified nor, where that is tried, restored by the program.
func TestCampaignABackupThatIsCutAtAnyByteIsNone(t *testing.T) {
	m := newMachine(t, apptest.SQLite)
	_, secret := m.token(m.organization())
	s := m.serve()
	f := &fleet{T: t, machine: m}
	if !f.whole(s.client(secret), 0) {
		t.Fatal("a laboratory's day did not go well")
	}
	folder := filepath.Join(t.TempDir(), "backups")
	var made struct{ ID string }
	m.run(&made, "backup", folder)
	if err := verified(t, folder); err != nil {
		t.Fatalf("the whole one is refused: %v", err)
	}
	chance, bytes, restored := seeded(t), 0, 0
	if err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		step := max(1, len(whole)/rounds(t, len(whole)))
		for at := chance.IntN(step); at < len(whole); at += step {
			if err := os.WriteFile(path, whole[:at], 0o600); err != nil {
				return err
			}
			if verified(t, folder) == nil {
				t.Errorf("%s cut at byte %d of %d is verified", path, at, len(whole))
			}
			if bytes++; bytes%200 == 1 {
				into := machineAt(t, map[string]string{"data": filepath.Join(t.TempDir(), "data")})
				into.fails("restore", folder)
				restored++
			}
		}
		return os.WriteFile(path, whole, 0o600)
	}); err != nil {
		t.Fatal(err)
	}
	if err := verified(t, folder); err != nil {
		t.Errorf("the whole one is refused in the end: %v", err)
	}
	t.Logf("cut at %d bytes, of which the program refused to restore %d", bytes, restored)
}

// TestCampaignABackupWhoseProgramIsKilledIsNone kills the program while it backs up a store that is written to. The
// place stays whole, a restore has everything of the last backup that ended well, and the next one goes well.
func TestCampaignABackupWhoseProgramIsKilledIsNone(t *testing.T) {
	for name, e := range map[string]apptest.Engine{"SQLite": apptest.SQLite, "PostgreSQL": apptest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, e)
			_, secret := m.token(m.organization())
			s := m.serve()
			c, chance := s.client(secret), seeded(t)
			folder := filepath.Join(t.TempDir(), "backups")
			backUp := func() (took time.Duration) {
				begun := time.Now()
				if out, err := m.onStore("backup", folder).CombinedOutput(); err != nil {
					t.Fatalf("a backup: %v\n%s", err, out)
				}
				return time.Since(begun)
			}
			people := 0
			add := func() {
				who := client.AthleteFields{FirstName: ptr("Backed up")}
				if _, err := c.CreateAthlete(t.Context(), who); err != nil {
					t.Fatal(err)
				}
				people++
			}
			add()
			took, killed, inTime := backUp(), 0, 0
			for n := range rounds(t, 500) {
				add()
				cmd := m.onStore("backup", folder)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				<-time.After(time.Duration(chance.Int64N(int64(took))))
				_ = cmd.Process.Kill() // an error means that it has ended
				if cmd.Wait() != nil {
					killed++
				} else {
					inTime++
				}
				if err := verified(t, folder); err != nil {
					t.Fatalf("after kill %d the place is not whole: %v", n, err)
				}
				if n%20 != 0 {
					continue
				}
				took = backUp()
				into := machineAt(t, map[string]string{"data": filepath.Join(t.TempDir(), "data")})
				if out, err := into.onStore("restore", folder).CombinedOutput(); err != nil {
					t.Fatalf("after kill %d: %v\n%s", n, err, out)
				}
				restored := into.serve()
				page, err := restored.client(secret).ListAthletes(t.Context(), client.AthleteFilter{Limit: 1})
				if err != nil || page.TotalCount != int64(people) {
					t.Fatalf("after kill %d the restored store has %+v, want %d athletes: %v", n, page, people, err)
				}
				restored.kill()
			}
			t.Logf("%d backups killed, %d had ended before; %d athletes in the end", killed, inTime, people)
		})
	}
}

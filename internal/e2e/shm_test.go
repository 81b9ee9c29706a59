package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestAServerWhoseSharedMemoryIsCutGoesOnAndLosesNothing(t *testing.T) {
	testkit.Long(t)
	for _, full := range []bool{false, true} {
		t.Run(map[bool]string{false: "cut", true: "cut on a full disk"}[full], func(t *testing.T) {
			disk := mount(t)
			ballast := filepath.Join(disk.dir, "ballast")
			m := machineAt(t, disk.place())
			_, secret := m.token(m.organization())
			s := m.serve()
			c := s.client(secret)
			var ids []string
			for range 20 {
				ids = append(ids, writable(t, c))
			}
			for range 3 {
				if full {
					fillDisk(t, ballast)
				}
				if err := os.Truncate(filepath.Join(disk.dir, "data", "kinebase.db-shm"), 0); err != nil {
					t.Fatal(err)
				}
				if full {
					fillDisk(t, ballast)
					testkit.Until(t, "a write is refused", func() bool {
						_, err := c.CreateAthlete(t.Context(), bulky(1))
						return err != nil && unavailable(err) == nil
					})
					if err := os.Remove(ballast); err != nil {
						t.Fatal(err)
					}
				}
				ids = append(ids, writable(t, c))
				allThere(t, c, ids)
			}
			if s.logged("the shared memory of the database failed") == 0 {
				t.Error("the log does not tell of it")
			}
		})
	}
}

// fillDisk makes a file longer until nothing fits on the disk.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

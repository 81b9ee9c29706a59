package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit/need"
	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
)

// failures of the file that the connections have in memory.
var mapFailures = []struct {
	name  string
	begin func(t *testing.T, dir, shm string) (end func())
}{
	{"cut to nothing", func(t *testing.T, _, shm string) func() {
		cut(t, shm, 0)
		return func() {}
	}},
	{"cut in the middle", func(t *testing.T, _, shm string) func() {
		cut(t, shm, 4096)
		return func() {}
	}},
	{"cut on a full disk", func(t *testing.T, dir, shm string) func() {
		ballast, err := os.Create(filepath.Join(dir, "ballast"))
		must(t, err)
		fill := func() {
			for size, step := int64(0), int64(1<<20); step >= 4096; {
				if unix.Fallocate(int(ballast.Fd()), 0, size, step) == nil {
					size += step
				} else {
					step /= 2
				}
			}
		}
		fill()
		cut(t, shm, 0)
		fill() // what that has freed
		must(t, ballast.Close())
		return func() { must(t, os.Remove(ballast.Name())) }
	}},
}

// cut makes the file shorter, unless it is away: SQLite removes it with its last connection, and makes it again with
// the next one.
func cut(t *testing.T, shm string, size int64) {
	t.Helper()
	if err := os.Truncate(shm, size); !errors.Is(err, os.ErrNotExist) {
		must(t, err)
	}
}

func TestASharedMemoryThatFailsUnderSQLiteIsA503AndNothingIsLost(t *testing.T) {
	testkit.Long(t)
	for _, c := range mapFailures {
		t.Run(c.name, func(t *testing.T) {
			if os.Getuid() != 0 {
				t.Skip("only root can mount a small disk: run this test as root")
			}
			dir := filepath.Join(t.TempDir(), "disk")
			must(t, os.Mkdir(dir, 0o700))
			if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64m,mode=700"); err != nil {
				need.Missing(t, "a small disk cannot be mounted here: %v", err)
			}
			t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
			e := place{t, Options{Folder: dir}}.open().(*SQLite)
			must(t, e.Bulk(t.Context(), ID{}, func(w *Write) error {
				return w.Do(Exec(`CREATE TABLE thing (name TEXT PRIMARY KEY, note TEXT NOT NULL)`))
			}))
			queue, _, err := e.QueueDB(t.Context())
			must(t, err)
			defer func() { _ = queue.Close() }()

			var over atomic.Bool
			var known, wrong sync.Map
			var users sync.WaitGroup
			judge := func(err error) {
				if err != nil && !fault.Is(ToFault(err), fault.Unavailable) {
					wrong.Store(err.Error(), true)
				}
			}
			for i := range 4 {
				users.Go(func() {
					for n := 0; !over.Load(); n++ {
						name := fmt.Sprintf("%d-%d", i, n)
						err := e.Write(context.Background(), ID{}, func(w *Write) error { return w.Do(keep(name)) })
						if judge(err); err == nil {
							known.Store(name, true)
						}
					}
				})
				users.Go(func() {
					for !over.Load() {
						var n int
						judge(e.Once(context.Background(), ID{}, One(Into(&n), `SELECT count(*) FROM thing`)))
						judge(queue.QueryRow("SELECT count(*) FROM river_job WHERE state = ?", "running").Scan(&n))
					}
				})
			}
			writes := func() (n int) { known.Range(func(any, any) bool { n++; return true }); return n }
			testkit.Until(t, "there is work", func() bool { return writes() > 20 })
			for round := range 3 {
				m := e.mapping
				age := m.age.Load()
				// A connection that is being opened when the file is cut makes it longer again, and
				// nobody notices: the file is cut until somebody does.
				end := func() {}
				testkit.Until(t, "the failure is noticed", func() bool {
					if m.age.Load() > age {
						return true
					}
					end()
					end = c.begin(t, dir, filepath.Join(dir, FileName+"-shm"))
					return false
				})
				end()
				before := writes()
				testkit.Until(t, fmt.Sprintf("it is written again (round %d)", round),
					func() bool { return writes() > before+5 })
			}
			over.Store(true)
			users.Wait()
			wrong.Range(func(message, _ any) bool { t.Errorf("not a 503: %v", message); return true })
			kept := things(t, e)
			known.Range(func(name, _ any) bool {
				if !slices.Contains(kept, name.(string)) {
					t.Errorf("what was acknowledged is lost: %v", name)
				}
				return true
			})
			t.Logf("%d writes were acknowledged, all are there", writes())
			var verdict string
			must(t, queue.QueryRow("PRAGMA integrity_check").Scan(&verdict))
			if verdict != "ok" {
				t.Errorf("the database is damaged: %s", strings.SplitN(verdict, "\n", 2)[0])
			}
		})
	}
}

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/internal/testkit/need"

	"github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/internal/testkit/apptest"
)

// mounted is a file system in memory of a test's own.
type mounted struct {
	t   *testing.T
	dir string
}

// mount makes a file system of 3 MiB. Only root can.
func mount(t *testing.T) *mounted {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small disk: run this test as root")
	}
	m := &mounted{t, filepath.Join(t.TempDir(), "disk")}
	if err := os.Mkdir(m.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", m.dir, "tmpfs", 0, "size=3m,mode=700"); err != nil {
		need.Missing(t, "a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(m.dir, unix.MNT_DETACH); err != nil {
			t.Errorf("the small disk stays mounted: %v", err)
		}
	})
	return m
}

// again mounts the file system once more with other flags or another size.
func (m *mounted) again(flags uintptr, options string) {
	m.t.Helper()
	if err := unix.Mount("tmpfs", m.dir, "tmpfs", unix.MS_REMOUNT|flags, options); err != nil {
		m.t.Fatalf("mount the disk again (%s): %v", options, err)
	}
}

// place is a data folder on the disk.
func (m *mounted) place() map[string]string {
	return map[string]string{"data": filepath.Join(m.dir, "data")}
}

// bulky is an athlete of some 20 KiB.
func bulky(n int) client.AthleteFields {
	attributes := map[string]string{}
	for i := range 20 {
		attributes[fmt.Sprintf("a%d", i)] = strings.Repeat("x", 1000)
	}
	return client.AthleteFields{FirstName: ptr(fmt.Sprintf("Bulky %d", n)), CustomAttributes: attributes}
}

// fill makes athletes until one is refused, and gives those that were not and the
// refusal.
func fill(t *testing.T, c *client.Client) (ids []string, refusal error) {
	t.Helper()
	for n := range 1000 {
		a, err := c.CreateAthlete(t.Context(), bulky(n))
		if err != nil {
			return ids, err
		}
		ids = append(ids, a.ID)
	}
	t.Fatal("twenty megabytes went onto a disk of three")
	return nil, nil
}

// allThere reads every athlete whose creation was acknowledged.
func allThere(t *testing.T, c *client.Client, ids []string) {
	t.Helper()
	for _, id := range ids {
		if _, err := c.Athlete(t.Context(), id); err != nil {
			t.Fatalf("an athlete that was acknowledged: %v", err)
		}
	}
	page, err := c.ListAthletes(t.Context(), client.AthleteFilter{Limit: 1})
	if err != nil || page.TotalCount != int64(len(ids)) {
		t.Fatalf("the list has %+v (%v), want %d athletes", page, err, len(ids))
	}
}

// writable waits until a write goes through again, and gives its id.
func writable(t *testing.T, c *client.Client) (id string) {
	t.Helper()
	testkit.Until(t, "the server writes again", func() bool {
		a, err := c.CreateAthlete(t.Context(), client.AthleteFields{FirstName: ptr("After")})
		if err == nil {
			id = a.ID
		}
		return err == nil
	})
	return id
}

func TestAFullDiskRefusesWritesAnswersReadsAndLosesNothing(t *testing.T) {
	testkit.Long(t)
	disk := mount(t)
	reserve := filepath.Join(disk.dir, "reserve")
	if err := os.WriteFile(reserve, make([]byte, 512<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	m := machineAt(t, disk.place())
	_, secret := m.token(m.organization())
	s := m.serve()
	c := s.client(secret)

	kept, refusal := fill(t, c)
	full := func(err error) {
		t.Helper()
		if wrong := unavailable(err); wrong != nil {
			t.Fatalf("on a full disk: %v\n%s", wrong, tail(s.logs()))
		}
		if !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("a refusal does not say that the disk is full: %v", err)
		}
	}
	full(refusal)
	for range 20 { // and goes on to say so
		_, err := c.CreateAthlete(t.Context(), bulky(0))
		full(err)
	}
	allThere(t, c, kept)
	// A small write may still fit; where it does not, /readyz says so.
	if got := s.page("/readyz"); got != http.StatusOK && got != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d", got)
	}
	if _, err := c.ListCaptures(t.Context(), client.CaptureFilter{}); err != nil {
		t.Errorf("captures on a full disk: %v", err)
	}

	// Room is made.
	if err := os.Remove(reserve); err != nil {
		t.Fatal(err)
	}
	kept = append(kept, writable(t, c))
	allThere(t, c, kept)

	// It fills again; the disk grows.
	more, refusal := fill(t, c)
	full(refusal)
	kept = append(kept, more...)
	disk.again(0, "size=8m")
	kept = append(kept, writable(t, c))
	more = nil
	for n := range 20 {
		a, err := c.CreateAthlete(t.Context(), bulky(n))
		if err != nil {
			t.Fatalf("on a disk with room again: %v", err)
		}
		more = append(more, a.ID)
	}
	kept = append(kept, more...)
	allThere(t, c, kept)

	// Nothing of it was only in memory.
	s.kill()
	allThere(t, m.serve().client(secret), kept)
	t.Logf("%d athletes kept", len(kept))
}

func TestAServerThatStartsOnAFullDiskAnswersOrSaysWhyNot(t *testing.T) {
	testkit.Long(t)
	disk := mount(t)
	m := machineAt(t, disk.place())
	_, secret := m.token(m.organization())
	s := m.serve()
	kept, _ := fill(t, s.client(secret))
	s.kill()
	// The last page of the disk.
	filler, err := os.Create(filepath.Join(disk.dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := filler.Write(make([]byte, 4096)); err != nil {
			break
		}
	}
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := m.onStore("serve", "--listen", "127.0.0.1:0")
	s, ready := m.begin(cmd)
	if <-ready {
		allThere(t, s.client(secret), kept)
		s.kill()
	} else if <-s.ended; cmd.ProcessState.ExitCode() != 1 || !strings.Contains(s.logs(), "disk is full") {
		t.Errorf("a start on a full disk ended with %v and said:\n%s", s.failure, s.logs())
	}
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	allThere(t, m.serve().client(secret), kept)
}

func TestAReadOnlyDiskIsToldByEveryVerb(t *testing.T) {
	testkit.Long(t)
	disk := mount(t)
	m := machineAt(t, disk.place())
	org := m.organization()
	manifest := filepath.Join(m.home, "manifest.ndjson")
	if err := os.WriteFile(manifest, []byte(`{"type":"athlete","first_name":"Ada"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	verbs := [][]string{
		{"serve", "--listen", "127.0.0.1:0"},
		{"org", "create", "B"}, {"org", "list"},
		{"token", "create", "--org", org, "--name", "t", "--role", "viewer"}, {"token", "list"},
		{"import", "--org", org, manifest},
		{"migrate"},
	}
	check := func(m *machine) {
		t.Helper()
		for _, verb := range verbs {
			said := m.fails(verb...)
			if !strings.Contains(said, "read-only") {
				t.Errorf("kinebase %s says %q, and not that the disk is read-only", strings.Join(verb, " "), said)
			}
			if strings.Count(strings.TrimSpace(said), "\n") > 2 || strings.Contains(said, "goroutine") {
				t.Errorf("kinebase %s says too much:\n%s", strings.Join(verb, " "), said)
			}
		}
	}
	disk.again(unix.MS_RDONLY, "")
	check(m)
	// Nor can a new store be made there.
	check(machineAt(t, map[string]string{"data": filepath.Join(disk.dir, "other")}))
	disk.again(0, "")
	var list []struct{ ID string }
	if m.run(&list, "org", "list"); len(list) != 1 || list[0].ID != org {
		t.Errorf("afterwards there is %v, want the organization %s", list, org)
	}
}

// immutable sets or clears the mark of a file that the kernel then lets nobody
// write to, not even those who have it open. A mount cannot be made read-only
// while a server has files of it open; a failing disk can, and this is what the
// server sees of that. The file that SQLite shares between processes by mapping it
// into memory is left alone: there the kernel answers a write with a signal.
func immutable(t *testing.T, dir string, on bool) error {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no files in %s (%w)", dir, err)
	}
	const mark = 0x10 // FS_IMMUTABLE_FL of linux/fs.h
	for _, name := range files {
		if strings.HasSuffix(name, "-shm") {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		flags, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err == nil {
			if flags &^= mark; on {
				flags |= mark
			}
			err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags))
		}
		_ = f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
	}
	return nil
}

func TestAServerWhoseFilesBecomeReadOnlyAnswersReadsAndRecovers(t *testing.T) {
	testkit.Long(t)
	if os.Getuid() != 0 {
		t.Skip("only root can make files immutable: run this test as root")
	}
	place := apptest.SQLite.Place(t)
	m := machineAt(t, place)
	_, secret := m.token(m.organization())
	s := m.serve()
	c := s.client(secret)
	var kept []string
	for n := range 5 {
		a, err := c.CreateAthlete(t.Context(), bulky(n))
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, a.ID)
	}
	t.Cleanup(func() { _ = immutable(t, place["data"], false) }) // else nobody can remove them
	for range 3 {
		if err := immutable(t, place["data"], true); err != nil {
			need.Missing(t, "files cannot be made immutable here: %v", err)
		}
		for range 10 {
			_, err := c.CreateAthlete(t.Context(), bulky(0))
			if wrong := unavailable(err); wrong != nil {
				t.Fatalf("on files that cannot be written: %v\n%s", wrong, tail(s.logs()))
			}
			if !strings.Contains(err.Error(), "disk") && !strings.Contains(err.Error(), "database cannot be") {
				t.Errorf("a refusal does not say what is wrong: %v", err)
			}
			allThere(t, c, kept)
		}
		if err := immutable(t, place["data"], false); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, writable(t, c))
		allThere(t, c, kept)
	}
	// A token that is made now counts: the server looks at the same file.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	other := machineAt(t, place)
	_, second := other.token(other.organization())
	if _, err := s.client(second).ListCaptures(ctx, client.CaptureFilter{}); err != nil {
		t.Errorf("a token made afterwards: %v", err)
	}
	s.kill()
	allThere(t, m.serve().client(secret), kept)
}

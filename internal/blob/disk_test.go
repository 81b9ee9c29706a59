package blob_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit/need"
	"golang.org/x/sys/unix"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/blob"
	"github.com/kinebase/kinebase/internal/blob/blobtest"
	"github.com/kinebase/kinebase/internal/testkit"
)

// victim names the folder into which this program, started by a test, begins to put
// a file that it never finishes.
const victim = "BLOB_TEST_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		fmt.Println("not killed:", putForEver(dir))
		return
	}
	testkit.Main(m)
}

func putForEver(dir string) error {
	d, err := blob.OpenDisk(dir)
	if err != nil {
		return err
	}
	say := reading(func() {
		fmt.Println("half")
		_, _ = io.Copy(io.Discard, os.Stdin) // which nobody closes
	})
	_, err = d.Put(context.Background(), "deep/file", io.MultiReader(blobtest.Bytes(1, 1<<20), say), -1)
	return err
}

// reading does something when it is read, and has nothing to read.
type reading func()

func (f reading) Read([]byte) (int, error) { f(); return 0, io.EOF }

func open(t *testing.T, dir string) *blob.Disk {
	t.Helper()
	d, err := blob.OpenDisk(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// everything lists what is in a folder, but for the room of what is being written.
func everything(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && path != dir && path != filepath.Join(dir, "incoming") {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestADiskKeepsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	d := open(t, dir)
	blobtest.Run(t, d, func() []string { return everything(t, dir) })
}

func TestNobodyElseMayReadTheFilesOfADisk(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	dir := filepath.Join(t.TempDir(), "files")
	d := open(t, dir)
	if _, err := d.Put(t.Context(), "a/b/c", strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "incoming": 0o700, "a": 0o700, "a/b": 0o700,
		"a/b/c": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%q has the mode %v, %v", name, info.Mode(), err)
		}
	}
}

func TestALinkLeadsNowhereOutOfTheFolder(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	d := open(t, dir)
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "way")); err != nil {
		t.Fatal(err)
	}
	if f, err := d.Open(t.Context(), "way/secret"); err == nil {
		t.Errorf("a file of %d bytes outside was opened", f.Size())
	}
	if _, err := d.Put(t.Context(), "way/new", strings.NewReader("x"), 1); err == nil {
		t.Error("a file was put outside")
	}
	if err := d.Erase(t.Context(), "way/secret"); err == nil {
		t.Error("a file outside was erased")
	}
	if left := everything(t, outside); len(left) != 1 {
		t.Errorf("outside there is now %q", left)
	}
}

func TestAChildProcessInheritsAFileOfADisk(t *testing.T) {
	d := open(t, t.TempDir())
	if _, err := d.Put(t.Context(), "a", strings.NewReader("as it is"), -1); err != nil {
		t.Fatal(err)
	}
	f, err := d.Open(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cat := exec.Command("cat")
	cat.Stdin = f.(*blob.DiskFile).File()
	if out, err := cat.Output(); err != nil || string(out) != "as it is" {
		t.Errorf("the child read %q, %v", out, err)
	}
}

// killed starts a process that puts a file, and kills it half-way.
func killed(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "half\n" {
		t.Errorf("the process says %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it was killed
	if left := everything(t, dir); len(left) != 1 || !strings.HasPrefix(left[0], "incoming/") {
		t.Fatalf("the dead process left %q", left)
	}
}

func TestWhatAKilledProcessWroteIsTidiedUp(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	killed(t, dir)
	if n, err := d.Tidy(); n != 0 || err != nil {
		t.Errorf("before a minute is over, Tidy removed %d, %v", n, err)
	}
	age(t, dir)
	if n, err := d.Tidy(); n != 1 || err != nil {
		t.Errorf("Tidy removed %d, %v", n, err)
	}
	if left := everything(t, dir); len(left) > 0 {
		t.Errorf("there is still %q", left)
	}

	killed(t, dir)
	open(t, dir) // by a new process, at once
	if left := everything(t, dir); len(left) > 0 {
		t.Errorf("after opening it again there is still %q", left)
	}
}

// age makes everything that is being written an hour old.
func age(t *testing.T, dir string) {
	t.Helper()
	hour := time.Now().Add(-time.Hour)
	for _, name := range everything(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), hour, hour); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsBeingWrittenIsNotTidiedUp(t *testing.T) {
	dir := t.TempDir()
	d := open(t, dir)
	midway := reading(func() {
		age(t, dir)
		if n, err := d.Tidy(); n != 0 || err != nil {
			t.Errorf("Tidy removed %d, %v", n, err)
		}
		open(t, dir)
		if left := everything(t, dir); len(left) != 1 {
			t.Errorf("while a file is written there is %q", left)
		}
	})
	content := []byte("to be kept")
	if _, err := d.Put(t.Context(), "a", io.MultiReader(bytes.NewReader(content), midway), -1); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "a")); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the file reads %q, %v", got, err)
	}
}

func TestOpeningAFolderWhileOthersWriteIntoItLosesNothing(t *testing.T) {
	testkit.Long(t)
	dir := t.TempDir()
	d := open(t, dir)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 300 {
			if _, err := d.Put(t.Context(), fmt.Sprintf("f/%d", i), strings.NewReader("x"), 1); err != nil {
				t.Errorf("put %d: %v", i, err)
			}
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		other, err := blob.OpenDisk(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
	if names := everything(t, dir); len(names) != 301 {
		t.Errorf("there are %d files and folders, want 301", len(names))
	}
}

func TestAFullDiskIsSaidToBeFull(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can mount a small disk: run this test as root")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m,mode=700"); err != nil {
		need.Missing(t, "a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Errorf("the small disk stays mounted: %v", err)
		}
	})
	d := open(t, dir)
	n, err := d.Put(t.Context(), "much/too/large", blobtest.Bytes(1, 4<<20), -1)
	var f *fault.Error
	if n != 0 || !errors.As(err, &f) || f.Code != fault.Unavailable || f.RetryAfter == 0 ||
		!strings.Contains(f.Message, "disk is full") || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk gives %d, %v", n, err)
	}
	if left := everything(t, dir); len(left) > 0 {
		t.Errorf("and there is still %q", left)
	}
	if _, err := d.Put(t.Context(), "small/enough", blobtest.Bytes(1, 1<<20), -1); err != nil {
		t.Errorf("after that there is no room for a small file: %v", err)
	}
}

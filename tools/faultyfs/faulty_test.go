package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// mounted is a faulty file system of a test's own, and the way to command it.
func mounted(t *testing.T) (folder, mountpoint string, command func(string) string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system: run this test as root")
	}
	folder, mountpoint = t.TempDir(), t.TempDir()
	lines, in := io.Pipe()
	out, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(folder, mountpoint, lines, answers)
		_ = answers.CloseWithError(io.EOF)
		ended <- err
	}()
	said := bufio.NewScanner(out)
	if !said.Scan() || said.Text() != "ready" {
		t.Fatalf("it says %q, and ended with %v", said.Text(), <-ended)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return folder, mountpoint, func(line string) string {
		t.Helper()
		if _, err := fmt.Fprintln(in, line); err != nil || !said.Scan() {
			t.Fatalf("%s: %v", line, err)
		}
		return said.Text()
	}
}

func TestTheCallThatWasNamedFailsAndNoOther(t *testing.T) {
	folder, mountpoint, command := mounted(t)
	file := filepath.Join(mountpoint, "a")
	if got := command("fail 2 1 EIO"); got != "armed" {
		t.Fatalf("it says %q", got)
	}
	f, err := os.Create(file) // the first
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("abcd"), 0); !errors.Is(err, syscall.EIO) {
		t.Errorf("the second call ends with %v", err)
	}
	if kept, err := os.ReadFile(filepath.Join(folder, "a")); err != nil || string(kept) != "ab" {
		t.Errorf("of a write that failed there is %q (%v), want its half", kept, err)
	}
	if _, err := f.WriteAt([]byte("efgh"), 0); err != nil {
		t.Error(err)
	}
	if err := f.Sync(); err != nil {
		t.Error(err)
	}
	if got := command("calls"); got != "4 1" {
		t.Errorf("it counted %q, want 4 calls and 1 that failed", got)
	}
	for _, call := range []func() error{f.Sync, func() error { return f.Truncate(0) },
		func() error { return os.Rename(file, file+"b") },
		func() error { return os.Remove(file) }, func() error { return os.Mkdir(file+"c", 0o700) }} {
		command("fail 1 1 ENOSPC")
		if err := call(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a call that has to fail ends with %v", err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "efgh" {
		t.Errorf("at the end there is %q (%v)", got, err)
	}
}

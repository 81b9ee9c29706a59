// Faultyfs shows a folder at a second place, where a call that changes something can be
// made to fail:
//
//	faultyfs FOLDER MOUNTPOINT
//
// It obeys lines on its standard input, each with an answer of one line:
//
//	fail N TIMES ERROR    the Nth call from now on, and as many after it as TIMES says, fail
//	                      with ERROR (EIO, ENOSPC); half of a write has been done by then
//	calls                 how many calls there were since, and how many of them failed
//
// It first says "ready". At the end of its input it takes the mount away. Only root can use it.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "faultyfs FOLDER MOUNTPOINT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "faultyfs:", err)
		os.Exit(1)
	}
}

func run(folder, mountpoint string, in io.Reader, out io.Writer) error {
	root, err := fs.NewLoopbackRoot(folder)
	if err != nil {
		return err
	}
	disk := &faulty{RawFileSystem: fs.NewNodeFS(root, &fs.Options{})}
	// A server that root runs reads files in processes of another account.
	server, err := fuse.NewServer(disk, mountpoint,
		&fuse.MountOptions{DirectMountStrict: true, AllowOther: true, FsName: "faultyfs", MaxWrite: 128 << 10})
	if err != nil {
		return err
	}
	go server.Serve()
	if err := server.WaitMount(); err != nil {
		return err
	}
	if err := obey(disk, in, out); err != nil {
		_ = server.Unmount() // the first error is told
		return err
	}
	return server.Unmount()
}

// obey answers lines until there are none.
func obey(disk *faulty, in io.Reader, out io.Writer) error {
	if _, err := fmt.Fprintln(out, "ready"); err != nil {
		return err
	}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if _, err := fmt.Fprintln(out, answer(disk, lines.Text())); err != nil {
			return err
		}
	}
	return nil
}

func answer(disk *faulty, line string) string {
	var at, times int64
	var name string
	if line == "calls" {
		calls, failed := disk.counts()
		return fmt.Sprint(calls, failed)
	}
	if _, err := fmt.Sscanf(line, "fail %d %d %s", &at, &times, &name); err != nil || statuses[name] == 0 {
		return "no such command: " + line
	}
	disk.fail(at, times, statuses[name])
	return "armed"
}

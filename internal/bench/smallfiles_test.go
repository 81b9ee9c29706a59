package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/capture"
	api "github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/internal/process"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Small files are C3D files of a few seconds, as a laboratory records hundreds of them a day.
const (
	smallFiles = 200
	smallSize  = 332 << 10
)

// smallFiles measures what a small file costs: in a reader, in an import of a folder, and
// through a running server.
func (b *bench) smallFiles() error {
	const head, movements = "Small files: ", "Movements: computing, "
	if !b.wanted(head+"reading") && !b.wanted(head+"import") && !b.wanted(head+"uploads") &&
		!b.wanted(movements+"60 s") {
		return nil
	}
	dir, err := os.MkdirTemp("", "kinebase-bench-small")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := install(dir)
	if err != nil {
		return err
	}
	l, err := laboratory(false, smallSize)
	if err != nil {
		return err
	}
	file := make([]byte, l.size())
	if _, err := l.ReadAt(file, 0); err != nil {
		return err
	}
	lab := laboratoryOf{program, file}
	for _, step := range []struct {
		operation string
		measure   func(string) (row, error)
	}{
		{fmt.Sprintf("%sreading a C3D file of %s kB in a confined process", head, figure(float64(len(file))/1e3)),
			lab.reading},
		{fmt.Sprintf("%simport of a folder of %d of them", head, smallFiles), lab.importing},
		{fmt.Sprintf("%suploads of %d of them, until all are completed", head, smallFiles), lab.uploading},
		{movements + "60 s of 100 markers and two platforms at 1,000 Hz, a jump by its force",
			func(o string) (row, error) { return lab.measuring(o, "jump", "countermovement") }},
		{movements + "the same, a squat by the points",
			func(o string) (row, error) { return lab.measuring(o, "squat", "bodyweight") }},
		{movements + "the same, a throw by the points",
			func(o string) (row, error) { return lab.measuring(o, "baseball", "pitching") }},
	} {
		if !b.wanted(step.operation) {
			continue
		}
		row, err := step.measure(step.operation)
		if err != nil {
			return err
		}
		b.add(row)
	}
	return nil
}

// laboratoryOf is an installation and the file that is read in it.
type laboratoryOf struct {
	*installation
	file []byte
}

// used is the processor time of all children that have ended.
func used() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// reading compares the processor time of a reader with that of this process.
func (l *laboratoryOf) reading(operation string) (row, error) {
	path := filepath.Join(l.folder, "small.c3d")
	if err := os.WriteFile(path, l.file, 0o600); err != nil {
		return row{}, err
	}
	begun, err := used()
	if err != nil {
		return row{}, err
	}
	r := &process.Runner{Binary: l.program, Dir: l.folder, Memory: 512 << 20, Time: time.Minute}
	for range smallFiles {
		f, err := os.Open(path)
		if err != nil {
			return row{}, err
		}
		got, err := r.Read(context.Background(), organization.In(l.organization), upload.Source{Name: path},
			openFile{folderFile{f, int64(len(l.file))}})
		if err == nil {
			err = got.Close()
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return row{}, err
		}
	}
	if err := r.Close(); err != nil {
		return row{}, err
	}
	ended, err := used()
	if err != nil {
		return row{}, err
	}
	ours := (ended - begun).Seconds() * 1e3 / smallFiles
	here, err := seconds(func() error {
		for range smallFiles {
			if _, err := motion.Read(path, bytes.NewReader(l.file), int64(len(l.file))); err != nil {
				return err
			}
		}
		return nil
	})
	here *= 1e3 / smallFiles
	goal, met := judge(ours, 10, atMost)
	return row{operation: operation, ours: figure(ours) + " ms of processor time a file",
		baseline: "its numbers alone, in this process " + figure(here) + " ms",
		ratio:    figure(ours / here), goal: goal + " ms", met: met}, err
}

// openFile is a file of a folder, for a reader to be handed.
type openFile struct{ folderFile }

// File gives the file itself.
func (f openFile) File() *os.File { return f.folderFile.File }

func (l *laboratoryOf) importing(operation string) (row, error) {
	folder := filepath.Join(l.folder, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return row{}, err
	}
	for n := range smallFiles {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%03d.c3d", n)), l.file, 0o600); err != nil {
			return row{}, err
		}
	}
	c := l.command("import", folder, "--org="+l.organization)
	took, err := seconds(func() error {
		out, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("import: %w: %s", err, out)
		}
		return nil
	})
	if err != nil {
		return row{}, err
	}
	return speed(operation, took, c), nil
}

// speed is the row of so many files, handled by a process that has ended.
func speed(operation string, took float64, c *exec.Cmd) row {
	cpu := (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds() * 1e3 / smallFiles
	goal, met := judge(smallFiles/took, 60, atLeast)
	return row{operation: operation, ours: fmt.Sprintf("%s files/s, %s ms of processor time a file",
		figure(smallFiles/took), figure(cpu)), goal: goal + " files/s", met: met}
}

func (l *laboratoryOf) uploading(operation string) (row, error) {
	s, err := l.serve()
	if err != nil {
		return row{}, err
	}
	took, err := seconds(func() error { return l.send(s.caller) })
	if err := errors.Join(err, s.end()); err != nil {
		return row{}, err
	}
	return speed(operation, took, s.cmd), nil
}

// send sends all files, four at a time, and waits until they are completed.
func (l *laboratoryOf) send(caller *api.Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var left atomic.Int64
	left.Store(smallFiles)
	var callers sync.WaitGroup
	failures := make(chan error, 4)
	for range cap(failures) {
		callers.Go(func() {
			for left.Add(-1) >= 0 {
				r, err := caller.Reserve(ctx, api.NewCapture{FileName: "small.c3d", Activity: "gait", Movement: "walk"})
				if err == nil {
					err = caller.Upload(ctx, r, bytes.NewReader(l.file))
				}
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	callers.Wait()
	select {
	case err := <-failures:
		return err
	default:
	}
	for every := time.NewTicker(20 * time.Millisecond); ; <-every.C {
		page, err := caller.ListCaptures(ctx,
			api.CaptureFilter{Status: string(capture.Completed), Source: string(capture.SourceAPI), Limit: 1})
		if err != nil || page.TotalCount == smallFiles {
			return err
		}
	}
}

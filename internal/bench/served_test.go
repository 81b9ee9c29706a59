package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	api "github.com/kinebase/kinebase/client"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/motion/c3d"
)

// idle measures the processor time that a server takes of which nobody asks anything, in per cent of one processor.
func (b *bench) idle(engine string, c *cluster) error {
	operation := engine + ": an empty server that nobody asks"
	if !b.wanted(operation) {
		return nil
	}
	dir, err := os.MkdirTemp("", "kinebase-bench-idle")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var database []string
	if c != nil {
		if err := c.recreate(b.ctx, "idle", "idle"); err != nil {
			return err
		}
		defer func() { _ = c.recreate(b.ctx, "idle") }()
		database = []string{"KINEBASE_DATABASE_URL=" + c.url("idle")}
	}
	l, err := install(dir, database...)
	if err != nil {
		return err
	}
	s, err := l.serve()
	if err != nil {
		return err
	}
	const settled, watched = 15 * time.Second, 60 * time.Second // what a start takes is no part of it
	<-time.After(settled)
	before, err := ticks(s.cmd.Process.Pid)
	if err == nil {
		<-time.After(watched)
	}
	after, failed := ticks(s.cmd.Process.Pid)
	if err := errors.Join(err, failed, s.end()); err != nil {
		return err
	}
	// Time is counted in hundredths of a second (proc(5)).
	part := float64(after-before) / watched.Seconds()
	r := row{operation: operation, ours: figure(part) + " % of a processor"}
	r.goal, r.met = judge(part, 0.5, atMost)
	r.goal += " %"
	b.add(r)
	return nil
}

// ticks is the processor time that a process and its children that have ended took, as the kernel counts it.
func ticks(pid int) (all int64, err error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
	for _, field := range fields[11:15] { // utime, stime, cutime, cstime
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

// servedExports measures whole exports as people get them: asked of a server, made there from recordings, and sent
// over HTTP while the server keeps the file.
func (b *bench) servedExports() error {
	const head = "Exports over HTTP: "
	if !b.wanted(head + "CSV NDJSON Parquet") {
		return nil
	}
	dir, err := os.MkdirTemp(folder(), "served-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := install(dir)
	if err != nil {
		return err
	}
	captures := exportTables
	if b.captures < 1_000_000 {
		captures /= 10
	}
	if err := l.bringWalks(captures); err != nil {
		return err
	}
	rows := int64(captures * exportFrames)
	for _, kind := range []struct{ name, media string }{{"csv", api.CSV}, {"ndjson", api.NDJSON},
		{"parquet", api.Parquet}} {
		s, err := l.serve()
		if err != nil {
			return err
		}
		took, most, size, err := s.export(rows, kind.media)
		if err := errors.Join(err, s.end()); err != nil {
			return err
		}
		b.add(row{operation: fmt.Sprintf("%s%s of %s rows × 40 columns of numbers, %s MB", head, kind.name,
			thousands(rows), figure(float64(size)/1e6)), ours: figure(float64(rows)/took) + " rows/s"})
		r := row{operation: head + kind.name + ", peak memory of the server",
			ours: figure(float64(most)/(1<<20)) + " MiB"}
		r.goal, r.met = judge(float64(most)/(1<<20), 96, atMost)
		r.goal += " MiB"
		b.add(r)
	}
	return nil
}

// bringWalks imports so many recordings of somebody who walks.
func (l *installation) bringWalks(captures int) error {
	folder := filepath.Join(l.folder, "walks")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for n := range captures {
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%03d.%s", n, motion.C3D)))
		if err != nil {
			return err
		}
		if err := errors.Join(c3d.Write(f, newWalk(uint64(n)).Recording), f.Close()); err != nil {
			return err
		}
	}
	out, err := l.command("import", folder, "--org="+l.organization).CombinedOutput()
	if err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	return os.RemoveAll(folder)
}

// export has a server make an export of all, takes it in a form, and gives how long the sending took, the most memory
// that the server has had, and the size.
func (s *running) export(rows int64, media string) (took float64, most, size int64, err error) {
	ctx := context.Background()
	job, err := s.caller.CreateExport(ctx, api.NewExport{})
	if err == nil {
		job, err = s.caller.WaitExport(ctx, job.ID, func(*api.ExportJob) {})
	}
	if err != nil {
		return 0, 0, 0, err
	}
	page, err := s.caller.ExportResults(ctx, job.ID, 1, 0)
	if err == nil && page.TotalCount != rows {
		err = fmt.Errorf("the export has %d rows instead of %d", page.TotalCount, rows)
	}
	if err != nil {
		return 0, 0, 0, err
	}
	took, err = seconds(func() error {
		f, err := s.caller.DownloadExport(ctx, job.ID, media)
		if err != nil {
			return err
		}
		size, err = io.Copy(io.Discard, f)
		return errors.Join(err, f.Close())
	})
	if err != nil {
		return 0, 0, 0, err
	}
	most, err = peak(strconv.Itoa(s.cmd.Process.Pid))
	return took, most, size, err
}

// Package process reads motion files in processes of their own. A file may come
// from anybody and may be made to bring its reader down; then it is a child that
// goes down, with the memory and the time that it was given and nothing else: an
// empty environment, the open file, files without a name for what it writes, and no
// way to any other file, process or network (package confine). A child may read several
// small files, of one organization.
//
// The child is this very program under a verb that help does not show, see Main.
package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"strings"
	"time"

	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/upload"
)

// Runner starts children. It is an upload.Reader.
type Runner struct {
	Binary string        // the program: os.Executable
	Dir    string        // a folder for temporary files; "" for the system's
	Memory int64         // bytes that a child may take
	Time   time.Duration // that it may take

	Video       []string // the command that makes motion of a video, see ParseCommand; nil for none
	VideoMemory int64    // bytes that it may take
	VideoTime   time.Duration
	Folders     []string // files and folders besides the system's that it may read and run
	Writable    []string // folders and devices besides its own folder that it may write to

	UID int // the account of children where this process is root; 0: this process's own

	Log *slog.Logger // nil: slog.Default

	idle idle // readers that wait for a file
}

// Close ends the readers that wait for a file, and those under way when they are done.
func (r *Runner) Close() error {
	r.idle.close()
	return nil
}

var _ upload.Reader = (*Runner)(nil)

func (r *Runner) log() *slog.Logger {
	if r.Log != nil {
		return r.Log
	}
	return slog.Default()
}

// Read reads a file. Of a video it gives what the video
// processor makes of it, when there is one; else a warning says that there is none. Of a
// file that tells of cameras it gives what the processor makes of their videos.
// The error is an *upload.Unreadable when the file is to blame, an *upload.Died when
// it brought its reader down or took too much memory or time, and another one when
// neither can be said.
func (r *Runner) Read(ctx context.Context, s organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	kind, _ := motion.KindOf(of.Name)
	if kind != motion.MP4 && kind != motion.MOV && !upload.IsCameras(of.Name) {
		return r.readPlain(ctx, s, of, f)
	}
	got, err := r.seen(ctx, s, of, f)
	if err != nil || of.As == nil {
		return got, err
	}
	return r.measureTables(ctx, s, *of.As, got)
}

// seen reads a video, or a file that tells of cameras.
func (r *Runner) seen(ctx context.Context, s organization.Scope, of upload.Source, f upload.File) (*upload.Reading,
	error) {
	if upload.IsCameras(of.Name) {
		return r.cameras(ctx, s, of, f)
	}
	got, err := r.read(ctx, s, of.Name, f, 0)
	if err != nil {
		return nil, err
	}
	if err := r.video(ctx, s, of, f, got); err != nil {
		return nil, errors.Join(err, got.Close())
	}
	return got, nil
}

// measureTables has the recording measured by its tables.
func (r *Runner) measureTables(ctx context.Context, s organization.Scope, as upload.Measured,
	got *upload.Reading) (_ *upload.Reading, err error) {
	if got.Info, err = r.Measure(ctx, s, as, got.Info, got.Table, got.Samples); err != nil {
		return nil, errors.Join(err, got.Close())
	}
	return got, nil
}

// readPlain reads a file that is no video, and has the reader measure what is still in its memory. When
// that fails, another reader measures the tables: what becomes of a number never ends the reading.
func (r *Runner) readPlain(ctx context.Context, s organization.Scope, of upload.Source,
	f upload.File) (*upload.Reading, error) {
	if of.As == nil {
		return r.read(ctx, s, of.Name, f, 0)
	}
	q := request{Name: of.Name}
	if measures(*of.As) {
		q.Then = of.As
	}
	got, w, err := r.reading(ctx, s, q, f)
	if err != nil {
		return nil, err
	}
	if q.Then != nil && got.Table != nil {
		found, err := r.measureLast(ctx, w, *of.As, got)
		if err == nil {
			got.Info, err = change(got.Info, func(i *frames.Info) { i.Computed = found })
			return got, err
		}
		r.log().InfoContext(ctx, "A reader did not measure what it read; its tables are measured.", "error",
			err.Error())
	} else {
		r.back(w)
	}
	return r.measureTables(ctx, s, *of.As, got)
}

// read reads a file as it is. A rate above 0 is that of its frames where it tells
// neither a rate nor times.
func (r *Runner) read(ctx context.Context, s organization.Scope, name string, f upload.File,
	rate float64) (*upload.Reading, error) {
	got, w, err := r.reading(ctx, s, request{Name: name, Rate: rate}, f)
	if err != nil {
		return nil, err
	}
	r.back(w)
	return got, nil
}

// reading has a reader read the file, and gives the reader too.
func (r *Runner) reading(ctx context.Context, s organization.Scope, q request, f upload.File) (_ *upload.Reading,
	w *worker, err error) {
	in, done, err := r.input(f)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = done() }() // a copy that was only read
	table, err := r.temporary()
	if err != nil {
		return nil, nil, err
	}
	samples, err := r.temporary()
	if err != nil {
		return nil, nil, errors.Join(err, table.Close())
	}
	got, w, err := r.ask(ctx, s, q, f.Size(), in, table, samples)
	if err != nil {
		return nil, nil, errors.Join(err, table.Close(), samples.Close())
	}
	reading := &upload.Reading{Info: got.Info, Rate: got.Rate, Made: got.Made}
	if reading.Table, err = kept(table); err != nil {
		err = errors.Join(err, samples.Close())
	} else if reading.Samples, err = kept(samples); err != nil {
		err = errors.Join(err, reading.Close())
	}
	if err != nil {
		r.back(w)
		return nil, nil, err
	}
	return reading, w, nil
}

// Convert reads a motion file whose name tells its kind and writes it in another
// format: c3d or trc in the unit of the file, or csv, a row a frame with all columns,
// in metres. A rate above 0 counts in place of the file's. The errors are those of
// Read; that a recording does not fit into a format is an *upload.Unreadable too.
// Nothing is written before all of it is there.
func (r *Runner) Convert(ctx context.Context, s organization.Scope, name string, f upload.File, format string,
	rate float64, w io.Writer) (err error) {
	switch format {
	case "c3d", "trc", "csv":
	default:
		return fmt.Errorf("nothing writes motion files as %q", format)
	}
	in, done, err := r.input(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	out, err := r.temporary()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := r.child(ctx, s, request{Name: name, To: format, Rate: rate}, f.Size(), in, out); err != nil {
		return err
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, out)
	return err
}

// child has a reader do what is asked.
func (r *Runner) child(ctx context.Context, s organization.Scope, q request, size int64, in *os.File,
	out ...*os.File) (result, error) {
	got, w, err := r.ask(ctx, s, q, size, in, out...)
	if err != nil {
		return result{}, err
	}
	r.back(w)
	return got, nil
}

// ask has a reader read the file: one that has read others of the organization, if one
// waits and the file is small. It gives the reader too, which back takes.
func (r *Runner) ask(ctx context.Context, s organization.Scope, q request, size int64, in *os.File,
	out ...*os.File) (result, *worker, error) {
	// Of the name only the ending counts, and nothing else of it is a reader's to see.
	q.Name, q.Write = "file"+strings.ToLower(path.Ext(q.Name)), outputs(size)
	t := terms{what: "Reading the file", who: reader, memory: r.Memory, time: r.Time}
	files := append([]*os.File{in}, out...)
	begun := time.Now()
	got, w, err := r.again(ctx, s, q, t, size, files)
	if err == nil && w == nil {
		got, w, err = r.afresh(ctx, s, q, t, size, files)
	}
	if err != nil {
		return result{}, nil, err
	}
	w.last, w.once = got, size > together
	if err := got.refused(); err != nil {
		r.back(w)
		return result{}, nil, err
	}
	r.log().DebugContext(ctx, "A motion file was read.", "bytes", size, "seconds", time.Since(begun).Seconds(),
		"memory", got.Peak)
	return got, w, nil
}

// back takes a reader back that has done what was asked.
func (r *Runner) back(w *worker) {
	if w.once {
		w.end()
		return
	}
	r.idle.put(w, w.last)
}

// again has a file read by a reader that has read others. There is no reader when none waits,
// nor when that one did not come to its end: what ended it may be what an earlier file has
// left in it, and a file is to count only what it does itself.
func (r *Runner) again(ctx context.Context, s organization.Scope, q request, t terms, size int64,
	files []*os.File) (result, *worker, error) {
	if size > together {
		return result{}, nil, nil
	}
	w := r.idle.take(s.Organization.String())
	if w == nil {
		return result{}, nil, nil
	}
	t.time = min(t.time, hastyTime)
	got, err := w.ask(ctx, q, t, files)
	switch {
	case err == nil:
		return got, w, nil
	case ctx.Err() != nil:
		return result{}, nil, ctx.Err()
	}
	r.log().InfoContext(ctx, "A reader of motion files ended; the file is given to another.", "files", w.files, "error",
		err.Error())
	err = nil
	for _, f := range files[1:] { // what it may have written
		_, e := f.Seek(0, io.SeekStart)
		err = errors.Join(err, e, f.Truncate(0))
	}
	return result{}, nil, err
}

// afresh has a file read by a reader that has read no other.
func (r *Runner) afresh(ctx context.Context, s organization.Scope, q request, t terms, size int64,
	files []*os.File) (result, *worker, error) {
	w, err := r.start(s.Organization.String(), outputs(max(size, together)))
	if err != nil {
		return result{}, nil, err
	}
	got, err := w.ask(ctx, q, t, files)
	if err != nil {
		if said := w.said.String(); said != "" {
			r.log().WarnContext(ctx, "A reader of a motion file ended badly.", "error", err.Error(), "output", said)
		}
		return result{}, nil, err
	}
	return got, w, nil
}

// outputs is how many bytes a child may write for a file of that many: a byte of
// text can become a number of its own, and a table has an index.
func outputs(size int64) int64 { return 256<<20 + 16*size }

// change changes what is known of a recording.
func change(raw []byte, with func(*frames.Info)) ([]byte, error) {
	var info frames.Info
	if err := json.Unmarshal(raw, &info); err != nil {
		return nil, err
	}
	with(&info)
	return json.Marshal(info)
}

// Package process reads motion files in processes of their own. A file may come
// from anybody and may be made to bring its reader down; then it is a child that
// goes down, with the memory and the time that it was given and nothing else: an
// empty environment, the file as its standard input, files without a name for
// what it writes, and no way to any other file, process or network (package confine).
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
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/frames"
	"github.com/kinebase/kinebase/motion"
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
}

var _ upload.Reader = (*Runner)(nil)

func (r *Runner) log() *slog.Logger {
	if r.Log != nil {
		return r.Log
	}
	return slog.Default()
}

// result is what a child says at its end.
type result struct {
	Info       json.RawMessage `json:"info,omitempty"`
	Rate       float64         `json:"rate,omitempty"`
	Made       *time.Time      `json:"made,omitempty"`
	Peak       int64           `json:"peak,omitempty"`       // the most memory that it had, in bytes
	Unreadable string          `json:"unreadable,omitempty"` // the file is to blame, and why
	Failed     string          `json:"failed,omitempty"`     // something else is
	Number     syscall.Errno   `json:"number,omitempty"`     // what the operating system said of that; 0: nothing
}

// Read reads a file whose name tells its kind. Of a video it gives what the video
// processor makes of it, when there is one; else a warning says that there is none.
// The error is an *upload.Unreadable when the file is to blame, an *upload.Died when
// it brought its reader down or took too much memory or time, and another one when
// neither can be said.
func (r *Runner) Read(ctx context.Context, name string, f upload.File) (*upload.Reading, error) {
	got, err := r.read(ctx, name, f, 0)
	if err != nil {
		return nil, err
	}
	if kind, _ := motion.KindOf(name); kind != motion.MP4 && kind != motion.MOV {
		return got, nil
	}
	if err := r.video(ctx, name, f, got); err != nil {
		return nil, errors.Join(err, got.Close())
	}
	return got, nil
}

// read reads a file as it is. A rate above 0 is that of its frames where it tells
// neither a rate nor times.
func (r *Runner) read(ctx context.Context, name string, f upload.File, rate float64) (_ *upload.Reading, err error) {
	in, done, err := r.input(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	table, err := r.temporary()
	if err != nil {
		return nil, err
	}
	samples, err := r.temporary()
	if err != nil {
		return nil, errors.Join(err, table.Close())
	}
	got, err := r.child(ctx, name, "", rate, f.Size(), in, table, samples)
	if err != nil {
		return nil, errors.Join(err, table.Close(), samples.Close())
	}
	reading := &upload.Reading{Info: got.Info, Rate: got.Rate, Made: got.Made}
	reading.Table, err = kept(table)
	if err != nil {
		return nil, errors.Join(err, samples.Close())
	}
	reading.Samples, err = kept(samples)
	if err != nil {
		return nil, errors.Join(err, reading.Close())
	}
	return reading, nil
}

// Convert reads a motion file whose name tells its kind and writes it in another
// format: c3d or trc in the unit of the file, or csv, a row a frame with all columns,
// in metres. A rate above 0 counts in place of the file's. The errors are those of
// Read; that a recording does not fit into a format is an *upload.Unreadable too.
// Nothing is written before all of it is there.
func (r *Runner) Convert(ctx context.Context, name string, f upload.File, format string, rate float64, w io.Writer) (err error) {
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
	if _, err := r.child(ctx, name, format, rate, f.Size(), in, out); err != nil {
		return err
	}
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, out)
	return err
}

// child has one read the file.
func (r *Runner) child(ctx context.Context, name, format string, rate float64, size int64, in *os.File, out ...*os.File) (result, error) {
	// Of the name only the ending counts, and a whole one is not everybody's to see in
	// the list of processes.
	args := []string{r.Binary, Verb, "--name=file" + strings.ToLower(path.Ext(name)), "--memory=" + strconv.FormatInt(r.Memory, 10), "--file-size=" + strconv.FormatInt(outputs(size), 10), "--uid=" + strconv.Itoa(r.UID)}
	if format != "" {
		args = append(args, "--to="+format)
	}
	if rate > 0 {
		args = append(args, "--rate="+strconv.FormatFloat(rate, 'g', -1, 64))
	}
	c := command{args: args, in: in, files: out, time: r.Time, memory: r.Memory, what: "Reading the file", who: reader}
	begun := time.Now()
	text, tail, err := c.run(ctx)
	if err != nil {
		if tail != "" {
			r.log().WarnContext(ctx, "A reader of a motion file ended badly.", "error", err.Error(), "output", tail)
		}
		return result{}, err
	}
	var got result
	switch err := json.Unmarshal(text, &got); {
	case err != nil:
		return result{}, &upload.Died{Reason: "The reader of the file ended without a result."}
	case got.Unreadable != "":
		return result{}, &upload.Unreadable{Reason: got.Unreadable}
	case got.Failed != "":
		return result{}, got.failure()
	}
	r.log().DebugContext(ctx, "A motion file was read.", "bytes", size, "seconds", time.Since(begun).Seconds(), "memory", got.Peak)
	return got, nil
}

// failure is why a file was not read that is not to blame for it: an error of the
// operating system stays one.
func (r result) failure() error {
	if r.Number == 0 {
		return fmt.Errorf("reading a motion file: %s", r.Failed)
	}
	return fault.System(fmt.Errorf("reading a motion file: %s (%w)", r.Failed, r.Number), "")
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

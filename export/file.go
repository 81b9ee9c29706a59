package export

import (
	"context"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/job"
	"github.com/kinebase/kinebase/organization"
)

// Format is what a whole result can be had as. It is also the ending of the file.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	NDJSON  Format = "ndjson"
	Parquet Format = "parquet"
)

// Write writes the whole result in the format, within the budget in bytes.
func (f Format) Write(ctx context.Context, w io.Writer, r *Reader, budget int64) error {
	switch f {
	case CSV:
		return WriteCSV(ctx, w, r, budget)
	case NDJSON:
		return WriteNDJSON(ctx, w, r, budget)
	case Parquet:
		return WriteParquet(ctx, w, r, budget)
	}
	return fault.New(fault.Internal, "there is no format %q", string(f))
}

// writers is the version of what writes files, to be raised whenever the bytes change
// that are written of a result. A test knows them.
const writers = "6"

// Writers stands for the bytes that this program writes of a result: two that have the
// same write the same, in each format. Which numbers a machine rounds how, and how text
// is compressed, depends on its architecture as well.
const Writers = writers + " " + runtime.GOARCH

// ByteOrderMark is what may stand in front of CSV, by which some spreadsheets know it
// as UTF-8.
const ByteOrderMark = "\ufeff"

// Weight is about what writing a result of such columns takes of the memory, in bytes.
func (f Format) Weight(c Columns) int64 {
	least := int64(40 << 20) // what a narrow one takes as text
	if f == Parquet {
		least = 96 << 20 // and as Parquet, whose row groups are held
	}
	return min(least+int64(len(c.Own))*ColumnBytes, Budget)
}

// Limits of what is kept.
const (
	// Storage is how many bytes the results of one organization may take together,
	// where nothing else is configured.
	Storage = 20 << 30
	// PartBytes is what a part is taken to weigh: about what is known of a recording.
	PartBytes = 4 << 10
	// SkipBytes is what a capture that was left out is taken to weigh: its id and a reason.
	SkipBytes = 256
	// PartsAtOnce is how many parts are well looked up at a time.
	PartsAtOnce = 500
	// RewriteTime is how long callers who ask for a file that a deletion took away are
	// told to wait for the new one. After that it is written for each of them.
	RewriteTime = time.Minute
	// Patience is how long the making of a file waits for results that are being written
	// for callers, who would otherwise have half of the processors and twice the memory.
	Patience = time.Minute
	// FileTrial is how long a file that was given up is not tried again.
	FileTrial = time.Hour
	// FileTime is how long storing a file may take.
	FileTime = 6 * time.Hour
)

// FileName makes a name for a kept file of a result. It tells the organization and
// nothing else.
func FileName(org string, f Format) string {
	return "export/org=" + org + "/" + organization.NewUUID() + "." + string(f)
}

// Kept says how a whole result can be had.
type Kept struct {
	Name    string        // the file of this very version, in upload.Files; "" when there is none
	Writers string        // the Writers of the program that has made it
	Wait    time.Duration // above 0: it is being made again after a deletion; ask again after that
	Ask     bool          // nobody has asked for it to be made yet
}

// Keeper keeps results as files, once somebody has asked for them.
type Keeper interface {
	// Kept says how a finished result can be had as a file. It is that of the same moment
	// as version; fault.NotFound when the result has changed since.
	Kept(ctx context.Context, s organization.Scope, jobID, version string, f Format) (Kept, error)
	// Keep has a file made, unless it is there or being made. lost is the name of one
	// that should be there and is not, and is made again; "" for none.
	Keep(ctx context.Context, s organization.Scope, jobID string, f Format, lost string) error
}

// FileWork is one attempt to make a file.
type FileWork struct {
	Result
	Held   job.Held
	Format Format
	Room   int64 // bytes that the file may have
	Again  bool  // a deletion took one away that callers wait for
}

// ActiveDownloads counts the results that are being written for callers of one server.
type ActiveDownloads struct{ running atomic.Int64 }

// Begin counts one until end is called.
func (t *ActiveDownloads) Begin() (end func()) {
	t.running.Add(1)
	return func() { t.running.Add(-1) }
}

// Busy says whether there are any.
func (t *ActiveDownloads) Busy() bool { return t.running.Load() > 0 }

// FileBuilder is where workers make files of results. The subject of a job of theirs is
// that of FileSubject. Every verb on a FileWork that has been taken over by another
// worker, or whose result has changed or is gone, is job.ErrLost.
type FileBuilder interface {
	// ClaimFile takes the making of a file. With wait above 0 somebody else is at it;
	// with neither there is nothing to do.
	ClaimFile(ctx context.Context, s organization.Scope, subject string) (w *FileWork, wait time.Duration, err error)
	// ExpectFile says that the file is being stored under the name, which is erased
	// unless FinishFile comes within FileTime.
	ExpectFile(ctx context.Context, s organization.Scope, w *FileWork, name string) error
	// FinishFile keeps the file, and for that drops the oldest of the organization if
	// need be; kept is false when there is no room for it even so.
	FinishFile(ctx context.Context, s organization.Scope, w *FileWork, name string, size int64) (kept bool, err error)
	// ReleaseFile has it tried again, not before the time given.
	ReleaseFile(ctx context.Context, s organization.Scope, w *FileWork, again time.Time) error
	// GiveUpFile has it not made for FileTrial: there is no room for it, or the result
	// cannot be written in this format.
	GiveUpFile(ctx context.Context, s organization.Scope, w *FileWork) error
}

// FileSubject names the file of a result for a queue, and ParseFileSubject reads it.
func FileSubject(jobID string, f Format) string { return string(f) + "/" + jobID }

// ParseFileSubject gives the job and the format of a file's subject.
func ParseFileSubject(subject string) (jobID string, f Format) {
	format, jobID, _ := strings.Cut(subject, "/")
	return jobID, Format(format)
}

// Package intake brings data in: manifests of NDJSON, and folders of motion
// files. Reading and writing overlap, in the memory of a few batches however
// long the input is.
package intake

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/manifest"
	"github.com/kinebase/kinebase/organization"
)

// Import is one import into one organization. Store and Scope are required; the
// functions may be nil and are called by Run's own goroutine, in the order of
// the input.
type Import struct {
	Store   manifest.Store
	Series  manifest.Series // the same store, for what is long; nil where it takes no series
	Folders *Folders        // nil: folders are refused
	Scope   organization.Scope
	Records int       // how many records the store takes in a transaction at most; fewer than 1,000 are 1,000
	Dry     bool      // write nothing, but say what would be done
	Stdin   io.Reader // what the path "-" reads
	Now     time.Time // zero: the clock

	Refused func(Refusal)
	// every capture that was accepted; one of a manifest may have its id, status and error alone
	Captured func(Capture)
	Skipped  func(Skip)     // files that are no failure but were not taken
	Noticed  func(Notice)   // what was taken and is hardly meant so
	Progress func(Progress) // after every batch
}

// Refusal is one reason why something was not taken.
type Refusal struct {
	Path  string
	Line  int    // from 1; 0 for a path that is not read by lines
	Field string // "" when no single field is to blame
	Rule  string // a sentence that names field and rule
}

// Skip is something that was passed over, and why.
type Skip struct {
	Path string
	Line int // from 1; 0 for a path that is not read by lines
	Why  string
}

// Notice is something that was taken as it stands and was hardly meant so, such as a label that is
// misspelt.
type Notice struct {
	Path  string
	Line  int // from 1
	Field string
	Text  string // a sentence, with the likely spelling where there is one
}

// Capture is a capture that was accepted, and where it came from.
type Capture struct {
	Path string
	Line int // from 1; 0 when the path is the motion file that it was made of
	*capture.Capture
	Effect   manifest.Effect
	Warnings int // how many oddities its motion file has
}

// Summary counts what was accepted, whether it was created, updated or there
// already, and what was not.
type Summary struct {
	Athletes   int64 `json:"athletes"`
	Captures   int64 `json:"captures"`
	ExportJobs int64 `json:"export_jobs"`
	Failed     int64 `json:"failed"`   // refused lines, and paths that could not be read
	Warnings   int64 `json:"warnings"` // oddities of the motion files that were accepted
	// Landmarks says whether tables have changed how the organization calls points.
	Landmarks bool `json:"landmarks,omitempty"`
}

// Progress is how far an import is.
type Progress struct {
	Bytes, Total int64 // read so far and in all; Total is 0 when it is not known
	Records      int64 // lines and files, whatever became of them

	// Of the motion files in folders, whatever became of them: done, and found so far.
	Files, FoundFiles     int64
	FileBytes, FoundBytes int64 // of files on their way elsewhere, what has come there
}

// Run reads every path in turn: "-" is standard input, a folder is searched for
// motion files, anything else is read as a manifest. What is refused is reported
// and counted while the rest goes in. An error means that the import stopped:
// the store failed, or ctx ended. What the summary counts is then written all
// the same, and the same import can be started again.
func (im *Import) Run(ctx context.Context, paths ...string) (Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	now := im.Now
	if now.IsZero() {
		now = time.Now()
	}
	r := &reader{Import: im, ctx: ctx, organization: im.Scope.Organization.String(), now: now, pace: paced(im.Records),
		out: make(chan batch)}
	if im.Folders != nil {
		r.directory = &directory{store: im.Folders.place(), scope: im.Scope, found: map[string]entry{}}
	}
	total := totalSize(paths)
	// The reader is not waited for when the writer fails: it may be blocked in a
	// read of standard input that nothing can interrupt. It ends after that read. A
	// folder is waited for: it works with the store.
	defer func() {
		cancel()
		r.busy.Lock()
		defer r.busy.Unlock()
	}()
	go func() {
		defer close(r.out)
		r.paths(paths)
	}()

	p := Progress{Total: total}
	tell := func() {
		now := p
		now.FileBytes += r.moving.Load()
		now.FoundFiles, now.FoundBytes = max(p.Files, r.found.files.Load()), max(now.FileBytes, r.found.bytes.Load())
		if im.Progress != nil {
			im.Progress(now)
		}
	}
	w := writer{Import: im, pace: r.pace, named: map[string]bool{}, in: r.out, taken: func(b batch) {
		p.Bytes += b.bytes
		p.Records += b.count
		p.Files, p.FileBytes = p.Files+b.files, p.FileBytes+b.fileBytes
		tell()
	}}
	if im.Folders != nil && im.Folders.Elsewhere != nil { // a file may take hours
		ticks := time.NewTicker(glance)
		defer ticks.Stop()
		w.ticks, w.tick = ticks.C, tell
	}
	for {
		b, ok := w.next(ctx)
		if !ok {
			return w.summary, ctx.Err()
		}
		if err := w.write(ctx, b); err != nil {
			if ctx.Err() != nil { // whatever it was that ctx stopped, and how that calls it
				err = ctx.Err()
			}
			return w.summary, err
		}
	}
}

// item is one thing read: a record, or the reasons why there is none.
type item struct {
	path    string
	line    int
	record  manifest.Record
	err     error  // why it is refused
	skipped string // why it is passed over
	noticed *Notice
	renamed bool // a table has changed how the organization calls points

	made     *Capture // what was made of a motion file, which is stored already
	fatal    error    // why the import cannot go on
	measured bool     // it is a motion file of a folder
	size     int64    // of that
}

type batch struct {
	items            []item
	count            int64 // of the items, when they are told
	bytes            int64
	files, fileBytes int64 // motion files among the items
	// closed when all before it is written; nil unless somebody waits for that. Such a batch has no items.
	written chan struct{}
}

// refusals turns an error into one Refusal for each problem.
func refusals(path string, line int, err error) []Refusal {
	var f *fault.Error
	if !errors.As(err, &f) {
		return []Refusal{{Path: path, Line: line, Rule: err.Error()}}
	}
	if len(f.Problems) == 0 {
		return []Refusal{{Path: path, Line: line, Rule: f.Message}}
	}
	list := make([]Refusal, len(f.Problems))
	for i, p := range f.Problems {
		list[i] = Refusal{Path: path, Line: line, Field: p.Field, Rule: p.Message}
	}
	return list
}

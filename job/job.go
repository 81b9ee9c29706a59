// Package job names work that is done after the transaction that asks for it: a
// plain value that the store commits together with the rows that it is about, so
// that neither can be there without the other.
package job

import "time"

// Job is one piece of work. It says what it is about and nothing else: whatever
// it needs to know stands in the rows, as they are when it runs, and running it
// twice must do no harm.
type Job struct {
	Work         string `json:"-"`            // one of the works below
	Organization string `json:"organization"` // a UUID
	// what the work is about: a session id, a job id, "" for the organization
	Subject string    `json:"subject"`
	At      time.Time `json:"-"` // not before this moment; zero for at once
	// Trace is the trace of what asked for it, as traceparent has it; "" for none. It says nothing about anybody.
	Trace string `json:"trace,omitempty"`
}

// Kind is the work, under the name by which a queue asks for it.
func (j Job) Kind() string { return j.Work }

// The works.
const (
	// Process reads the file of a capture.
	Process = "process"
	// Recompute measures recordings of an organization that were measured by another version of
	// the library of movements.
	Recompute = "recompute"
	// Watch looks whether whoever processes a capture is still alive.
	Watch = "watch"
	// Gather makes one file of the pieces in which a file came.
	Gather = "gather"
	// WatchGather looks whether whoever does so is still alive.
	WatchGather = "watch_gather"
	// Expire ends a reservation for which no file came.
	Expire = "expire"
	// Erase erases files that belong to nobody any more.
	Erase = "erase"
	// Export builds an export.
	Export = "export"
	// WatchExport looks whether whoever builds an export is still alive.
	WatchExport = "watch_export"
	// ExportFile makes a file of a result, to be kept.
	ExportFile = "export_file"
	// WatchExportFile looks whether whoever makes such a file is still alive.
	WatchExportFile = "watch_export_file"
	// Deliver tells a webhook what changed.
	Deliver = "deliver"
	// ForgetExport erases a result that has lived long enough.
	ForgetExport = "forget_export"
)

// Works are all there are.
var Works = []string{Process, Recompute, Watch, Gather, WatchGather, Expire, Erase, Export, WatchExport, ExportFile,
	WatchExportFile, Deliver, ForgetExport}

// Backlog is what waits in a queue.
type Backlog struct {
	Queue    string
	Waiting  int64         // jobs that could be begun now
	Retrying int64         // jobs that have failed, and are tried again later
	Oldest   time.Duration // since when the first of those that wait could have been begun
}

// Begun is a job that the queue takes for being worked on. Whether it is, only a lease
// on what it is about tells: a worker may die before it has taken one.
type Begun struct {
	Job
	Number  int64 // in the queue
	Attempt int64
}

// Queue is where a job waits: those that take long wait in one of their own, so
// that they hold up nobody.
func (j Job) Queue() string {
	switch j.Work {
	case Process, Recompute, Gather:
		return Slow
	case Export:
		return Exports
	case ExportFile:
		return Copies
	case Deliver:
		return Webhooks
	}
	return Quick
}

// Priority is which of the jobs of a queue come first: those with the lower number. What nobody
// waits for comes last.
func (j Job) Priority() int {
	if j.Work == Recompute {
		return 4
	}
	return 1
}

// The queues.
const (
	Slow     = "slow"
	Exports  = "exports"
	Copies   = "copies"
	Webhooks = "webhooks"
	Quick    = "default"
)

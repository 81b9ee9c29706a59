package db

import (
	"fmt"
	"runtime/debug"

	"github.com/kinebase/kinebase/job"
)

// Write is a transaction that writes.
type Write struct {
	Tx
	Org     ID
	engine  Engine
	Attempt int  // from 1
	Erased  bool // rows of a person have gone: their pages are to be overwritten
	// Trace is the trace that the transaction is a part of, which its jobs go on with; "" for none.
	Trace string

	// Earlier is what transactions of the organization have gathered before this one that are committed with it.
	Earlier []byte
	// Shared is what transactions that are committed together have read of organizations, so that the others
	// need not; nil where each is committed alone. A transaction that changes what was read takes it
	// out. When one of them fails, everything is taken out.
	Shared map[ID]any

	gathered []byte
	gathers  bool
	jobs     []job.Job
	after    []func()
}

// Gather adds to what is kept of the transaction by the statement Gather of the engine's options, at its end.
// Transactions of an organization that are committed together share one statement.
func (w *Write) Gather(text []byte) {
	w.gathered = append(w.gathered, text...)
	w.gathers = true
}

// Then has f run after the commit.
func (w *Write) Then(f func()) { w.after = append(w.after, f) }

// Enqueue has jobs done after the commit. The same job twice is one.
func (w *Write) Enqueue(jobs ...job.Job) {
next:
	for _, j := range jobs {
		j.Trace = w.Trace
		for _, k := range w.jobs {
			if j == k {
				continue next
			}
		}
		w.jobs = append(w.jobs, j)
	}
}

// Exclude keeps imports of the organization apart once two have met: the first
// try of a transaction runs beside others, a later one alone.
func (w *Write) Exclude() error { return w.engine.exclude(w) }

// Number makes the transaction, until its end, the only one that gives numbers to
// the organization's combinations.
func (w *Write) Number() error { return w.engine.number(w) }

// Line makes the transaction, until its end, the only one that says which of the
// organization's exports stand in the queue. It is locked before any row.
func (w *Write) Line() error { return w.engine.line(w) }

// Stamp gives the transaction its number in the order of changes: each change of the feed has a place below
// it. Numbers are given in the order in which they are asked for, not in that of the commits. More statements
// go the same way.
func (w *Write) Stamp(more ...Statement) (number int64, err error) { return w.engine.stamp(w, more) }

// Guard runs f and turns a panic into an error: one request's mistake must not
// take down the writer that serves everybody.
func Guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

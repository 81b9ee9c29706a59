package store

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/store/roster"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/job"
)

// writeTx is a transaction that changes one organization's rows.
type writeTx struct {
	tx
	org     id
	engine  engine           // that runs it
	placed  int64            // the position of its last change in the feed; 0 without one
	attempt int              // from 1
	now     func() time.Time // the store's clock

	earlier []byte       // the changes of lists of those before it in a transaction that several share
	lists   []byte       // the changes of lists, see tally.Change
	entries int          // how many there are
	touched bool         // the organization's answers have changed, with or without entries
	erased  bool         // rows of a person have gone: their pages are to be overwritten
	sent    int64        // bytes that files as they came take more than before
	made    int64        // bytes that what was made of them takes more than before
	act     *audit.Entry // of which the transaction is a part; nil for none
	object  audit.Object // that the act was done to, where the transaction made it
	alone   bool         // nobody else finds room for what comes to the organization until the end
	sheaf   *sheaf       // holds new captures back; nil but in a series of an import
	jobs    []job.Job    // to be done after the commit
	after   []func()
}

// change notes that a capture came into the lists or left them.
func (w *writeTx) change(c tally.Change) {
	w.lists = c.Append(w.lists)
	w.entries++
	w.touched = true
}

// called notes that an athlete came, or is called or listed otherwise than before: what
// captures are found by may have changed, pages of captures that include names, and the
// lists of athletes.
func (w *writeTx) called(athlete id) {
	w.lists = tally.AppendCalled(w.lists, athlete)
	w.entries++
	w.touched = true
}

// gone notes that an athlete was erased, in a way that does not tell which one.
func (w *writeTx) gone(athlete id) {
	w.lists = tally.AppendErased(w.lists, roster.Mark(athlete))
	w.entries++
	w.touched, w.erased = true, true
}

// then has f run after the commit.
func (w *writeTx) then(f func()) { w.after = append(w.after, f) }

// delta is the statement that keeps the changes of lists for the readers and
// for the fold. Appending a row costs next to nothing and waits for nobody,
// where a counter would make all writers of an organization wait for each other.
func delta(org id, changes []byte) statement {
	if changes == nil {
		changes = []byte{}
	}
	return exec(`INSERT INTO list_delta (organization, id, changes) VALUES ($1, $2, $3)`, org, newID(), changes)
}

// guard runs f and turns a panic into an error: one request's mistake must not
// take down the writer that serves everybody.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

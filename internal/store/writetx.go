package store

import (
	"context"
	"time"

	"github.com/kinebase/kinebase/audit"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/store/roster"
	"github.com/kinebase/kinebase/internal/store/tally"
	"github.com/kinebase/kinebase/internal/telemetry"
	"github.com/kinebase/kinebase/organization"
)

// writeTx is a transaction that changes one organization's rows.
type writeTx struct {
	*db.Write
	placed int64            // the position of its last change in the feed; 0 without one
	now    func() time.Time // the store's clock

	lists   []byte       // the changes of lists, see tally.Change
	entries int          // how many there are
	touched bool         // the organization's answers have changed, with or without entries
	sent    int64        // bytes that files as they came take more than before
	made    int64        // bytes that what was made of them takes more than before
	act     *audit.Entry // of which the transaction is a part; nil for none
	object  audit.Object // that the act was done to, where the transaction made it
	other   audit.Object // that the act ended beside it
	alone   bool         // nobody else finds room for what comes to the organization until the end
	sheaf   *sheaf       // holds new captures back; nil but in a series of an import

	recounts map[string]bool             // captures whose columns of the recording are to be counted again
	columns  map[columnKey]*columnChange // what becomes of the counts of columns

	listening []listener // webhooks of the organization, once there is a position
	told      [][]any    // rows of what they are to be told
}

// write runs fn in a transaction that is durable when write returns nil. fn may run more than once, and must set
// whatever it gives back again each time.
func (s *Store) write(ctx context.Context, org db.ID, fn func(*writeTx) error) error {
	return s.engine.Write(ctx, org, s.writing(ctx, fn))
}

// bulk is write for what writes much.
func (s *Store) bulk(ctx context.Context, org db.ID, fn func(*writeTx) error) error {
	return s.engine.Bulk(ctx, org, s.writing(ctx, fn))
}

// writing makes of fn what an engine runs: at the end of the transaction comes what follows from the changes.
func (s *Store) writing(ctx context.Context, fn func(*writeTx) error) func(*db.Write) error {
	act, parent := audit.From(ctx), telemetry.Parent(ctx)
	return func(t *db.Write) error {
		t.Trace = parent
		w := &writeTx{Write: t, now: s.clock, act: act}
		if err := fn(w); err != nil {
			return err
		}
		if err := w.settle(); err != nil {
			return err
		}
		if w.touched {
			w.Gather(w.lists)
			w.Then(func() { s.folder.changed(w.Org, w.entries) })
		}
		if w.placed != 0 {
			w.Then(func() { s.watchers.ring(w.Org) })
		}
		return nil
	}
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
func (w *writeTx) called(athlete db.ID) {
	w.lists = tally.AppendCalled(w.lists, athlete)
	w.entries++
	w.touched = true
}

// gone notes that an athlete was erased, in a way that does not tell which one.
func (w *writeTx) gone(athlete db.ID) {
	w.lists = tally.AppendErased(w.lists, roster.Mark(athlete))
	w.entries++
	w.touched, w.Erased = true, true
}

// delta is the statement that keeps the changes of lists for the readers and
// for the fold. Appending a row costs next to nothing and waits for nobody,
// where a counter would make all writers of an organization wait for each other.
func delta(org db.ID, changes []byte) db.Statement {
	if changes == nil {
		changes = []byte{}
	}
	return db.Exec(`INSERT INTO list_delta (organization, id, changes) VALUES ($1, $2, $3)`, org, organization.NewID(),
		changes)
}

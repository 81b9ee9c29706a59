package db

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
)

func TestWhatWritesMuchSharesItsTransactionWithNobodyAndHasNoSavepointThatKeepsItsPages(t *testing.T) {
	e := lite(t)
	hold, held := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = e.Fold(context.Background(), ID{}, func(Tx) error { close(held); <-hold; return nil })
	})
	<-held
	queued := func(n int) {
		testkit.Until(t, "the work is in the queue", func() bool { return len(e.queue) == n })
	}
	savepoint := func(w *Write) bool { return w.Do(Exec("ROLLBACK TO one")) == nil }
	for i := range 2 {
		all.Go(func() {
			must(t, e.Write(t.Context(), ID{}, func(w *Write) error {
				if !savepoint(w) {
					t.Error("two writes that wait together have no savepoint each")
				}
				return nil
			}))
		})
		queued(1 + i)
	}
	all.Go(func() {
		must(t, e.Bulk(t.Context(), ID{}, func(w *Write) error {
			if savepoint(w) {
				t.Error("what writes much has a savepoint")
			}
			return nil
		}))
	})
	queued(3)
	var alone []bool
	for range 3 { // each in turn, so that the order stays
		op := <-e.queue
		alone = append(alone, op.alone)
		e.queue <- op
	}
	if want := []bool{false, false, true}; !slices.Equal(alone, want) {
		t.Errorf("of two writes and much that is written, those that want a transaction of their own are %v", alone)
	}
	close(hold)
	all.Wait()
}

func TestWhatAGroupGathersIsKeptByOneStatementForEachOrganization(t *testing.T) {
	e := lite(t)
	orgs := []ID{organization.NewID(), organization.NewID()}
	var ops []*writing
	for i := range 6 {
		ops = append(ops, &writing{ctx: t.Context(), org: orgs[i%2], fn: func(w *Write) error {
			if i < 4 {
				w.Gather([]byte{byte('a' + i)})
			}
			if i == 2 {
				return fault.New(fault.Conflict, "no")
			}
			return nil
		}})
	}
	grouped(t, e, ops)
	var notes []string
	must(t, e.Once(t.Context(), ID{}, Each(func(r Rows) error {
		var note string
		err := r.Scan(&note)
		notes = append(notes, note)
		return err
	}, `SELECT note FROM thing`)))
	slices.Sort(notes)
	want := []string{orgs[0].String() + " a", orgs[1].String() + " bd"}
	slices.Sort(want)
	same(t, "what was gathered", notes, want)
}

package db

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kinebase/kinebase/fault"
	"github.com/kinebase/kinebase/internal/testkit"
	"github.com/kinebase/kinebase/organization"
	"github.com/kinebase/kinebase/turns"
)

// lines gives the lines of an engine.
func lines(of Engine) (reads, writes **turns.Line[ID]) {
	switch e := of.(type) {
	case *SQLite:
		return &e.reads, &e.writes
	case *Postgres:
		return &e.reads, &e.writes
	}
	panic("an engine without lines")
}

// narrow gives a line one place, for callers that wait for a moment only.
func narrow(line **turns.Line[ID]) { *line = turns.NewPlaces[ID](1, time.Nanosecond) }

func TestACallerWhoseTurnDoesNotComeInTimeIsRefusedAndNothingOfItIsDone(t *testing.T) {
	engines(t, func(t *testing.T, p place) {
		e := p.open()
		_, writes := lines(e)
		narrow(writes)
		org := organization.NewID()
		caller := turns.ForCaller(t.Context())
		hold, held := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			if err := e.Write(context.Background(), org, func(*Write) error { close(held); <-hold; return nil }); err !=
				nil {
				t.Error(err)
			}
		})
		<-held
		// SQLite's queue has a place while the writer is at work; on PostgreSQL there is none.
		for range 3 {
			err := e.Write(caller, org, func(w *Write) error { return w.Do(keep("late")) })
			refused(t, ToFault(err), fault.Unavailable, busyWriting)
		}
		create := make(chan error)
		go func() {
			create <- e.Write(t.Context(), org, func(w *Write) error { return w.Do(keep("patient")) })
		}()
		close(hold)
		must(t, testkit.Receive(t, create, "work without a caller is done"))
		all.Wait()
		same(t, "what is there", things(t, e), []string{"patient"})

		e = p.open()
		reads, _ := lines(e)
		narrow(reads)
		hold, held = make(chan struct{}), make(chan struct{})
		all.Go(func() {
			if err := e.Read(context.Background(), org, func(Tx) error { close(held); <-hold; return nil }); err !=
				nil {
				t.Error(err)
			}
		})
		<-held
		var n int64
		refused(t, ToFault(e.Once(caller, org, One(Into(&n), `SELECT 1`))), fault.Unavailable, busyReading)
		refused(t, ToFault(e.Read(caller, org, func(Tx) error { return errors.New("it is read") })), fault.Unavailable,
			busyReading)
		must(t, e.Write(caller, org, func(*Write) error { return nil })) // reads hold up no write
		close(hold)
		all.Wait()
		must(t, e.Once(t.Context(), org, One(Into(&n), `SELECT 1`)))
	})
}

func TestAFloodOfOneOrganizationStarvesNoOther(t *testing.T) {
	testkit.Long(t)
	engines(t, func(t *testing.T, p place) {
		e := p.open()
		flooding, quiet := organization.NewID(), organization.NewID()
		const flood = 200
		for what, do := range map[string]func(org ID, f func() error) error{
			"writes": func(org ID, f func() error) error {
				return e.Write(context.Background(), org, func(*Write) error { return f() })
			},
			"reads": func(org ID, f func() error) error {
				return e.Read(context.Background(), org, func(Tx) error { return f() })
			},
		} {
			reads, writes := lines(e)
			line := map[string]*turns.Line[ID]{"reads": *reads, "writes": *writes}[what]
			var all sync.WaitGroup
			// What began, in the order of beginning, with what ends it: so the one that ends is
			// always the one that began first, however slowly its goroutine goes on.
			type running struct {
				name string
				end  chan struct{}
			}
			begun := make(chan running)
			request := func(org ID, name string) {
				all.Go(func() {
					if err := do(org, func() error {
						r := running{name, make(chan struct{})}
						begun <- r
						<-r.end
						return nil
					}); err != nil {
						t.Error(err)
					}
				})
			}
			request(flooding, "flooding")
			order := []running{<-begun}
			for range flood - 1 {
				request(flooding, "flooding")
			}
			// A place is held until the work ends, except that SQLite writes one after the other:
			// there it is held until the work begins.
			_, single := e.(*SQLite)
			single = single && what == "writes"
			expected := flood
			if single {
				expected--
			}
			places := 0
			testkit.Until(t, "the flood waits", func() bool {
				held, _ := line.Holds()
				places = int(held)
				return line.Waits() > 0 && line.Waits()+places == expected
			})
			// From then on the one that begins is the one that was given the place that came free.
			for len(order) < places && !single {
				order = append(order, <-begun)
			}
			for i := range 3 {
				request(quiet, fmt.Sprint("quiet ", i))
			}
			testkit.Until(t, "the others wait",
				func() bool { held, _ := line.Holds(); return line.Waits()+int(held) == expected+3 })
			for ended := range flood + 3 { // one ends, and only then may another begin
				close(order[ended].end)
				if len(order) < flood+3 {
					order = append(order, <-begun)
				}
			}
			all.Wait()
			last := 0
			for i := range 3 {
				last = max(last, slices.IndexFunc(order,
					func(r running) bool { return r.name == fmt.Sprint("quiet ", i) }))
			}
			t.Logf("%s: behind %d of another organization and %d places, three of a quiet one began as number %d at "+
				"the latest", what, flood, places, last+1)
			if most := 3*(places+1) + 3; last > most {
				t.Errorf("%s: the quiet organization waited for %d, want %d at most", what, last, most)
			}
		}
	})
}

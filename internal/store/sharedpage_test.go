package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/capture"
	"github.com/kinebase/kinebase/internal/store/db"
	"github.com/kinebase/kinebase/internal/testkit"
)

// gated is an engine whose reads wait at a gate, or for the end of their callers.
type gated struct {
	db.Engine
	reads atomic.Int64
	begun chan struct{}
	gate  chan struct{}
}

func (g *gated) Read(ctx context.Context, org db.ID, fn func(db.Tx) error) error {
	g.reads.Add(1)
	g.begun <- struct{}{}
	select {
	case <-g.gate:
		return g.Engine.Read(ctx, org, fn)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestCallersOfTheSamePageShareItsMakingAndEachMayLeave(t *testing.T) {
	for _, leaves := range []bool{false, true} { // the one who makes it
		opened := place{t, Options{Data: empty.Folder(t)}}.open(still)
		sc := tenant(t, opened, "A")
		put(t, opened, sc, session("one", &noon))
		g := &gated{Engine: opened.engine, begun: make(chan struct{}, 100), gate: make(chan struct{})}
		s := &Store{engine: g, log: opened.log, now: opened.now} // without work behind the scenes
		s.answers.limit = 1 << 20
		query := capture.Query{Limit: 10}
		maker, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		answers := make(chan string, 100)
		ask := func(ctx context.Context) error {
			a, err := s.Captures(ctx, sc, query)
			if err == nil {
				answers <- string(a.Body)
			}
			return err
		}
		made := make(chan error, 1)
		go func() { made <- ask(maker) }()
		testkit.Receive(t, g.begun, "somebody makes the page")
		for range 20 {
			all.Go(func() { must(t, ask(t.Context())) })
		}
		over, end := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- ask(over) }()
		end()
		if err := testkit.Receive(t, left, "a caller leaves while the page is made"); !errors.Is(err,
			context.Canceled) {
			t.Errorf("a caller who leaves hears %v", err)
		}
		if leaves {
			leave()
			if err := testkit.Receive(t, made, "the maker leaves"); !errors.Is(err, context.Canceled) {
				t.Errorf("the maker who leaves hears %v", err)
			}
		}
		close(g.gate)
		all.Wait()
		if !leaves {
			must(t, testkit.Receive(t, made, "the page is made"))
			if n := g.reads.Load(); n != 1 {
				t.Errorf("the page was made %d times", n)
			}
		}
		close(answers)
		first := <-answers
		for a := range answers {
			if a != first {
				t.Errorf("one hears %s, another %s", first, a)
			}
		}
		leave()
	}
}

package app

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestHoweverManyAskWhetherTheStoreCanBeWrittenOneWriteASecondTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		writes := 0
		full := errors.New("the disk is full")
		var fails error
		p := &writable{now: time.Now, write: func(context.Context) error { writes++; return fails }}
		for second := range 6 {
			if fails = nil; second%2 == 1 {
				fails = full
			}
			for range 20 {
				if err := p.check(t.Context()); !errors.Is(err, fails) {
					t.Errorf("in second %d: %v, want %v", second, err, fails)
				}
			}
			if writes != second+1 {
				t.Errorf("%d writes in %d seconds", writes, second+1)
			}
			time.Sleep(writeEvery)
		}
	})
}

func TestAWriteThatDoesNotEndIsAFailureOnceItHasTakenTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var writes atomic.Int64
		frozen := make(chan struct{})
		p := &writable{now: time.Now, write: func(context.Context) error {
			writes.Add(1)
			<-frozen // not even the end of the context helps
			return nil
		}}
		var seen []bool
		for range 4 { // each waits two seconds
			ctx, cancel := context.WithTimeout(t.Context(), probeLimit)
			seen = append(seen, errors.Is(p.check(ctx), errSlowWrite))
			cancel()
		}
		if seen[0] || seen[1] || !seen[2] || !seen[3] || writes.Load() != 1 {
			t.Errorf("too slow: %v, with %d writes", seen, writes.Load())
		}
		close(frozen)
		synctest.Wait()
		if err := p.check(t.Context()); err != nil {
			t.Errorf("once it has ended: %v", err)
		}
	})
}

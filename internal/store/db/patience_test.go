package db

import (
	"context"
	"testing"
	"time"
)

func TestAWriterThatWasKeptFromRunningLooksAgainBeforeItGivesUp(t *testing.T) {
	clock := time.Now()
	waits := patience(func() time.Time { return clock })
	step := func(count int, by time.Duration) bool {
		clock = clock.Add(by)
		return waits(context.Background(), count)
	}
	if !step(0, time.Hour) || !step(1, 11*time.Second) || !step(100, 40*time.Second) {
		t.Error("who has hardly looked gives up")
	}
	if step(101, 10*time.Second) {
		t.Error("after a minute it is waited still")
	}
	if !step(0, 0) || !step(9000, 9*time.Second) {
		t.Error("ten seconds are not waited")
	}
	if step(9001, 2*time.Second) {
		t.Error("who has looked often goes on for more than ten seconds")
	}
}

package store

import "time"

// lease says who works on a row: the file of a capture, an export, a kept file. A worker
// takes it, extends it while it is alive, and gives it back. When it runs out another
// worker takes it under a higher attempt, and whatever the first one writes after that
// is refused.
type lease struct {
	attempt int64 // of the newest worker: it fences all earlier ones
	deaths  int   // of workers, as far as the work is to blame for them
	until   int64 // micros until which the attempt is believed to be alive; 0: given back
}

// left is how long the worker is still believed to be alive; 0: nobody is at work. A
// lease that ran out and one that was given back are the same to whoever looks for work
// that nobody does.
func (l *lease) left(now time.Time) time.Duration { return max(0, fromMicros(l.until).Sub(now)) }

// heldBy says whether the attempt still is the newest and was not given back. A lease
// that ran out is still the worker's until another takes it.
func (l *lease) heldBy(attempt int64) bool { return l.until != 0 && l.attempt == attempt }

// take gives the lease to the next worker, and says whether the one before died with it.
// Nobody may hold it.
func (l *lease) take(now time.Time, life time.Duration) (died bool) {
	died = l.until != 0
	l.attempt++
	l.until = micros(now.Add(life))
	return died
}

// giveBack ends the work of the newest attempt.
func (l *lease) giveBack() { l.until = 0 }

package app

import "time"

// DrainWithin shortens how long a stop waits, before Run.
func DrainWithin(a *App, patience time.Duration) { a.patience = patience }

// DelayBy has the delay before a stop last until passed is closed, before Run. asked
// gets how long it is to be.
func DelayBy(a *App, asked chan<- time.Duration, passed <-chan time.Time) {
	a.after = func(d time.Duration) <-chan time.Time {
		asked <- d
		return passed
	}
}

// RetryBy gives a start that waits another clock, before Run.
func RetryBy(a *App, after func(time.Duration) <-chan time.Time) { a.retry = after }

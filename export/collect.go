package export

import (
	"runtime/debug"
	"sync"
)

// collectPercent is how much the heap may grow between two collections while Parquet is written. Most of the memory of
// that are row groups, in which nothing points anywhere, so that a collection costs little: with the 100 that Go has by
// itself, a server with one caller took a sixth more memory.
const collectPercent = 30

// collecting counts the writers in this process for which the collector runs more often.
var collecting struct {
	sync.Mutex
	writers int
	before  int // the percentage without them
}

// collectMore has the collector run more often until end is called.
func collectMore() (end func()) {
	collecting.Lock()
	defer collecting.Unlock()
	if collecting.writers++; collecting.writers == 1 {
		if collecting.before = debug.SetGCPercent(collectPercent); collecting.before >= 0 &&
			collecting.before < collectPercent {
			debug.SetGCPercent(collecting.before) // it was less already
		}
	}
	return func() {
		collecting.Lock()
		defer collecting.Unlock()
		if collecting.writers--; collecting.writers == 0 {
			debug.SetGCPercent(collecting.before)
		}
	}
}

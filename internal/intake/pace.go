package intake

import (
	"sync/atomic"
	"time"
)

const (
	leastRecords = 1000        // a transaction has at least as many records, if there are any more
	batchBytes   = 4 << 20     // of lines, which may be 1 MiB long each
	batchTime    = time.Second // how long the writes of a running server may wait for one transaction
)

// pace finds how many records a transaction takes. Many spread its cost: a page of the database on
// which several of them lie is written once. But while it runs, nobody else can write.
type pace struct {
	most int64
	size atomic.Int64
}

// paced begins with the fewest records; most less than those is as many.
func paced(most int) *pace {
	p := &pace{most: max(leastRecords, int64(most))}
	p.size.Store(leastRecords)
	return p
}

// records is how many records the next transaction takes.
func (p *pace) records() int { return int(p.size.Load()) }

// took notes how long a transaction took. One that was much smaller than the last ones, as at the
// end of a file, says little.
func (p *pace) took(records int, d time.Duration) {
	size := p.size.Load()
	if int64(records) < size/2 {
		return
	}
	fit := int64(float64(records) * float64(batchTime) / float64(max(d, time.Microsecond)))
	p.size.Store(max(leastRecords, min(fit, 2*size, p.most)))
}

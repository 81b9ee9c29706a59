// Package demo makes up an organization to look around in: a sports laboratory
// with its athletes, two years of captures and a few export jobs. Nobody in it
// exists. The same seed and moment give the same organization.
package demo

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"github.com/kinebase/kinebase/manifest"
)

// Name is what the organization is called.
const Name = "Harbour Motion Lab"

// How much there is of everything.
const (
	Athletes = 60
	Captures = 4_000 // without a motion file
	Jobs     = 12
)

// span is how far back the captures go.
const span = 2 * 365 * 24 * time.Hour

// lab makes things up.
type lab struct {
	*rand.Rand
	now time.Time // to the millisecond, UTC
}

func newLab(seed uint64, now time.Time) lab {
	return lab{rand.New(rand.NewPCG(seed, 0x6b696e6562617365)), now.UTC().Truncate(time.Millisecond)}
}

// Records makes everything up but motion files (MotionsOf) as it was at the given moment, in an order in
// which it can be imported: athletes first.
func Records(seed uint64, now time.Time) []manifest.Record {
	l := newLab(seed, now)
	records := make([]manifest.Record, 0, Athletes+Captures+Jobs)
	people := l.athletes()
	for i := range people {
		records = append(records, manifest.Record{Athlete: &people[i].Athlete})
	}
	captures := l.captures(people)
	for i := range captures {
		records = append(records, manifest.Record{Capture: &captures[i]})
	}
	jobs := l.jobs()
	for i := range jobs {
		records = append(records, manifest.Record{Job: &jobs[i]})
	}
	return records
}

// id makes a UUID out of the seed.
func (l lab) id() string {
	var u uuid.UUID
	for i := range u {
		u[i] = byte(l.UintN(256))
	}
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return u.String()
}

// chance is true in so many of a thousand cases.
func (l lab) chance(perMille int) bool { return l.IntN(1000) < perMille }

// between gives lo..hi, both of them too.
func (l lab) between(lo, hi int) int { return lo + l.IntN(hi-lo+1) }

// ago gives a moment up to d before now, to the second.
func (l lab) ago(d time.Duration) time.Time {
	return l.now.Add(-time.Duration(l.Int64N(int64(d)))).Truncate(time.Second)
}

// one picks an item.
func one[T any](l lab, items ...T) T { return items[l.IntN(len(items))] }

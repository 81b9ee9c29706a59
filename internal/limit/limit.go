// Package limit decides who has asked too often. A bucket of tokens stands
// behind every key (an access token, an organization, an address): each request
// takes one, they come back at a steady rate, and an empty bucket refuses. The
// bucket is kept as one point in time (GCRA, the generic cell rate algorithm),
// so it costs a few bytes and needs no clockwork.
//
// Two engines keep the buckets: Memory, for one process, and Redis, for several
// that share them. Neither ever fails: while Redis is slow or gone each process
// gives its share of what was left, and together they never give more than the
// limit.
package limit

import (
	"context"
	"time"
)

// Limiter keeps buckets by key. It is safe for concurrent use, and it has no
// errors: whatever happens to the engine, there is an answer, and within about
// 20 milliseconds; within 100 for calls that are under way when Redis becomes slow.
type Limiter interface {
	// Allow takes one token out of the key's bucket, if there is one. A key is
	// always asked with the same rate; the rate must not be off.
	Allow(ctx context.Context, key string, rate Rate) Result

	// GiveBack returns a token that Allow gave and that was not used after all.
	// A bucket never holds more than its burst by it. It may come to nothing where
	// only this one token was missing, which one interval of the rate makes good.
	GiveBack(ctx context.Context, key string, rate Rate)
}

// Result is the answer to one request and the state of its bucket after it.
type Result struct {
	Allowed    bool
	Limit      int           // what a full bucket holds: the burst
	Remaining  int           // whole tokens left
	Reset      time.Duration // until the bucket is full again if nobody asks
	RetryAfter time.Duration // until there is a token again; 0 when allowed
}

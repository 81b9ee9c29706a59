package limit

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
)

// memoryKeys is how many buckets a Memory keeps, about 9 MB when full. Beyond it
// the bucket that was asked longest ago is forgotten; at the usual rates that one
// has been full again for long, unless so many keys are busy within seconds.
const memoryKeys = 32_768

// maxAttempts is how often a lost race for one bucket is tried again before the
// request passes uncounted. Somebody wins every race, so with the library's own
// limit of 10, dozens of callers on one key overrun it, and with this one none did.
const maxAttempts = 100_000

// Memory keeps the buckets of one process.
type Memory struct {
	store throttled.GCRAStoreCtx

	// The library makes a limiter for each rate, and a process has a handful of
	// rates: a map that is replaced when one is new, and read without a lock.
	limiters atomic.Pointer[map[Rate]*throttled.GCRARateLimiterCtx]
	adding   sync.Mutex
}

var _ Limiter = (*Memory)(nil)

// NewMemory gives a limiter whose buckets are all full.
func NewMemory() *Memory {
	// The library thinks in wall-clock time, which an administrator or NTP can set
	// back: every bucket would then stay empty for as long. So it is given the time
	// of the start, moved on by the monotonic clock.
	start := time.Now()
	return newMemory(memoryKeys, func() time.Time { return start.Add(time.Since(start)) })
}

func newMemory(keys int, now func() time.Time) *Memory {
	store, err := memstore.New(keys)
	if err != nil {
		panic(fmt.Sprintf("a store of %d buckets: %v", keys, err)) // only a number below 1 is refused
	}
	store.SetTimeNow(now)
	return &Memory{store: throttled.WrapStoreWithContext(store)}
}

// Allow implements Limiter.
func (m *Memory) Allow(ctx context.Context, key string, rate Rate) Result {
	limited, state, err := m.limiter(rate).RateLimitCtx(ctx, key, 1)
	if err != nil {
		// Out of attempts: nobody knows the bucket, and the doubt is the caller's.
		return Result{Allowed: true, Limit: rate.Burst}
	}
	return Result{
		Allowed:    !limited,
		Limit:      rate.Burst,
		Remaining:  state.Remaining,
		Reset:      state.ResetAfter,
		RetryAfter: max(0, state.RetryAfter), // the library says -1 for none
	}
}

// GiveBack implements Limiter.
func (m *Memory) GiveBack(ctx context.Context, key string, rate Rate) {
	// Less than nothing taken moves the bucket's time back. Where that is in the
	// past the bucket counts as full, as everywhere.
	_, _, _ = m.limiter(rate).RateLimitCtx(ctx, key, -1)
}

// limiter gives the library's limiter of a rate.
func (m *Memory) limiter(rate Rate) *throttled.GCRARateLimiterCtx {
	if known := m.limiters.Load(); known != nil {
		if l := (*known)[rate]; l != nil {
			return l
		}
	}
	return m.add(rate)
}

func (m *Memory) add(rate Rate) *throttled.GCRARateLimiterCtx {
	m.adding.Lock()
	defer m.adding.Unlock()
	next := map[Rate]*throttled.GCRARateLimiterCtx{}
	if known := m.limiters.Load(); known != nil {
		if l := (*known)[rate]; l != nil {
			return l
		}
		maps.Copy(next, *known)
	}
	l, err := throttled.NewGCRARateLimiterCtx(m.store, throttled.RateQuota{
		MaxRate:  throttled.PerSec(rate.PerSecond),
		MaxBurst: rate.Burst - 1, // the library counts what comes on top of the first
	})
	if err != nil {
		panic(fmt.Sprintf("a limit of %v: %v", rate, err)) // ParseRate lets no such rate through
	}
	l.SetMaxCASAttemptsLimit(maxAttempts)
	next[rate] = l
	m.limiters.Store(&next)
	return l
}

package limit

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// level is a bucket as one would draw it: what it holds, in billionths of a token.
type level struct {
	rate Rate
	held int64
	at   time.Time
}

func (l *level) allow(now time.Time) bool {
	const token = int64(time.Second)
	l.held = min(int64(l.rate.Burst)*token, l.held+int64(now.Sub(l.at))*int64(l.rate.PerSecond))
	l.at = now
	if l.held < token {
		return false
	}
	l.held -= token
	return true
}

func TestMemoryAgreesWithABucketThatIsFilledAndEmptied(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate{
			PerSecond: rapid.SampledFrom([]int{1, 2, 5, 50, 500, 2_000}).Draw(t, "per second"),
			Burst:     rapid.IntRange(1, 20).Draw(t, "burst"),
		}
		now := time.Unix(1_800_000_000, 0)
		l := newMemory(1, func() time.Time { return now })
		model := level{rate: rate, held: int64(rate.Burst) * int64(time.Second), at: now}
		interval := int(time.Second) / rate.PerSecond
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3*interval).Draw(t, "pause")))
			if rapid.IntRange(0, 9).Draw(t, "rest") == 0 {
				now = now.Add(rate.refill())
			}
			got, want := l.Allow(t.Context(), "k", rate), model.allow(now)
			if got.Allowed != want {
				t.Fatalf("allowed is %v where the bucket holds %d billionths", got.Allowed, model.held)
			}
			if left := int(model.held / int64(time.Second)); got.Remaining != left {
				t.Fatalf("remaining is %d where the bucket holds %d billionths", got.Remaining, model.held)
			}
			if !got.Allowed {
				if lacking := time.Duration(int64(time.Second)-model.held) / time.Duration(
					rate.PerSecond); got.RetryAfter < lacking || got.RetryAfter > lacking+1 {
					t.Fatalf("told to wait %v, a token is there in %v", got.RetryAfter, lacking)
				}
			}
		}
	})
}

func TestMemoryKeepsNoMoreBucketsThanItMay(t *testing.T) {
	l := newMemory(100, time.Now)
	for key := range 10_000 {
		l.Allow(t.Context(), fmt.Sprint(key), slow(1))
	}
	if l.Allow(t.Context(), "9999", slow(1)).Allowed {
		t.Error("the bucket asked last is forgotten")
	}
	if !l.Allow(t.Context(), "0", slow(1)).Allowed {
		t.Error("the bucket asked first is still there, after 9,999 others in a memory of 100")
	}
}

func TestAFullMemoryFitsItsBudget(t *testing.T) {
	const budget = 12 << 20
	before := heap()
	l := NewMemory()
	for range 2 * memoryKeys {
		l.Allow(t.Context(), fmt.Sprintf("token:%08x-0000-7000-8000-%012x", rand.Uint32(), rand.Uint64()>>16),
			DefaultToken)
	}
	used := heap() - before
	runtime.KeepAlive(l)
	t.Logf("%d buckets take %d KiB", memoryKeys, used>>10)
	if used > budget {
		t.Errorf("%d buckets take %d bytes, more than %d", memoryKeys, used, budget)
	}
}

func heap() int64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

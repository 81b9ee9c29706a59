package limit

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

// Every benchmark has 64 callers at once.
func callers(b *testing.B, ask func(i int)) {
	var next atomic.Int64
	b.SetParallelism(64 / runtime.GOMAXPROCS(0))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := int(next.Add(1)) * 7919; pb.Next(); i++ {
			ask(i)
		}
	})
}

func names(kind string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s:01910000-0000-7000-8000-%012d", kind, i)
	}
	return all
}

var wide = Rate{PerSecond: MaxPerSecond, Burst: MaxBurst}

func BenchmarkMemory(b *testing.B) {
	for _, c := range []struct {
		name string
		keys int
		rate Rate
	}{
		{"one key refused", 1, DefaultToken},
		{"one key allowed", 1, Rate{PerSecond: MaxPerSecond, Burst: 1 << 40}},
		{"10000 keys", 10_000, wide},
		{"100000 keys forgotten", 100_000, wide},
	} {
		b.Run(c.name, func(b *testing.B) {
			l, keys := NewMemory(), names("token", c.keys)
			callers(b, func(i int) { l.Allow(b.Context(), keys[i%len(keys)], c.rate) })
		})
	}
}

func BenchmarkGate(b *testing.B) {
	g := NewGate(NewMemory(), wide, wide)
	tokens, organizations := names("t", 1_000), names("o", 5)
	callers(b, func(i int) { _ = g.Ask(b.Context(), tokens[i%1_000], organizations[i%5]).Field() })
}

func BenchmarkRedis(b *testing.B) {
	server := testkit.Redis(b)
	for _, keys := range []int{1, 10_000} {
		b.Run(fmt.Sprintf("%d keys", keys), func(b *testing.B) {
			log := &logBook{}
			l, keys := connect(b, server, log), names("token", keys)
			callers(b, func(i int) { l.Allow(b.Context(), keys[i%len(keys)], wide) })
			b.ReportMetric(float64(len(log.all())), "log-lines")
		})
	}
}

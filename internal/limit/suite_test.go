package limit

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kinebase/kinebase/internal/testkit"
)

// engines is every way to keep buckets; each passes every test of this file.
var engines = map[string]func(t *testing.T) Limiter{
	"memory": func(*testing.T) Limiter { return NewMemory() },
	"redis":  func(t *testing.T) Limiter { return connect(t, testkit.Redis(t), &logBook{}) },
}

func onBothEngines(t *testing.T, test func(t *testing.T, l Limiter)) {
	for name, open := range engines {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// connect gives a limiter on the server that has its patience with it: a busy
// test machine is no outage. Tests of outages use connectAsServed.
// untilTheEnd has no answer of Redis be late, however busy the machine is.
var untilTheEnd = patience{testkit.Patience, testkit.Patience}

func connect(t testing.TB, server *testkit.RedisServer, log *logBook) *Redis {
	t.Helper()
	return connectTo(t, server.Addr, log, untilTheEnd)
}

func connectAsServed(t testing.TB, server *testkit.RedisServer, log *logBook) *Redis {
	t.Helper()
	return connectTo(t, server.Addr, log, servedPatience)
}

func connectTo(t testing.TB, url string, log *logBook, p patience) *Redis {
	t.Helper()
	r, err := newRedis(t.Context(), url, slog.New(log), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("the connections to Redis do not close: %v", err)
		}
	})
	return r
}

// slow has a bucket that gets a token a second.
func slow(burst int) Rate { return Rate{PerSecond: 1, Burst: burst} }

// swiftly makes rounds, each with a key of its own, until one has ended before a slow
// bucket got a token back. What went wrong in a round that took longer does not count.
func swiftly(t *testing.T, round func(key string) (wrong string)) {
	t.Helper()
	n, wrong := 0, ""
	testkit.Until(t, "a round takes less than a second", func() bool {
		n++
		began := time.Now()
		wrong = round("round " + strconv.Itoa(n))
		return time.Since(began) < time.Second
	})
	if wrong != "" {
		t.Error(wrong)
	}
}

// one asks for two tokens of a bucket of one.
func one(ctx context.Context, l Limiter, key string) (wrong string) {
	if !l.Allow(ctx, key, slow(1)).Allowed {
		return "the first request of a full bucket of one is refused"
	}
	if l.Allow(ctx, key, slow(1)).Allowed {
		return "the second request of a bucket of one is allowed within a second"
	}
	return ""
}

func TestABucketGivesItsBurstAndThenRefuses(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		began := time.Now()
		for i := range 100 {
			r := l.Allow(t.Context(), "k", slow(100))
			if !r.Allowed || r.Limit != 100 || r.RetryAfter != 0 {
				t.Fatalf("request %d of 100: %+v", i+1, r)
			}
			// Redis counts in floating point and may find one less.
			back := int(time.Since(began).Seconds())
			if left := 99 - i; r.Remaining < left-1 || r.Remaining > left+back {
				t.Errorf("after %d of 100 there are %d left", i+1, r.Remaining)
			}
			if full := time.Duration(i+1) * time.Second; r.Reset > full ||
				r.Reset < full-time.Since(began)-time.Millisecond {
				t.Errorf("after %d of 100 at 1 a second the bucket is said to be full in %v", i+1, r.Reset)
			}
		}
		r := l.Allow(t.Context(), "k", slow(100))
		if time.Since(began) < time.Second && r.Allowed {
			t.Errorf("request 101 within a second is allowed: %+v", r)
		}
		if !r.Allowed && (r.Remaining != 0 || r.RetryAfter <= 0 || r.RetryAfter > time.Second || r.Limit != 100) {
			t.Errorf("request 101 is refused with %+v", r)
		}
	})
}

func TestEveryCallerTogetherGetsExactlyTheBurst(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		const callers, each, burst = 64, 25, 1_000
		rounds := 20 // a lost race does not show every time
		if _, pooled := l.(*Redis); pooled {
			rounds = 3 // scripts run one after the other there
		}
		for round := range rounds {
			key, began := strconv.Itoa(round), time.Now()
			allowed := crowd(callers, each, func() bool { return l.Allow(t.Context(), key, slow(burst)).Allowed })
			if most := burst + int(time.Since(began).Seconds()); allowed < burst || allowed > most {
				t.Errorf("%d callers asked %d times and were allowed %d, not %d..%d", callers, callers*each, allowed,
					burst, most)
			}
		}
	})
}

func TestARefusedCallerIsAllowedWhenItWasTold(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		rate := Rate{PerSecond: 20, Burst: 2}
		told := time.Now()
		refused := l.Allow(t.Context(), "k", rate)
		for refused.Allowed {
			told = time.Now()
			refused = l.Allow(t.Context(), "k", rate)
		}
		testkit.Until(t, "a token comes back", func() bool { return l.Allow(t.Context(), "k", rate).Allowed })
		if waited := time.Since(told); waited < refused.RetryAfter-20*time.Millisecond {
			t.Errorf("told to wait %v, allowed after %v", refused.RetryAfter, waited)
		}
	})
}

func TestKeysDoNotShareABucket(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		for _, key := range []string{"a", "b", "", "a:", "日本", "a b\r\n"} {
			before := ""
			swiftly(t, func(round string) string {
				if before == "" { // as it stands, the first time
					round = ""
				}
				before = "used"
				return one(t.Context(), l, key+round)
			})
		}
	})
}

func TestAFullBucketGivesAtAnyRate(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		for _, rate := range []Rate{{1, 1}, {3, 1}, {7, 1}, {500, 1000}, {MaxPerSecond, 1}, {1, MaxBurst},
			{MaxPerSecond, MaxBurst}, {99_991, 3}} {
			for key := range 50 {
				if r := l.Allow(t.Context(), rate.String()+"/"+string(rune('A'+key)), rate); !r.Allowed {
					t.Errorf("at %v a full bucket refuses: %+v", rate, r)
				}
			}
		}
	})
}

func TestWhatIsGivenBackCanBeTakenAgain(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		rate := slow(3)
		swiftly(t, func(key string) string {
			ask := func() bool { return l.Allow(t.Context(), key, rate).Allowed }
			for ask() {
			}
			l.GiveBack(t.Context(), key, rate)
			if !ask() {
				return "one was given back, and there is none"
			}
			if ask() {
				return "one was given back, and there are two"
			}
			return ""
		})
	})
}

func TestGivingBackNeverOverfillsABucket(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		rate := slow(3)
		for range 10 {
			l.GiveBack(t.Context(), "k", rate)
		}
		began, allowed := time.Now(), 0
		for range 10 {
			if l.Allow(t.Context(), "k", rate).Allowed {
				allowed++
			}
		}
		if most := 3 + int(time.Since(began).Seconds()); allowed < 3 || allowed > most {
			t.Errorf("a bucket of 3 gave %d", allowed)
		}
	})
}

func TestACallerWhoHasGoneAwayStillGetsAnAnswer(t *testing.T) {
	onBothEngines(t, func(t *testing.T, l Limiter) {
		gone, leave := context.WithCancel(t.Context())
		leave()
		if !l.Allow(gone, "k", slow(1)).Allowed {
			t.Error("a full bucket refuses")
		}
		l.GiveBack(gone, "k", slow(1))
	})
}

// crowd lets many callers ask at once and counts the yes.
func crowd(callers, each int, ask func() bool) int {
	var yes atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for range callers {
		all.Go(func() {
			<-start
			for range each {
				if ask() {
					yes.Add(1)
				}
			}
		})
	}
	close(start)
	all.Wait()
	return int(yes.Load())
}

// logBook keeps the messages logged.
type logBook struct {
	mu    sync.Mutex
	lines []string
}

func (b *logBook) Enabled(context.Context, slog.Level) bool { return true }
func (b *logBook) WithAttrs([]slog.Attr) slog.Handler       { return b }
func (b *logBook) WithGroup(string) slog.Handler            { return b }
func (b *logBook) Handle(_ context.Context, r slog.Record) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, r.Level.String()+" "+r.Message)
	return nil
}

func (b *logBook) all() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.lines...)
}

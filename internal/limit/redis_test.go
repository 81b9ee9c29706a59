package limit

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/kinebase/kinebase/internal/testkit"
)

const (
	outLine  = "WARN Redis does not answer: each process limits rates by itself until it does"
	backLine = "INFO Redis answers again: processes share their rate limits"
)

func TestTwoProcessesShareABucket(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	one, two := connect(t, server, log), connect(t, server, log)
	began, turn := time.Now(), atomic.Int64{}
	allowed := crowd(64, 10, func() bool {
		l := one
		if turn.Add(1)%2 == 0 {
			l = two
		}
		return l.Allow(t.Context(), "k", slow(300)).Allowed
	})
	if most := 300 + int(time.Since(began).Seconds()); allowed < 300 || allowed > most {
		t.Errorf("a bucket of 300 gave %d to two processes", allowed)
	}
	if lines := log.all(); len(lines) != 0 {
		t.Errorf("a Redis that works is worth no words, but the log has %q", lines)
	}
}

func TestAKilledRedisIsReplacedUntilItIsBack(t *testing.T) {
	server := testkit.Redis(t)
	outlast(t, server, server.Kill, server.Start)
}

func TestAStuckRedisIsReplacedUntilItGoesOn(t *testing.T) {
	server := testkit.Redis(t)
	outlast(t, server, server.Stop, server.Cont)
}

func TestAStuckRedisThatDiesIsReplacedToo(t *testing.T) {
	server := testkit.Redis(t)
	outlast(t, server, func() { server.Stop(); server.Kill() }, server.Start)
}

// outlast breaks Redis under load, repairs it, and watches what callers get.
func outlast(t *testing.T, server *testkit.RedisServer, breakIt, repair func()) {
	var log logBook
	l := connect(t, server, &log)
	swiftly(t, func(key string) string { return one(t.Context(), l, key) })
	l.wait = redisWait
	// That an answer comes while Redis is silent shows that a call waits for it no longer
	// than this: the client library itself waits for hours.
	l.client.Options().ReadTimeout, l.client.Options().WriteTimeout = time.Hour, time.Hour
	var unbounded atomic.Int64
	l.client.AddHook(watched(func(ctx context.Context) {
		if end, limited := ctx.Deadline(); !limited || time.Until(end) > redisWait {
			unbounded.Add(1)
		}
	}))
	ask := func(key string, rate Rate) bool { return l.Allow(t.Context(), key, rate).Allowed }

	// Callers are under way while it breaks, and many more come afterwards.
	broken := make(chan struct{})
	go func() {
		defer close(broken)
		breakIt()
	}()
	crowd(16, 1, func() bool {
		pace := time.NewTicker(time.Millisecond)
		defer pace.Stop()
		for {
			ask("meanwhile", slow(1_000_000))
			select {
			case <-broken:
				return true
			case <-pace.C:
			}
		}
	})
	testkit.Until(t, "the outage is noticed", func() bool {
		ask("meanwhile", slow(1_000_000))
		return slices.Equal(log.all(), []string{outLine})
	})

	began := time.Now()
	allowed := crowd(64, 25, func() bool { return ask("broken", slow(1_000)) })
	if most := 1_000 + int(time.Since(began).Seconds()); allowed < 1_000 || allowed > most {
		t.Errorf("without Redis a bucket of 1000 gave %d", allowed)
	}
	if n := unbounded.Load(); n > 0 {
		t.Errorf("%d calls wait for Redis for longer than %v", n, redisWait)
	}
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("one outage is one line, but the log has %q", lines)
	}

	repair()
	testkit.Until(t, "Redis is asked again", func() bool {
		ask("afterwards", slow(1_000_000))
		return slices.Equal(log.all(), []string{outLine, backLine})
	})
	l.wait = testkit.Patience
	other := connect(t, server, &log)
	swiftly(t, func(key string) string {
		for l.Allow(t.Context(), key, slow(5)).Allowed {
		}
		if other.Allow(t.Context(), key, slow(5)).Allowed {
			return "after the outage processes do not share their buckets"
		}
		return ""
	})
}

func TestAfterAFailureOneCallerASecondTriesRedis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logBook
		r := &Redis{start: time.Now(), log: slog.New(&log)}
		mayAsk := func() bool { asking, _ := r.turn(); return asking }

		if n := crowd(64, 1, mayAsk); n != 64 {
			t.Errorf("while Redis answers %d of 64 ask it", n)
		}
		time.Sleep(time.Minute) // of the bubble's clock, not of ours
		r.out(errors.New("gone"))
		for second := range 5 {
			time.Sleep(redisPause - 1)
			if n := crowd(64, 10, mayAsk); n != 0 {
				t.Errorf("within second %d of the outage %d asked", second+1, n)
			}
			time.Sleep(1)
			if n := crowd(64, 10, mayAsk); n != 1 {
				t.Errorf("after second %d of the outage %d tried, not 1", second+1, n)
			}
			r.out(errors.New("still gone"))
		}
		r.back()
		if n := crowd(64, 1, mayAsk); n != 64 {
			t.Errorf("after the outage %d of 64 ask Redis", n)
		}
		if lines := log.all(); !slices.Equal(lines, []string{outLine, backLine}) {
			t.Errorf("one outage is two lines, but the log has %q", lines)
		}
	})
}

func TestALateAnswerDoesNotEndAnOutage(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	l := connect(t, server, log)
	l.client.AddHook(meanwhile(func() { l.out(errors.New("another call was not answered")) }))
	l.Allow(t.Context(), "k", slow(1))
	if l.asleep.Load() == 0 {
		t.Error("Redis is asked again before the pause is over")
	}
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("the log has %q", lines)
	}
}

// watched is told with what deadline Redis is called.
type watched func(context.Context)

func (watched) DialHook(next redis.DialHook) redis.DialHook { return next }
func (w watched) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { w(ctx); return next(ctx, cmd) }
}
func (watched) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// meanwhile does something while a call is under way.
type meanwhile func()

func (meanwhile) DialHook(next redis.DialHook) redis.DialHook { return next }
func (m meanwhile) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { m(); return next(ctx, cmd) }
}
func (meanwhile) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestARedisThatIsNotThereAtTheStartIsAnOutage(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	server.Kill()
	l := connectAsServed(t, server, log)
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("at the start the log has %q", lines)
	}
	swiftly(t, func(key string) string { return one(t.Context(), l, key) })
	server.Start()
	testkit.Until(t, "Redis is found", func() bool {
		l.Allow(t.Context(), "other", slow(1_000_000))
		return slices.Equal(log.all(), []string{outLine, backLine})
	})
}

func TestANetworkThatSwallowsConnectionsIsAnOutage(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	server.Kill() // so that the start leaves no connection
	l := connectAsServed(t, server, log)
	l.asleep.Store(0)
	swallow := make(swallower)
	defer close(swallow)
	l.client.AddHook(swallow)

	began := time.Now()
	if !l.Allow(t.Context(), "k", slow(1)).Allowed {
		t.Error("the local bucket is full, and refuses")
	}
	if took := time.Since(began); took < redisWait/2 { // as long as the dial goes on
		t.Errorf("the answer took %v", took)
	}
	if l.asleep.Load() == 0 {
		t.Error("Redis is asked again at once")
	}
}

// swallower makes every dial hang until it is closed, as a firewall does that
// drops packets.
type swallower chan struct{}

func (s swallower) DialHook(redis.DialHook) redis.DialHook {
	return func(context.Context, string, string) (net.Conn, error) {
		<-s
		return nil, errors.New("the network is down")
	}
}
func (s swallower) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (s swallower) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func TestACallerWhoGoesAwayIsNoOutage(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	l := connectAsServed(t, server, log)
	server.Stop()
	for range 50 { // whose clock rings first, the caller's or the connection's, is chance
		short, leave := context.WithTimeout(t.Context(), time.Millisecond)
		l.Allow(short, "k", slow(1))
		leave()
	}
	if lines := log.all(); len(lines) != 0 {
		t.Errorf("the caller left, and the log has %q", lines)
	}
}

func TestWhatIsNotALimiterInRedisIsAnOutageAndNotAnError(t *testing.T) {
	server, log := testkit.Redis(t), &logBook{}
	l := connect(t, server, log)
	if err := l.client.LPush(t.Context(), "rate:kinebase:k", "another program's").Err(); err != nil {
		t.Fatal(err)
	}
	if !l.Allow(t.Context(), "k", slow(1)).Allowed {
		t.Error("the local bucket is full, and refuses")
	}
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("the log has %q", lines)
	}
}

func TestNothingIsLeftInRedisOnceABucketIsFull(t *testing.T) {
	server := testkit.Redis(t)
	l := connect(t, server, &logBook{})
	l.Allow(t.Context(), "k", Rate{PerSecond: 1000, Burst: 10})
	testkit.Until(t, "the key has expired", func() bool {
		n, err := l.client.DBSize(t.Context()).Result()
		return err == nil && n == 0
	})
}

func TestARedisURLThatCannotBeReadIsRefusedWithoutItsPassword(t *testing.T) {
	for _, url := range []string{"", "localhost:6379", "http://u:geheim@h/", "redis://u:geheim@h:port/0", "redis://u:geheim@h:6379/zero", "redis://u:geheim@h%zz"} {
		_, err := NewRedis(t.Context(), url, NewMemory(), slog.New(&logBook{}))
		if err == nil {
			t.Errorf("%q is taken", url)
			continue
		}
		if strings.Contains(err.Error(), "geheim") || !strings.Contains(err.Error(), "redis://") {
			t.Errorf("%q is refused with %q", url, err)
		}
	}
}

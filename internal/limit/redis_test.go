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
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/kinebase/kinebase/internal/testkit"
)

const (
	outLine  = "WARN Redis does not answer in time: each server gives its share of the rate limits until it does"
	backLine = "INFO Redis answers again: servers share their rate limits"
)

func TestTwoProcessesShareABucket(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	server := testkit.Redis(t)
	outlast(t, server, server.Kill, server.Start)
}

func TestAStuckRedisIsReplacedUntilItGoesOn(t *testing.T) {
	t.Parallel()
	server := testkit.Redis(t)
	outlast(t, server, server.Stop, server.Cont)
}

func TestAStuckRedisThatDiesIsReplacedToo(t *testing.T) {
	t.Parallel()
	server := testkit.Redis(t)
	outlast(t, server, func() { server.Stop(); server.Kill() }, server.Start)
}

// outlast breaks Redis under load, repairs it, and watches what callers get.
func outlast(t *testing.T, server *testkit.RedisServer, breakIt, repair func()) {
	var log logBook
	l := connectAsServed(t, server, &log)
	// That an answer comes while Redis is silent shows that a call waits for it no longer
	// than this: the client library itself waits for hours.
	l.pool.client.Options().ReadTimeout, l.pool.client.Options().WriteTimeout = time.Hour, time.Hour
	var unbounded atomic.Int64
	l.pool.client.AddHook(watched(func(ctx context.Context) {
		if end, limited := ctx.Deadline(); !limited || time.Until(end) > payTime {
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
		return l.Out() && slices.Equal(log.all(), []string{outLine})
	})

	began := time.Now()
	allowed := crowd(64, 25, func() bool { return ask("broken", slow(1_000)) })
	if most := 1_000 + int(time.Since(l.start).Seconds()); allowed < 500 || allowed > most {
		t.Errorf("without Redis a bucket of 1000 gave %d", allowed)
	}
	t.Logf("1600 calls without Redis took %v", time.Since(began))
	if n := unbounded.Load(); n > 0 {
		t.Errorf("%d calls wait for Redis for longer than %v", n, payTime)
	}
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("one outage is one line, but the log has %q", lines)
	}

	repair()
	testkit.Until(t, "Redis is asked again",
		func() bool { return slices.Equal(log.all(), []string{outLine, backLine}) && !l.Out() })
	other := connect(t, server, &log)
	left := 1_000 - allowed + int(time.Since(l.start).Seconds())
	if got := other.Allow(t.Context(), "broken", slow(1_000)).Remaining; got > left {
		t.Errorf("after the outage Redis has %d left of a bucket that gave %d of 1000", got, allowed)
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

func TestARedisThatIsNotThereAtTheStartIsAnOutage(t *testing.T) {
	t.Parallel()
	server, log := testkit.Redis(t), &logBook{}
	server.Kill()
	l := connectAsServed(t, server, log)
	if lines := log.all(); !slices.Equal(lines, []string{outLine}) {
		t.Errorf("at the start the log has %q", lines)
	}
	began, gave := time.Now(), 0
	for l.Allow(t.Context(), "k", slow(1_000)).Allowed {
		gave++
	}
	if most := 1_000/strangers + int(time.Since(began).Seconds()); gave == 0 || gave > most {
		t.Errorf("a server that has never heard of Redis gave %d of a bucket of 1000", gave)
	}
	server.Start()
	testkit.Until(t, "Redis is found", func() bool { return slices.Equal(log.all(), []string{outLine, backLine}) })
	if left, most := l.Allow(t.Context(), "k", slow(1_000)).Remaining,
		1_000-gave+int(time.Since(began).Seconds()); left > most {
		t.Errorf("%d are left of 1000 after %d were given", left, gave)
	}
}

func TestANetworkThatSwallowsConnectionsIsAnOutage(t *testing.T) {
	t.Parallel()
	server, log := testkit.Redis(t), &logBook{}
	l := connectAsServed(t, server, log)
	swallow := make(swallower)
	defer close(swallow)
	l.pool.client.AddHook(swallow)
	server.Kill() // which leaves no connection
	testkit.Until(t, "Redis is missed", l.missed)
	testkit.Until(t, "the log tells of it", func() bool { return slices.Equal(log.all(), []string{outLine}) })
	if !l.Allow(t.Context(), "k", slow(10)).Allowed {
		t.Error("a full bucket refuses")
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

func TestAnAnswerThatIsALittleLateCountsAndIsNoOutage(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1, servedPatience)
	s := f.servers[0]
	s.pool.client.AddHook(watched(func(context.Context) {
		if !s.away.Load() {
			<-time.After(servedPatience.late + 5*time.Millisecond)
		}
	}))
	s.Allow(t.Context(), "k", slow(10))
	testkit.Until(t, "the server draws from the pool again", func() bool { return !s.away.Load() })
	if s.Out() {
		t.Error("one late answer is told as an outage")
	}
}

func TestWhatIsNotALimiterInRedisIsAnOutageAndNotAnError(t *testing.T) {
	t.Parallel()
	server, log := testkit.Redis(t), &logBook{}
	l := connect(t, server, log)
	if err := l.pool.client.LPush(t.Context(), bucketKey+"k", "another program's").Err(); err != nil {
		t.Fatal(err)
	}
	if !l.Allow(t.Context(), "k", slow(10)).Allowed {
		t.Error("a full bucket refuses")
	}
	testkit.Until(t, "it is told as an outage", func() bool { return slices.Contains(log.all(), outLine) })
}

func TestAServerThatIsGoneCountsNoLonger(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 2, untilTheEnd)
	third, err := newRedis(t.Context(), f.redis.Addr, slog.New(&logBook{}), untilTheEnd)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "a third is seen", func() bool { return f.servers[0].share.seen() == 3 })
	testkit.Until(t, "it is not away", func() bool { return !third.away.Load() })
	if err := third.Close(); err != nil { // in order: it counts no longer at once
		t.Fatal(err)
	}
	testkit.Until(t, "one has left", func() bool { return f.servers[0].share.seen() == 2 })
	f.servers[1].end() // without a word: after a while
	f.servers[1].done.Wait()
	testkit.Until(t, "the other counts no longer", func() bool {
		s, err := f.servers[0].pool.beat(t.Context(), 0, presence)
		return err == nil && s.servers == 1
	})
}

func TestNothingIsLeftInRedisOnceABucketIsFull(t *testing.T) {
	t.Parallel()
	server := testkit.Redis(t)
	l := connect(t, server, &logBook{})
	l.Allow(t.Context(), "k", Rate{PerSecond: 1000, Burst: 10})
	testkit.Until(t, "the key has expired", func() bool {
		n, err := l.pool.client.Exists(t.Context(), bucketKey+"k").Result()
		return err == nil && n == 0
	})
}

func TestARedisURLThatCannotBeReadIsRefusedWithoutItsPassword(t *testing.T) {
	for _, url := range []string{"", "localhost:6379", "http://u:geheim@h/", "redis://u:geheim@h:port/0",
		"redis://u:geheim@h:6379/zero", "redis://u:geheim@h%zz"} {
		_, err := NewRedis(t.Context(), url, slog.New(&logBook{}))
		if err == nil {
			t.Errorf("%q is taken", url)
			continue
		}
		if strings.Contains(err.Error(), "geheim") || !strings.Contains(err.Error(), "redis://") {
			t.Errorf("%q is refused with %q", url, err)
		}
	}
}
